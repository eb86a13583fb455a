# SPDX-License-Identifier: Apache-2.0
"""AES-OTR v3, AD modes P and S, in plain Python, written from the specification, for checking cores.  Slow.

The published vectors come first: test_model.py checks this model against them before any bench believes it.
"""

from __future__ import annotations

from aes_model import Aes
from omd_model import pad, xor

ZERO = bytes(16)


def double(block: bytes) -> bytes:
    """Multiplication by x in GF(2^128); the first byte is the most significant."""
    value = int.from_bytes(block, "big") << 1
    return (value ^ (1 << 128 | 0x87 if value >> 128 else 0)).to_bytes(16, "big")


def multiple(factor: int, block: bytes) -> bytes:
    """`factor` . block, the bits of the factor being coefficients of a polynomial."""
    total = ZERO
    while factor:
        if factor & 1:
            total = xor(total, block)
        block, factor = double(block), factor >> 1
    return total


class Otr:
    """AES-OTR under one key, AD mode P.  Sizes are bytes."""

    serial = False

    def __init__(self, key: bytes, tag_len: int = 16) -> None:
        self.tag_len = tag_len
        self.e = Aes(key).encrypt

    def ad_tag(self, ad: bytes) -> bytes:
        """TA, which does not depend on the nonce."""
        if not ad:
            return ZERO
        *blocks, last = (ad[at : at + 16] for at in range(0, len(ad), 16))
        mask, total = self.e(ZERO), ZERO
        for block in blocks:
            if self.serial:
                total = self.e(xor(total, block))
            else:
                total = xor(total, self.e(xor(block, mask)))
                mask = double(mask)
        full = len(last) == 16
        factor = (4 if full else 2) if self.serial else (5 if full else 3)
        return self.e(xor(xor(total, pad(last, 16)), multiple(factor, mask)))

    def _mask(self, nonce: bytes, ta: bytes) -> bytes:
        frame = bytearray((b"\1" + nonce).rjust(16, b"\0"))
        frame[0] |= 8 * self.tag_len % 128 << 1
        made = self.e(bytes(frame))
        return double(xor(made, ta)) if self.serial else made

    def _run(self, nonce: bytes, ad: bytes, text: bytes, opening: bool) -> tuple[bytes, bytes]:
        ta = self.ad_tag(ad)
        a, out, total = self._mask(nonce, ta), b"", ZERO
        *chunks, last = (text[at : at + 32] for at in range(0, max(len(text), 1), 32))
        for chunk in chunks:
            b = multiple(3, a)
            left, right = chunk[:16], chunk[16:]
            first = xor(self.e(xor(left, b if opening else a)), right)
            second = xor(self.e(xor(first, a if opening else b)), left)
            out += first + second
            total = xor(total, second if opening else right)
            a = double(a)
        if len(last) <= 16:
            made = xor(self.e(a), last)
            out += made
            total = xor(total, pad(made if opening else last, 16))
        else:
            b = multiple(3, a)
            left, right = last[:16], last[16:]
            if opening:
                cut = pad(right, 16)
                left = xor(self.e(xor(cut, b)), left)
                z = self.e(xor(left, a))
                out += left + xor(z, right)
            else:
                z = self.e(xor(left, a))
                cut = pad(xor(z, right), 16)
                out += xor(self.e(xor(cut, b)), left) + xor(z, right)
            total = xor(total, xor(z, cut))
            a = b
        te = self.e(xor(total, multiple(7 if len(last) in (16, 32) else 5, a)))
        return out, (te if self.serial else xor(te, ta))[: self.tag_len]

    def seal(self, nonce: bytes, ad: bytes, text: bytes) -> tuple[bytes, bytes]:
        """(ciphertext, tag)."""
        return self._run(nonce, ad, text, False)

    def open(self, nonce: bytes, ad: bytes, text: bytes, tag: bytes = b"") -> tuple[bytes, bytes]:
        """(plaintext, the tag it ought to have)."""
        return self._run(nonce, ad, text, True)


class SerialOtr(Otr):
    """AES-OTR under one key, AD mode S."""

    serial = True
