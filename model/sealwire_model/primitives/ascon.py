# SPDX-License-Identifier: Apache-2.0
"""The permutation Ascon-p (NIST SP 800-232, 3) on five words of 64 bits."""

from __future__ import annotations

ROTATIONS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))
MASK = (1 << 64) - 1


def _substitute(x0: int, x1: int, x2: int, x3: int, x4: int) -> list[int]:
    """The S-box in every column, x0 the high bit, as the equations of SP 800-232, 3.3, give it."""
    x0, x2, x4 = x0 ^ x4, x2 ^ x1, x4 ^ x3
    words = [x0, x1, x2, x3, x4]
    x0, x1, x2, x3, x4 = (words[i] ^ ~words[(i + 1) % 5] & words[(i + 2) % 5] for i in range(5))
    return [x0 ^ x4, x1 ^ x0, ~x2 & MASK, x3 ^ x2, x4]


def permute(words: list[int], rounds: int) -> list[int]:
    """The last `rounds` of the twelve."""
    for number in range(12 - rounds, 12):
        words = _substitute(*(word ^ (0xF0 - 0x0F * number if i == 2 else 0) for i, word in enumerate(words)))
        words = [
            word ^ (word >> a | word << 64 - a) & MASK ^ (word >> b | word << 64 - b) & MASK
            for word, (a, b) in zip(words, ROTATIONS, strict=True)
        ]
    return words
