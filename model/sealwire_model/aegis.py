# SPDX-License-Identifier: Apache-2.0
"""AEGIS-128L and AEGIS-256 (RFC 10032; docs/schemes/aegis.md)."""

from __future__ import annotations

from .primitives.aes import mix, sub_shift
from .strings import xor

BLOCK = 16  # bytes
C0 = bytes.fromhex("000101020305080d1522375990e97962")
C1 = bytes.fromhex("db3d18556dc22ff12011314273b528dd")
#: Bits of key and nonce of either cipher; a tag has 128 or 256
KEY_BITS = {"aegis128l": 128, "aegis256": 256}


def aes_round(block: bytes, key: bytes) -> bytes:
    """SubBytes, ShiftRows, MixColumns, AddRoundKey."""
    return xor(mix(sub_shift(block)), key)


def both(a: bytes, b: bytes) -> bytes:
    """The bits that both have."""
    return bytes(x & y for x, y in zip(a, b, strict=True))


def total(blocks: list[bytes]) -> bytes:
    """The sum of blocks."""
    value = bytes(BLOCK)
    for block in blocks:
        value = xor(value, block)
    return value


class Aegis:
    """A cipher of the family under a key; `state` is that of one message."""

    def __init__(self, key: bytes, tag_len: int) -> None:
        self.key, self.tag_len = key, tag_len
        self.long = len(key) == BLOCK  # AEGIS-128L, with two blocks at a time
        self.rate = 2 * BLOCK if self.long else BLOCK
        self.state: list[bytes] = []

    def _update(self, blocks: bytes) -> None:
        s = self.state
        keys = list(s)
        keys[0] = xor(keys[0], blocks[:BLOCK])
        if self.long:
            keys[4] = xor(keys[4], blocks[BLOCK:])
        self.state = [aes_round(s[i - 1], keys[i]) for i in range(len(s))]

    def _start(self, nonce: bytes) -> None:
        if self.long:
            mixed, k0, k1 = xor(self.key, nonce), xor(self.key, C0), xor(self.key, C1)
            self.state = [mixed, C1, C0, C1, mixed, k0, k1, k0]
            for _ in range(10):
                self._update(nonce + self.key)
            return
        parts = [self.key[:BLOCK], self.key[BLOCK:]]
        sums = [xor(part, nonce[BLOCK * i :]) for i, part in enumerate(parts)]
        self.state = [*sums, C1, C0, xor(parts[0], C0), xor(parts[1], C1)]
        for _ in range(4):
            for block in parts + sums:
                self._update(block)

    def _stream(self) -> bytes:
        s = self.state
        if self.long:
            return total([s[1], s[6], both(s[2], s[3])]) + total([s[2], s[5], both(s[6], s[7])])
        return total([s[1], s[4], s[5], both(s[2], s[3])])

    def _run(self, nonce: bytes, ad: bytes, text: bytes, *, decipher: bool) -> tuple[bytes, bytes]:
        self._start(nonce)
        for at in range(0, len(ad), self.rate):
            self._update(ad[at : at + self.rate].ljust(self.rate, b"\0"))
        out = b""
        for at in range(0, len(text), self.rate):
            part = text[at : at + self.rate]
            made = xor(part, self._stream())
            self._update((made if decipher else part).ljust(self.rate, b"\0"))
            out += made
        lengths = (8 * len(ad)).to_bytes(8, "little") + (8 * len(text)).to_bytes(8, "little")
        end = xor(self.state[2 if self.long else 3], lengths)
        for _ in range(7):
            self._update(end * (self.rate // BLOCK))
        s = self.state
        half = len(s) // 2
        if self.tag_len == BLOCK:
            return out, total(s[:7])
        return out, total(s[:half]) + total(s[half:])

    def seal(self, nonce: bytes, ad: bytes, text: bytes) -> tuple[bytes, bytes]:
        """(ciphertext, tag)."""
        return self._run(nonce, ad, text, decipher=False)

    def open(self, nonce: bytes, ad: bytes, text: bytes, tag: bytes = b"") -> tuple[bytes, bytes]:
        """(plaintext, the tag it ought to have)."""
        return self._run(nonce, ad, text, decipher=True)
