# SPDX-License-Identifier: Apache-2.0
"""The Sealwire lab: builds, checks and measures the cores with open tools."""
