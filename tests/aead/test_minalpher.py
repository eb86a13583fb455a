# SPDX-License-Identifier: Apache-2.0
"""What authenticates a message under Minalpher on the cores: every bit of the tag, with its zeros, and the padding."""

from __future__ import annotations

import random

import pytest
from sealwire_lab import cores
from sealwire_lab.simulation import Simulation
from sealwire_model.minalpher import BLOCK, TAG, Minalpher

CORES = ["minalpher-r1", "minalpher-p2"]


@pytest.mark.parametrize("size", [0, 1, 31, 32])
@pytest.mark.parametrize("name", CORES)
def test_every_bit_of_the_tag_counts_whatever_the_last_block_holds(name: str, size: int) -> None:
    """What goes out before the refusal is what the model opens: a zero that is none changes nothing of it."""
    core, source = cores.find(name), random.Random(size)
    with Simulation.of(core, core.parameters()) as bench:
        key, nonce, msg = source.randbytes(16), source.randbytes(13), source.randbytes(size)
        bench.key(key)
        bench.seal(nonce, b"", msg)
        sealed = bench.flush().outcomes[0]
        bench.open(nonce, b"", sealed.out, sealed.tag)
        forged = [bytearray(sealed.tag) for _ in range(8 * TAG)]
        for bit, tag in enumerate(forged):
            tag[bit // 8] ^= 1 << bit % 8
            bench.open(nonce, b"", sealed.out, bytes(tag))
        good, *forgeries = bench.flush().outcomes
    assert sealed.tag[TAG - size % BLOCK :] == bytes(size % BLOCK)
    assert good.ok and good.out == msg
    assert not [bit for bit, outcome in enumerate(forgeries) if outcome.ok or not outcome.done]
    model = Minalpher(key)
    for outcome, tag in [*zip(forgeries, forged, strict=True)][::29]:
        assert outcome.out == model.open(nonce, b"", sealed.out, bytes(tag))[0]


@pytest.mark.parametrize("blocks", [0, 2])
@pytest.mark.parametrize("name", CORES)
def test_every_byte_of_the_padding_counts(name: str, blocks: int) -> None:
    """What is cut within its last block keeps a right tag: one byte of the padding is wrong, and nothing else."""
    core, source = cores.find(name), random.Random(blocks)
    with Simulation.of(core, core.parameters()) as bench:
        bench.key(source.randbytes(16))
        nonce, start = source.randbytes(13), source.randbytes(BLOCK * blocks)
        lengths = [(short, long) for long in range(1, BLOCK) for short in {0, source.randrange(long), long - 1}]
        lengths = [(short, long) for short, long in lengths if blocks == 0 or short > 0]
        for short, long in lengths:
            bench.seal(nonce, b"", start + bytes(short) + b"\x80" + bytes(long - short - 1))
        sealed = [outcome.out + outcome.tag for outcome in bench.flush().outcomes]
        for (short, _), string in zip(lengths, sealed, strict=True):
            end = len(start) + short
            assert not any(string[end + TAG :]), "only zeros fall off"
            bench.open(nonce, b"", string[:end], string[end : end + TAG])
        cut = bench.flush().outcomes
    assert not [lengths[index] for index, outcome in enumerate(cut) if outcome.ok or not outcome.done]


@pytest.mark.parametrize("name", CORES)
def test_time_depends_on_lengths_alone(name: str) -> None:
    """A good message, a forgery and one with wrong padding of the same lengths take the same cycles."""
    core, source = cores.find(name), random.Random(1)
    for size in (5, 32):
        taken = set()
        for forgery in range(4):
            with Simulation.of(core, core.parameters()) as bench:
                bench.stall("none")
                bench.key(source.randbytes(16))
                nonce, ad, msg = source.randbytes(13), source.randbytes(40), source.randbytes(size)
                bench.seal(nonce, ad, msg)
                sealed = bench.flush().outcomes[0]
                tag = bytearray(sealed.tag)
                if forgery:
                    tag[(0, 31, 47)[forgery - 1]] ^= 1
                bench.open(nonce, ad, sealed.out, bytes(tag))
                opened = bench.flush().outcomes[0]
                assert opened.ok == (forgery == 0)
                taken.add((sealed.result_edge - sealed.accept_edge, opened.result_edge - opened.accept_edge))
        assert len(taken) == 1, taken
