# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of hdl/lib/cdc/cdc_counter."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge

S_PERIOD, M_PERIOD = int(os.environ.get("S_PERIOD", 10000)), int(os.environ.get("M_PERIOD", 10000))


async def begin(dut):
    dut.s_rst.value = dut.m_rst.value = 1
    dut.s_event.value = dut.m_clear.value = 0
    cocotb.start_soon(Clock(dut.s_clk, S_PERIOD, unit="ps").start())
    cocotb.start_soon(Clock(dut.m_clk, M_PERIOD, unit="ps").start())
    await ClockCycles(dut.s_clk, 3)
    await ClockCycles(dut.m_clk, 3)
    dut.s_rst.value = dut.m_rst.value = 0
    await settle(dut)


async def settle(dut):
    await ClockCycles(dut.s_clk, 12)
    await ClockCycles(dut.m_clk, 12)


async def events(dut, cycles, probability):
    count = 0
    for _ in range(cycles):
        now = int(random.random() < probability)
        dut.s_event.value = now
        await RisingEdge(dut.s_clk)
        count += now
    dut.s_event.value = 0
    return count


@cocotb.test()
async def counts_every_event(dut):
    await begin(dut)
    total = 0
    for probability in (1.0, 0.5, 0.05):
        total += await events(dut, 700, probability)
        await settle(dut)
        assert int(dut.m_count.value) == total


@cocotb.test()
async def clear_while_counting_loses_nothing(dut):
    """What was shown before each clear and at the end adds up."""
    await begin(dut)
    task = cocotb.start_soon(events(dut, 2000, 0.7))
    seen = 0
    while not task.done():
        await ClockCycles(dut.m_clk, random.randint(1, 40))
        dut.m_clear.value = 1
        await RisingEdge(dut.m_clk)
        seen += int(dut.m_count.value)
        dut.m_clear.value = 0
        await RisingEdge(dut.m_clk)
    await settle(dut)
    assert seen + int(dut.m_count.value) == task.result()


@cocotb.test()
async def keeps_its_count_when_the_source_is_reset(dut):
    await begin(dut)
    total = await events(dut, 300, 0.6)
    await settle(dut)
    for _ in range(5):
        dut.s_rst.value = 1
        await RisingEdge(dut.s_clk)
        dut.s_rst.value = 0
        await settle(dut)
        assert int(dut.m_count.value) == total
        total += await events(dut, random.randint(1, 200), 0.6)
        await settle(dut)
        assert int(dut.m_count.value) == total


@cocotb.test()
async def reset_of_the_reader_starts_from_zero(dut):
    await begin(dut)
    await events(dut, 300, 0.6)
    await RisingEdge(dut.m_clk)
    dut.m_rst.value = 1
    await RisingEdge(dut.m_clk)
    dut.m_rst.value = 0
    await settle(dut)
    assert int(dut.m_count.value) == 0
    total = await events(dut, 300, 0.6)
    await settle(dut)
    assert int(dut.m_count.value) == total
