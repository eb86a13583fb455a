# SPDX-License-Identifier: Apache-2.0
"""Argon2id version 1.3 (RFC 9106), without regard for time: for the smallest memories only."""

from __future__ import annotations

import struct
from hashlib import blake2b

Block = list[int]

MASK = (1 << 64) - 1
WORDS = 128  # of a block, which has 1024 bytes
SLICES = 4


def long_hash(length: int, data: bytes) -> bytes:
    """H', of any length (section 3.3)."""
    data = struct.pack("<I", length) + data
    if length <= 64:
        return blake2b(data, digest_size=length).digest()
    v, out = blake2b(data).digest(), b""
    while length - len(out) > 64:
        out += v[:32]
        v = blake2b(v, digest_size=min(64, length - len(out))).digest()
    return out + v


def mix(v: Block, a: int, b: int, c: int, d: int) -> None:
    """GB (section 3.6)."""
    for r1, r2 in ((32, 24), (16, 63)):
        v[a] = v[a] + v[b] + 2 * (v[a] & 0xFFFFFFFF) * (v[b] & 0xFFFFFFFF) & MASK
        v[d] = rotated(v[d] ^ v[a], r1)
        v[c] = v[c] + v[d] + 2 * (v[c] & 0xFFFFFFFF) * (v[d] & 0xFFFFFFFF) & MASK
        v[b] = rotated(v[b] ^ v[c], r2)


def rotated(word: int, count: int) -> int:
    """Rotation to the right."""
    return (word >> count | word << 64 - count) & MASK


def permute(v: Block, places: list[int]) -> None:
    """P on 16 words."""
    for i in range(4):
        mix(v, *(places[4 * j + i] for j in range(4)))
    for i in range(4):
        mix(v, *(places[4 * j + (i + j) % 4] for j in range(4)))


def compress(x: Block, y: Block) -> Block:
    """G (section 3.5)."""
    r = [a ^ b for a, b in zip(x, y, strict=True)]
    z = list(r)
    for row in range(8):
        permute(z, list(range(16 * row, 16 * row + 16)))
    for column in range(8):
        permute(z, [16 * row + 2 * column + half for row in range(8) for half in (0, 1)])
    return [a ^ b for a, b in zip(z, r, strict=True)]


def argon2id(
    password: bytes,
    salt: bytes,
    passes: int,
    memory: int,
    lanes: int,
    length: int,
    secret: bytes = b"",
    data: bytes = b"",
) -> bytes:
    """The tag of `length` bytes; memory in KiB."""
    h0 = blake2b(struct.pack("<6I", lanes, length, memory, passes, 0x13, 2))
    for string in (password, salt, secret, data):
        h0.update(struct.pack("<I", len(string)) + string)
    start = h0.digest()
    width = memory // (4 * lanes) * 4  # blocks of a lane
    segment = width // SLICES
    zero = [0] * WORDS
    rows: list[list[Block]] = [[zero] * width for _ in range(lanes)]
    for lane in range(lanes):
        for i in range(2):
            rows[lane][i] = list(struct.unpack("<128Q", long_hash(1024, start + struct.pack("<2I", i, lane))))
    for number in range(passes):
        for part in range(SLICES):
            for lane in range(lanes):
                counter, addresses = 0, zero
                for i in range(segment):
                    column = part * segment + i
                    independent = number == 0 and part < 2
                    if independent and (i % WORDS == 0):
                        counter += 1
                        head = [number, lane, part, width * lanes, passes, 2, counter]
                        addresses = compress(zero, compress(zero, head + [0] * (WORDS - len(head))))
                    if number == 0 and column < 2:
                        continue
                    previous = rows[lane][column - 1]
                    word = addresses[i % WORDS] if independent else previous[0]
                    j1, j2 = word & 0xFFFFFFFF, word >> 32
                    other = lane if number == 0 and part == 0 else j2 % lanes
                    # What may be referred to (section 3.4.1.3).
                    if number == 0:
                        area = part * segment + (i - 1 if other == lane else -(i == 0))
                        first = 0
                    else:
                        area = width - segment + (i - 1 if other == lane else -(i == 0))
                        first = (part + 1) % SLICES * segment
                    back = area - 1 - (area * (j1 * j1 >> 32) >> 32)
                    made = compress(previous, rows[other][(first + back) % width])
                    old = rows[lane][column]
                    rows[lane][column] = made if number == 0 else [a ^ b for a, b in zip(made, old, strict=True)]
    last = zero
    for lane in range(lanes):
        last = [a ^ b for a, b in zip(last, rows[lane][-1], strict=True)]
    return long_hash(length, struct.pack("<128Q", *last))
