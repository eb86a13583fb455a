# SPDX-License-Identifier: Apache-2.0
"""AES (FIPS 197), both ways, from its definitions."""

from __future__ import annotations


def times(a: int, b: int) -> int:
    """Product in GF(2^8), FIPS 197, 4.2."""
    product = 0
    for _ in range(8):
        product ^= a if b & 1 else 0
        a = a << 1 ^ (0x11B if a & 0x80 else 0)
        b >>= 1
    return product


def _substitute(byte: int) -> int:
    """SubBytes of one byte, from its definition: inverse, then the affine map (FIPS 197, 5.1.1)."""
    inverse = next((other for other in range(256) if times(byte, other) == 1), 0)
    rotated = inverse * 0x101
    return (inverse ^ rotated >> 7 ^ rotated >> 6 ^ rotated >> 5 ^ rotated >> 4) & 0xFF ^ 0x63


SBOX = [_substitute(byte) for byte in range(256)]
INVERSE_SBOX = [SBOX.index(byte) for byte in range(256)]
#: Products with the coefficients of InvMixColumns (FIPS 197, 5.3.3)
_BACK = {factor: [times(value, factor) for value in range(256)] for factor in (9, 11, 13, 14)}
#: What a byte of row 0 adds to its column after SubBytes and MixColumns; that of row r is rotated by r bytes.
_COLUMN = [int.from_bytes(bytes([times(value, 2), value, value, times(value, 3)]), "big") for value in SBOX]


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
        self.keys = [words[i : i + 4] for i in range(0, len(words), 4)]

    def encrypt(self, block: bytes) -> bytes:
        """One block of 16 bytes."""
        state = [int.from_bytes(block[4 * c : 4 * c + 4], "big") ^ self.keys[0][c] for c in range(4)]
        for keys in self.keys[1:-1]:
            a, b, c, d = state
            state = [
                self._column(a >> 24, b >> 16 & 255, c >> 8 & 255, d & 255) ^ keys[0],
                self._column(b >> 24, c >> 16 & 255, d >> 8 & 255, a & 255) ^ keys[1],
                self._column(c >> 24, d >> 16 & 255, a >> 8 & 255, b & 255) ^ keys[2],
                self._column(d >> 24, a >> 16 & 255, b >> 8 & 255, c & 255) ^ keys[3],
            ]
        out = bytearray()
        for c in range(4):
            column = bytes(SBOX[state[(c + r) % 4] >> (24 - 8 * r) & 255] for r in range(4))
            out += (int.from_bytes(column, "big") ^ self.keys[-1][c]).to_bytes(4, "big")
        return bytes(out)

    def decrypt(self, block: bytes) -> bytes:
        """One block of 16 bytes: the inverse cipher of FIPS 197, 5.3, byte by byte."""
        keys = [b"".join(word.to_bytes(4, "big") for word in words) for words in self.keys]
        state = bytes(a ^ b for a, b in zip(block, keys[-1], strict=True))
        for key in reversed(keys[:-1]):
            # InvShiftRows, InvSubBytes, AddRoundKey; byte i is row i mod 4 of column i / 4
            state = bytes(INVERSE_SBOX[state[(i - 4 * (i % 4)) % 16]] ^ key[i] for i in range(16))
            if key is not keys[0]:
                state = bytes(self._back(state[i & 12 : (i & 12) + 4], i % 4) for i in range(16))
        return state

    @staticmethod
    def _back(column: bytes, row: int) -> int:
        """A byte of InvMixColumns."""
        a, b, c, d = column[row:] + column[:row]
        return _BACK[14][a] ^ _BACK[11][b] ^ _BACK[13][c] ^ _BACK[9][d]

    @staticmethod
    def _column(w: int, x: int, y: int, z: int) -> int:
        x, y, z = _COLUMN[x], _COLUMN[y], _COLUMN[z]
        return (
            _COLUMN[w] ^ (x >> 8 | (x & 0xFF) << 24) ^ (y >> 16 | (y & 0xFFFF) << 16) ^ (z >> 24 | (z & 0xFFFFFF) << 8)
        )
