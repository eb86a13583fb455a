# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of pipelines of words in two shares: whatever the shares and the random bits are, the words are right.

GADGET names the top: masked_add (sum of two words) or ascon_masked_sbox (the S-box of NIST SP 800-232, table 6).
"""

import os
import random
from collections import deque
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge

GADGET = os.environ.get("GADGET", "masked_add")
WIDTH = int(os.environ.get("WIDTH", 64))
#: Of a column, whose most significant bit is x0
ASCON_SBOX = bytes.fromhex("040b1f141a1509021b0508121d03061c1e13070e000d1118100c0119160a0f17")
#: Ports of the words, registers between them and the result, and bits of a word
INPUTS, DEPTH, BITS = {
    "masked_add": (("a", "b"), 1 + (WIDTH - 1).bit_length(), WIDTH),
    "ascon_masked_sbox": (("x",), 2, 5 * WIDTH),
}[GADGET]


def expected(words: tuple[int, ...]) -> int:
    if GADGET == "masked_add":
        return sum(words) % 2**WIDTH
    made = 0
    for column in range(WIDTH):
        value = ASCON_SBOX[sum((words[0] >> (WIDTH * i + column) & 1) << (4 - i) for i in range(5))]
        made |= sum((value >> (4 - i) & 1) << (WIDTH * i + column) for i in range(5))
    return made


async def run(dut: Any, words: list[tuple[int, ...]], source: random.Random) -> list[tuple[int, int]]:
    """The shares of the results, a tuple of words a cycle, in random shares and with random bits."""
    Clock(dut.clk, 2, unit="ns").start()
    flight: deque[bool] = deque([False] * DEPTH)
    results = []
    for given in [*words, *[tuple(0 for _ in INPUTS)] * DEPTH]:
        await RisingEdge(dut.clk)
        for name, word in zip(INPUTS, given, strict=True):
            share = source.getrandbits(BITS)
            getattr(dut, f"{name}0").value, getattr(dut, f"{name}1").value = share, share ^ word
        dut.random.value = source.getrandbits(len(dut.random))
        await ReadOnly()
        if flight.popleft():
            results.append((int(dut.y0.value), int(dut.y1.value)))
        flight.append(True)
    return results


@cocotb.test()
async def words_in_any_shares_give_the_result(dut: Any) -> None:
    source = random.Random(cocotb.RANDOM_SEED)
    edges = [0, 1, 2**BITS - 1, 1 << BITS - 1, *(1 << bit for bit in range(BITS))]
    words = [tuple(source.choice(edges) for _ in INPUTS) for _ in range(400)]
    words += [tuple(source.getrandbits(BITS) for _ in INPUTS) for _ in range(1000)]
    for given, (y0, y1) in zip(words, await run(dut, words, source), strict=True):
        assert y0 ^ y1 == expected(given), [hex(word) for word in (*given, y0 ^ y1, expected(given))]


@cocotb.test()
async def shares_of_one_result_differ(dut: Any) -> None:
    source = random.Random(cocotb.RANDOM_SEED)
    results = await run(dut, [tuple(5 for _ in INPUTS)] * 200, source)
    assert len({y0 for y0, _ in results}) > (100 if BITS > 8 else 2 ** (BITS - 1))
