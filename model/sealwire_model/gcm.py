# SPDX-License-Identifier: Apache-2.0
"""AES-GCM (NIST SP 800-38D) with a nonce of 12 bytes and a tag of 16."""

from __future__ import annotations

from .primitives.aes import Aes
from .strings import xor

BLOCK = 16  # bytes
#: x^128 + x^7 + x^2 + x + 1 without its first term; the bit of x^0 comes first
REDUCTION = 0xE1 << 120


def multiply(x: int, y: int) -> int:
    """The product in GF(2^128) by SP 800-38D, algorithm 1."""
    product = 0
    for bit in range(127, -1, -1):
        if x >> bit & 1:
            product ^= y
        y = y >> 1 ^ (REDUCTION if y & 1 else 0)
    return product


def fill(data: bytes) -> bytes:
    """Zeros up to a whole number of blocks."""
    return data + bytes(-len(data) % BLOCK)


class Gcm:
    """AES-GCM under one key."""

    def __init__(self, key: bytes) -> None:
        self.aes = Aes(key)
        self.hash_key = int.from_bytes(self.aes.encrypt(bytes(BLOCK)), "big")

    def ghash(self, data: bytes) -> bytes:
        """GHASH of whole blocks."""
        value = 0
        for at in range(0, len(data), BLOCK):
            value = multiply(value ^ int.from_bytes(data[at : at + BLOCK], "big"), self.hash_key)
        return value.to_bytes(BLOCK, "big")

    def _stream(self, nonce: bytes, first: int, count: int) -> bytes:
        """Blocks of the key stream from the counter `first`."""
        counters = (nonce + number.to_bytes(4, "big") for number in range(first, first + count))
        return b"".join(self.aes.encrypt(counter) for counter in counters)

    def _crypt(self, nonce: bytes, text: bytes) -> bytes:
        return xor(text, self._stream(nonce, 2, -(-len(text) // BLOCK))[: len(text)])

    def _tag(self, nonce: bytes, ad: bytes, ciphertext: bytes) -> bytes:
        lengths = (8 * len(ad)).to_bytes(8, "big") + (8 * len(ciphertext)).to_bytes(8, "big")
        return xor(self.ghash(fill(ad) + fill(ciphertext) + lengths), self._stream(nonce, 1, 1))

    def seal(self, nonce: bytes, ad: bytes, text: bytes) -> tuple[bytes, bytes]:
        """(ciphertext, tag)."""
        ciphertext = self._crypt(nonce, text)
        return ciphertext, self._tag(nonce, ad, ciphertext)

    def open(self, nonce: bytes, ad: bytes, text: bytes, tag: bytes = b"") -> tuple[bytes, bytes]:
        """(plaintext, the tag it ought to have)."""
        return self._crypt(nonce, text), self._tag(nonce, ad, text)
