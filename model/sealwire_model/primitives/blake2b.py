# SPDX-License-Identifier: Apache-2.0
"""The compression function F of BLAKE2b (RFC 7693)."""

from __future__ import annotations

from functools import lru_cache

from .sha2 import SHA512_IV

MASK = (1 << 64) - 1
#: RFC 7693, 2.6: the start values of SHA-512
IV = SHA512_IV
#: RFC 7693, 2.7
SIGMA = [
    [int(digit, 16) for digit in row]
    for row in (
        "0123456789ABCDEF", "EA489FD61C02B753", "B8C052FDAE367194", "7931DCBE265A40F8", "905724AFE1BC683D",
        "2C6A0B834D75FE19", "C51FED4A0763928B", "DB7EC13950F4862A", "6FE9B308C2D714A5", "A2847615FB9E3CD0",
    )
]  # fmt: skip


def _mix(v: list[int], at: tuple[int, int, int, int], x: int, y: int) -> None:
    """G of section 3.1: four words of the state with two of the message."""
    a, b, c, d = (v[i] for i in at)
    for word, first, second in ((x, 32, 24), (y, 16, 63)):
        a = a + b + word & MASK
        d ^= a
        d = (d >> first | d << 64 - first) & MASK
        c = c + d & MASK
        b ^= c
        b = (b >> second | b << 64 - second) & MASK
    v[at[0]], v[at[1]], v[at[2]], v[at[3]] = a, b, c, d


#: Columns, then diagonals
_STEPS = [(i, 4 + i, 8 + i, 12 + i) for i in range(4)] + [
    (i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4) for i in range(4)
]


@lru_cache(1 << 14)  # both ends of a test seal and open the same strings
def blake2b(chain: bytes, block: bytes, counter: int = 0, final: bool = False) -> bytes:
    """Section 3.2: 64 and 128 bytes to 64 bytes.  Modes of operation use counter 0, not final."""
    h = [int.from_bytes(chain[i : i + 8], "little") for i in range(0, 64, 8)]
    m = [int.from_bytes(block[i : i + 8], "little") for i in range(0, 128, 8)]
    v = h + IV
    v[12] ^= counter & MASK
    v[13] ^= counter >> 64
    v[14] ^= MASK * final

    for number in range(12):
        row = SIGMA[number % 10]
        for i, at in enumerate(_STEPS):
            _mix(v, at, m[row[2 * i]], m[row[2 * i + 1]])
    return b"".join((h[i] ^ v[i] ^ v[i + 8]).to_bytes(8, "little") for i in range(8))
