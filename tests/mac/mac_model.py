# SPDX-License-Identifier: Apache-2.0
"""The MACs as their specification writes them (docs/schemes/ascon-macs.md), for the tests of the cores: slow, plain."""

SBOX = bytes.fromhex("040b1f141a1509021b0508121d03061c1e13070e000d1118100c0119160a0f17")
ROTATIONS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))
MASK = (1 << 64) - 1
#: rate, squeeze, rounds between blocks, IV in the order of SP 800-232, IV in the order of Ascon v1.2
SPONGES = {
    "fsks64": (320, 64, 12, 0x0008280080CC0005, 0x80408C0028000080),
    "fsks128": (320, 128, 12, 0x0010280080CC0005, 0x80808C0028000080),
    "asconprf192": (192, 128, 8, 0x00101800808C0005, 0x80808C0418000080),
    "asconprf64": (64, 128, 6, 0x00100800806C0005, 0x80808C0608000080),
}


def permute(words: list[int], rounds: int) -> list[int]:
    """The last `rounds` of the twelve; the S-box by its table, column by column (x0 is the high bit)."""
    for number in range(12 - rounds, 12):
        words = [word ^ (0xF0 - 0x0F * number if i == 2 else 0) for i, word in enumerate(words)]
        columns = [0] * 5
        for j in range(64):
            value = SBOX[sum((words[i] >> j & 1) << (4 - i) for i in range(5))]
            for i in range(5):
                columns[i] |= (value >> (4 - i) & 1) << j
        words = [
            word ^ (word >> a | word << 64 - a) & MASK ^ (word >> b | word << 64 - b) & MASK
            for word, (a, b) in zip(columns, ROTATIONS, strict=True)
        ]
    return words


def _order(little: bool) -> str:
    return "little" if little else "big"


def _words(string: bytes, little: bool) -> list[int]:
    return [int.from_bytes(string[i : i + 8], _order(little)) for i in range(0, len(string), 8)]  # type: ignore[arg-type]


def _padded(string: bytes, size: int, little: bool) -> bytes:
    return string + (b"\x01" if little else b"\x80") + bytes(-(len(string) + 1) % size)


def sponge(name: str, key: bytes, msg: bytes, little: bool = True) -> bytes:
    """A serial instance."""
    rate, squeeze, rounds, *ivs = SPONGES[name]
    state = permute([ivs[0] if little else ivs[1], *_words(key, little), 0, 0], 12)
    padded = _padded(msg, rate // 8, little)
    blocks = [padded[i : i + rate // 8] for i in range(0, len(padded), rate // 8)]
    for number, block in enumerate(blocks, 1):
        for i, word in enumerate(_words(block, little)):
            state[i] ^= word
        if number < len(blocks):
            state = permute(state, rounds)
    state[4] ^= 1 << 63 if little else 1
    tag = b""
    while len(tag) < 16:
        state = permute(state, 12)
        tag += b"".join(word.to_bytes(8, _order(little)) for word in state[: squeeze // 64])  # type: ignore[arg-type]
    return tag


def _roll(mask: list[int]) -> list[int]:
    value = sum(word << 64 * (i + 1) for i, word in enumerate(mask))
    for i in range(383, 319, -1):
        if value >> i & 1:
            value ^= (1 << 320 | 0b11011) << i - 320
    return [value >> 64 * i & MASK for i in range(5)]


def farfalle(key: bytes, msg: bytes, little: bool = True) -> bytes:
    """The parallel instance."""
    mask = permute(_words(_padded(key, 40, little), little), 12)
    total = [0] * 5
    padded = _padded(msg, 40, little)
    for at in range(0, len(padded), 40):
        block = [a ^ b for a, b in zip(_words(padded[at : at + 40], little), mask, strict=True)]
        total = [a ^ b for a, b in zip(total, permute(block, 6), strict=True)]
        mask = _roll(mask)
    mask = _roll(mask)
    words = [a ^ b for a, b in zip(permute(permute(total, 6), 6), mask, strict=True)]
    return b"".join(word.to_bytes(8, _order(little)) for word in words[:2])  # type: ignore[arg-type]


def tag(scheme: str, key: bytes, msg: bytes, little: bool = True) -> bytes:
    """The tag of a message by the scheme's name."""
    return farfalle(key, msg, little) if scheme == "asconfarfalle" else sponge(scheme, key, msg, little)
