# SPDX-License-Identifier: Apache-2.0
"""Minalpher version 1.1 (docs/schemes/minalpher.md).

What the designers' ciphertext has beyond the plaintext's length is the beginning of a tag of 48 bytes here, and zeros
are the rest of it.
"""

from __future__ import annotations

from operator import itemgetter

from .strings import pad, xor

BLOCK = 32  # bytes
#: A block, and the designers' tag
TAG = BLOCK + 16
#: The S-box of nibbles, as a table of bytes
SBOX = bytes([0xB, 3, 4, 1, 2, 8, 0xC, 0xF, 5, 0xD, 0xE, 0, 6, 9, 0xA, 7]).ljust(256, b"\0")
#: Where the nibbles of a row come from
SR1, SR2 = [6, 7, 1, 0, 2, 3, 4, 5], [4, 5, 0, 1, 7, 6, 2, 3]
BACK1, BACK2 = ([order.index(place) for place in range(8)] for order in (SR1, SR2))
ROWS = [[SR1, SR2, BACK1, BACK2], [BACK1, BACK2, SR1, SR2]]
ROUNDS = 17
AD, TEXT = 0x00, 0x40

#: A matrix has four rows of eight nibbles, a byte each.
_PLACES = [itemgetter(*(8 * r + place for r in range(4) for place in rows[r])) for rows in ROWS]
_CONSTANTS = [
    bytes(c ^ r ^ number % 16 if c < 4 else 0 for r in range(4) for c in range(8)) for number in range(ROUNDS)
]


def published_len(text_len: int) -> int:
    """Bytes of the designers' ciphertext: whole blocks, the last of them with padding, and 16 more."""
    return (text_len // BLOCK + 1) * BLOCK + 16


def _shuffle(a: bytes, b: bytes) -> tuple[bytes, bytes]:
    """S-box, permutation of the rows, exchange of the matrices."""
    return bytes(_PLACES[1](b.translate(SBOX))), bytes(_PLACES[0](a.translate(SBOX)))


def _mix(x: bytes) -> bytes:
    """Every row and its two neighbours."""
    return xor(x, xor(x[8:] + x[:8], x[24:] + x[:24]))


def permute(block: bytes, *, inverse: bool = False) -> bytes:
    """The permutation of 32 bytes, or its inverse."""
    nibbles = bytes(value for byte in block for value in (byte >> 4, byte & 15))
    a, b = (b"".join(nibbles[16 * r + 8 * m : 16 * r + 8 * m + 8] for r in range(4)) for m in range(2))
    for number in reversed(range(ROUNDS)) if inverse else range(ROUNDS):
        a, b = _shuffle(a, b)
        if inverse:
            b = xor(b, _CONSTANTS[number])
        b = xor(a, b)
        a, b = _mix(a), _mix(b)
        if not inverse:
            b = xor(b, _CONSTANTS[number])
    a, b = _shuffle(a, b)
    nibbles = b"".join(x[8 * r : 8 * r + 8] for r in range(4) for x in (a, b))
    return bytes(nibbles[at] << 4 | nibbles[at + 1] for at in range(0, 64, 2))


def times_y(mask: bytes) -> bytes:
    """y times an element of GF((2^8)^32): y^32 is y^3 + y^2 + x, and x^8 is x^7 + x^5 + x + 1."""
    top = mask[0]
    times_x = top << 1 & 0xFF ^ (0xA3 if top & 0x80 else 0)
    return xor(mask[1:] + b"\0", bytes(28) + bytes([top, top, 0, times_x]))


def times_y_plus_1(mask: bytes) -> bytes:
    """y + 1 times an element."""
    return xor(mask, times_y(mask))


class Minalpher:
    """Minalpher under a key."""

    def __init__(self, key: bytes) -> None:
        self.key = key

    def mask(self, flag: int, nonce: bytes) -> bytes:
        """The first mask."""
        given = self.key + bytes([flag, 0, 0]) + nonce
        return xor(given, permute(given))

    def _start(self, ad: bytes) -> bytes:
        """The sum that associated data makes."""
        total, mask = bytes(BLOCK), self.mask(AD, bytes(13))
        if not ad:
            return total
        blocks = [ad[at : at + BLOCK] for at in range(0, len(ad), BLOCK)]
        for block in blocks[:-1]:
            mask = times_y(mask)
            total = xor(total, self._masked(mask, block))
        mask = times_y_plus_1(mask)
        if len(blocks[-1]) < BLOCK:
            mask = times_y_plus_1(mask)
        return self._masked(mask, xor(total, pad(blocks[-1], BLOCK)))

    @staticmethod
    def _masked(mask: bytes, block: bytes, *, inverse: bool = False) -> bytes:
        return xor(mask, permute(xor(mask, block), inverse=inverse))

    def _run(self, nonce: bytes, ad: bytes, text: bytes, *, inverse: bool) -> tuple[bytes, bytes]:
        """Whole blocks, and the tag of the ciphertext."""
        total, mask, out = self._start(ad), times_y(self.mask(TEXT, nonce)), b""
        for at in range(0, len(text), BLOCK):
            block = text[at : at + BLOCK]
            made = self._masked(mask, block, inverse=inverse)
            out += made
            ciphertext = block if inverse else made
            if at + BLOCK == len(text):
                total = self._masked(times_y_plus_1(mask), xor(total, ciphertext))
            else:
                mask = times_y(mask)
                total = xor(total, self._masked(mask, ciphertext))
                mask = times_y(mask)
        return out, total[:16]

    def seal(self, nonce: bytes, ad: bytes, text: bytes) -> tuple[bytes, bytes]:
        """(ciphertext, tag)."""
        end = pad(text[len(text) // BLOCK * BLOCK :], BLOCK)
        out, tag = self._run(nonce, ad, text[: len(text) // BLOCK * BLOCK] + end, inverse=False)
        return out[: len(text)], (out[len(text) :] + tag).ljust(TAG, b"\0")

    def open(self, nonce: bytes, ad: bytes, text: bytes, tag: bytes) -> tuple[bytes, bytes]:
        """(plaintext, the tag it ought to have)."""
        padding = BLOCK - len(text) % BLOCK
        out, made = self._run(nonce, ad, text + tag[:padding], inverse=True)
        wrong = xor(out[len(text) :], pad(b"", BLOCK))
        return out[: len(text)], (xor(tag[:padding], wrong) + made).ljust(TAG, b"\0")
