# SPDX-License-Identifier: Apache-2.0
"""AES-OTR version 3 in its three forms (docs/schemes/otr.md), which differ in how they take associated data."""

from __future__ import annotations

from .fields import double, multiple
from .primitives.aes import Aes
from .strings import pad, xor

BLOCK = 16  # bytes
ZERO = bytes(BLOCK)


class Otr:
    """AES-OTR under one key; `form` is p (parallel), s (serial) or c (chained)."""

    def __init__(self, key: bytes, form: str = "p", tag_len: int = 16) -> None:
        self.form, self.tag_len = form, tag_len
        self.e = Aes(key).encrypt
        self.q = self.e(ZERO)

    def ad_tag(self, ad: bytes) -> bytes:
        """TA, which does not depend on the nonce."""
        if not ad:
            return ZERO
        if self.form == "c":
            return self._message(self.q, ad, True)[1]
        *blocks, last = (ad[at : at + BLOCK] for at in range(0, len(ad), BLOCK))
        mask, total = self.q, ZERO
        for block in blocks:
            if self.form == "s":
                total = self.e(xor(total, block))
            else:
                total = xor(total, self.e(xor(block, mask)))
                mask = double(mask)
        full, short = (4, 2) if self.form == "s" else (5, 3)
        factor = full if len(last) == BLOCK else short
        return self.e(xor(xor(total, pad(last, BLOCK)), multiple(factor, mask)))

    def _mask(self, nonce: bytes, ta: bytes) -> bytes:
        """L of the message."""
        v = bytearray((b"\1" + nonce).rjust(BLOCK, b"\0"))
        v[0] |= 8 * self.tag_len % 128 << 1
        if self.form == "c":
            return self.e(xor(bytes(v), ta))
        return double(xor(self.e(bytes(v)), ta)) if self.form == "s" else self.e(bytes(v))

    def _message(self, a: bytes, text: bytes, opening: bool) -> tuple[bytes, bytes]:
        """(the other text, TE), where `a` is the first mask."""
        out, total = b"", ZERO
        *chunks, last = (text[at : at + 2 * BLOCK] for at in range(0, max(len(text), 1), 2 * BLOCK))
        for chunk in chunks:
            b = multiple(3, a)
            left, right = chunk[:BLOCK], chunk[BLOCK:]
            first = xor(self.e(xor(left, b if opening else a)), right)
            second = xor(self.e(xor(first, a if opening else b)), left)
            out += first + second
            total = xor(total, second if opening else right)
            a = double(a)
        if len(last) <= BLOCK:
            made = xor(self.e(a), last)
            out += made
            total = xor(total, pad(made if opening else last, BLOCK))
        else:
            b = multiple(3, a)
            left, right = last[:BLOCK], last[BLOCK:]
            if opening:
                x = pad(right, BLOCK)
                left = xor(self.e(xor(x, b)), left)
                z = self.e(xor(left, a))
                out += left + xor(z, right)
            else:
                z = self.e(xor(left, a))
                x = pad(xor(z, right), BLOCK)
                out += xor(self.e(xor(x, b)), left) + xor(z, right)
            total = xor(total, xor(z, x))
            a = b
        factor = 7 if len(last) in (BLOCK, 2 * BLOCK) else 5
        return out, self.e(xor(total, multiple(factor, a)))

    def _run(self, nonce: bytes, ad: bytes, text: bytes, opening: bool) -> tuple[bytes, bytes]:
        ta = self.ad_tag(ad)
        out, te = self._message(self._mask(nonce, ta), text, opening)
        return out, (xor(te, ta) if self.form == "p" else te)[: self.tag_len]

    def seal(self, nonce: bytes, ad: bytes, text: bytes) -> tuple[bytes, bytes]:
        """(ciphertext, tag)."""
        return self._run(nonce, ad, text, False)

    def open(self, nonce: bytes, ad: bytes, text: bytes, tag: bytes = b"") -> tuple[bytes, bytes]:
        """(plaintext, the tag it ought to have)."""
        return self._run(nonce, ad, text, True)
