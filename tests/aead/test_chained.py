# SPDX-License-Identifier: Apache-2.0
"""What authenticates a message on the cores of COLM and AES-COPA: every byte of the tag, and the padding alone."""

from __future__ import annotations

import random

import pytest
from sealwire_lab import cores
from sealwire_lab.simulation import Simulation

CORES = ["colm-aes128-r1", "colm-aes128-p2", "copa-aes128-r1", "copa-aes128-p2"]
BLOCK = 16


@pytest.mark.parametrize("size", [0, 1, 15, 16, 17, 32])
@pytest.mark.parametrize("name", CORES)
def test_every_bit_of_the_tag_counts_whatever_the_last_block_holds(name: str, size: int) -> None:
    core, source = cores.find(name), random.Random(size)
    sizes = core.parameters()
    with Simulation.of(core, sizes) as bench:
        bench.key(source.randbytes(16))
        nonce, msg = source.randbytes(sizes["NONCE_BITS"] // 8), source.randbytes(size)
        bench.seal(nonce, b"", msg)
        sealed = bench.flush().outcomes[0]
        bench.open(nonce, b"", sealed.out, sealed.tag)
        for bit in range(sizes["TAG_BITS"]):
            forged = bytearray(sealed.tag)
            forged[bit // 8] ^= 1 << bit % 8
            bench.open(nonce, b"", sealed.out, bytes(forged))
        good, *forgeries = bench.flush().outcomes
    assert good.ok and good.out == msg
    assert not [bit for bit, outcome in enumerate(forgeries) if outcome.ok or not outcome.done]


@pytest.mark.parametrize("blocks", [0, 2])
@pytest.mark.parametrize("name", CORES)
def test_every_byte_of_the_padding_counts(name: str, blocks: int) -> None:
    """What is cut within its last block keeps a right tag: one byte of the padding is wrong, and nothing else."""
    core, source = cores.find(name), random.Random(blocks)
    sizes = core.parameters()
    with Simulation.of(core, sizes) as bench:
        bench.key(source.randbytes(16))
        nonce, start = source.randbytes(sizes["NONCE_BITS"] // 8), source.randbytes(BLOCK * blocks)
        lengths = [(short, long) for long in range(1, BLOCK) for short in range(1 if blocks else 0, long)]
        for short, long in lengths:
            bench.seal(nonce, b"", start + bytes(short) + b"\x80" + bytes(long - short - 1))
        sealed = [outcome.out + outcome.tag for outcome in bench.flush().outcomes]
        for (short, _), string in zip(lengths, sealed, strict=True):
            end, tag_len = len(start) + short, sizes["TAG_BITS"] // 8
            assert not any(string[end + tag_len :]) or core.family == "colm"  # of COPA zeros alone fall off
            bench.open(nonce, b"", string[:end], string[end : end + tag_len])
        cut = bench.flush().outcomes
    assert not [lengths[index] for index, outcome in enumerate(cut) if outcome.ok or not outcome.done]
