# SPDX-License-Identifier: Apache-2.0
"""Raw bits of a board's noise source, for an assessment of the owner's."""

import re
from collections.abc import Callable

from ..errors import LabError
from .console import Console

#: Bits that follow one another without a gap: those of one command of the console.
RUN_BITS = 65_536


def run(board: Console, done: Callable[[int], None]) -> bytes:
    """A byte, 0 or 1, for each bit of one command, in the order in which they were sampled.

    `done` is told how many bits came with each line.  LabError when they are fewer, or bits were lost between them.
    """
    bits = bytearray()
    for line in board.answer("noise"):
        words = line.split()
        if not all(re.fullmatch("[0-9a-f]{8}", word) for word in words):
            raise LabError("what the port says is not what a board says")
        for word in words:
            bits += bytes(map(int, f"{int(word, 16):032b}"))
        done(32 * len(words))
    if len(bits) != RUN_BITS:
        raise LabError(
            f"the noise source gave {len(bits)} bits, must be {RUN_BITS}: "
            "it stands still, or the serial line loses bytes"
        )
    return bytes(bits)


def take(board: Console, count: int, done: Callable[[int], None]) -> bytes:
    """So many bits, a byte each, of as many runs as that takes; the last one is cut."""
    bits = bytearray()
    while len(bits) < count:
        bits += run(board, done)
    return bytes(bits[:count])
