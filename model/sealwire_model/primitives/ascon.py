# SPDX-License-Identifier: Apache-2.0
"""The permutation Ascon-p (NIST SP 800-232, 3) on five words of 64 bits."""

from __future__ import annotations

SBOX = bytes.fromhex("040b1f141a1509021b0508121d03061c1e13070e000d1118100c0119160a0f17")
ROTATIONS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))
MASK = (1 << 64) - 1


def permute(words: list[int], rounds: int) -> list[int]:
    """The last `rounds` of the twelve; the S-box by its table, column by column (x0 is the high bit)."""
    for number in range(12 - rounds, 12):
        words = [word ^ (0xF0 - 0x0F * number if i == 2 else 0) for i, word in enumerate(words)]
        columns = [0] * 5
        for j in range(64):
            value = SBOX[sum((words[i] >> j & 1) << (4 - i) for i in range(5))]
            for i in range(5):
                columns[i] |= (value >> (4 - i) & 1) << j
        words = [
            word ^ (word >> a | word << 64 - a) & MASK ^ (word >> b | word << 64 - b) & MASK
            for word, (a, b) in zip(columns, ROTATIONS, strict=True)
        ]
    return words
