# SPDX-License-Identifier: Apache-2.0
"""COLM_0 (docs/schemes/colm.md): the last 16 bytes of the designers' ciphertext are the tag here."""

from __future__ import annotations

from .fields import double, multiple
from .primitives.aes import Aes
from .strings import pad, xor

BLOCK = 16  # bytes
ZERO = bytes(BLOCK)
#: What the designers write before intermediate tags: none
PARAMETERS = bytes(8)


class Colm:
    """COLM_0 under a key of AES-128."""

    def __init__(self, key: bytes) -> None:
        self.aes = Aes(key)
        self.l = self.aes.encrypt(ZERO)

    def start(self, nonce: bytes, ad: bytes) -> bytes:
        """W before the first block of the message."""
        mask = multiple(3, self.l)
        w = self.aes.encrypt(xor(nonce + PARAMETERS, mask))
        for at in range(0, len(ad), BLOCK):
            block = ad[at : at + BLOCK]
            mask = double(mask) if len(block) == BLOCK else multiple(7, mask)
            w = xor(w, self.aes.encrypt(xor(pad(block, BLOCK), mask)))
        return w

    def _masks(self, first: bytes, blocks: int, whole: bool) -> list[bytes]:
        """Of every block, and of the one behind the last."""
        masks = [first]
        for _ in range(blocks - 1):
            masks.append(double(masks[-1]))
        last = multiple(7, masks[-1])
        last = last if whole else multiple(7, last)
        return [*masks[1:], last, double(last)]

    def _block(self, x: bytes, w: bytes, mask: bytes, mask_out: bytes) -> tuple[bytes, bytes]:
        """A block of the ciphertext, and the next W."""
        inner = self.aes.encrypt(xor(x, mask))
        return xor(self.aes.encrypt(xor(inner, multiple(3, w))), mask_out), xor(inner, double(w))

    def seal(self, nonce: bytes, ad: bytes, text: bytes) -> tuple[bytes, bytes]:
        """(ciphertext, tag)."""
        blocks = [text[at : at + BLOCK] for at in range(0, len(text), BLOCK)] or [b""]
        whole = len(blocks[-1]) == BLOCK
        total = ZERO
        for block in blocks:
            total = xor(total, pad(block, BLOCK))
        w, out = self.start(nonce, ad), b""
        masks = [self._masks(multiple(factor, self.l), len(blocks), whole) for factor in (1, 5)]
        for x, mask, mask_out in zip([*blocks[:-1], total, total], *masks, strict=True):
            made, w = self._block(x, w, mask, mask_out)
            out += made
        return out[: len(text)], out[len(text) : len(text) + BLOCK]

    def open(self, nonce: bytes, ad: bytes, text: bytes, tag: bytes) -> tuple[bytes, bytes]:
        """(plaintext, the tag it ought to have)."""
        count = max(1, -(-len(text) // BLOCK))
        end = len(text) - BLOCK * (count - 1)
        given = text + tag
        w, total, out = self.start(nonce, ad), ZERO, b""
        masks, masks_out = (self._masks(multiple(factor, self.l), count, end == BLOCK) for factor in (1, 5))
        for at in range(count):
            y = self.aes.decrypt(xor(given[BLOCK * at : BLOCK * (at + 1)], masks_out[at]))
            x = xor(self.aes.decrypt(xor(y, multiple(3, w))), masks[at])
            w = xor(y, w)
            if at == count - 1:
                x, total = xor(x, total), x
            else:
                total = xor(total, x)
            out += x
        wrong = xor(out[len(text) :], pad(b"", BLOCK)[: BLOCK - end])
        made, _ = self._block(total, w, masks[-1], masks_out[-1])
        return out[: len(text)], xor(tag, wrong) + made[:end]
