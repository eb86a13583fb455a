# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the time in hdl/link/session/link_session: a millisecond has the cycles of its setting."""

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer


async def ticks(dut, ms_cycles, cycles):
    """Resets the module with a setting; the cycles behind the reset, counted from 1, in which a millisecond ends."""
    dut.rst.value, dut.ms_cycles.value = 1, ms_cycles
    for _ in range(3):
        await FallingEdge(dut.clk)
    dut.rst.value = 0
    seen = []
    for cycle in range(1, cycles + 1):
        await FallingEdge(dut.clk)
        await Timer(1, "ns")
        if dut.tick.value:
            seen.append(cycle)
    return seen


@cocotb.test()
async def a_millisecond_has_the_cycles_of_its_setting(dut):
    """Whatever the setting before the reset was: one of a thousand cycles stands before each of the small ones."""
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    for ms_cycles in (1, 2, 3, 10, 1):
        seen = await ticks(dut, ms_cycles, 10 * ms_cycles + 5)
        assert seen[:10] == [ms_cycles * index for index in range(1, 11)], f"{ms_cycles} cycles: {seen}"
        assert await ticks(dut, 1000, 20) == []


@cocotb.test()
async def time_stands_still_without_a_setting(dut):
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    assert await ticks(dut, 50, 10) == []
    assert await ticks(dut, 0, 200) == []
