# SPDX-License-Identifier: Apache-2.0
"""The MACs over Ascon-p (docs/schemes/ascon-macs.md): keyed sponges, Ascon-PRFshort, and Ascon-Farfalle.

`little` is the convention of SP 800-232 (v13) in bytes, padding, end bit and IV; else that of Ascon v1.2 (v12).
"""

from __future__ import annotations

from dataclasses import dataclass

from .primitives.ascon import MASK, permute

KEY_BITS, SETUP_ROUNDS = 128, 12


@dataclass(frozen=True)
class Sponge:
    """A keyed sponge: bits taken and given at a time, rounds between blocks, and what its IV says beside them."""

    rate: int
    squeeze: int
    rounds: int
    variant: int = 5
    tag_bits: int = 128
    experimental: bool = True

    def iv(self, little: bool) -> int:
        """Fields as in SP 800-232 from the lowest byte, or as in Ascon v1.2 from the highest.

        There the rate has no field: experimental instances, which would share an IV, carry it in the highest byte of t.
        """
        if little:
            rounds = SETUP_ROUNDS << 16 | self.rounds << 20
            return self.variant | rounds | self.tag_bits << 24 | self.rate // 8 << 40 | self.squeeze // 8 << 48
        rounds = (0x80 | SETUP_ROUNDS) << 40 | SETUP_ROUNDS - self.rounds << 32
        rate = self.rate // 8 << 24 if self.experimental else 0
        return KEY_BITS << 56 | self.squeeze << 48 | rounds | rate | self.tag_bits


SPONGES = {
    "asconmac": Sponge(256, 128, 12, experimental=False),
    "asconmaca": Sponge(320, 128, 8, experimental=False),
    "asconprf": Sponge(256, 128, 12, variant=6, tag_bits=0, experimental=False),
    "asconprfa": Sponge(320, 128, 8, variant=6, tag_bits=0, experimental=False),
    "fsks64": Sponge(320, 64, 12),
    "fsks128": Sponge(320, 128, 12),
    "asconprf192": Sponge(192, 128, 8),
    "asconprf64": Sponge(64, 128, 6),
}


def _words(string: bytes, little: bool) -> list[int]:
    return [int.from_bytes(string[i : i + 8], "little" if little else "big") for i in range(0, len(string), 8)]


def _bytes(words: list[int], little: bool) -> bytes:
    return b"".join(word.to_bytes(8, "little" if little else "big") for word in words)


def _padded(string: bytes, size: int, little: bool) -> bytes:
    return string + (b"\x01" if little else b"\x80") + bytes(-(len(string) + 1) % size)


def sponge(kind: Sponge, key: bytes, msg: bytes, little: bool = True, size: int = 16) -> bytes:
    """The first `size` bytes of the output."""
    state = permute([kind.iv(little), *_words(key, little), 0, 0], SETUP_ROUNDS)
    padded, block_bytes = _padded(msg, kind.rate // 8, little), kind.rate // 8
    blocks = [padded[i : i + block_bytes] for i in range(0, len(padded), block_bytes)]
    for number, block in enumerate(blocks, 1):
        for i, word in enumerate(_words(block, little)):
            state[i] ^= word
        if number < len(blocks):
            state = permute(state, kind.rounds)
    state[4] ^= 1 << 63 if little else 1
    state = permute(state, SETUP_ROUNDS)
    out = _bytes(state[: kind.squeeze // 64], little)
    while len(out) < size:
        state = permute(state, kind.rounds)
        out += _bytes(state[: kind.squeeze // 64], little)
    return out[:size]


def short(key: bytes, msg: bytes, little: bool = True, size: int = 16) -> bytes:
    """Ascon-PRFshort: a message of at most 16 bytes in one call."""
    if little:
        iv = 7 | SETUP_ROUNDS << 16 | 8 * size << 24 | 8 * len(msg) << 48
    else:
        iv = KEY_BITS << 56 | 8 * len(msg) << 48 | (0x40 | SETUP_ROUNDS) << 40 | 8 * size << 32
    words = _words(key, little)
    state = permute([iv, *words, *_words(msg.ljust(16, b"\0"), little)], SETUP_ROUNDS)
    return _bytes([state[3] ^ words[0], state[4] ^ words[1]], little)[:size]


def _roll(mask: list[int]) -> list[int]:
    """Multiplication by x^64 modulo x^320 + x^4 + x^3 + x + 1; word i holds coefficients 64 i to 64 i + 63."""
    value = sum(word << 64 * (i + 1) for i, word in enumerate(mask))
    for i in range(383, 319, -1):
        if value >> i & 1:
            value ^= (1 << 320 | 0b11011) << i - 320
    return [value >> 64 * i & MASK for i in range(5)]


def farfalle(key: bytes, msg: bytes, little: bool = True) -> bytes:
    """Ascon-Farfalle, the parallel instance."""
    mask = permute(_words(_padded(key, 40, little), little), 12)
    total = [0] * 5
    padded = _padded(msg, 40, little)
    for at in range(0, len(padded), 40):
        block = [a ^ b for a, b in zip(_words(padded[at : at + 40], little), mask, strict=True)]
        total = [a ^ b for a, b in zip(total, permute(block, 6), strict=True)]
        mask = _roll(mask)
    mask = _roll(mask)
    return _bytes([a ^ b for a, b in zip(permute(permute(total, 6), 6), mask, strict=True)][:2], little)


def tag(scheme: str, key: bytes, msg: bytes, little: bool = True, size: int = 16) -> bytes:
    """The tag of a message by the scheme's name, with or without v12 or v13 at its end."""
    if scheme.endswith("v12"):
        little = False
    name = scheme.removesuffix("v12").removesuffix("v13")
    if name == "asconfarfalle":
        return farfalle(key, msg, little)[:size]
    if name == "asconprfs":
        return short(key, msg, little, size)
    return sponge(SPONGES[name], key, msg, little, size)
