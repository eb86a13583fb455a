# SPDX-License-Identifier: Apache-2.0
"""Deoxys-BC and its modes Deoxys-I and Deoxys-II, versions 1.41 and 1.43 (docs/schemes/deoxys.md)."""

from __future__ import annotations

import re

from .primitives.aes import MIX_BACK, mix, sub_shift, sub_shift_back, times
from .strings import pad, xor

BLOCK = 16  # bytes
#: The permutation h of a tweakey's bytes
H = (1, 6, 11, 12, 5, 10, 15, 0, 9, 14, 3, 4, 13, 2, 7, 8)
SCHEMES = [f"deoxys{mode}{bits}v{version}" for version in (143, 141) for mode in ("i", "ii") for bits in (128, 256)]


def _lfsr2(x: int) -> int:
    return x << 1 & 0xFF | (x >> 7 ^ x >> 5) & 1


def _lfsr3(x: int) -> int:
    return x >> 1 | (x << 7 ^ x << 1) & 0x80


class DeoxysBc:
    """The cipher under a key of 16 bytes (14 rounds) or 32 (16 rounds)."""

    def __init__(self, key: bytes, version: int) -> None:
        self.version = version
        words = [key[-BLOCK:], key[:BLOCK] if len(key) == 2 * BLOCK else bytes(BLOCK)]
        self.rounds, constant = 12 + len(key) // 8, 0x2F
        self.parts: list[bytes] = []
        for _ in range(self.rounds + 1):
            constants = bytes([1, 2, 4, 8, *[constant] * 4]).ljust(BLOCK, b"\0")
            self.parts.append(xor(constants, xor(*words)))
            moved = [self._h(word) for word in words]
            words = [bytes(map(_lfsr2, moved[0])), bytes(map(_lfsr3, moved[1]))]
            constant = times(constant, 2)

    def _h(self, word: bytes) -> bytes:
        """Version 1.43: place i takes byte H[i]; version 1.41: byte i goes to place H[i]."""
        if self.version == 143:
            return bytes(word[h] for h in H)
        return bytes(word[H.index(i)] for i in range(BLOCK))

    def _subkeys(self, tweak: int) -> list[bytes]:
        word, out = tweak.to_bytes(BLOCK, "big"), []
        for part in self.parts:
            out.append(xor(part, word))
            word = self._h(word)
        return out

    def encrypt(self, tweak: int, block: bytes) -> bytes:
        first, *others = self._subkeys(tweak)
        state = xor(block, first)
        for subkey in others:
            state = xor(mix(sub_shift(state)), subkey)
        return state

    def decrypt(self, tweak: int, block: bytes) -> bytes:
        first, *others = self._subkeys(tweak)
        state = block
        for subkey in reversed(others):
            state = sub_shift_back(mix(xor(state, subkey), MIX_BACK))
        return xor(state, first)


class Deoxys:
    """A scheme of Deoxys under a key."""

    def __init__(self, key: bytes, scheme: str) -> None:
        found = re.fullmatch(r"deoxys(ii?)(128|256)v(141|143)", scheme)
        assert found is not None
        self.two_passes = found[1] == "ii"
        self.cipher = DeoxysBc(key, int(found[3]))

    def _sum(self, whole: int, last: int, text: bytes) -> bytes:
        """The sum of the enciphered blocks; the two stages are those of whole blocks and of a last one that is not."""
        total = bytes(BLOCK)
        for number, at in enumerate(range(0, len(text), BLOCK)):
            block = text[at : at + BLOCK]
            stage = whole if len(block) == BLOCK else last
            total = xor(total, self.cipher.encrypt(stage << 124 | number, pad(block, BLOCK)))
        return total

    def _one_pass(self, nonce: bytes, auth: bytes, text: bytes, opening: bool) -> tuple[bytes, bytes]:
        def tweak(stage: int, number: int) -> int:
            return stage << 124 | int.from_bytes(nonce, "big") << 60 | number

        out, total, stage, number = b"", bytes(BLOCK), 1, 0
        for at in range(0, len(text), BLOCK):
            block = text[at : at + BLOCK]
            if len(block) == BLOCK:
                made = (self.cipher.decrypt if opening else self.cipher.encrypt)(tweak(0, number), block)
            else:
                stream = self.cipher.encrypt(tweak(4, number), bytes(BLOCK))
                made, stage = xor(block, stream[: len(block)]), 5
            out += made
            total = xor(total, pad(made if opening else block, BLOCK))
            number += 1
        return out, xor(auth, self.cipher.encrypt(tweak(stage, number), total))

    def _tag(self, nonce: bytes, auth: bytes, text: bytes) -> bytes:
        total = xor(auth, self._sum(0, 4, text))
        return self.cipher.encrypt(1 << 124 | int.from_bytes(nonce, "big"), total)

    def _stream(self, nonce: bytes, tag: bytes, text: bytes) -> bytes:
        tweak, out = int.from_bytes(tag, "big") | 1 << 127, b""
        for number, at in enumerate(range(0, len(text), BLOCK)):
            block = text[at : at + BLOCK]
            out += xor(block, self.cipher.encrypt(tweak ^ number, b"\0" + nonce)[: len(block)])
        return out

    def seal(self, nonce: bytes, ad: bytes, text: bytes) -> tuple[bytes, bytes]:
        """(ciphertext, tag)."""
        auth = self._sum(2, 6, ad)
        if not self.two_passes:
            return self._one_pass(nonce, auth, text, opening=False)
        tag = self._tag(nonce, auth, text)
        return self._stream(nonce, tag, text), tag

    def open(self, nonce: bytes, ad: bytes, text: bytes, tag: bytes) -> tuple[bytes, bytes]:
        """(plaintext, the tag it ought to have)."""
        auth = self._sum(2, 6, ad)
        if not self.two_passes:
            return self._one_pass(nonce, auth, text, opening=True)
        plain = self._stream(nonce, tag, text)
        return plain, self._tag(nonce, auth, plain)
