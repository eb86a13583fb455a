# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of aes_encrypt_pipe: FIPS 197's answers, a block a cycle, the cycles promised, what clear leaves."""

import os
import random
from typing import Any

import cocotb
from aes_bench import ANSWERS
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from sealwire_model.primitives.aes import Aes

STAGES = int(os.environ.get("SEALWIRE_STAGES", "2"))
IN_MEMORY = os.environ.get("SEALWIRE_SBOX") == "2"
LATENCY = 10 * STAGES + 1
KEY_SETUP = 23


async def begin(dut: Any) -> None:
    cocotb.start_soon(Clock(dut.clk, 2, unit="ns").start())
    await empty(dut)


async def empty(dut: Any) -> None:
    dut.key_new.value, dut.clear.value, dut.block.value = 0, 1, 0
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


def result(dut: Any) -> bytes:
    return int(dut.result.value).to_bytes(16, "little")


def under_way(dut: Any) -> list[str]:
    """Every register that blocks pass, the read registers of memories included."""
    if IN_MEMORY:
        rounds = dut.gen_memory.u_rounds.gen_round
        found = [
            part for number in range(1, 11) for part in (rounds[number].u_round.read, rounds[number].u_round.read_q)
        ]
    else:
        rounds = dut.gen_logic.gen_round
        found = [dut.gen_logic.state_q, *(rounds[number].half for number in range(1, 11) if STAGES == 2)]
    return [str(part.value) for part in (*found, dut.result)]


@cocotb.test()
async def gives_the_answers_of_the_standard_in_the_promised_cycle(dut: Any) -> None:
    await begin(dut)
    for key, block, answer in ANSWERS[:2]:
        assert await load(dut, bytes.fromhex(key)) == KEY_SETUP
        dut.block.value = int.from_bytes(bytes.fromhex(block), "little")
        await cycle(dut)
        dut.block.value = random.getrandbits(128)
        await cycle(dut, LATENCY - 2)
        assert result(dut).hex() != answer, "too early"
        await cycle(dut)
        assert result(dut).hex() == answer


@cocotb.test()
async def takes_a_block_in_every_cycle_under_many_keys(dut: Any) -> None:
    await begin(dut)
    for _ in range(3):
        key = random.randbytes(16)
        await load(dut, key)
        encrypt = Aes(key).encrypt
        blocks = [random.randbytes(16) for _ in range(100)]
        seen = []
        for index in range(len(blocks) + LATENCY):
            if index >= LATENCY:
                seen.append(result(dut))
            dut.block.value = int.from_bytes(blocks[index], "little") if index < len(blocks) else 0
            await cycle(dut)
        assert seen == [encrypt(block) for block in blocks]


@cocotb.test()
async def clear_wipes_the_keys_and_pushes_out_what_is_under_way(dut: Any) -> None:
    await begin(dut)
    before, left = [], []
    for _ in range(2):
        await empty(dut)
        await load(dut, random.randbytes(16))
        for _ in range(LATENCY + 5):
            dut.block.value = random.getrandbits(128)
            await cycle(dut)
        before.append(under_way(dut))
        dut.clear.value, dut.block.value = 1, 0
        await cycle(dut)
        assert not int(dut.u_keys.keys_q.value), "round keys are left"
        await cycle(dut, LATENCY)
        left.append(under_way(dut))
        dut.clear.value = 0
    assert all(one != other for one, other in zip(*before, strict=True)), "a register that nothing passes"
    assert left[0] == left[1], "the pipeline still tells two runs apart"
