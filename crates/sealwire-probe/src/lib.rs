// SPDX-License-Identifier: Apache-2.0
//! What the programs that check masked circuits share: the netlist.

pub mod netlist;
