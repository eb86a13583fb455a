# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of masked AES-128: published answers and the model's, under many sharings."""

import random
from collections import deque
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from sealwire_model.primitives.aes import Aes

#: FIPS 197, appendices B and C.1
ANSWERS = [
    ("2b7e151628aed2a6abf7158809cf4f3c", "3243f6a8885a308d313198a2e0370734", "3925841d02dc09fbdc118597196a0b32"),
    ("000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff", "69c4e0d86a7b0430d8cdb78070b4c55a"),
]
LATENCY = 80
KEY_CYCLES = 81


class Bench:
    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.source = random.Random(cocotb.RANDOM_SEED)
        self.results: list[bytes] = []
        self.shares: list[int] = []
        self.starts: deque[int] = deque()
        self.now = 0

    @classmethod
    async def begin(cls, dut: Any) -> "Bench":
        bench = cls(dut)
        Clock(dut.clk, 2, unit="ns").start()
        dut.clear.value, dut.start.value, dut.key_new.value, dut.random_valid.value = 1, 0, 0, 1
        await bench.cycle(3)
        dut.clear.value = 0
        await bench.cycle(3)
        return bench

    async def cycle(self, count: int = 1) -> None:
        for _ in range(count):
            self.dut.random.value = self.source.getrandbits(128)
            await FallingEdge(self.dut.clk)
            self.now += 1
            if self.dut.done.value == 1:
                value = int(self.dut.result.value)
                low, high = value & (1 << 128) - 1, value >> 128
                self.results.append((low ^ high).to_bytes(16, "little"))
                self.shares.append(low)
                assert self.now - self.starts.popleft() == LATENCY

    def put(self, name: str, value: bytes) -> None:
        share = self.source.getrandbits(128)
        getattr(self.dut, f"{name}0").value = share
        getattr(self.dut, f"{name}1").value = share ^ int.from_bytes(value, "little")

    async def load(self, key: bytes) -> int:
        while self.dut.key_free.value == 0:
            await self.cycle()
        self.put("key", key)
        self.dut.key_new.value = 1
        await self.cycle()
        self.dut.key_new.value = 0
        self.put("key", bytes(16))
        cycles = 1
        while self.dut.key_ready.value == 0:
            await self.cycle()
            cycles += 1
        return cycles

    async def start(self, block: bytes) -> None:
        """Start a block as soon as a slot is free."""
        while True:
            self.put("block", block)
            self.dut.start.value = 1
            taken = self.dut.start_ready.value == 1
            if taken:
                self.starts.append(self.now + 1)
            await self.cycle()
            self.dut.start.value = 0
            if taken:
                return


@cocotb.test()
async def the_answers_of_the_standard_come_in_every_sharing(dut: Any) -> None:
    bench = await Bench.begin(dut)
    for key, block, answer in ANSWERS:
        bench.results.clear()
        bench.shares.clear()
        assert await bench.load(bytes.fromhex(key)) == KEY_CYCLES
        for _ in range(100):
            await bench.start(bytes.fromhex(block))
        await bench.cycle(LATENCY)
        assert [result.hex() for result in bench.results] == [answer] * 100
        assert len(set(bench.shares)) == 100


@cocotb.test()
async def blocks_with_and_without_gaps_are_the_models(dut: Any) -> None:
    bench = await Bench.begin(dut)
    for _ in range(4):
        key = bench.source.randbytes(16)
        await bench.load(key)
        encrypt, expected = Aes(key).encrypt, []
        bench.results.clear()
        for _ in range(40):
            block = bench.source.randbytes(16)
            expected.append(encrypt(block))
            await bench.start(block)
            await bench.cycle(bench.source.choice((0, 0, 0, 1, 2, 5, 90)))
        await bench.cycle(LATENCY)
        assert bench.results == expected


@cocotb.test()
async def eighty_blocks_take_ten_cycles_each(dut: Any) -> None:
    bench = await Bench.begin(dut)
    await bench.load(bytes(16))
    begun = bench.now
    for _ in range(80):
        await bench.start(bytes(16))
    await bench.cycle(LATENCY)
    assert len(bench.results) == 80
    assert bench.now - begun <= 10 * 80 + LATENCY


@cocotb.test()
async def without_random_bits_nothing_is_taken_and_nothing_stays(dut: Any) -> None:
    bench = await Bench.begin(dut)
    await bench.load(bytes.fromhex(ANSWERS[0][0]))
    dut.random_valid.value = 0
    await bench.cycle(3)
    for _ in range(100):
        dut.key_new.value, dut.start.value = 1, 1
        await bench.cycle()
        assert dut.key_free.value == 0 and dut.start_ready.value == 0 and dut.key_ready.value == 0
    dut.key_new.value, dut.start.value = 0, 0
    assert empty(dut) and not bench.results


def empty(dut: Any) -> bool:
    # A value out of several is read as a whole.
    return all(
        int(value.value) == 0
        for value in (dut.state, dut.result, dut.token, dut.gen_domain[0].keys, dut.gen_domain[1].keys)
    )


@cocotb.test()
async def clear_overwrites_both_domains_and_not_in_one_cycle(dut: Any) -> None:
    bench = await Bench.begin(dut)
    await bench.load(bytes.fromhex(ANSWERS[0][0]))
    for _ in range(8):
        await bench.start(bench.source.randbytes(16))
    await bench.cycle(LATENCY)
    await bench.start(bench.source.randbytes(16))
    bench.starts.clear()
    dut.clear.value = 1
    await bench.cycle()
    dut.clear.value = 0
    await bench.cycle()
    assert int(dut.gen_domain[0].keys.value) == 0 and int(dut.gen_domain[1].keys.value) != 0
    await bench.cycle()
    assert empty(dut)
    bench.results.clear()
    await bench.cycle(2 * LATENCY)
    assert not bench.results and empty(dut)
    await bench.load(bytes.fromhex(ANSWERS[1][0]))
    await bench.start(bytes.fromhex(ANSWERS[1][1]))
    await bench.cycle(LATENCY)
    assert [result.hex() for result in bench.results] == [ANSWERS[1][2]]
