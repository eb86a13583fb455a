# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of hdl/link/rx/link_flush: request and answer between two clocks, and what a reset leaves of them."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, Timer

CROSSING = 6  # cycles of either clock in which a level has crossed, and its answer can be given


async def start(dut):
    cocotb.start_soon(Clock(dut.core_clk, 5300, unit="ps").start())
    cocotb.start_soon(Clock(dut.trusted_clk, 7002, unit="ps").start())
    dut.wipe.value = dut.flushing.value = 0
    await reset(dut)


async def reset(dut):
    dut.core_rst.value = 1
    await crossed(dut)
    dut.core_rst.value = 0
    await crossed(dut)


async def crossed(dut):
    await ClockCycles(dut.core_clk, CROSSING)
    await ClockCycles(dut.trusted_clk, CROSSING)
    await FallingEdge(dut.core_clk)


@cocotb.test()
async def stays_closed_from_a_wipe_until_all_is_drained(dut):
    await start(dut)
    for _ in range(5):
        assert not dut.closed.value and not dut.flush.value
        dut.wipe.value = 1
        await Timer(1, "ns")
        assert dut.closed.value
        await ClockCycles(dut.core_clk, random.randrange(1, 20))
        await FallingEdge(dut.core_clk)
        dut.wipe.value = 0
        await crossed(dut)
        assert dut.closed.value and dut.flush.value
        dut.flushing.value = 1
        await crossed(dut)
        assert dut.closed.value and not dut.flush.value
        dut.flushing.value = 0
        await crossed(dut)


@cocotb.test()
async def a_reset_takes_a_request_back(dut):
    """The trusted side is in reset as well and never says that it drains."""
    await start(dut)
    dut.wipe.value = 1
    await crossed(dut)
    dut.wipe.value = 0
    await crossed(dut)
    assert dut.closed.value and dut.flush.value
    await reset(dut)
    assert not dut.closed.value and not dut.flush.value
