# SPDX-License-Identifier: Apache-2.0
"""AES-COPA version 2 (docs/schemes/copa.md).

What the designers' ciphertext has beyond the plaintext's length is the beginning of a tag of 33 bytes here, and zeros
are the rest of it.
"""

from __future__ import annotations

from .fields import double, multiple
from .primitives.aes import Aes
from .strings import pad, xor

BLOCK = 16  # bytes
ZERO = bytes(BLOCK)
#: A block, the designers' tag, and the byte that says whether the last block is padded
TAG = 2 * BLOCK + 1


def published_len(text_len: int) -> int:
    """Bytes of the designers' ciphertext: whole blocks, and 17 more."""
    return max(1, -(-text_len // BLOCK)) * BLOCK + BLOCK + 1


class Copa:
    """AES-COPA under a key of AES-128."""

    def __init__(self, key: bytes) -> None:
        self.aes = Aes(key)
        self.l = self.aes.encrypt(ZERO)

    def start(self, nonce: bytes, ad: bytes) -> bytes:
        """S before the first block of the message."""
        data = ad + nonce
        blocks = [data[at : at + BLOCK] for at in range(0, len(data), BLOCK)]
        mask, total = multiple(3, multiple(3, multiple(3, self.l))), ZERO
        for block in blocks[:-1]:
            total = xor(total, self.aes.encrypt(xor(block, mask)))
            mask = double(mask)
        mask = multiple(3, mask)
        if len(blocks[-1]) < BLOCK:
            mask = multiple(3, mask)
        return xor(self.l, self.aes.encrypt(xor(xor(total, mask), pad(blocks[-1], BLOCK))))

    def _masks(self, blocks: int, padded: bool) -> list[tuple[bytes, bytes]]:
        """Of every block, before the first call and behind the second."""
        up, down, masks = multiple(3, self.l), double(self.l), []
        for at in range(blocks):
            last = padded and at == blocks - 1
            masks.append((multiple(7, up) if last else up, down))
            up, down = double(up), double(down)
        return masks

    def _tag(self, total: bytes, s: bytes, masks: tuple[bytes, bytes]) -> bytes:
        inner = self.aes.encrypt(xor(total, multiple(3, masks[0])))
        return xor(self.aes.encrypt(xor(inner, s)), multiple(7, masks[1]))

    def seal(self, nonce: bytes, ad: bytes, text: bytes) -> tuple[bytes, bytes]:
        """(ciphertext, tag)."""
        blocks = [text[at : at + BLOCK] for at in range(0, len(text), BLOCK)] or [b""]
        padded = len(blocks[-1]) < BLOCK
        masks = self._masks(len(blocks), padded)
        s, total, out = self.start(nonce, ad), ZERO, b""
        for block, (up, down) in zip(blocks, masks, strict=True):
            x = pad(block, BLOCK)
            total = xor(total, x)
            s = xor(s, self.aes.encrypt(xor(x, up)))
            out += xor(self.aes.encrypt(s), down)
        out += self._tag(total, s, masks[-1]) + bytes([padded])
        return out[: len(text)], out[len(text) :].ljust(TAG, b"\0")

    def open(self, nonce: bytes, ad: bytes, text: bytes, tag: bytes) -> tuple[bytes, bytes]:
        """(plaintext, the tag it ought to have)."""
        count = max(1, -(-len(text) // BLOCK))
        padding = BLOCK * count - len(text)
        given = text + tag
        masks = self._masks(count, padding > 0)
        s, total, out = self.start(nonce, ad), ZERO, b""
        for at, (up, down) in enumerate(masks):
            before, s = s, self.aes.decrypt(xor(given[BLOCK * at : BLOCK * (at + 1)], down))
            x = xor(self.aes.decrypt(xor(s, before)), up)
            total = xor(total, x)
            out += x
        wrong = xor(out[len(text) :], pad(b"", BLOCK)[:padding])
        end = self._tag(total, s, masks[-1]) + bytes([padding > 0])
        return out[: len(text)], (xor(tag[:padding], wrong) + end).ljust(TAG, b"\0")
