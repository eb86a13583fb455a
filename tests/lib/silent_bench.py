# SPDX-License-Identifier: Apache-2.0
"""cocotb bench for test_hdl_bench.py: what passes, and what fails in ways that say nothing."""

import cocotb
from cocotb.triggers import Timer, with_timeout


@cocotb.test()
async def passes(dut):
    await Timer(1, "ns")


@cocotb.test()
async def fails_without_a_word(dut):
    raise AssertionError


@cocotb.test()
async def waits_for_ever(dut):
    await with_timeout(Timer(10, "us"), 1, "ns")
