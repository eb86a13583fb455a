# SPDX-License-Identifier: Apache-2.0
"""The compression functions of SHA-256 and SHA-512 (FIPS 180-4), whose constants are derived from their definitions."""

from __future__ import annotations

from functools import lru_cache
from math import isqrt

from . import Compress

#: Amounts of the rotations of Sigma0, Sigma1, sigma0 and sigma1; the last amount of a small sigma is a shift.
_Sums = tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int, int], tuple[int, int, int]]


def _primes(count: int) -> list[int]:
    found: list[int] = []
    candidate = 2
    while len(found) < count:
        if all(candidate % prime for prime in found):
            found.append(candidate)
        candidate += 1
    return found


def _cube_root(value: int) -> int:
    low, high = 0, 1 << (value.bit_length() // 3 + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**3 <= value else (low, middle - 1)
    return low


def _constants(bits: int, rounds: int) -> list[int]:
    """Fractional parts of the cube roots of the first primes (4.2.2, 4.2.3)."""
    return [_cube_root(prime << 3 * bits) & (1 << bits) - 1 for prime in _primes(rounds)]


def _start(bits: int) -> list[int]:
    """Fractional parts of the square roots of the first eight primes (5.3.3, 5.3.5)."""
    return [isqrt(prime << 2 * bits) & (1 << bits) - 1 for prime in _primes(8)]


SHA256_IV, SHA512_IV = _start(32), _start(64)


def _compression(bits: int, rounds: int, sums: _Sums) -> Compress:
    """Sections 6.2.2 and 6.4.2: eight words and a block of sixteen give eight words, big-endian."""
    mask, size, constants = (1 << bits) - 1, bits // 8, _constants(bits, rounds)

    # A rotation is a shift of the word written twice.
    def large(word: int, amounts: tuple[int, int, int]) -> int:
        first, second, third = amounts
        twice = word << bits | word
        return (twice >> first ^ twice >> second ^ twice >> third) & mask

    def small(word: int, amounts: tuple[int, int, int]) -> int:
        first, second, third = amounts
        twice = word << bits | word
        return (twice >> first ^ twice >> second ^ word >> third) & mask

    @lru_cache(1 << 14)  # both ends of a test seal and open the same strings
    def compress(chain: bytes, block: bytes) -> bytes:
        before = [int.from_bytes(chain[i : i + size], "big") for i in range(0, 8 * size, size)]
        words = [int.from_bytes(block[i : i + size], "big") for i in range(0, 16 * size, size)]
        a, b, c, d, e, f, g, h = before
        for t in range(rounds):
            if t >= 16:
                fresh = small(words[t - 2], sums[3]) + words[t - 7] + small(words[t - 15], sums[2]) + words[t - 16]
                words.append(fresh & mask)
            t1 = h + large(e, sums[1]) + (e & f ^ ~e & g) + constants[t] + words[t]
            t2 = large(a, sums[0]) + (a & b ^ a & c ^ b & c)
            a, b, c, d, e, f, g, h = (t1 + t2) & mask, a, b, c, (d + t1) & mask, e, f, g
        after = zip(before, (a, b, c, d, e, f, g, h), strict=True)
        return b"".join(((x + y) & mask).to_bytes(size, "big") for x, y in after)

    return compress


#: 32 and 64 bytes to 32 bytes
sha256 = _compression(32, 64, ((2, 13, 22), (6, 11, 25), (7, 18, 3), (17, 19, 10)))
#: 64 and 128 bytes to 64 bytes
sha512 = _compression(64, 80, ((28, 34, 39), (14, 18, 41), (1, 8, 7), (19, 61, 6)))
