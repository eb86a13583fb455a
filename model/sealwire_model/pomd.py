# SPDX-License-Identifier: Apache-2.0
"""p-OMD (docs/schemes/pomd.md)."""

from __future__ import annotations

from .fields import multiple
from .omd import Omd
from .strings import pad, xor


class Pomd(Omd):
    """p-OMD under one key: keys, F and L* as in OMD version 1."""

    def _last(self, ad: bytes, text: bytes, blocks: int) -> int:
        """j of the last call."""
        n, room = self.n, (blocks + 1) * self.n
        if not ad and not text:
            return 3
        short_text = len(text) % n != 0
        short_ad = (len(ad) - room) % (2 * n) != 0 if len(ad) > room else len(ad) % n != 0
        if len(ad) > room or not text:
            return 12 + short_text + 2 * short_ad
        return (4 if len(ad) > blocks * n else 8) + short_text + 2 * short_ad

    def _run(self, nonce: bytes, ad: bytes, text: bytes, opening: bool) -> tuple[bytes, bytes]:
        n = self.n
        blocks = [text[at : at + n] for at in range(0, len(text), n)]
        room = (len(blocks) + 1) * n
        left = [ad[at : min(at + n, room)] for at in range(0, min(len(ad), room), n)]
        wide = [pad(ad[at : at + 2 * n], 2 * n) for at in range(room, len(ad), 2 * n)]
        delta, chain = self._f(pad(nonce, n), bytes(n)), bytes(n)
        calls = len(blocks) + 1 + len(wide)
        out, text_half = b"", self.tau
        for i in range(1, calls + 1):
            ntz = (i & -i).bit_length() - 1
            delta = xor(delta, multiple(16 << ntz, self.l_star))
            ad_half = pad(left[i - 1], n) if i <= len(left) else bytes(n)
            if i > len(blocks) + 1:
                block = wide[i - len(blocks) - 2]
                ad_half, text_half = block[:n], block[n:]
            if i == calls:
                j = self._last(ad, text, len(blocks))
            elif i > len(blocks) + 1 or not text:
                j = 2
            else:
                j = 0 if i <= len(left) else 1
            mask = xor(delta, multiple(j, self.l_star))
            chain = self._f(xor(xor(chain, ad_half), mask), text_half)
            if i <= len(blocks):
                made = xor(chain, blocks[i - 1])
                out += made
                text_half = pad(made if opening else blocks[i - 1], n)
        return out, chain[: self.tag_len]
