# SPDX-License-Identifier: Apache-2.0
"""AES (FIPS 197), both ways, from its definitions."""

from __future__ import annotations

from functools import cache
from operator import itemgetter

from ..strings import xor

BLOCK = 16  # bytes


@cache
def times(a: int, b: int) -> int:
    """Product in GF(2^8), FIPS 197, 4.2."""
    product = 0
    for _ in range(8):
        product ^= a if b & 1 else 0
        a = a << 1 ^ (0x11B if a & 0x80 else 0)
        b >>= 1
    return product


def _inverse(byte: int) -> int:
    """The inverse in GF(2^8), which is the power of 254; 0 stays 0."""
    power = byte
    for _ in range(6):
        power = times(times(power, power), byte)
    return times(power, power)


def _substitute(byte: int) -> int:
    """SubBytes of one byte, from its definition: inverse, then the affine map (FIPS 197, 5.1.1)."""
    inverse = _inverse(byte)
    rotated = inverse * 0x101
    return (inverse ^ rotated >> 7 ^ rotated >> 6 ^ rotated >> 5 ^ rotated >> 4) & 0xFF ^ 0x63


SBOX = bytes(_substitute(byte) for byte in range(256))
INVERSE_SBOX = bytes(SBOX.index(byte) for byte in range(256))
#: Rows of the matrices of MixColumns and its inverse (FIPS 197, 5.1.3 and 5.3.3)
MIX, MIX_BACK = (2, 3, 1, 1), (14, 11, 13, 9)
_PRODUCTS = {factor: bytes(times(factor, value) for value in range(256)) for factor in {*MIX, *MIX_BACK}}
#: Byte i of a state is row i mod 4 of column i / 4.
_SHIFT, _SHIFT_BACK = (itemgetter(*((i + way * (i % 4)) % BLOCK for i in range(BLOCK))) for way in (4, -4))
_TURNS = [itemgetter(*((i & 12) + (i + by) % 4 for i in range(BLOCK))) for by in range(4)]


def sub_shift(state: bytes) -> bytes:
    """SubBytes and ShiftRows."""
    return bytes(_SHIFT(state.translate(SBOX)))


def sub_shift_back(state: bytes) -> bytes:
    """InvShiftRows and InvSubBytes."""
    return bytes(_SHIFT_BACK(state.translate(INVERSE_SBOX)))


def mix(state: bytes, row: tuple[int, ...] = MIX) -> bytes:
    """Every column of the state times the matrix whose rows are turns of `row`: MixColumns, or its inverse."""
    total = 0
    for turn, factor in zip(_TURNS, row, strict=True):
        total ^= int.from_bytes(turn(state.translate(_PRODUCTS[factor])), "big")
    return total.to_bytes(BLOCK, "big")


class Aes:
    """AES under one key of 16, 24 or 32 bytes."""

    def __init__(self, key: bytes) -> None:
        words = [int.from_bytes(key[i : i + 4], "big") for i in range(0, len(key), 4)]
        count, constant = len(words), 1
        self.rounds = count + 6
        while len(words) < 4 * (self.rounds + 1):
            word, place = words[-1], len(words) % count
            if place == 0:
                word = (word << 8 | word >> 24) & 0xFFFFFFFF
            if place == 0 or (count == 8 and place == 4):
                word = int.from_bytes(bytes(SBOX[byte] for byte in word.to_bytes(4, "big")), "big")
            if place == 0:
                word ^= constant << 24
                constant = times(constant, 2)
            words.append(words[-count] ^ word)
        self.keys = [b"".join(word.to_bytes(4, "big") for word in words[i : i + 4]) for i in range(0, len(words), 4)]

    def encrypt(self, block: bytes) -> bytes:
        """One block of 16 bytes: the cipher of FIPS 197, 5.1."""
        first, *others, last = self.keys
        state = xor(block, first)
        for key in others:
            state = xor(mix(sub_shift(state)), key)
        return xor(sub_shift(state), last)

    def decrypt(self, block: bytes) -> bytes:
        """One block of 16 bytes: the inverse cipher of FIPS 197, 5.3."""
        first, *others, last = self.keys
        state = xor(sub_shift_back(xor(block, last)), others[-1])
        for key in reversed([first, *others[:-1]]):
            state = xor(sub_shift_back(mix(state, MIX_BACK)), key)
        return state
