# SPDX-License-Identifier: Apache-2.0
"""The AEADs of Ascon (docs/schemes/ascon-aead.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .primitives.ascon import permute


@dataclass(frozen=True)
class Variant:
    """What parts the standard from the version before it."""

    iv: int
    rate: int  # bytes of a block
    rounds: int  # after a block
    order: Literal["big", "little"]
    pad: bytes  # the byte behind a string
    separator: int  # between associated data and text, in the last word


VARIANTS = {
    "asconaead128": Variant(0x00001000808C0001, 16, 8, "little", b"\x01", 1 << 63),
    "ascon128v12": Variant(0x80400C0600000000, 8, 6, "big", b"\x80", 1),
}


class AsconAead:
    """An AEAD of Ascon under a key of 16 bytes."""

    def __init__(self, key: bytes, scheme: str) -> None:
        self.variant = VARIANTS[scheme]
        self.key = self._words(key)

    def _words(self, text: bytes) -> list[int]:
        return [int.from_bytes(text[at : at + 8], self.variant.order) for at in range(0, len(text), 8)]

    def _bytes(self, words: list[int]) -> bytes:
        return b"".join(word.to_bytes(8, self.variant.order) for word in words)

    def _blocks(self, text: bytes) -> list[bytes]:
        """Full blocks, and a last one that is shorter."""
        rate = self.variant.rate
        return [text[at : at + rate] for at in range(0, len(text) + 1, rate)]

    def _absorb(self, state: list[int], block: bytes) -> list[int]:
        """The state with a block, padded if it is short."""
        rate = self.variant.rate
        padded = block if len(block) == rate else (block + self.variant.pad).ljust(rate, b"\0")
        words = self._words(padded)
        return [word ^ added for word, added in zip(state, words + [0] * (5 - len(words)), strict=True)]

    def _run(self, nonce: bytes, ad: bytes, text: bytes, opening: bool) -> tuple[bytes, bytes]:
        v, at = self.variant, self.variant.rate // 8
        state = permute([v.iv, *self.key, *self._words(nonce)], 12)
        state[3:] = [state[3] ^ self.key[0], state[4] ^ self.key[1]]
        for block in self._blocks(ad) if ad else []:
            state = permute(self._absorb(state, block), v.rounds)
        state[4] ^= v.separator
        out = b""
        for block in self._blocks(text):
            made = bytes(a ^ b for a, b in zip(block, self._bytes(state[:at]), strict=False))
            out += made
            state = self._absorb(state, made if opening else block)
            if len(block) == v.rate:
                state = permute(state, v.rounds)
        state[at] ^= self.key[0]
        state[at + 1] ^= self.key[1]
        state = permute(state, 12)
        return out, self._bytes([state[3] ^ self.key[0], state[4] ^ self.key[1]])

    def seal(self, nonce: bytes, ad: bytes, text: bytes) -> tuple[bytes, bytes]:
        """(ciphertext, tag)."""
        return self._run(nonce, ad, text, opening=False)

    def open(self, nonce: bytes, ad: bytes, text: bytes, tag: bytes) -> tuple[bytes, bytes]:
        """(plaintext, the tag it ought to have)."""
        del tag
        return self._run(nonce, ad, text, opening=True)
