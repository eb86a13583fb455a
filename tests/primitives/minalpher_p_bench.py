# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of minalpher_p: the model's answers, directions mixed in flight, tokens, every cycle, clear."""

import os
import random
from typing import Any

import cocotb
from aes_bench import snapshot
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from sealwire_model.minalpher import permute

STAGES = int(os.environ.get("SEALWIRE_STAGES", "1"))
LATENCY = 18 * STAGES


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
        dut.load.value = 0
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
                result = int(self.dut.result.value).to_bytes(32, "little")
                self.made.append((int(self.dut.done_token.value), result, self.now))

    async def call(self, block: bytes, inverse: bool, token: int) -> None:
        """Load a call as soon as none waits."""
        while int(self.dut.waiting.value):
            await self.cycle()
        self.dut.load.value, self.dut.inverse.value, self.dut.token.value = 1, int(inverse), token
        self.dut.block.value = int.from_bytes(block, "little")
        await self.cycle()
        self.dut.load.value, self.dut.inverse.value = 0, random.getrandbits(1)
        self.dut.token.value, self.dut.block.value = random.getrandbits(4), random.getrandbits(256)

    async def until(self, count: int) -> None:
        """Wait until so many results have come."""
        for _ in range(100 * LATENCY):
            if len(self.made) >= count:
                return
            await self.cycle()
        raise AssertionError(f"{len(self.made)} of {count} results")


@cocotb.test()
async def one_call_takes_all_rounds_in_either_direction(dut: Any) -> None:
    bench = await Bench.begin(dut)
    for inverse in (False, True):
        bench.made.clear()
        block = random.randbytes(32)
        await bench.call(block, inverse, 5)
        at = bench.now
        await bench.until(1)
        assert bench.made == [(5, permute(block, inverse=inverse), at + 1 + LATENCY)]


@cocotb.test()
async def gives_a_block_back_that_went_both_ways(dut: Any) -> None:
    bench = await Bench.begin(dut)
    block = random.randbytes(32)
    await bench.call(block, False, 1)
    await bench.until(1)
    await bench.call(bench.made[0][1], True, 2)
    await bench.until(2)
    assert bench.made[1][:2] == (2, block)


@cocotb.test()
async def keeps_as_many_blocks_in_flight_as_it_has_stages(dut: Any) -> None:
    bench = await Bench.begin(dut)
    calls = [(random.randbytes(32), bool(random.getrandbits(1))) for _ in range(40)]
    for index, (block, inverse) in enumerate(calls):
        await bench.call(block, inverse, index % 16)
    await bench.until(40)
    assert [made for _, made, _ in bench.made] == [permute(block, inverse=inverse) for block, inverse in calls]
    ends = [end for _, _, end in bench.made]
    assert all(later - end == LATENCY for end, later in zip(ends, ends[STAGES:], strict=False)), ends


@cocotb.test()
async def mixes_directions_and_pauses(dut: Any) -> None:
    bench = await Bench.begin(dut)
    wanted = []
    for _ in range(120):
        block, inverse, token = random.randbytes(32), bool(random.getrandbits(1)), random.getrandbits(4)
        await bench.call(block, inverse, token)
        wanted.append((token, permute(block, inverse=inverse)))
        await bench.cycle(random.choice((0, 0, 0, 1, 2, 3, 9, 16, 17, 18, 19, 40)))
    await bench.until(120)
    assert [(token, made) for token, made, _ in bench.made] == wanted


@cocotb.test()
async def clear_at_any_moment_leaves_every_register_as_after_the_first_clear(dut: Any) -> None:
    bench = await Bench.begin(dut)

    async def cleared() -> dict[str, str]:
        dut.clear.value = 1
        for port in (dut.load, dut.inverse, dut.token, dut.block):
            port.value = 0
        await bench.cycle(2)
        dut.clear.value = 0
        return snapshot(dut)

    async def live() -> None:
        while True:
            await bench.call(random.randbytes(32), bool(random.getrandbits(1)), random.randrange(1, 16))

    first = await cleared()
    busy: set[str] = set()
    for moment in range(1, 2 * LATENCY):
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
    assert registers <= busy, f"never used: {registers - busy}"
