# SPDX-License-Identifier: Apache-2.0
"""Cores of SIV-OMD (experimental): lengths around the edges of the blocks, the longest message, repeated nonces.

The oracle is the Python package `sealwire`.  Every run names its seed; SEALWIRE_SEED repeats it.
"""

from __future__ import annotations

import os
import random

import pytest
from sealwire import AEAD
from sealwire_lab import cores
from sealwire_lab.cores import Core
from sealwire_lab.simulation import OPEN, SEAL, STALLS, Simulation

CORES = [name for name, core in cores.load().items() if core.scheme.startswith("sivomd")]


class Pair:
    """A core and the library under the same key; what is queued is compared when the simulation has run."""

    def __init__(self, core: Core, bench: Simulation, source: random.Random) -> None:
        self.sizes = core.parameters()
        self.bench, self.source = bench, source
        key = source.randbytes(self.sizes["KEY_BITS"] // 8)
        names = (self.sizes[f"{name}_BITS"] for name in ("KEY", "NONCE", "TAG"))
        self.aead = AEAD("{}k{}n{}tau{}".format(core.scheme, *names), key)
        self.no_tag = bytes(self.sizes["TAG_BITS"] // 8)
        self.expected: list[tuple[str, bool, bytes, bytes]] = []
        bench.key(key)

    def nonce(self) -> bytes:
        return self.source.randbytes(self.sizes["NONCE_BITS"] // 8)

    def both_ways(self, nonce: bytes, ad: bytes, msg: bytes, forged: bool) -> bytes:
        """Seal, then open or fail to open; returns ciphertext and tag."""
        sealed = self.aead.encrypt(nonce, msg, ad)
        ciphertext, tag = sealed[: len(msg)], sealed[len(msg) :]
        what = f"{len(ad)} + {len(msg)} bytes"
        self.bench.seal(nonce, ad, msg)
        self.expected.append((f"seal {what}", True, ciphertext, tag))
        bit = self.source.randrange(8 * len(tag))
        wrong = (int.from_bytes(tag, "little") ^ 1 << bit).to_bytes(len(tag), "little")
        self.bench.open(nonce, ad, ciphertext, wrong if forged else tag)
        self.expected.append((f"open {what}", not forged, b"" if forged else msg, self.no_tag))
        return sealed

    def too_long(self, op: int, length: int) -> None:
        """A command that must be refused, whatever its tag."""
        text = self.source.randbytes(length)
        if op == SEAL:
            self.bench.seal(self.nonce(), b"ad", text)
        else:
            self.bench.open(self.nonce(), b"ad", text, self.no_tag)
        self.expected.append((f"op {op}, {length} bytes", False, b"", self.no_tag))

    def check(self) -> None:
        report = self.bench.flush()
        assert not report.violations, report.violations
        wrong = [
            name
            for (name, ok, out, tag), outcome in zip(self.expected, report.outcomes, strict=True)
            if not outcome.done or (outcome.ok, outcome.out, outcome.tag) != (ok, out, tag)
        ]
        assert not wrong, wrong[:20]


def run(name: str, stall: str) -> tuple[Pair, Simulation]:
    core, number = cores.find(name), int(os.environ["SEALWIRE_SEED"])
    print(f"seed {number}")
    bench = Simulation.of(core, core.parameters(), number)
    bench.stall(stall, number)
    return Pair(core, bench, random.Random(number)), bench


def lengths(block: int, most: int) -> list[int]:
    """0, and one byte around every block's end up to `most` blocks."""
    return [0, *(at + change for at in range(0, most * block, block) for change in (1, block - 1, block))]


@pytest.mark.parametrize("stall", STALLS)
@pytest.mark.parametrize("name", CORES)
def test_every_pair_of_lengths_around_the_blocks_is_right(name: str, stall: str) -> None:
    pair, bench = run(name, stall)
    block = cores.find(name).block_bytes
    sizes = [(ad, msg) for ad in lengths(2 * block, 2) for msg in lengths(block, 5)]
    sizes += [(pair.source.randrange(9 * block), pair.source.randrange(12 * block)) for _ in range(20)]
    pair.source.shuffle(sizes)
    with bench:
        for ad, msg in sizes:
            strings = pair.source.randbytes(ad), pair.source.randbytes(msg)
            pair.both_ways(pair.nonce(), *strings, forged=pair.source.random() < 0.2)
        pair.check()


@pytest.mark.parametrize("name", CORES)
def test_the_longest_message_is_served_and_one_byte_more_is_refused(name: str) -> None:
    pair, bench = run(name, "none")
    most = pair.sizes["MAX_MSG_BYTES"]
    with bench:
        for length in (most + 1, 2 * most + 5):
            pair.too_long(SEAL, length)
            pair.too_long(OPEN, length)
        pair.both_ways(pair.nonce(), b"ad", pair.source.randbytes(most), forged=False)
        pair.check()


@pytest.mark.parametrize("name", CORES)
def test_a_repeated_nonce_shows_equality_and_nothing_else(name: str) -> None:
    pair, bench = run(name, "none")
    nonce, ad, size = pair.nonce(), pair.source.randbytes(30), 257
    with bench:
        first = pair.source.randbytes(size)
        sealed = [pair.both_ways(nonce, ad, first, forged=False)]
        assert pair.both_ways(nonce, ad, first, forged=False) == sealed[0]
        for place in (0, 63, 64, 128, 255, 256):  # whichever block changes, all of the ciphertext does
            changed = bytearray(first)
            changed[place] ^= 1 << pair.source.randrange(8)
            sealed.append(pair.both_ways(nonce, ad, bytes(changed), forged=False))
        sealed.append(pair.both_ways(nonce, ad + b"\0", first, forged=False))
        pair.check()
    beginnings = [text[at : at + 8] for text in sealed for at in range(0, size, 64) if at + 8 <= size]
    assert len(set(beginnings)) == len(beginnings)
