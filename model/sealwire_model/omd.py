# SPDX-License-Identifier: Apache-2.0
"""OMD versions 1 and 2 (docs/schemes/omd.md), over any compression function."""

from __future__ import annotations

from dataclasses import dataclass

from .fields import double
from .primitives import Compress
from .strings import pad, xor


@dataclass
class Omd:
    """OMD under one key.  Sizes are bytes, except `version`."""

    compress: Compress
    key: bytes
    tag_len: int
    version: int
    n: int = 64  # of a block and of the chaining value

    def __post_init__(self) -> None:
        self.tau = (8 * self.tag_len).to_bytes(self.n, "big")
        self.l_star = self._f(bytes(self.n), self.tau if self.version == 2 else bytes(self.n))

    def _f(self, chain: bytes, message: bytes) -> bytes:
        return self.compress(chain, self.key.ljust(self.n, b"\0") + message)

    def _l(self, index: int) -> bytes:
        """L[ntz(index)] = 4 L* doubled once for each trailing zero bit of the index."""
        mask = double(double(self.l_star))
        while index % 2 == 0:
            mask, index = double(mask), index // 2
        return mask

    def ad_tag(self, ad: bytes) -> bytes:
        """Tag_a, which does not depend on the nonce."""
        n = self.n
        total, delta = bytes(n), bytes(n)
        for index, at in enumerate(range(0, len(ad), 2 * n), 1):
            block = ad[at : at + 2 * n]
            delta = xor(delta, self._l(index) if len(block) == 2 * n else self.l_star)
            block = pad(block, 2 * n)
            total = xor(total, self._f(xor(block[:n], delta), block[n:]))
        return total

    def _run(self, nonce: bytes, ad: bytes, text: bytes, opening: bool) -> tuple[bytes, bytes]:
        n = self.n
        delta = xor(self._f(pad(nonce, n), bytes(n)), self._l(1))
        chain = self._f(delta, self.tau)
        out = b""
        blocks = [text[at : at + n] for at in range(0, len(text), n)]
        for index, block in enumerate(blocks, 1):
            made = xor(chain, block)
            out += made
            if index < len(blocks):
                delta = xor(delta, self._l(index + 1))
            else:
                twice = double(self.l_star)
                delta = xor(delta, twice if len(block) == n else xor(twice, self.l_star))
            chain = self._f(xor(chain, delta), pad(made if opening else block, n))
        return out, xor(chain, self.ad_tag(ad))[: self.tag_len]

    def seal(self, nonce: bytes, ad: bytes, text: bytes) -> tuple[bytes, bytes]:
        """(ciphertext, tag)."""
        return self._run(nonce, ad, text, False)

    def open(self, nonce: bytes, ad: bytes, text: bytes, tag: bytes = b"") -> tuple[bytes, bytes]:
        """(plaintext, the tag it ought to have); modes that decrypt with the tag that came take it from `tag`."""
        return self._run(nonce, ad, text, True)
