# SPDX-License-Identifier: Apache-2.0
"""Simulated leakage of a masked core: does what its netlist does, glitches included, depend on data?"""
