# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of deoxys_bc_pipe: the model's answers, a block a cycle under tweaks of their own, cycles, clear."""

import os
import random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from sealwire_model.deoxys import DeoxysBc

VERSION = int(os.environ.get("SEALWIRE_VERSION", "143"))
LATENCY = 29


async def begin(dut: Any) -> None:
    cocotb.start_soon(Clock(dut.clk, 2, unit="ns").start())
    await empty(dut)


async def empty(dut: Any) -> None:
    dut.key_new.value, dut.clear.value, dut.block.value, dut.tweak.value = 0, 1, 0, 0
    await cycle(dut, LATENCY + 1)
    dut.clear.value = 0


async def cycle(dut: Any, count: int = 1) -> None:
    for _ in range(count):
        await FallingEdge(dut.clk)


async def load(dut: Any, key: bytes) -> None:
    """Blocks may start at once behind it."""
    dut.key.value, dut.key_new.value = int.from_bytes(key, "little"), 1
    await cycle(dut)
    dut.key_new.value, dut.key.value = 0, random.getrandbits(128)
    await cycle(dut)


def offer(dut: Any, tweak: bytes, block: bytes) -> None:
    dut.tweak.value, dut.block.value = int.from_bytes(tweak, "little"), int.from_bytes(block, "little")


def under_way(dut: Any) -> list[str]:
    """Every register that blocks and tweaks pass, the read registers of memories included."""
    rounds = [dut.gen_round[number] for number in range(1, 15)]
    found = [part for one in rounds for part in (one.u_round.read, one.u_round.read_q, one.subtweakey_q)]
    return [str(part.value) for part in (*found, dut.tweaks_q, dut.result)]


@cocotb.test()
async def takes_a_block_in_every_cycle_each_under_its_own_tweak_and_gives_it_in_the_promised_one(dut: Any) -> None:
    await begin(dut)
    for _ in range(3):
        key = random.randbytes(16)
        await load(dut, key)
        calls = [(random.randbytes(16), random.randbytes(16)) for _ in range(100)]
        seen = []
        for index in range(len(calls) + LATENCY):
            if index >= LATENCY:
                seen.append(int(dut.result.value).to_bytes(16, "little"))
            offer(dut, *(calls[index] if index < len(calls) else (bytes(16), bytes(16))))
            await cycle(dut)
        assert seen == [DeoxysBc(key, VERSION).encrypt(int.from_bytes(tweak, "big"), block) for tweak, block in calls]


@cocotb.test()
async def clear_wipes_the_key_and_pushes_out_what_is_under_way(dut: Any) -> None:
    await begin(dut)
    before, left = [], []
    for _ in range(2):
        await empty(dut)
        await load(dut, random.randbytes(16))
        for _ in range(LATENCY + 5):
            offer(dut, random.randbytes(16), random.randbytes(16))
            await cycle(dut)
        before.append(under_way(dut))
        dut.clear.value = 1
        offer(dut, bytes(16), bytes(16))
        await cycle(dut)
        assert not int(dut.key_q.value), "the key is left"
        await cycle(dut, LATENCY)
        left.append(under_way(dut))
        dut.clear.value = 0
    assert all(one != other for one, other in zip(*before, strict=True)), "a register that nothing passes"
    assert left[0] == left[1], "the pipeline still tells two runs apart"
