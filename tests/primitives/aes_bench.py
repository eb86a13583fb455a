# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of aes_encrypt_r1 and aes_encrypt_p2: FIPS 197's answers, both lanes busy, key changes, every cycle."""

import os
import random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from sealwire_model.primitives.aes import Aes
from support.inside import snapshot

STAGES = int(os.environ.get("SEALWIRE_STAGES", "1"))
STORED = int(os.environ.get("SEALWIRE_STORED", "0"))
BLOCK = bytes.fromhex("00112233445566778899aabbccddeeff")
#: FIPS 197, appendices B, C.1 and C.3: key, block, answer
ANSWERS = [
    ("2b7e151628aed2a6abf7158809cf4f3c", "3243f6a8885a308d313198a2e0370734", "3925841d02dc09fbdc118597196a0b32"),
    (bytes(range(16)).hex(), BLOCK.hex(), "69c4e0d86a7b0430d8cdb78070b4c55a"),
    (bytes(range(32)).hex(), BLOCK.hex(), "8ea2b7ca516745bfeafc49904b496089"),
]


class Bench:
    """Ports are driven, and looked at, on falling edges."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.key_len = len(dut.key) // 8
        self.rounds = self.key_len // 4 + 6

    @classmethod
    async def begin(cls, dut: Any) -> "Bench":
        cocotb.start_soon(Clock(dut.clk, 2, unit="ns").start())
        bench = cls(dut)
        dut.key_new.value = dut.start.value = 0
        if STAGES == 2:
            dut.tick.value = 0
        else:
            dut.chain.value = 0
        dut.clear.value = 1
        await bench.cycle(2)
        dut.clear.value = 0
        return bench

    async def cycle(self, count: int = 1) -> None:
        for _ in range(count):
            await FallingEdge(self.dut.clk)

    async def load(self, key: bytes) -> None:
        self.dut.key.value, self.dut.key_new.value = int.from_bytes(key, "little"), 1
        await self.cycle()
        self.dut.key_new.value, self.dut.key.value = 0, random.getrandbits(8 * self.key_len)
        while not int(self.dut.key_ready.value):
            await self.cycle()

    def offer(self, lane: int, block: bytes | None) -> None:
        self.dut.start.value, self.dut.lane.value = block is not None, lane
        self.dut.block.value = random.getrandbits(128) if block is None else int.from_bytes(block, "little")
        if STAGES == 2:
            self.dut.tick.value = lane == 0

    def result(self, lane: int) -> bytes:
        return (int(self.dut.result.value) >> 128 * lane & (1 << 128) - 1).to_bytes(16, "little")

    async def turn(self, blocks: list[bytes | None], pause: int = 0) -> None:
        """A block in each lane, or none; ends in the cycle in which the next turn may begin, `pause` cycles later."""
        gap = 1 if STAGES == 2 else self.rounds
        self.offer(0, blocks[0])
        await self.cycle()
        self.offer(1, None)
        await self.cycle(gap - 1)
        self.offer(1, blocks[1])
        await self.cycle()
        self.dut.start.value = 0
        await self.cycle(2 * self.rounds - gap - 1 + pause)

    async def live(self) -> None:
        """Random blocks under a random key."""
        await self.load(random.randbytes(self.key_len))
        while True:
            await self.turn([random.randbytes(16) for _ in range(2)])


@cocotb.test()
async def gives_the_answers_of_the_standard_in_both_lanes(dut: Any) -> None:
    bench = await Bench.begin(dut)
    for key, block, answer in ANSWERS:
        if len(key) == 2 * bench.key_len:
            await bench.load(bytes.fromhex(key))
            await bench.turn([bytes.fromhex(block)] * 2, 4)
            assert [bench.result(lane).hex() for lane in (0, 1)] == [answer] * 2


@cocotb.test()
async def serves_both_lanes_without_a_gap_under_many_keys(dut: Any) -> None:
    bench = await Bench.begin(dut)
    for _ in range(20):
        key = random.randbytes(bench.key_len)
        await bench.load(key)
        encrypt, before = Aes(key).encrypt, [None, None]
        for _ in range(12):
            blocks = [random.choice((None, random.randbytes(16))) for _ in range(2)]
            pause = random.choice((0, 0, 0, 1, 2, 5))
            await bench.turn(blocks, pause)
            # The last round of a turn's lane 1 runs while the next one may begin: look at those of the turn before.
            before = [block if block is not None else old for block, old in zip(blocks, before, strict=True)]
            await bench.cycle(3)
            for lane, block in enumerate(before):
                assert block is None or bench.result(lane) == encrypt(block), lane
        chain = [random.randbytes(16) for _ in range(2)]
        for _ in range(4):  # back to back: the results of a turn stand while the next runs
            await bench.turn(chain)
            if int(dut.flying.value):
                await bench.cycle(2)
            chain = [encrypt(block) for block in chain]
            assert [bench.result(lane) for lane in (0, 1)] == chain


@cocotb.test()
async def takes_up_bytes_of_a_result_on_its_way(dut: Any) -> None:
    """One round a cycle: a block that starts in the last round of another takes up the named bytes of its result."""
    bench = await Bench.begin(dut)
    key = random.randbytes(bench.key_len)
    await bench.load(key)
    encrypt, block = Aes(key).encrypt, random.randbytes(16)
    if STAGES == 2:
        return
    bench.offer(0, block)
    for index in range(12):
        await bench.cycle()
        dut.start.value, dut.chain.value = 0, random.getrandbits(16)
        await bench.cycle(bench.rounds - 1)
        made, rest, chain = encrypt(block), random.randbytes(16), [0, 0xFFFF, random.getrandbits(16)][index % 3]
        bench.offer(index % 2, rest)
        dut.chain.value = chain
        block = bytes(r ^ m * (chain >> i & 1) for i, (r, m) in enumerate(zip(rest, made, strict=True)))
    await bench.cycle()
    dut.start.value = 0
    await bench.cycle(bench.rounds)
    assert bench.result(1) == encrypt(block)


@cocotb.test()
async def is_ready_with_a_key_in_the_promised_cycle(dut: Any) -> None:
    bench = await Bench.begin(dut)
    promised = (2 if bench.key_len == 32 else STAGES + 1) + STORED * STAGES * bench.rounds
    for pause in (0, 1, 2, 5):
        await bench.cycle(pause)
        dut.key_new.value = 1
        await bench.cycle()
        dut.key_new.value, cycles = 0, 0
        while not int(dut.key_ready.value):
            await bench.cycle()
            cycles += 1
        assert cycles == promised


@cocotb.test()
async def writes_a_result_in_the_promised_cycle(dut: Any) -> None:
    bench = await Bench.begin(dut)
    await bench.load(bytes(bench.key_len))
    latency = bench.rounds * STAGES
    bench.offer(0, BLOCK)
    await bench.cycle()
    bench.offer(1, None)
    for _ in range(latency):
        assert int(dut.flying.value) & 1
        await bench.cycle()
    assert int(dut.flying.value) == 0
    assert bench.result(0) == Aes(bytes(bench.key_len)).encrypt(BLOCK)


@cocotb.test()
async def keeps_a_full_pace_over_many_turns(dut: Any) -> None:
    bench = await Bench.begin(dut)
    key = random.randbytes(bench.key_len)
    await bench.load(key)
    encrypt = Aes(key).encrypt
    seen: list[bytes] = []
    blocks = [[random.randbytes(16) for _ in range(2)] for _ in range(8)]

    async def watch() -> None:
        while True:
            await FallingEdge(dut.clk)
            made = bench.result(0)
            if not seen or seen[-1] != made:
                seen.append(made)

    watching = cocotb.start_soon(watch())
    for pair in blocks:
        await bench.turn(pair)
    await bench.cycle(3)
    watching.cancel()
    assert seen[-8:] == [encrypt(pair[0]) for pair in blocks]
    assert bench.result(1) == encrypt(blocks[-1][1])


@cocotb.test()
async def clear_at_any_moment_leaves_every_register_as_after_the_first_clear(dut: Any) -> None:
    bench = await Bench.begin(dut)
    inputs = [dut.key, dut.key_new, dut.start, dut.lane, dut.block, *([dut.tick] if STAGES == 2 else [])]

    async def cleared() -> dict[str, str]:
        dut.clear.value = 1
        for port in inputs:
            port.value = 0
        await bench.cycle()
        dut.clear.value = 0
        return snapshot(dut)

    first = await cleared()
    busy: set[str] = set()
    setup = 2 + STAGES * (1 + bench.rounds)
    for moment in range(1, setup + 8 * bench.rounds):  # key set-up and turns
        life = cocotb.start_soon(bench.live())
        await bench.cycle(moment)
        busy.update(path for path, value in snapshot(dut).items() if value != first[path])
        life.cancel()
        after = await cleared()
        left = [path for path, value in after.items() if value != first[path]]
        assert not left, f"cleared after {moment} cycles, still different: {left}"
    # fill_q: only where round keys are stored
    registers = {path for path in first if path.endswith(("_q", ".result", ".flying")) and ".fill_q" not in path}
    assert len(registers) > 10, "the scan does not see the inside"
    assert registers <= busy, f"never used: {registers - busy}"
