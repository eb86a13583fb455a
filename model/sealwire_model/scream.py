# SPDX-License-Identifier: Apache-2.0
"""SCREAM version 3 with 10 or 12 steps (docs/schemes/scream.md).  Historical: it has weak keys."""

from __future__ import annotations

from .strings import pad, xor

BLOCK = 16  # bytes
WORD = 0xFFFF
#: What each bit of a row becomes, the least significant first; the matrix is orthogonal
IMAGES = [
    int(word, 16)
    for word in [
        "385c",
        "52a9",
        "7bb3",
        "96c1",
        "d76d",
        "3ae0",
        "e524",
        "fea5",
        "464b",
        "f1af",
        "a133",
        "7f74",
        "6712",
        "7a6f",
        "701b",
        "8ab1",
    ]
]
#: Steps of each scheme
SCHEMES = {"scream10v3": 10, "scream12v3": 12}


def _product(row: int) -> int:
    """The matrix times a row, from its definition."""
    product = 0
    for bit, image in enumerate(IMAGES):
        product ^= image if row >> bit & 1 else 0
    return product


def _transposed(row: int) -> int:
    """The transposed matrix, which is the inverse, times a row."""
    return sum((row & image).bit_count() % 2 << bit for bit, image in enumerate(IMAGES))


#: The products of either matrix with the bytes of a row, low and high
_MIX, _UNMIX = (
    [[product(byte << shift) for byte in range(256)] for shift in (0, 8)] for product in (_product, _transposed)
)


def mix(row: int) -> int:
    """The matrix times a row."""
    return _MIX[0][row & 0xFF] ^ _MIX[1][row >> 8]


def unmix(row: int) -> int:
    """The inverse matrix times a row."""
    return _UNMIX[0][row & 0xFF] ^ _UNMIX[1][row >> 8]


def _outer(x: list[int], ones: int) -> None:
    a, b = x[1] & x[2] ^ x[0] ^ ones, x[1] ^ x[3]
    c = a ^ x[2]
    x[4:] = [x[4] ^ (c ^ x[3]) & (b ^ x[2]), x[5] ^ c, x[6] ^ a & x[3], x[7] ^ b & c]


def _inner(x: list[int]) -> None:
    a, c = x[4] & x[5] ^ x[6], (x[5] | x[6]) ^ x[7]
    d, b = a & x[7] ^ x[4], c & x[4] ^ x[5]
    x[:4] = [x[0] ^ a, x[1] ^ d, x[2] ^ c, x[3] ^ b]


def _substitute(x: list[int], first: int) -> None:
    """The S-box in every column of the rows; of its inverse the first step has the ones."""
    _outer(x, first)
    _inner(x)
    _outer(x, first ^ WORD)


def _rows(block: bytes) -> list[int]:
    return [int.from_bytes(block[at : at + 2], "little") for at in range(0, BLOCK, 2)]


def _bytes(rows: list[int]) -> bytes:
    return b"".join(row.to_bytes(2, "little") for row in rows)


class Scream:
    """SCREAM under a key."""

    def __init__(self, key: bytes, steps: int) -> None:
        self.key, self.steps = key, steps

    def _subkeys(self, tweak: bytes) -> list[bytes]:
        t0, t1 = tweak[:8], tweak[8:]
        both = xor(t0, t1)
        return [xor(self.key, part) for part in (t0 + t1, both + t0, t1 + both)]

    def encipher(self, tweak: bytes, block: bytes) -> bytes:
        """A block under a tweak."""
        subkeys = self._subkeys(tweak)
        x = _rows(xor(block, subkeys[0]))
        for step in range(self.steps):
            for number in (2 * step, 2 * step + 1):
                _substitute(x, 0)
                x[0] ^= 2199 * number & WORD
                x = [mix(row) for row in x]
            x = _rows(xor(_bytes(x), subkeys[(step + 1) % 3]))
        return _bytes(x)

    def decipher(self, tweak: bytes, block: bytes) -> bytes:
        """The block that becomes this one under a tweak."""
        subkeys = self._subkeys(tweak)
        x = _rows(block)
        for step in reversed(range(self.steps)):
            x = _rows(xor(_bytes(x), subkeys[(step + 1) % 3]))
            for number in (2 * step + 1, 2 * step):
                x = [unmix(row) for row in x]
                x[0] ^= 2199 * number & WORD
                _substitute(x, WORD)
        return xor(_bytes(x), subkeys[0])

    def _run(self, nonce: bytes, ad: bytes, text: bytes, *, decipher: bool) -> tuple[bytes, bytes]:
        def tweak(number: int, control: int) -> bytes:
            return nonce + number.to_bytes(4, "big") + bytes([control])

        tag, total, out = bytes(BLOCK), bytes(BLOCK), b""
        for at in range(0, len(ad), BLOCK):
            block = ad[at : at + BLOCK]
            control = 6 if len(block) < BLOCK else 4 if at + BLOCK == len(ad) else 2
            tag = xor(tag, self.encipher(tweak(at // BLOCK, control), pad(block, BLOCK)))
        whole, rest = divmod(len(text), BLOCK)
        for number in range(whole):
            block = text[BLOCK * number : BLOCK * (number + 1)]
            out += (self.decipher if decipher else self.encipher)(tweak(number, 0), block)
        if rest:
            stream = self.encipher(tweak(whole, 0), bytes([8 * rest]).rjust(BLOCK, b"\0"))
            out += xor(text[BLOCK * whole :], stream)
        plain = out if decipher else text
        for at in range(0, len(plain), BLOCK):
            total = xor(total, plain[at : at + BLOCK].ljust(BLOCK, b"\0"))
        return out, xor(tag, self.encipher(tweak(whole, 16 * rest + 1), total))

    def seal(self, nonce: bytes, ad: bytes, text: bytes) -> tuple[bytes, bytes]:
        """(ciphertext, tag)."""
        return self._run(nonce, ad, text, decipher=False)

    def open(self, nonce: bytes, ad: bytes, text: bytes, tag: bytes = b"") -> tuple[bytes, bytes]:
        """(plaintext, the tag it ought to have)."""
        return self._run(nonce, ad, text, decipher=True)
