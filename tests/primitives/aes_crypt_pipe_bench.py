# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of aes_crypt_pipe: FIPS 197's answers both ways, a block a cycle in mixed directions, cycles, clear."""

import random
from typing import Any

import cocotb
from aes_bench import ANSWERS
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from sealwire_model.primitives.aes import Aes

LATENCY = 21
KEY_SETUP = 34


async def begin(dut: Any) -> None:
    cocotb.start_soon(Clock(dut.clk, 2, unit="ns").start())
    await empty(dut)


async def empty(dut: Any) -> None:
    dut.key_new.value, dut.clear.value, dut.block.value, dut.inverse.value = 0, 1, 0, 0
    await cycle(dut, LATENCY)
    dut.clear.value = 0


async def cycle(dut: Any, count: int = 1) -> None:
    for _ in range(count):
        await FallingEdge(dut.clk)


async def load(dut: Any, key: bytes) -> int:
    """Edges after the one that takes the key until blocks may start."""
    dut.key.value, dut.key_new.value = int.from_bytes(key, "little"), 1
    await cycle(dut)
    dut.key_new.value, dut.key.value = 0, random.getrandbits(128)
    taken = 0
    while not int(dut.key_ready.value):
        await cycle(dut)
        taken += 1
    return taken


def offer(dut: Any, block: bytes, inverse: bool) -> None:
    dut.block.value, dut.inverse.value = int.from_bytes(block, "little"), int(inverse)


def result(dut: Any) -> bytes:
    return int(dut.result.value).to_bytes(16, "little")


def under_way(dut: Any) -> list[str]:
    """Every register that blocks pass, the read registers of memories and the keys beside them included."""
    rounds = [dut.gen_round[number] for number in range(1, 11)]
    found = [part for one in rounds for part in (one.near, one.near_q, one.key_q)]
    found += [part for one in rounds[:-1] for part in (one.far, one.far_q)]
    return [str(part.value) for part in (*found, dut.way_q, dut.result)]


@cocotb.test()
async def gives_the_answers_of_the_standard_both_ways_in_the_promised_cycle(dut: Any) -> None:
    await begin(dut)
    for key, block, answer in ANSWERS[:2]:
        assert await load(dut, bytes.fromhex(key)) == KEY_SETUP
        for inverse, taken, given in ((False, block, answer), (True, answer, block)):
            offer(dut, bytes.fromhex(taken), inverse)
            await cycle(dut)
            offer(dut, random.randbytes(16), not inverse)
            await cycle(dut, LATENCY - 2)
            assert result(dut).hex() != given, "too early"
            await cycle(dut)
            assert result(dut).hex() == given


@cocotb.test()
async def takes_a_block_in_every_cycle_each_in_its_own_direction_under_many_keys(dut: Any) -> None:
    await begin(dut)
    for _ in range(3):
        key = random.randbytes(16)
        await load(dut, key)
        aes = Aes(key)
        calls = [(random.randbytes(16), bool(random.getrandbits(1))) for _ in range(100)]
        seen = []
        for index in range(len(calls) + LATENCY):
            if index >= LATENCY:
                seen.append(result(dut))
            offer(dut, *(calls[index] if index < len(calls) else (bytes(16), False)))
            await cycle(dut)
        assert seen == [aes.decrypt(block) if inverse else aes.encrypt(block) for block, inverse in calls]


@cocotb.test()
async def clear_wipes_the_keys_and_pushes_out_what_is_under_way(dut: Any) -> None:
    await begin(dut)
    before, left = [], []
    for run in range(2):
        await empty(dut)
        await load(dut, random.randbytes(16))
        for _ in range(LATENCY + 5):
            offer(dut, random.randbytes(16), bool(run))
            await cycle(dut)
        before.append(under_way(dut))
        dut.clear.value = 1
        offer(dut, bytes(16), False)
        await cycle(dut)
        assert not int(dut.u_keys.keys_q.value), "round keys are left"
        assert not int(dut.u_back.back_q.value), "round keys of the inverse are left"
        await cycle(dut, LATENCY)
        left.append(under_way(dut))
        dut.clear.value = 0
    assert all(one != other for one, other in zip(*before, strict=True)), "a register that nothing passes"
    assert left[0] == left[1], "the pipeline still tells two runs apart"
