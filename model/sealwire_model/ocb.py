# SPDX-License-Identifier: Apache-2.0
"""OCB (RFC 7253) with AES and a nonce of up to 15 bytes."""

from __future__ import annotations

from .fields import double
from .primitives.aes import Aes
from .strings import pad, xor

BLOCK = 16  # bytes
ZERO = bytes(BLOCK)


class Ocb:
    """OCB under one key of AES."""

    def __init__(self, key: bytes, tag_len: int = 16) -> None:
        self.tag_len = tag_len
        self.aes = Aes(key)
        self.l_star = self.aes.encrypt(ZERO)
        self.l_dollar = double(self.l_star)

    def _masks(self, offset: bytes, count: int) -> list[bytes]:
        """Offsets of `count` whole blocks, after the one to begin with: Offset_i = Offset_{i-1} xor L_{ntz(i)}."""
        steps = [double(self.l_dollar)]
        masks = [offset]
        for i in range(1, count + 1):
            zeros = (i & -i).bit_length() - 1
            if zeros == len(steps):
                steps.append(double(steps[-1]))
            masks.append(xor(masks[-1], steps[zeros]))
        return masks

    def ad_sum(self, ad: bytes) -> bytes:
        """HASH(K, A), which does not depend on the nonce."""
        masks = self._masks(ZERO, len(ad) // BLOCK)
        total = ZERO
        for at, mask in enumerate(masks[1:]):
            total = xor(total, self.aes.encrypt(xor(ad[at * BLOCK : (at + 1) * BLOCK], mask)))
        if rest := ad[(len(masks) - 1) * BLOCK :]:
            total = xor(total, self.aes.encrypt(xor(xor(pad(rest, BLOCK), masks[-1]), self.l_star)))
        return total

    def first_offset(self, nonce: bytes) -> bytes:
        """Offset_0: 128 bits of the stretched Ktop, from the place that the last six bits of the nonce say."""
        block = bytearray((b"\1" + nonce).rjust(BLOCK, b"\0"))
        block[0] |= 8 * self.tag_len % 128 << 1
        bottom = block[-1] & 63
        block[-1] &= 192
        top = self.aes.encrypt(bytes(block))
        stretch = int.from_bytes(top + xor(top[:8], top[1:9]), "big")
        return (stretch >> (64 - bottom) & (1 << 128) - 1).to_bytes(BLOCK, "big")

    def _run(self, nonce: bytes, ad: bytes, text: bytes, opening: bool) -> tuple[bytes, bytes]:
        cipher = self.aes.decrypt if opening else self.aes.encrypt
        masks = self._masks(self.first_offset(nonce), len(text) // BLOCK)
        out, total, offset = b"", ZERO, masks[-1]
        for at, mask in enumerate(masks[1:]):
            block = text[at * BLOCK : (at + 1) * BLOCK]
            made = xor(cipher(xor(block, mask)), mask)
            out += made
            total = xor(total, made if opening else block)
        if rest := text[len(out) :]:
            offset = xor(offset, self.l_star)
            made = xor(rest, self.aes.encrypt(offset))
            out += made
            total = xor(total, pad(made if opening else rest, BLOCK))
        tag = xor(self.aes.encrypt(xor(xor(total, offset), self.l_dollar)), self.ad_sum(ad))
        return out, tag[: self.tag_len]

    def seal(self, nonce: bytes, ad: bytes, text: bytes) -> tuple[bytes, bytes]:
        """(ciphertext, tag)."""
        return self._run(nonce, ad, text, False)

    def open(self, nonce: bytes, ad: bytes, text: bytes, tag: bytes = b"") -> tuple[bytes, bytes]:
        """(plaintext, the tag it ought to have)."""
        return self._run(nonce, ad, text, True)
