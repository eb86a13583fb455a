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
LATENCY = 104
KEY_CYCLES = (161, 162)
MASK64 = (1 << 64) - 1


class Bench:
    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.source = random.Random(cocotb.RANDOM_SEED)
        self.results: list[bytes] = []
        self.shares: list[int] = []
        self.starts: deque[int] = deque()
        self.halves: deque[tuple[int, int]] = deque()
        self.lower: tuple[int, int] | None = None
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
            self.dut.random.value = self.source.getrandbits(64)
            # What nobody asks for is not there: the halves of a block, in the two cycles after its start
            low, high = self.halves.popleft() if self.halves else (0, 0)
            self.dut.block0.value, self.dut.block1.value = low, high
            await FallingEdge(self.dut.clk)
            self.now += 1
            if self.dut.done.value == 1:
                self.take(int(self.dut.result.value), int(self.dut.done_upper.value))

    def take(self, shares: int, upper: int) -> None:
        assert upper == (self.lower is not None)
        low, high = shares & MASK64, shares >> 64
        if self.lower is None:
            self.lower = (low, high)
            return
        low, high = self.lower[0] | low << 64, self.lower[1] | high << 64
        self.lower = None
        self.results.append((low ^ high).to_bytes(16, "little"))
        self.shares.append(low)
        assert self.now - self.starts.popleft() == LATENCY

    def put_key(self, value: bytes) -> None:
        share = self.source.getrandbits(128)
        self.dut.key0.value = share
        self.dut.key1.value = share ^ int.from_bytes(value, "little")

    async def load(self, key: bytes) -> int:
        while self.dut.key_free.value == 0:
            await self.cycle()
        self.put_key(key)
        self.dut.key_new.value = 1
        await self.cycle()
        self.dut.key_new.value = 0
        self.put_key(bytes(16))
        cycles = 1
        while self.dut.key_ready.value == 0:
            await self.cycle()
            cycles += 1
        return cycles

    async def start(self, block: bytes) -> None:
        """Start a block as soon as a slot is free."""
        while self.dut.start_ready.value == 0:
            await self.cycle()
        self.dut.start.value = 1
        self.starts.append(self.now)
        await self.cycle()
        self.dut.start.value = 0
        share, value = self.source.getrandbits(128), int.from_bytes(block, "little")
        for at in (0, 64):
            self.halves.append((share >> at & MASK64, (share ^ value) >> at & MASK64))


@cocotb.test()
async def the_answers_of_the_standard_come_in_every_sharing(dut: Any) -> None:
    bench = await Bench.begin(dut)
    for key, block, answer in ANSWERS:
        bench.results.clear()
        bench.shares.clear()
        assert await bench.load(bytes.fromhex(key)) in KEY_CYCLES
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
async def eighty_blocks_take_22_cycles_each(dut: Any) -> None:
    bench = await Bench.begin(dut)
    await bench.load(bytes(16))
    begun = bench.now
    for _ in range(80):
        await bench.start(bytes(16))
    await bench.cycle(LATENCY)
    assert len(bench.results) == 80
    assert bench.now - begun <= 22 * 80 + LATENCY


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


#: Cycles from a clear on until the memories of round keys are zero
WIPED = 20


def stored(dut: Any, domain: int) -> list[int]:
    """Round keys of a domain, half by half."""
    keys = dut.gen_domain[domain].u_share.u_keys
    return [int(memory[i].value) for memory in (keys.lower_mem, keys.upper_mem) for i in range(16)]


def registers(dut: Any, domain: int) -> list[int]:
    share = dut.gen_domain[domain].u_share
    held = [
        share.mix_q,
        share.show_q,
        share.add_q,
        share.lower_q,
        share.later_q,
        share.saved_q,
        share.state,
        share.result,
    ]
    return [int(value.value) for value in (*held, share.u_keys.masked_q, share.u_keys.word_q, share.u_keys.key_upper_q)]


def empty(dut: Any) -> bool:
    values = [int(dut.token.value), int(dut.next.value)]
    return not any(values + [value for d in (0, 1) for value in stored(dut, d) + registers(dut, d)])


@cocotb.test()
async def clear_overwrites_both_domains_and_not_in_one_cycle(dut: Any) -> None:
    bench = await Bench.begin(dut)
    await bench.load(bytes.fromhex(ANSWERS[0][0]))
    for _ in range(5):
        await bench.start(bench.source.randbytes(16))
    await bench.cycle(25)
    assert all(any(values(dut, d)) for values in (stored, registers) for d in (0, 1))
    bench.starts.clear()
    dut.clear.value = 1
    await bench.cycle()
    dut.clear.value = 0
    await bench.cycle()
    assert not any(registers(dut, 0)) and any(registers(dut, 1))
    await bench.cycle()
    assert not any(registers(dut, 1))
    first = [0, 0]
    for now in range(3, WIPED):
        await bench.cycle()
        first = [at or (0 if any(stored(dut, d)) else now) for d, at in enumerate(first)]
    assert first[0] and first[1] == first[0] + 1
    assert empty(dut)
    bench.results.clear()
    await bench.cycle(2 * LATENCY)
    assert not bench.results and empty(dut)
    await bench.load(bytes.fromhex(ANSWERS[1][0]))
    await bench.start(bytes.fromhex(ANSWERS[1][1]))
    await bench.cycle(LATENCY)
    assert [result.hex() for result in bench.results] == [ANSWERS[1][2]]


@cocotb.test()
async def a_key_takes_up_random_bits(dut: Any) -> None:
    bench = await Bench.begin(dut)
    key, share = bytes.fromhex(ANSWERS[0][0]), (1 << 128) - 1
    seen: list[set[int]] = [set(), set()]
    for _ in range(8):
        while dut.key_free.value == 0:
            await bench.cycle()
        dut.key_new.value, dut.key0.value, dut.key1.value = 1, share, share ^ int.from_bytes(key, "little")
        await bench.cycle()
        dut.key_new.value = 0
        while dut.key_ready.value == 0:
            await bench.cycle()
        shares = [stored(dut, d) for d in (0, 1)]
        first = [values[0] | values[16] << 64 for values in shares]
        assert first[0] ^ first[1] == int.from_bytes(key, "little")
        for half, values in enumerate(seen):
            values |= {(value ^ share) >> 64 * half & MASK64 for value in first}
    # Of either half, in either domain; with the mask, not as they came
    assert all(len(values) == 16 and 0 not in values for values in seen)
