# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of hdl/link/aead/key_switch: the whole AD of the wanted slot goes to the core, whatever was before.

The bench is the core: it takes key, command and beats at any pace and answers behind the last beat.
"""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer
from support.hdl_bench import word_of

SLOT_BITS = 512 + 256 + 192  # keys_t: key, associated data, salt


class Bench:
    def __init__(self, dut):
        self.dut = dut
        self.ads = [random.getrandbits(256) for _ in range(2)]

    @classmethod
    async def start(cls, dut):
        cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
        bench = cls(dut)
        for port in ("clear", "want", "want_slot", "key_ready", "cmd_ready", "ad_ready", "result_valid"):
            getattr(dut, port).value = 0
        dut.empty.value = 1
        dut.keys.value = sum(
            (random.getrandbits(512) << 448 | ad << 192 | random.getrandbits(192)) << SLOT_BITS * slot
            for slot, ad in enumerate(bench.ads)
        )
        await bench.pulse("rst")
        return bench

    async def pulse(self, name):
        getattr(self.dut, name).value = 1
        await FallingEdge(self.dut.clk)
        getattr(self.dut, name).value = 0
        self.beats, self.key, self.command = [], False, False
        self.dut.want.value = 0
        await Timer(1, "ns")
        assert self.dut.holds.value == 0 and not self.dut.right.value

    async def want(self, slot, cycles=1000):
        """Asks for a slot for so many cycles, or until the core has it; true when it has."""
        dut = self.dut
        dut.want.value, dut.want_slot.value = 1, slot
        for _ in range(cycles):
            ready = {name: random.randrange(2) for name in ("key", "cmd", "ad")}
            for name, value in ready.items():
                getattr(dut, f"{name}_ready").value = value
            dut.result_valid.value = len(self.beats) == 4 and random.randrange(2)
            await Timer(1, "ns")
            if dut.right.value:
                return True
            if dut.key_valid.value and ready["key"]:
                assert not self.key and not self.command
                self.key = True
            if dut.cmd_valid.value and ready["cmd"]:
                assert self.key and not self.command
                self.command = True
            ad = int(dut.ad.value)
            if ad >> 69 and ready["ad"]:
                assert self.command
                self.beats.append(word_of(ad))
                assert ad & 1 == (len(self.beats) == 4), f"last = {ad & 1} at beat {len(self.beats)}"
                assert ad >> 1 & 15 == 8
            await FallingEdge(dut.clk)
        return False

    def assert_whole(self, slot):
        assert self.key and self.command
        assert self.beats == [self.ads[slot] >> 64 * i & 2**64 - 1 for i in range(4)]
        assert self.dut.holds.value == 1 << slot
        self.beats, self.key, self.command = [], False, False


@cocotb.test()
async def brings_in_the_slot_that_is_wanted(dut):
    bench = await Bench.start(dut)
    for slot in (0, 1, 0, 1, 1, 0):
        if dut.holds.value != 1 << slot:
            assert await bench.want(slot)
            bench.assert_whole(slot)
        assert await bench.want(slot, 1)


@cocotb.test()
async def begins_anew_after_a_clear_at_any_moment(dut):
    bench = await Bench.start(dut)
    for name in ("clear", "rst"):
        for cycles in range(40):
            slot = random.randrange(2)
            await bench.want(slot, cycles)
            await bench.pulse(name)
            assert await bench.want(1 - slot)
            bench.assert_whole(1 - slot)
            await bench.pulse(name)
