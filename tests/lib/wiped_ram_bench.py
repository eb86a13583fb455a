# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of hdl/lib/memory/wiped_ram: a memory, and the walk that writes zero to every word."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge

DEPTH = int(os.environ.get("DEPTH", 16))
READ_LATE = int(os.environ.get("READ_LATE", 0))
#: Cycles of a walk: the banks are wiped side by side.
WALK = min(DEPTH, int(os.environ.get("WIPE_CYCLES", 1024)))


async def begin(dut):
    dut.w_wipe.value = dut.w_en.value = dut.r_en.value = 0
    cocotb.start_soon(Clock(dut.w_clk, 10, unit="ns").start())
    cocotb.start_soon(Clock(dut.r_clk, 10, unit="ns").start())
    await wipe(dut)


async def fill(dut):
    """Random bits in every word."""
    words = [random.getrandbits(len(dut.w_data)) for _ in range(DEPTH)]
    dut.w_en.value = 1
    for address in random.sample(range(DEPTH), DEPTH):
        dut.w_addr.value, dut.w_data.value = address, words[address]
        await RisingEdge(dut.w_clk)
    dut.w_en.value = 0
    return words


async def contents(dut):
    words = [0] * DEPTH
    for address in random.sample(range(DEPTH), DEPTH):
        dut.r_en.value, dut.r_addr.value = 1, address
        await RisingEdge(dut.r_clk)
        dut.r_en.value, dut.r_addr.value = 0, random.randrange(DEPTH)
        for _ in range(READ_LATE + random.choice((1, 1, 3))):  # what was read stays
            await FallingEdge(dut.r_clk)
        words[address] = int(dut.r_data.value)
    return words


async def wipe(dut, cycles=1):
    """Ask for a wipe for some cycles, and wait for its end; returns the cycles that it went on."""
    dut.w_wipe.value = 1
    for _ in range(cycles):
        await RisingEdge(dut.w_clk)
    dut.w_wipe.value = 0
    walked = 0
    await FallingEdge(dut.w_clk)
    while int(dut.w_wiping.value):
        walked += 1
        assert walked <= 2 * WALK, "the walk does not end"
        await FallingEdge(dut.w_clk)
    return walked


@cocotb.test()
async def holds_what_was_written(dut):
    await begin(dut)
    for _ in range(3):
        words = await fill(dut)
        assert await contents(dut) == words


@cocotb.test()
async def a_wipe_leaves_zero_in_every_word_and_takes_as_long_as_promised(dut):
    await begin(dut)
    for cycles in (1, 2, 5, WALK - 1, WALK, WALK + 3):
        await fill(dut)
        assert await wipe(dut, cycles) == WALK, cycles
        assert await contents(dut) == [0] * DEPTH, cycles


@cocotb.test()
async def a_wipe_in_the_midst_of_a_wipe_begins_anew(dut):
    await begin(dut)
    for walked in (1, 2, WALK // 2, WALK - 2, WALK - 1, WALK):
        await fill(dut)
        dut.w_wipe.value = 1
        await RisingEdge(dut.w_clk)
        dut.w_wipe.value = 0
        for _ in range(walked):
            await RisingEdge(dut.w_clk)
        assert await wipe(dut) == WALK, walked
        assert await contents(dut) == [0] * DEPTH, walked


@cocotb.test()
async def nothing_is_written_during_a_wipe(dut):
    await begin(dut)
    await fill(dut)
    walk = cocotb.start_soon(wipe(dut))
    await RisingEdge(dut.w_clk)
    await FallingEdge(dut.w_clk)
    while int(dut.w_wiping.value):
        dut.w_en.value, dut.w_addr.value = random.getrandbits(1), random.randrange(DEPTH)
        dut.w_data.value = random.getrandbits(len(dut.w_data))
        await FallingEdge(dut.w_clk)
    dut.w_en.value = 0
    await walk
    assert await contents(dut) == [0] * DEPTH
