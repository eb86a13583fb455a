# SPDX-License-Identifier: Apache-2.0
"""64-bit counters read as two words while they run, also where the low word overflows."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge


@cocotb.test()
async def both_words_belong_to_one_moment(dut):
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    start = 2**32 - 2000
    count = start
    dut.rst.value, dut.req.value, dut.req_is_wr.value = 1, 0, 0

    async def clock():
        nonlocal count
        await RisingEdge(dut.clk)
        count += 3
        dut.counts.value = count << 64 | (2**64 - 1 - count)

    async def read(index, high):
        dut.req.value, dut.index.value, dut.high.value = 1, index, high
        await clock()
        dut.req.value, dut.index.value, dut.high.value = 0, random.getrandbits(1), random.getrandbits(1)
        for _ in range(8):
            await clock()
            if dut.rd_ack.value:
                return int(dut.rd_data.value)
        raise AssertionError("no answer")

    await clock()
    dut.rst.value = 0
    for _ in range(300):
        index = random.getrandbits(1)
        before = count
        low = await read(index, 0)
        after = count
        for _ in range(random.choice((0, 1, 7))):
            await clock()
        value = low | await read(index, 1) << 32
        assert before <= (value if index else 2**64 - 1 - value) <= after, (index, hex(value), hex(before))
    assert count > 2**32
