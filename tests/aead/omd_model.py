# SPDX-License-Identifier: Apache-2.0
"""OMD in plain Python, written from the specification (docs: OMD), as the second oracle of the benches.

The published vectors come first: test_model.py checks this model against them before any bench believes it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt

MASK = (1 << 64) - 1
#: By the bytes of a block: x^256 + x^10 + x^5 + x^2 + 1 and x^512 + x^8 + x^5 + x^2 + 1, without their leading terms
POLYNOMIAL = {32: 0x425, 64: 0x125}

Compress = Callable[[bytes, bytes], bytes]


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


# FIPS 180-4, 4.2.3 and 5.3.5: fractional parts of the cube roots and square roots of the first primes.
SHA512_K = [_cube_root(prime << 192) & MASK for prime in _primes(80)]
SHA512_IV = [isqrt(prime << 128) & MASK for prime in _primes(8)]


def _right(word: int, count: int) -> int:
    return (word >> count | word << (64 - count)) & MASK


@lru_cache(1 << 14)  # both ends of a test seal and open the same strings
def sha512(chain: bytes, block: bytes) -> bytes:
    """The compression function of FIPS 180-4, 6.4.2: 64 and 128 bytes to 64 bytes."""
    before = [int.from_bytes(chain[i : i + 8], "big") for i in range(0, 64, 8)]
    words = [int.from_bytes(block[i : i + 8], "big") for i in range(0, 128, 8)]
    a, b, c, d, e, f, g, h = before
    for t in range(80):
        if t >= 16:
            s0 = _right(words[t - 15], 1) ^ _right(words[t - 15], 8) ^ words[t - 15] >> 7
            s1 = _right(words[t - 2], 19) ^ _right(words[t - 2], 61) ^ words[t - 2] >> 6
            words.append((words[t - 16] + s0 + words[t - 7] + s1) & MASK)
        t1 = h + (_right(e, 14) ^ _right(e, 18) ^ _right(e, 41)) + (g ^ e & (f ^ g)) + SHA512_K[t] + words[t]
        t2 = (_right(a, 28) ^ _right(a, 34) ^ _right(a, 39)) + (a & b | c & (a | b))
        a, b, c, d, e, f, g, h = (t1 + t2) & MASK, a, b, c, (d + t1) & MASK, e, f, g
    after = zip(before, (a, b, c, d, e, f, g, h), strict=True)
    return b"".join(((x + y) & MASK).to_bytes(8, "big") for x, y in after)


# FIPS 180-4, 4.2.2 and 5.3.3: the same roots to 32 bits, of the first 64 and 8 primes
SHA256_K = [word >> 32 for word in SHA512_K[:64]]
SHA256_IV = [word >> 32 for word in SHA512_IV]


def _right32(word: int, count: int) -> int:
    return (word >> count | word << (32 - count)) & 0xFFFFFFFF


@lru_cache(1 << 14)  # both ends of a test seal and open the same strings
def sha256(chain: bytes, block: bytes) -> bytes:
    """The compression function of FIPS 180-4, 6.2.2: 32 and 64 bytes to 32 bytes."""
    before = [int.from_bytes(chain[i : i + 4], "big") for i in range(0, 32, 4)]
    words = [int.from_bytes(block[i : i + 4], "big") for i in range(0, 64, 4)]
    a, b, c, d, e, f, g, h = before
    for t in range(64):
        if t >= 16:
            s0 = _right32(words[t - 15], 7) ^ _right32(words[t - 15], 18) ^ words[t - 15] >> 3
            s1 = _right32(words[t - 2], 17) ^ _right32(words[t - 2], 19) ^ words[t - 2] >> 10
            words.append((words[t - 16] + s0 + words[t - 7] + s1) & 0xFFFFFFFF)
        t1 = h + (_right32(e, 6) ^ _right32(e, 11) ^ _right32(e, 25)) + (g ^ e & (f ^ g)) + SHA256_K[t] + words[t]
        t2 = (_right32(a, 2) ^ _right32(a, 13) ^ _right32(a, 22)) + (a & b | c & (a | b))
        a, b, c, d, e, f, g, h = (t1 + t2) & 0xFFFFFFFF, a, b, c, (d + t1) & 0xFFFFFFFF, e, f, g
    after = zip(before, (a, b, c, d, e, f, g, h), strict=True)
    return b"".join(((x + y) & 0xFFFFFFFF).to_bytes(4, "big") for x, y in after)


# RFC 7693, 2.7
SIGMA = [
    [int(digit, 16) for digit in row]
    for row in (
        "0123456789ABCDEF", "EA489FD61C02B753", "B8C052FDAE367194", "7931DCBE265A40F8", "905724AFE1BC683D",
        "2C6A0B834D75FE19", "C51FED4A0763928B", "DB7EC13950F4862A", "6FE9B308C2D714A5", "A2847615FB9E3CD0",
    )
]  # fmt: skip


@lru_cache(1 << 14)  # both ends of a test seal and open the same strings
def blake2b(chain: bytes, block: bytes, counter: int = 0, final: bool = False) -> bytes:
    """The compression function F of RFC 7693, 3.2: 64 and 128 bytes to 64 bytes.  OMD uses counter 0, not final."""
    h = [int.from_bytes(chain[i : i + 8], "little") for i in range(0, 64, 8)]
    m = [int.from_bytes(block[i : i + 8], "little") for i in range(0, 128, 8)]
    v = h + SHA512_IV
    v[12] ^= counter & MASK
    v[13] ^= counter >> 64
    v[14] ^= MASK * final

    def mix(a: int, b: int, c: int, d: int, x: int, y: int) -> None:
        for word, first, second in ((x, 32, 24), (y, 16, 63)):
            v[a] = (v[a] + v[b] + word) & MASK
            v[d] = _right(v[d] ^ v[a], first)
            v[c] = (v[c] + v[d]) & MASK
            v[b] = _right(v[b] ^ v[c], second)

    for number in range(12):
        s = [m[i] for i in SIGMA[number % 10]]
        for i in range(4):
            mix(i, 4 + i, 8 + i, 12 + i, s[2 * i], s[2 * i + 1])
        for i in range(4):
            mix(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, s[8 + 2 * i], s[9 + 2 * i])
    return b"".join((h[i] ^ v[i] ^ v[i + 8]).to_bytes(8, "little") for i in range(8))


def xor(a: bytes, b: bytes) -> bytes:
    """Exclusive or over the length of the shorter string."""
    size = min(len(a), len(b))
    return (int.from_bytes(a[:size], "big") ^ int.from_bytes(b[:size], "big")).to_bytes(size, "big")


def double(block: bytes) -> bytes:
    """Multiplication by x in GF(2^256) or GF(2^512); the first byte is the most significant."""
    bits = 8 * len(block)
    value = int.from_bytes(block, "big") << 1
    if value >> bits:
        value ^= 1 << bits | POLYNOMIAL[len(block)]
    return value.to_bytes(len(block), "big")


def pad(string: bytes, length: int) -> bytes:
    """10* padding of a string that is shorter than `length`."""
    return string if len(string) == length else (string + b"\x80").ljust(length, b"\0")


@dataclass
class Omd:
    """OMD under one key.  Sizes are bytes, except `version`."""

    compress: Compress
    key: bytes
    tag_len: int
    version: int
    n: int = 64  # of a block and of the chaining value

    def __post_init__(self) -> None:
        self.tau = (8 * self.tag_len).to_bytes(self.n, "big")
        self.l_star = self._f(bytes(self.n), self.tau if self.version == 2 else bytes(self.n))

    def _f(self, chain: bytes, message: bytes) -> bytes:
        return self.compress(chain, self.key.ljust(self.n, b"\0") + message)

    def _l(self, index: int) -> bytes:
        """L[ntz(index)] = 4 L* doubled once for each trailing zero bit of the index."""
        mask = double(double(self.l_star))
        while index % 2 == 0:
            mask, index = double(mask), index // 2
        return mask

    def _times(self, j: int) -> bytes:
        """j . L*, where the bits of j are coefficients of a polynomial."""
        total, power = bytes(self.n), self.l_star
        while j:
            if j & 1:
                total = xor(total, power)
            power, j = double(power), j >> 1
        return total

    def ad_tag(self, ad: bytes) -> bytes:
        """Tag_a, which does not depend on the nonce."""
        n = self.n
        total, delta = bytes(n), bytes(n)
        for index, at in enumerate(range(0, len(ad), 2 * n), 1):
            block = ad[at : at + 2 * n]
            delta = xor(delta, self._l(index) if len(block) == 2 * n else self.l_star)
            block = pad(block, 2 * n)
            total = xor(total, self._f(xor(block[:n], delta), block[n:]))
        return total

    def _run(self, nonce: bytes, ad: bytes, text: bytes, opening: bool) -> tuple[bytes, bytes]:
        n = self.n
        delta = xor(self._f(pad(nonce, n), bytes(n)), self._l(1))
        chain = self._f(delta, self.tau)
        out = b""
        blocks = [text[at : at + n] for at in range(0, len(text), n)]
        for index, block in enumerate(blocks, 1):
            made = xor(chain, block)
            out += made
            if index < len(blocks):
                delta = xor(delta, self._l(index + 1))
            else:
                twice = double(self.l_star)
                delta = xor(delta, twice if len(block) == n else xor(twice, self.l_star))
            chain = self._f(xor(chain, delta), pad(made if opening else block, n))
        return out, xor(chain, self.ad_tag(ad))[: self.tag_len]

    def seal(self, nonce: bytes, ad: bytes, text: bytes) -> tuple[bytes, bytes]:
        """(ciphertext, tag)."""
        return self._run(nonce, ad, text, False)

    def open(self, nonce: bytes, ad: bytes, text: bytes, tag: bytes = b"") -> tuple[bytes, bytes]:
        """(plaintext, the tag it ought to have); some modes decrypt with the tag that came."""
        return self._run(nonce, ad, text, True)


COMPRESS: dict[str, Compress] = {
    mode + name: function
    for mode in ("omd", "pomd", "sivomdp", "sivomds")
    for name, function in (("sha256", sha256), ("sha512", sha512), ("blake2b", blake2b))
}
BLOCK_BYTES = {scheme: 32 if scheme.endswith("sha256") else 64 for scheme in COMPRESS}
