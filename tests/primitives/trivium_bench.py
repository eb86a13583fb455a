# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the random generator: eSTREAM's answers, refusal without a seed, alarms.

The answers are those of eSTREAM's verified test vectors for Trivium with keys and IVs of 80 bits (Set 1, vector 0, and
Set 6, vector 0), first 64 bytes, as the AVR-Crypto-Lib keeps them in testvectors/trivium-80.80.test-vectors.
"""

from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

ANSWERS = [
    (
        "80000000000000000000",
        "00000000000000000000",
        "38eb86ff730d7a9caf8df13a4420540dbb7b651464c87501552041c249f29a64"
        "d2fbf515610921ebe06c8f92cecf7f8098ff20cccc6a62b97be8ef7454fc80f9",
    ),
    (
        "0053a6f94c9ff24598eb",
        "0d74db42a91077de45ac",
        "f4cd954a717f26a7d6930830c4e7cf0819f80e03f25f342c64adc66aba7f8a8e"
        "6eaa49f23632ae3cd41a7bd290a0132f81c6d4043b6e397d7388f3a03b5fe358",
    ),
]
LATE = 4  # cycles from the last word of a window to the alarm
GOOD = ANSWERS[1]
#: Cycles from the cycle of the seed to the first word.
WARM = 20


async def reset(dut: Any) -> None:
    Clock(dut.clk, 2, unit="ns").start()
    dut.rst.value, dut.clear.value, dut.seed_valid.value = 1, 0, 0
    dut.seed_key.value, dut.seed_iv.value = 0, 0
    for _ in range(3):
        await FallingEdge(dut.clk)
    dut.rst.value = 0


async def seed(dut: Any, key: str, iv: str) -> None:
    dut.seed_key.value = int.from_bytes(bytes.fromhex(key), "little")
    dut.seed_iv.value = int.from_bytes(bytes.fromhex(iv), "little")
    dut.seed_valid.value = 1
    assert dut.seed_ready.value == 1
    await FallingEdge(dut.clk)
    dut.seed_valid.value = 0


async def wait_valid(dut: Any) -> int:
    cycles = 1
    while dut.valid.value == 0:
        assert dut.random.value == 0 and cycles < 100
        await FallingEdge(dut.clk)
        cycles += 1
    return cycles


@cocotb.test()
async def the_stream_is_the_published_one(dut: Any) -> None:
    await reset(dut)
    for key, iv, answer in ANSWERS:
        await seed(dut, key, iv)
        assert dut.seed_ready.value == 0
        assert await wait_valid(dut) == WARM
        stream = b""
        for _ in range(8):
            assert dut.valid.value == 1
            stream += int(dut.random.value).to_bytes(8, "little")
            await FallingEdge(dut.clk)
        assert stream.hex() == answer, key


@cocotb.test()
async def without_a_seed_there_is_no_bit(dut: Any) -> None:
    await reset(dut)
    for _ in range(200):
        await FallingEdge(dut.clk)
        assert dut.valid.value == 0 and dut.random.value == 0 and dut.alarm.value == 0


@cocotb.test()
async def a_healthy_generator_runs_on(dut: Any) -> None:
    await reset(dut)
    await seed(dut, *GOOD[:2])
    await wait_valid(dut)
    for _ in range(3000):
        await FallingEdge(dut.clk)
        assert dut.valid.value == 1 and dut.alarm.value == 0


@cocotb.test()
async def a_seed_whose_key_is_constant_is_refused_until_a_good_one_comes(dut: Any) -> None:
    await reset(dut)
    for key in ("00" * 10, "ff" * 10):
        await seed(dut, key, GOOD[1])
        for _ in range(40):
            assert dut.alarm.value == 1 and dut.valid.value == 0 and dut.random.value == 0
            await FallingEdge(dut.clk)
    await seed(dut, *GOOD[:2])
    await wait_valid(dut)
    assert dut.alarm.value == 0


@cocotb.test()
async def a_stuck_generator_raises_the_alarm_and_a_seed_ends_it(dut: Any) -> None:
    await reset(dut)
    await seed(dut, *GOOD[:2])
    await wait_valid(dut)
    dut.a.value, dut.b.value, dut.c.value = 0, 0, 0
    cycles = 0
    while dut.alarm.value == 0:
        await FallingEdge(dut.clk)
        cycles += 1
        assert cycles < 140
    assert dut.valid.value == 0 and dut.random.value == 0
    await seed(dut, *GOOD[:2])
    await wait_valid(dut)
    assert dut.alarm.value == 0 and int(dut.random.value).to_bytes(8, "little").hex() == GOOD[2][:16]


@cocotb.test()
async def one_bit_that_stays_the_same_raises_the_alarm(dut: Any) -> None:
    await reset(dut)
    await seed(dut, *GOOD[:2])
    await wait_valid(dut)
    for _ in range(140):
        dut.word.value = int(dut.word.value) | 1 << 37
        await FallingEdge(dut.clk)
        if dut.alarm.value == 1:
            return
    raise AssertionError("no alarm")


@cocotb.test()
async def one_change_in_each_window_is_enough_and_needed(dut: Any) -> None:
    """Bit 37 of a word is that of the word before, but once in a window of 64; after three windows never again."""
    await reset(dut)
    for turn in 0, 31, 63:
        await seed(dut, *GOOD[:2])
        await wait_valid(dut)
        await FallingEdge(dut.clk)
        for cycle in range(64 * 5):
            changes = cycle % 64 == turn and cycle < 64 * 3
            bit = (int(dut.previous.value) >> 37 & 1) ^ changes
            dut.word.value = int(dut.word.value) & ~(1 << 37) | bit << 37
            await FallingEdge(dut.clk)
            if dut.alarm.value == 1:
                break
        assert cycle == 64 * 4 + LATE - 2, f"a change with word {turn}: alarm after {cycle} cycles"


@cocotb.test()
async def reset_and_clear_overwrite_the_state(dut: Any) -> None:
    await reset(dut)
    for pulse in dut.clear, dut.rst:
        await seed(dut, *GOOD[:2])
        await wait_valid(dut)
        pulse.value = 1
        await FallingEdge(dut.clk)
        pulse.value = 0
        for port in (dut.a, dut.b, dut.c, dut.random, dut.previous, dut.changes, dut.changed, dut.valid, dut.alarm):
            assert int(port.value) == 0, port._name
        for _ in range(40):
            await FallingEdge(dut.clk)
            assert dut.valid.value == 0
