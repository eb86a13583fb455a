# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of hdl/link/handshake/hs_take: when what it says of a message stands, at any pace of its eight beats."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer
from support.hdl_bench import beat_t

MASK = 2**64 - 1


class Bench:
    """Gives the beats of a message and looks at the ports in every cycle."""

    def __init__(self, dut):
        self.dut, self.words, self.taken = dut, [], 0

    @classmethod
    async def start(cls, dut):
        cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
        bench = cls(dut)
        dut.message_in.value, dut.done.value = 0, 0
        await bench.reset()
        return bench

    async def reset(self):
        """A reset of one cycle; nothing is taken in it, and nothing stands behind it."""
        self.dut.rst.value = 1
        self.dut.message_in.value = beat_t(0, 0, 0)
        await Timer(1, "ns")
        assert not self.dut.message_in_ready.value
        await FallingEdge(self.dut.clk)
        self.dut.rst.value = self.dut.message_in.value = self.taken = 0
        await self.check()

    async def cycle(self):
        """Offers the next beat, or pauses, for one cycle."""
        offered = self.taken < len(self.words) and random.random() < 0.5
        data = self.words[self.taken] if offered else random.getrandbits(64)
        last = self.taken == 7
        self.dut.message_in.value = beat_t(data, 8, last, offered)
        await FallingEdge(self.dut.clk)
        self.taken += offered
        await self.check()

    async def check(self):
        dut = self.dut
        await Timer(1, "ns")
        assert dut.begun.value == (self.taken >= 2), f"begun = {dut.begun.value} after {self.taken} beats"
        assert dut.valid.value == (self.taken == 8), f"valid = {dut.valid.value} after {self.taken} beats"
        assert dut.message_in_ready.value == (self.taken < 8)
        message = int(dut.message.value)
        if self.taken >= 2:
            assert message & 2**36 - 1 == self.words[1] & 2**36 - 1
        if self.taken == 8:
            assert message >> 36 == int.from_bytes(self.words[0].to_bytes(8, "little"), "big")
            assert int(dut.peer_sid.value) == self.words[2] & 2**32 - 1
            for place in range(4):
                dut.r_at.value, dut.mac_at.value = place, place & 1
                await Timer(1, "ns")
                assert int(dut.r_word.value) == self.words[2 + place]
                assert int(dut.mac_word.value) == self.words[6 + (place & 1)]


@cocotb.test()
async def a_message_stands_from_its_header_on(dut):
    bench = await Bench.start(dut)
    for _ in range(30):
        bench.words = [random.getrandbits(64) for _ in range(8)]
        bench.words[1] &= 2**36 - 1
        while bench.taken < 8:
            await bench.cycle()
        for _ in range(random.randrange(3)):
            await bench.cycle()
        dut.done.value = 1
        await FallingEdge(dut.clk)
        dut.done.value = bench.taken = 0
        await bench.check()


@cocotb.test()
async def a_reset_forgets_any_part_of_a_message(dut):
    bench = await Bench.start(dut)
    for beats in range(9):
        bench.words = [random.getrandbits(37) for _ in range(8)]
        while bench.taken < beats:
            await bench.cycle()
        await bench.reset()
