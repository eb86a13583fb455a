# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the masked AES S-box: FIPS 197's table, whatever the shares and the random bits are."""

import random
from collections import deque
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge
from sealwire_model.primitives.aes import SBOX

#: Registers between x and y.
DEPTH = 8
#: Sharings of each byte.
SHARINGS = 64


async def run(dut: Any, inputs: list[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """The shares that come out for shares and random bits, one byte a cycle."""
    Clock(dut.clk, 2, unit="ns").start()
    flight: deque[bool] = deque([False] * DEPTH)
    results = []
    for x0, x1, bits in [*inputs, *[(0, 0, 0)] * DEPTH]:
        await RisingEdge(dut.clk)
        dut.x0.value, dut.x1.value, dut.random.value = x0, x1, bits
        await ReadOnly()
        if flight.popleft():
            results.append((int(dut.y0.value), int(dut.y1.value)))
        flight.append(True)
    return results


@cocotb.test()
async def every_byte_in_every_sharing_gives_the_entry_of_the_standard(dut: Any) -> None:
    source = random.Random(cocotb.RANDOM_SEED)
    bytes_ = [byte for byte in range(256) for _ in range(SHARINGS)]
    source.shuffle(bytes_)
    inputs = []
    for byte in bytes_:
        share = source.getrandbits(8)
        inputs.append((share, byte ^ share, source.getrandbits(8)))
    for byte, (y0, y1) in zip(bytes_, await run(dut, inputs), strict=True):
        assert y0 ^ y1 == SBOX[byte], byte


@cocotb.test()
async def shares_of_the_result_change_with_the_random_bits(dut: Any) -> None:
    source = random.Random(cocotb.RANDOM_SEED)
    results = await run(dut, [(0x5A, 0xA7, source.getrandbits(8)) for _ in range(2000)])
    # 256 values, 2000 draws: one is missing with a probability of 1 in ten.
    assert len({y0 for y0, _ in results}) > 250


@cocotb.test()
async def without_random_bits_the_sbox_is_still_the_sbox(dut: Any) -> None:
    results = await run(dut, [(byte, 0, 0) for byte in range(256)])
    assert bytes(y0 ^ y1 for y0, y1 in results) == SBOX
