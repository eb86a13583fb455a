// SPDX-License-Identifier: Apache-2.0
//! The compiled half of the Python package `sealwire`.
