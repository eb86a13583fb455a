# SPDX-License-Identifier: Apache-2.0
"""SIV-OMD (experimental; docs/schemes/siv-omd.md)."""

from __future__ import annotations

from .fields import multiple
from .omd import Omd
from .strings import pad, xor


class ParallelSivOmd(Omd):
    """SIV-OMD under one key, parallel mode."""

    serial = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.l_star = self._f(bytes(self.n), self.tau)
        self._sums = [bytes(self.n)]

    def _mask(self, i: int, j: int) -> bytes:
        """mask(i, j) = L[ntz(1)] + .. + L[ntz(i)] + j . L*."""
        while len(self._sums) <= i:
            index = len(self._sums)
            self._sums.append(xor(self._sums[-1], multiple(16 * (index & -index), self.l_star)))
        return xor(self._sums[i], multiple(j, self.l_star))

    def _mac(self, string: bytes, full: int, short: int) -> bytes:
        n, total = self.n, bytes(self.n)
        for i, at in enumerate(range(0, len(string), 2 * n), 1):
            block = string[at : at + 2 * n]
            j = full if len(block) == 2 * n else short
            block = pad(block, 2 * n)
            total = xor(total, self._f(xor(block[:n], self._mask(i, j)), block[n:]))
        return total

    def _tag(self, nonce: bytes, ad: bytes, msg: bytes) -> bytes:
        total = xor(self._mac(ad, 1, 2), self._mac(msg, 3, 4))
        return self._f(xor(total, self._mask(1, 5)), pad(nonce, self.n))[: self.tag_len]

    def _crypt(self, nonce: bytes, tag: bytes, text: bytes, opening: bool) -> bytes:
        n = self.n
        iv, last = tag.ljust(n, b"\0"), pad(nonce, n)
        chain, out = iv, b""
        for i, at in enumerate(range(0, len(text), n), 1):
            block = text[at : at + n]
            if self.serial:
                chain = self._f(xor(chain, self._mask(i, 7)), last)
            else:
                chain = self._f(xor(iv, self._mask(i, 6)), last)
            made = xor(chain, block)
            out += made
            if self.serial:
                last = pad(made if opening else block, n)
        return out

    def seal(self, nonce: bytes, ad: bytes, text: bytes) -> tuple[bytes, bytes]:
        """(ciphertext, tag)."""
        tag = self._tag(nonce, ad, text)
        return self._crypt(nonce, tag, text, False), tag

    def open(self, nonce: bytes, ad: bytes, text: bytes, tag: bytes = b"") -> tuple[bytes, bytes]:
        """(plaintext, the tag it ought to have)."""
        plaintext = self._crypt(nonce, tag, text, True)
        return plaintext, self._tag(nonce, ad, plaintext)


class SerialSivOmd(ParallelSivOmd):
    """SIV-OMD under one key, serial mode."""

    serial = True
