# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of uart_rx: 8N1 as a line of its own, bit by bit."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, Timer

BIT = int(os.environ.get("BIT_CYCLES", 16))
PERIOD = 10  # ns


async def begin(dut):
    cocotb.start_soon(Clock(dut.clk, PERIOD, unit="ns").start())
    dut.rst.value, dut.rxd.value = 1, 1
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0
    await ClockCycles(dut.clk, 3)


async def put(dut, value, *, stop=1, stretch=1.0):
    """A byte on the line, by a sender whose bits take `stretch` of ours."""
    for bit in (0, *(value >> i & 1 for i in range(8)), stop):
        dut.rxd.value = bit
        await Timer(round(BIT * PERIOD * stretch * 1000), "ps")
    dut.rxd.value = 1


def listen(dut):
    got = []

    async def run():
        while True:
            await RisingEdge(dut.clk)
            if int(dut.valid.value):
                got.append(int(dut.data.value))

    cocotb.start_soon(run())
    return got


@cocotb.test()
async def receives_bytes_back_to_back_from_a_fast_and_a_slow_sender(dut):
    await begin(dut)
    for stretch in (1.0, 0.97, 1.03):
        got, sent = listen(dut), [0x00, 0xFF, 0x55, 0xAA, *random.randbytes(20)]
        for value in sent:
            await put(dut, value, stretch=stretch)
            if random.random() < 0.3:
                await Timer(random.randrange(20 * BIT * PERIOD), "ns")
        await ClockCycles(dut.clk, 2 * BIT)
        assert got == sent, stretch


@cocotb.test()
async def a_byte_without_stop_bit_is_dropped_and_the_next_one_taken(dut):
    await begin(dut)
    got = listen(dut)
    await put(dut, 0x41, stop=0)
    await Timer(3 * BIT * PERIOD, "ns")
    await put(dut, 0x42)
    await ClockCycles(dut.clk, 2 * BIT)
    assert got == [0x42]


@cocotb.test()
async def a_line_that_hangs_at_zero_gives_nothing(dut):
    await begin(dut)
    got = listen(dut)
    dut.rxd.value = 0
    await ClockCycles(dut.clk, 200 * BIT)
    assert got == []
    dut.rxd.value = 1
    await ClockCycles(dut.clk, 2 * BIT)
    await put(dut, 0x43)
    await ClockCycles(dut.clk, 2 * BIT)
    assert got == [0x43]


@cocotb.test()
async def a_glitch_shorter_than_half_a_bit_is_no_start(dut):
    await begin(dut)
    got = listen(dut)
    dut.rxd.value = 0
    await ClockCycles(dut.clk, BIT // 2 - 2)
    dut.rxd.value = 1
    await ClockCycles(dut.clk, BIT)
    await put(dut, 0x99)
    await ClockCycles(dut.clk, 2 * BIT)
    assert got == [0x99]
