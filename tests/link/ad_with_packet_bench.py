# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of hdl/link/aead/session_aead over p-OMD, which keeps no AD: each packet brings that of its slot."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer
from sealwire_model.schemes import model
from sealwire_model.wire import nonce
from support.hdl_bench import beat_t, beats, bytes_of

KEY, AD, SALT, TAG = 64, 32, 24, 32
ERASE = 1 << 2  # order_t: slot 0, then slot 1


class Slot:
    def __init__(self):
        self.key, self.ad, self.salt = (random.randbytes(size) for size in (KEY, AD, SALT))

    @property
    def word(self):
        return int.from_bytes(self.salt + self.ad + self.key, "little")


class Bench:
    def __init__(self, dut):
        self.dut, self.slots = dut, [Slot(), Slot()]

    @classmethod
    async def start(cls, dut):
        cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
        bench = cls(dut)
        dut.order.value = dut.cmd.value = dut.msg.value = 0
        bench.give_keys()
        dut.rst.value = 1
        for _ in range(3):
            await FallingEdge(dut.clk)
        dut.rst.value = 0
        return bench

    def give_keys(self):
        self.dut.keys.value = sum(slot.word << 8 * (KEY + AD + SALT) * at for at, slot in enumerate(self.slots))

    async def seal(self, slot, number, message, cycles=5000):
        """Seals a packet: ciphertext and tag, or None if so many cycles pass before."""
        dut, out = self.dut, b""
        dut.cmd.value = ((1 << 1 | slot) << 32 | random.getrandbits(32)) << 78 | number << 14 | len(message)
        words, told = list(beats(message)), False
        for _ in range(cycles):
            if told and words:
                data, size, last = words[0]
                dut.msg.value = beat_t(data, size, last)
            await Timer(1, "ns")
            taken, beat = dut.cmd_ready.value and not told, bool(told and words and dut.msg_ready.value)
            leaving, result = int(dut.out.value), int(dut.result.value)
            if leaving >> 69:
                out += bytes_of(leaving)
            await FallingEdge(dut.clk)
            if result >> 257:
                return out, (result & 2**256 - 1).to_bytes(TAG, "little")
            if taken:
                dut.cmd.value, told = 0, True
            if beat:
                words.pop(0)
                dut.msg.value = 0
        return None

    async def check(self, slot, size):
        number, message, held = random.getrandbits(40), random.randbytes(size), self.slots[slot]
        expected = model("pomdblake2b", held.key, TAG, 1).seal(nonce(held.salt, number), held.ad, message)
        assert await self.seal(slot, number, message) == expected, f"{size} bytes in slot {slot}"


@cocotb.test()
async def every_packet_has_the_ad_of_its_slot(dut):
    bench = await Bench.start(dut)
    for slot, size in ((0, 14), (0, 200), (1, 64), (1, 1), (0, 129)):
        await bench.check(slot, size)


@cocotb.test()
async def an_erased_session_leaves_nothing_to_the_next(dut):
    """Its slot is erased at any moment of a packet; the next packet is sealed as if there had been none."""
    bench = await Bench.start(dut)
    for cycles in (3, 4, 5, 6, 7, 8, 9, 10, 30):
        slot = random.randrange(2)
        await bench.check(slot, 20)
        assert await bench.seal(slot, 1, random.randbytes(100), cycles) is None
        dut.cmd.value = dut.msg.value = 0
        dut.order.value = ERASE << slot | 1 << 4
        await FallingEdge(dut.clk)
        dut.order.value = 0
        bench.slots[slot] = Slot()
        bench.give_keys()
        await FallingEdge(dut.clk)  # the core hears of it through a register
        await bench.check(slot, 30)
