# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the tweakable ciphers, whose ports are alike: the model's answers, directions mixed in flight,
tokens, every cycle, clear."""

import os
import random
from typing import Any

import cocotb
from aes_bench import snapshot
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from sealwire_model.deoxys import DeoxysBc
from sealwire_model.scream import Scream

STAGES, KEY_BITS, VERSION, BOTH, STEPS = (
    int(os.environ.get(f"SEALWIRE_{name}", default))
    for name, default in (("STAGES", "1"), ("KEY_BITS", "128"), ("VERSION", "143"), ("BOTH", "1"), ("STEPS", "0"))
)
#: Edges from `load` into the round of a cipher at rest, edges that a key takes, rounds; only SCREAM has STEPS
if STEPS:
    WAIT, KEY_SETUP, ROUNDS = 2, 0, 2 * STEPS
else:
    WAIT, ROUNDS = 2, 16 if KEY_BITS == 256 else 14
    KEY_SETUP = ROUNDS * BOTH
LATENCY = ROUNDS * STAGES


class Bench:
    """Ports are driven, and looked at, on falling edges."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.made: list[tuple[int, bytes, int]] = []  # token, result, cycle in which `done` stood
        self.now = 0

    @classmethod
    async def begin(cls, dut: Any) -> "Bench":
        cocotb.start_soon(Clock(dut.clk, 2, unit="ns").start())
        bench = cls(dut)
        dut.key_new.value = dut.load.value = 0
        dut.clear.value = 1
        await bench.cycle(2)
        dut.clear.value = 0
        await bench.cycle()
        bench.made.clear()
        return bench

    async def cycle(self, count: int = 1) -> None:
        for _ in range(count):
            await FallingEdge(self.dut.clk)
            self.now += 1
            if str(self.dut.done.value) == "1":
                result = int(self.dut.result.value).to_bytes(16, "little")
                self.made.append((int(self.dut.done_token.value), result, self.now))

    async def load(self, key: bytes) -> int:
        """Edges after the one that takes the key until calls may be loaded."""
        self.dut.key.value, self.dut.key_new.value = int.from_bytes(key, "little"), 1
        await self.cycle()
        self.dut.key_new.value, self.dut.key.value = 0, random.getrandbits(KEY_BITS)
        taken = 0
        while not int(self.dut.key_ready.value):
            await self.cycle()
            taken += 1
        return taken

    async def call(self, tweak: bytes, block: bytes, inverse: bool, token: int) -> None:
        """Load a call as soon as none waits."""
        while int(self.dut.waiting.value):
            await self.cycle()
        self.dut.load.value, self.dut.inverse.value, self.dut.token.value = 1, int(inverse), token
        self.dut.tweak.value = int.from_bytes(tweak, "little")
        self.dut.block.value = int.from_bytes(block, "little")
        await self.cycle()
        self.dut.load.value, self.dut.inverse.value = 0, random.getrandbits(1)
        self.dut.tweak.value, self.dut.block.value = random.getrandbits(128), random.getrandbits(128)

    async def until(self, count: int) -> None:
        """Wait until so many results have come."""
        for _ in range(100 * LATENCY):
            if len(self.made) >= count:
                return
            await self.cycle()
        raise AssertionError(f"{len(self.made)} of {count} results")


def answer(key: bytes, tweak: bytes, block: bytes, inverse: bool) -> bytes:
    if STEPS:
        scream = Scream(key, STEPS)
        return scream.decipher(tweak, block) if inverse else scream.encipher(tweak, block)
    deoxys, number = DeoxysBc(key, VERSION), int.from_bytes(tweak, "big")
    return deoxys.decrypt(number, block) if inverse else deoxys.encrypt(number, block)


@cocotb.test()
async def one_call_takes_all_rounds_in_either_direction(dut: Any) -> None:
    bench = await Bench.begin(dut)
    key = random.randbytes(KEY_BITS // 8)
    assert await bench.load(key) == KEY_SETUP
    for inverse in (False, True)[: 1 + BOTH]:
        bench.made.clear()
        tweak, block = random.randbytes(16), random.randbytes(16)
        await bench.call(tweak, block, inverse, 5)
        at = bench.now
        await bench.until(1)
        assert bench.made == [(5, answer(key, tweak, block, inverse), at + WAIT + LATENCY)]


@cocotb.test()
async def keeps_as_many_blocks_in_flight_as_it_has_stages(dut: Any) -> None:
    bench = await Bench.begin(dut)
    await bench.load(key := random.randbytes(KEY_BITS // 8))
    for inverse in (False, True)[: 1 + BOTH]:
        bench.made.clear()
        calls = [(random.randbytes(16), random.randbytes(16)) for _ in range(40)]
        for index, (tweak, block) in enumerate(calls):
            await bench.call(tweak, block, inverse, index % 16)
        await bench.until(40)
        assert [made for _, made, _ in bench.made] == [answer(key, *call, inverse) for call in calls]
        ends = [end for _, _, end in bench.made]
        assert all(later - end == LATENCY for end, later in zip(ends, ends[STAGES:], strict=False)), ends


@cocotb.test()
async def mixes_directions_and_pauses_under_many_keys(dut: Any) -> None:
    bench = await Bench.begin(dut)
    for _ in range(8):
        key = random.randbytes(KEY_BITS // 8)
        await bench.load(key)
        wanted = []
        bench.made.clear()
        for _ in range(20):
            tweak, block, token = random.randbytes(16), random.randbytes(16), random.getrandbits(4)
            inverse = bool(BOTH and random.getrandbits(1))
            await bench.call(tweak, block, inverse, token)
            wanted.append((token, answer(key, tweak, block, inverse)))
            await bench.cycle(random.choice((0, 0, 0, 1, 2, 3, 9, ROUNDS - 1, ROUNDS, ROUNDS + 1, 40)))
        await bench.until(20)
        assert [(token, made) for token, made, _ in bench.made] == wanted


@cocotb.test()
async def clear_at_any_moment_leaves_every_register_as_after_the_first_clear(dut: Any) -> None:
    bench = await Bench.begin(dut)

    async def cleared() -> dict[str, str]:
        dut.clear.value = 1
        for port in (dut.key, dut.key_new, dut.load, dut.inverse, dut.token, dut.tweak, dut.block):
            port.value = 0
        await bench.cycle(2)
        dut.clear.value = 0
        return snapshot(dut)

    async def live() -> None:
        await bench.load(random.randbytes(KEY_BITS // 8))
        while True:
            inverse = bool(BOTH and random.getrandbits(1))
            await bench.call(random.randbytes(16), random.randbytes(16), inverse, random.randrange(1, 16))

    first = await cleared()
    busy: set[str] = set()
    for moment in range(1, KEY_SETUP + 2 * LATENCY):
        life = cocotb.start_soon(live())
        for _ in range(moment):
            await FallingEdge(dut.clk)
        busy.update(path for path, value in snapshot(dut).items() if value != first[path])
        life.cancel()
        after = await cleared()
        left = [path for path, value in after.items() if value != first[path]]
        assert not left, f"cleared after {moment} cycles, still different: {left}"
    registers = {path for path in first if path.endswith(("_q", ".result", ".done_token"))}
    assert len(registers) > 5, "the scan does not see the inside"
    unused = {path for path in registers - busy if BOTH or not path.endswith("wait_inverse_q")}
    assert not unused, f"never used: {unused}"
