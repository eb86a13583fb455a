# SPDX-License-Identifier: Apache-2.0
"""The wire format (docs/wire-format.md): header, contexts, nonces, handshake messages, replay window."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from .suites import NUMBER_BYTES, SUITES

ETHERTYPE = b"\x88\xb5"
#: The version that an end speaks unless it is told another
VERSION = 2
DATA, HELLO, REPLY, CONFIRM = range(4)  # message types
#: Sizes in bytes
HEADER, ID, MAC, SID = 16, 8, 16, 4
MIN_FRAME, MAX_FRAME = 14, 9600
WINDOW = 64  # packets, the least that a receiver may choose


def handshake_length(suite: int) -> int:
    """Bytes of a handshake message after the header."""
    return ID + SUITES[suite].random_bytes + MAC


def ctx(
    suite: int, c: int, sid: bytes, id_i: bytes, id_r: bytes, kind: int = 0, version: int = VERSION
) -> bytes:  # fmt: skip
    """32 bytes: what an output is for (sid zero), or the associated data of a direction (the receiver's sid)."""
    return b"sealwire" + bytes([version, suite, c, kind]) + sid + id_i + id_r


def nonce(salt: bytes, number: int) -> bytes:
    """The nonce of a packet."""
    return salt + number.to_bytes(NUMBER_BYTES, "big")


def header(suite: int, length: int, sid: bytes, number: int, first: int = VERSION << 4) -> bytes:
    """16 bytes; `first` is version (high nibble) and type."""
    return bytes([first, suite]) + length.to_bytes(2, "big") + sid + number.to_bytes(NUMBER_BYTES, "big")


class Header(NamedTuple):
    """The fields of a packet's header; `length` counts the bytes after it."""

    version: int
    kind: int
    suite: int
    length: int
    sid: bytes
    number: int

    @classmethod
    def parse(cls, packet: bytes) -> Header:
        """Of a packet of any length; bytes that it lacks count as zero."""
        first = packet[:HEADER].ljust(HEADER, b"\0")
        length, number = int.from_bytes(first[2:4], "big"), int.from_bytes(first[8:], "big")
        return cls(first[0] >> 4, first[0] & 15, first[1], length, first[4:8], number)


def message(
    suite: int, kind: int, sid: bytes, sender: bytes, r: bytes, mac: bytes, number: int = 0, version: int = VERSION
) -> bytes:  # fmt: skip
    """A handshake message. `number` is that of a hello of version 2, else 0."""
    return header(suite, handshake_length(suite), sid, number, version << 4 | kind) + sender + r + mac


@dataclass
class Window:
    """The last `size` packet numbers, by a set: no shifting, on purpose."""

    size: int = WINDOW
    next: int = 0
    marked: set[int] = field(default_factory=set)

    def stale(self, number: int) -> bool:
        return number < self.next and (self.next - number > self.size or number in self.marked)

    def mark(self, number: int) -> None:
        self.marked.add(number)
        self.next = max(self.next, number + 1)
