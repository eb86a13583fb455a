# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of uart_tx: 8N1 as a line of its own, bit by bit."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, First, RisingEdge, Timer

BIT = int(os.environ.get("BIT_CYCLES", 16))
PERIOD = 10  # ns


async def begin(dut):
    cocotb.start_soon(Clock(dut.clk, PERIOD, unit="ns").start())
    dut.rst.value, dut.valid.value = 1, 0
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0
    await ClockCycles(dut.clk, 3)


async def line_gives(dut):
    """A byte as the receiver at the other end of the line sees it."""
    while int(dut.txd.value):
        await RisingEdge(dut.clk)
    await Timer(BIT * PERIOD // 2, "ns")
    assert not int(dut.txd.value), "a start bit is 0 for the whole of its time"
    value = 0
    for i in range(8):
        await Timer(BIT * PERIOD, "ns")
        value |= int(dut.txd.value) << i
    await Timer(BIT * PERIOD, "ns")
    assert int(dut.txd.value), "no stop bit"
    return value


@cocotb.test()
async def sends_bytes_back_to_back_and_after_pauses(dut):
    await begin(dut)
    sent = [0x00, 0xFF, 0x55, 0xAA, 0x01, 0x80, *random.randbytes(20)]

    async def feed():
        for value in sent:
            dut.valid.value, dut.data.value = 1, value
            await RisingEdge(dut.clk)
            while not int(dut.ready.value):
                await RisingEdge(dut.clk)
            dut.valid.value, dut.data.value = 0, random.getrandbits(8)
            if random.random() < 0.3:
                await ClockCycles(dut.clk, random.randrange(30 * BIT))

    cocotb.start_soon(feed())
    assert [await line_gives(dut) for _ in sent] == sent


@cocotb.test()
async def the_line_rests_at_one(dut):
    await begin(dut)
    await First(ClockCycles(dut.clk, 40 * BIT), dut.txd.value_change)
    assert int(dut.txd.value) == 1
