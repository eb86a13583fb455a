# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of noise_source over its model of the rings: raw bits in order, words that nobody takes."""

import itertools

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge


def raw_bits():
    """The generator of noise/model/noise_rings.sv (Marsaglia's xorshift 13, 17, 5), a bit a sample."""
    state = 1
    while True:
        yield state >> 31
        state ^= state << 13 & 0xFFFFFFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFFFFFF


async def begin(dut):
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    dut.rst.value, dut.word_ready.value, dut.clear.value = 1, 0, 0
    await ClockCycles(dut.clk, 2)
    dut.rst.value = 0


async def take(dut):
    while not int(dut.word_valid.value):
        await RisingEdge(dut.clk)
    word = int(dut.word.value)
    dut.word_ready.value = 1
    await RisingEdge(dut.clk)
    dut.word_ready.value = 0
    await RisingEdge(dut.clk)
    return word


@cocotb.test()
async def every_raw_bit_is_handed_out_once_and_in_order(dut):
    await begin(dut)
    words = [await take(dut) for _ in range(40)]
    got = "".join(f"{word:032b}" for word in words)
    expected = "".join(map(str, itertools.islice(raw_bits(), 20_000)))  # samples before this test included
    assert got in expected and not int(dut.alarm.value)


@cocotb.test()
async def a_word_that_nobody_takes_is_lost_and_said_so(dut):
    await begin(dut)
    lost = 0
    for _ in range(5 * 32 * 3 + 10):
        await RisingEdge(dut.clk)
        lost += int(dut.lost.value)
    assert lost == 2
    await take(dut)
    for _ in range(5 * 16):
        await RisingEdge(dut.clk)
        assert not int(dut.lost.value)
