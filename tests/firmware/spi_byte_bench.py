# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of spi_byte beside a slave of SPI mode 0."""

import itertools
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, ReadOnly, RisingEdge, Timer
from cocotb.utils import get_sim_time

HALF = int(os.environ.get("HALF_CYCLES", 3))


async def begin(dut):
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    dut.rst.value, dut.start.value, dut.miso.value = 1, 0, 0
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0
    await ClockCycles(dut.clk, 2)


async def slave(dut, answer):
    """Takes a byte and gives `answer`: bits change 6 ns behind the falling edge, as a W25Q64 has them at the latest."""
    taken = 0
    dut.miso.value = answer >> 7
    for i in range(8):
        await RisingEdge(dut.sck)
        taken = taken << 1 | int(dut.mosi.value)
        await FallingEdge(dut.sck)
        await Timer(6, "ns")
        dut.miso.value = answer >> 6 - i & 1 if i < 7 else random.getrandbits(1)
    return taken


async def exchange(dut, value, answer):
    other = cocotb.start_soon(slave(dut, answer))
    dut.start.value, dut.send.value = 1, value
    await RisingEdge(dut.clk)
    dut.start.value, dut.send.value = 0, random.getrandbits(8)
    cycles = 0
    await ReadOnly()
    while int(dut.busy.value):
        await RisingEdge(dut.clk)
        await ReadOnly()
        cycles += 1
    got = int(dut.received.value)
    await RisingEdge(dut.clk)
    return got, await other, cycles


@cocotb.test()
async def exchanges_bytes_in_the_stated_time(dut):
    await begin(dut)
    for value, answer in ((0x00, 0xFF), (0xFF, 0x00), (0x80, 0x01), *(random.randbytes(2) for _ in range(50))):
        assert await exchange(dut, value, answer) == (answer, value, 16 * HALF)


@cocotb.test()
async def the_clock_rests_at_zero_and_has_equal_halves(dut):
    await begin(dut)
    await ClockCycles(dut.clk, 100)
    assert int(dut.sck.value) == 0
    task = cocotb.start_soon(exchange(dut, 0xA5, 0x5A))
    times = []
    for _ in range(8):
        await RisingEdge(dut.sck)
        times.append(get_sim_time("ns"))
        await FallingEdge(dut.sck)
        times.append(get_sim_time("ns"))
    assert {b - a for a, b in itertools.pairwise(times)} == {10 * HALF}
    await task
