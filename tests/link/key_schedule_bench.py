# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of hdl/link/handshake/key_schedule: outputs against the model in the promised cycles, what becomes of a
key that comes in, and what a wipe leaves."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer
from sealwire_model.schedule import derive

SUITE, FAST, SLICES = (int(os.environ.get(name, less)) for name, less in {"SUITE": 1, "FAST": 0, "SLICES": 0}.items())
#: From the start of a call to its end
CYCLES = 819 if SLICES else {(0x01, 0): 530, (0x11, 0): 410, (0x01, 1): 114, (0x11, 1): 32}[SUITE, FAST]
INITIATOR = 2**129
KEY_TAKES, WIPE = 10, 9


class Bench:
    def __init__(self, dut):
        self.dut = dut
        self.ids = random.randbytes(8), random.randbytes(8)

    @classmethod
    async def start(cls, dut):
        cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
        bench = cls(dut)
        dut.wipe.value = dut.psk_valid.value = dut.start.value = 0
        id_i, id_r = (int.from_bytes(text, "little") for text in bench.ids)
        dut.identity.value = INITIATOR | id_i << 64 | id_r
        dut.rst.value = 1
        await FallingEdge(dut.clk)
        dut.rst.value = 0
        for _ in range(20):
            await FallingEdge(dut.clk)
        return bench

    async def load(self, psk):
        """Whether the key is said to be the one before."""
        dut = self.dut
        dut.psk_data.value, dut.psk_valid.value = int.from_bytes(psk, "little"), 1
        for cycle in range(KEY_TAKES):
            await Timer(1, "ns")
            assert dut.psk_taken.value == (cycle == KEY_TAKES - 1), cycle
            same = bool(dut.psk_same.value)
            await FallingEdge(dut.clk)
        dut.psk_valid.value, dut.psk_data.value = 0, random.getrandbits(512)
        assert dut.psk_known.value
        return same

    async def call(self, c, chain, give_up=None):
        dut, words = self.dut, {}
        assert dut.ready.value
        dut.c.value, dut.start.value = c, 1
        for cycle in range(CYCLES + 1):
            await Timer(1, "ns")
            at = 8 * int(dut.chain_at.value)
            dut.chain_word.value = int.from_bytes(chain[at : at + 8], "little")
            await Timer(1, "ns")
            if dut.word_valid.value:
                words[int(dut.word_at.value)] = int(dut.word.value).to_bytes(8, "little")
            assert dut.done.value == (cycle == CYCLES), (cycle, CYCLES)
            if cycle == give_up:
                return None
            await FallingEdge(dut.clk)
            dut.start.value = 0
        for _ in range(20):  # what is in the memories of F' is wiped
            await FallingEdge(dut.clk)
        return b"".join(words[place] for place in range(8))

    async def forget(self):
        """A wipe as short as the sessions make it; nothing of the key is left at its end."""
        dut = self.dut
        dut.wipe.value, dut.start.value = 1, 0
        for _ in range(WIPE):
            await FallingEdge(dut.clk)
            assert not dut.psk_known.value
        dut.wipe.value = 0
        assert not any(int(dut.psk[place].value) for place in range(8))
        for _ in range(20):
            await FallingEdge(dut.clk)
            assert not dut.psk_known.value
        assert dut.ready.value


@cocotb.test()
async def outputs_are_those_of_the_model(dut):
    bench = await Bench.start(dut)
    for _ in range(3):
        psk = random.randbytes(64)
        await bench.load(psk)
        for c in range(6):
            chain = random.randbytes(64)
            assert await bench.call(c, chain) == derive(SUITE, psk, *bench.ids, c, chain)


@cocotb.test()
async def a_key_given_again_is_known_and_no_other(dut):
    bench = await Bench.start(dut)
    psk = random.randbytes(64)
    assert not await bench.load(psk)
    assert await bench.load(psk)
    for bit in (0, 63, 64, 200, 448, 511, *random.sample(range(512), 20)):
        other = (int.from_bytes(psk, "little") ^ 1 << bit).to_bytes(64, "little")
        assert not await bench.load(other), bit
        assert await bench.load(other), bit
        psk = other
    chain = random.randbytes(64)
    assert await bench.call(1, chain) == derive(SUITE, psk, *bench.ids, 1, chain)
    await bench.forget()
    assert not await bench.load(bytes(64))  # zeros are what a wipe leaves, and are no key that was held


@cocotb.test()
async def a_wipe_at_any_moment_leaves_no_key(dut):
    bench = await Bench.start(dut)
    for _ in range(25):
        psk, chain = random.randbytes(64), random.randbytes(64)
        await bench.load(psk)
        await bench.call(1, chain, random.choice((None, random.randrange(30), random.randrange(CYCLES))))
        await bench.forget()
        # Between its words
        dut.psk_data.value, dut.psk_valid.value = int.from_bytes(psk, "little"), 1
        for _ in range(random.randrange(KEY_TAKES)):
            await FallingEdge(dut.clk)
        dut.psk_valid.value = 0
        await bench.forget()
    psk, chain = random.randbytes(64), random.randbytes(64)
    await bench.load(psk)
    assert await bench.call(2, chain) == derive(SUITE, psk, *bench.ids, 2, chain)
