# SPDX-License-Identifier: Apache-2.0
"""Cores that take AD and message in step: every pair of lengths around the edges of the blocks, and what it costs.

The oracle is the Python package `sealwire`.  Every run names its seed; SEALWIRE_SEED repeats it.
"""

from __future__ import annotations

import os
import random

import pytest
from sealwire import AEAD
from sealwire_lab import cores, cycles
from sealwire_lab.simulation import OPEN, SEAL, STALLS, Simulation

CORES = [name for name, core in cores.load().items() if core.kind == "aead" and core.ad_with_msg]


def seed() -> int:
    return int(os.environ["SEALWIRE_SEED"])


def lengths(block: int, most: int) -> list[int]:
    """0, and one byte around every block's end up to `most` blocks."""
    return [0, *(at + change for at in range(0, most * block, block) for change in (1, block - 1, block))]


@pytest.mark.parametrize("stall", STALLS)
@pytest.mark.parametrize("name", CORES)
def test_every_pair_of_lengths_around_the_blocks_is_right(name: str, stall: str) -> None:
    core, number = cores.find(name), seed()
    source, sizes, block = random.Random(number), core.parameters(), core.block_bytes
    key = source.randbytes(sizes["KEY_BITS"] // 8)
    tag_bytes = sizes["TAG_BITS"] // 8
    scheme = f"{core.scheme}k{sizes['KEY_BITS']}n{sizes['NONCE_BITS']}tau{sizes['TAG_BITS']}"
    aead = AEAD(scheme, key)
    # AD up to two double blocks after the longest message: cases A to F, each last block full and padded
    pairs = [(ad, msg) for ad in lengths(block, 7) for msg in lengths(block, 2)]
    pairs += [(source.randrange(9 * block), source.randrange(5 * block)) for _ in range(60)]
    source.shuffle(pairs)
    expected = []
    with Simulation.of(core, sizes, number) as bench:
        bench.stall(stall, number)
        bench.key(key)
        for ad_length, length in pairs:
            nonce = source.randbytes(sizes["NONCE_BITS"] // 8)
            ad, msg = source.randbytes(ad_length), source.randbytes(length)
            sealed = aead.encrypt(nonce, msg, ad)
            ciphertext, tag = sealed[:length], sealed[length:]
            bench.seal(nonce, ad, msg)
            expected.append((SEAL, ad_length, length, True, ciphertext, tag))
            forged = source.random() < 0.2
            bench.open(nonce, ad, ciphertext, bytes([tag[0] ^ 1]) + tag[1:] if forged else tag)
            expected.append((OPEN, ad_length, length, not forged, msg, bytes(tag_bytes)))
        report = bench.flush()
    assert not report.violations, (number, report.violations)
    wrong = [
        (op, ad_length, length)
        for (op, ad_length, length, ok, out, tag), outcome in zip(expected, report.outcomes, strict=True)
        if not outcome.done or (outcome.ok, outcome.out, outcome.tag) != (ok, out, tag)
    ]
    assert not wrong, f"seed {number}: (operation, AD, message) {wrong[:20]}"


@pytest.mark.parametrize("name", CORES)
def test_as_much_ad_as_message_costs_nothing(name: str) -> None:
    core = cores.find(name)
    figures = cycles.measure(core, core.parameters(), (1, 2, 3, 8, 50, 150))
    assert figures.ad_ratio is not None and figures.ad_ratio <= 1.02


@pytest.mark.parametrize("name", CORES)
def test_ad_beyond_the_message_costs_one_call_for_two_blocks(name: str) -> None:
    core = cores.find(name)
    sizes, block = core.parameters(), core.block_bytes
    nonce, beats = bytes(sizes["NONCE_BITS"] // 8), 2 * block * 8 // core.data_bits
    with Simulation.of(core, sizes) as bench:
        bench.stall("none")
        bench.key(bytes(sizes["KEY_BITS"] // 8))
        totals = []
        for ad_blocks, blocks in ((0, 50), (0, 100), (15, 2), (115, 2)):
            bench.seal(nonce, bytes(ad_blocks * block), bytes(blocks * block))
            outcome = bench.flush().outcomes[0]
            totals.append(outcome.result_edge - outcome.accept_edge)
    call = (totals[1] - totals[0]) / 50
    assert (totals[3] - totals[2]) / 50 <= max(call, beats + 2)
