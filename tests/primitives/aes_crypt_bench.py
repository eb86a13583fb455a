# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of aes_crypt: FIPS 197's answers both ways, directions mixed in flight, tokens, every cycle, clear.

Without decryption every block is encrypted, whatever `inverse` says.
"""

import os
import random
from typing import Any

import cocotb
from aes_bench import ANSWERS, snapshot
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from sealwire_model.primitives.aes import Aes

STAGES = int(os.environ.get("SEALWIRE_STAGES", "1"))
BOTH = os.environ.get("SEALWIRE_BOTH", "1") == "1"
LATENCY, KEY_SETUP = 10 * STAGES, 23
PUBLISHED = ANSWERS[:2]  # of 128-bit keys


def crypt(aes: Aes, block: bytes, inverse: bool) -> bytes:
    """What the module must make of a block."""
    return aes.decrypt(block) if inverse and BOTH else aes.encrypt(block)


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
        dut.key_new.value = dut.start.value = 0
        dut.clear.value = 1
        await bench.cycle(2)
        dut.clear.value = 0
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
        """Edges after the one that takes the key until blocks may start."""
        self.dut.key.value, self.dut.key_new.value = int.from_bytes(key, "little"), 1
        await self.cycle()
        self.dut.key_new.value, self.dut.key.value = 0, random.getrandbits(128)
        taken = 0
        while not int(self.dut.key_ready.value):
            assert not int(self.dut.free.value), "a block may start before its key is there"
            await self.cycle()
            taken += 1
        return taken

    async def start(self, block: bytes, inverse: bool, token: int) -> int:
        """Offer a block as soon as one may start; the number of the cycle after the edge that took it."""
        while not int(self.dut.free.value):
            await self.cycle()
        self.dut.start.value, self.dut.inverse.value, self.dut.token.value = 1, int(inverse), token
        self.dut.block.value = int.from_bytes(block, "little")
        await self.cycle()
        self.dut.start.value, self.dut.inverse.value = 0, random.getrandbits(1)
        self.dut.token.value, self.dut.block.value = random.getrandbits(4), random.getrandbits(128)
        return self.now

    async def rest(self) -> None:
        while int(self.dut.flying.value):
            await self.cycle()
        await self.cycle()


@cocotb.test()
async def gives_the_answers_of_the_standard_both_ways(dut: Any) -> None:
    bench = await Bench.begin(dut)
    for key, block, answer in PUBLISHED:
        assert await bench.load(bytes.fromhex(key)) == KEY_SETUP
        ways = ((False, block, answer), (True, answer, block) if BOTH else (True, block, answer))
        for inverse, taken, given in ways:
            bench.made.clear()
            at = await bench.start(bytes.fromhex(taken), inverse, 5)
            await bench.rest()
            assert [(token, made.hex(), cycle - at) for token, made, cycle in bench.made] == [(5, given, LATENCY)]


@cocotb.test()
async def keeps_as_many_blocks_in_flight_as_it_has_stages(dut: Any) -> None:
    bench = await Bench.begin(dut)
    key = random.randbytes(16)
    await bench.load(key)
    blocks = [random.randbytes(16) for _ in range(36)]  # whole turns of all numbers of stages
    starts = [await bench.start(block, False, index % 16) for index, block in enumerate(blocks)]
    await bench.rest()
    assert starts[-1] - starts[0] == LATENCY * (len(blocks) // STAGES) - LATENCY + STAGES - 1, (
        "a block every ten cycles"
    )
    assert [made for _, made, _ in bench.made] == [Aes(key).encrypt(block) for block in blocks]
    assert [cycle for _, _, cycle in bench.made] == [at + LATENCY for at in starts]


@cocotb.test()
async def mixes_directions_and_pauses_under_many_keys(dut: Any) -> None:
    bench = await Bench.begin(dut)
    for _ in range(12):
        key = random.randbytes(16)
        await bench.load(key)
        aes, wanted = Aes(key), []
        bench.made.clear()
        for _ in range(20):
            block, inverse, token = random.randbytes(16), bool(random.getrandbits(1)), random.getrandbits(4)
            at = await bench.start(block, inverse, token)
            wanted.append((token, crypt(aes, block, inverse), at + LATENCY))
            await bench.cycle(random.choice((0, 0, 0, 1, 2, 3, 9, 10, 25)))
        await bench.rest()
        assert bench.made == wanted


@cocotb.test()
async def clear_at_any_moment_leaves_every_register_as_after_the_first_clear(dut: Any) -> None:
    bench = await Bench.begin(dut)

    async def cleared() -> dict[str, str]:
        dut.clear.value = 1
        for port in (dut.key, dut.key_new, dut.start, dut.inverse, dut.token, dut.block):
            port.value = 0
        await bench.cycle()
        dut.clear.value = 0
        return snapshot(dut)

    async def live() -> None:
        await bench.load(random.randbytes(16))
        while True:
            await bench.start(random.randbytes(16), bool(random.getrandbits(1)), random.randrange(1, 16))

    first = await cleared()
    busy: set[str] = set()
    for moment in range(1, KEY_SETUP + 3 * LATENCY):
        life = cocotb.start_soon(live())
        for _ in range(moment):
            await FallingEdge(dut.clk)
        busy.update(path for path, value in snapshot(dut).items() if value != first[path])
        life.cancel()
        after = await cleared()
        left = [path for path, value in after.items() if value != first[path]]
        assert not left, f"cleared after {moment} cycles, still different: {left}"
    registers = {
        path for path in first if path.endswith(("_q", ".result", ".done_token")) and "u_keys.u_keys" not in path
    }
    assert len(registers) > 5, "the scan does not see the inside"
    assert registers <= busy, f"never used: {registers - busy}"
