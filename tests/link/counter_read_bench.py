# SPDX-License-Identifier: Apache-2.0
"""64-bit counters read as two words while they run, also where the low word overflows; answers come after any wait."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from generated.sealwire_link_regs import REGISTERS

COUNTERS = sum(name.startswith("counters.") for name in REGISTERS)


@cocotb.test()
async def both_words_belong_to_one_moment(dut):
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    count = 2**32 - 2000
    asked = []  # counters that the link was asked for
    dut.rst.value, dut.req.value, dut.req_is_wr.value, dut.done.value = 1, 0, 0, 0

    async def clock():
        nonlocal count
        await RisingEdge(dut.clk)
        count += 3
        read = int(dut.read.value)  # valid, counter
        counter = read & 63
        dut.count.value = 2**64 - 1 - count if counter % 2 else count
        dut.done.value = read >> 6 and random.random() < 0.3
        if read >> 6:
            asked.append(counter)

    async def read(counter, high):
        dut.req.value, dut.counter.value, dut.high.value = 1, counter, high
        await clock()
        dut.req.value, dut.counter.value, dut.high.value = 0, random.getrandbits(6), random.getrandbits(1)
        for _ in range(100):
            await clock()
            if dut.rd_ack.value:
                return int(dut.rd_data.value)
            assert not int(dut.rd_data.value)
        raise AssertionError("no answer")

    await clock()
    await clock()
    dut.rst.value = 0
    for _ in range(300):
        counter = random.randrange(COUNTERS)
        before = count
        low = await read(counter, 0)
        after = count
        assert set(asked) == {counter}
        asked.clear()
        for _ in range(random.choice((0, 1, 7))):
            await clock()
        count += random.getrandbits(1) << 32  # the high word goes on meanwhile
        value = low | await read(random.randrange(COUNTERS), 1) << 32
        assert not asked
        assert before <= (2**64 - 1 - value if counter % 2 else value) <= after, (counter, hex(value), hex(before))
    assert count > 2**32
