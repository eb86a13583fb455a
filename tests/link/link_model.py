# SPDX-License-Identifier: Apache-2.0
"""The wire format in plain Python, written from its specification: key schedule, packets, replay window.

Its first oracle are the check values of the specification (test_link_model.py); it is the second oracle of the benches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from omd_model import Compress, Omd, blake2b, sha512, xor
from otr_model import Otr
from pomd_model import Pomd

N, HEADER = 64, 16  # bytes


@dataclass(frozen=True)
class Suite:
    """Sizes in bytes, but `n_max`, which are packets."""

    f: Compress
    aead: Callable[[bytes], Omd | Pomd | Otr]
    key: int = 64
    salt: int = 24
    tag: int = 32
    n_max: int = 2**48


SUITES = {
    0x01: Suite(sha512, lambda key: Omd(sha512, key, 32, 2)),
    0x02: Suite(blake2b, lambda key: Omd(blake2b, key, 32, 2)),
    0x03: Suite(sha512, lambda key: Pomd(sha512, key, 32, 1)),
    0x04: Suite(blake2b, lambda key: Pomd(blake2b, key, 32, 1)),
    0x11: Suite(blake2b, Otr, 16, 4, 16, 2**28),
    0x12: Suite(blake2b, Otr, 32, 4, 16, 2**28),
}
MIN_FRAME, MAX_FRAME = 14, 9600
ETHERTYPE = b"\x88\xb5"
DATA, HELLO, REPLY, CONFIRM = range(4)  # message types
HANDSHAKE = 24 + N // 2  # bytes after the header


def ctx(suite: int, c: int, sid: bytes, id_i: bytes, id_r: bytes, kind: int = 0) -> bytes:
    """32 bytes: what an output is for (sid zero), or the associated data of a direction (the receiver's sid)."""
    return b"sealwire" + bytes([1, suite, c, kind]) + sid + id_i + id_r


def derive(suite: int, psk: bytes, id_i: bytes, id_r: bytes, c: int, chain: bytes) -> bytes:
    """D(c, H) = F'(H, PSK || ctx(c, 0) || zeros)."""
    return SUITES[suite].f(chain, psk + ctx(suite, c, bytes(4), id_i, id_r).ljust(N, b"\0"))


@dataclass
class Direction:
    """Keys of one direction of a session."""

    suite: int
    key: bytes
    salt: bytes
    ad: bytes
    sid: bytes

    def __post_init__(self) -> None:
        suite = SUITES[self.suite]
        self.tag, self.salt = suite.tag, self.salt[: suite.salt]
        self.aead = suite.aead(self.key[: suite.key])
        if not isinstance(self.aead, Pomd):
            tag_a = self.aead.ad_tag(self.ad)
            self.aead.ad_tag = lambda ad: tag_a  # type: ignore[method-assign]  # constant for the session, as in the core

    def seal(self, number: int, message: bytes) -> bytes:
        """The whole packet."""
        text, tag = self.aead.seal(self.salt + number.to_bytes(8, "big"), self.ad, message)
        return header(self.suite, len(message) + self.tag, self.sid, number) + text + tag

    def open(self, packet: bytes) -> bytes | None:
        """The message of a packet of exactly its stated length, or None."""
        message, tag = self.aead.open(self.salt + packet[8:16], self.ad, packet[HEADER : -self.tag])
        return message if not any(xor(tag, packet[-self.tag :])) else None


def header(suite: int, length: int, sid: bytes, number: int, first: int = 0x10) -> bytes:
    """16 bytes; `first` is version (high nibble) and type."""
    return bytes([first, suite]) + length.to_bytes(2, "big") + sid + number.to_bytes(8, "big")


@dataclass
class Window:
    """The last 64 packet numbers, by a set: no shifting, on purpose."""

    next: int = 0
    marked: set[int] = field(default_factory=set)

    def stale(self, number: int) -> bool:
        return number < self.next and (self.next - number > 64 or number in self.marked)

    def mark(self, number: int) -> None:
        self.marked.add(number)
        self.next = max(self.next, number + 1)


@dataclass(frozen=True)
class Schedule:
    """Everything that the pre-shared key, both ids and both random values determine."""

    suite: int
    psk: bytes
    id_i: bytes
    id_r: bytes

    def d(self, c: int, chain: bytes) -> bytes:
        return derive(self.suite, self.psk, self.id_i, self.id_r, c, chain)

    def hello_mac(self, r_i: bytes) -> bytes:
        return self.d(0, r_i + bytes(N // 2))[:16]

    def reply_mac(self, r_i: bytes, r_r: bytes) -> bytes:
        return self.d(4, r_i + r_r)[:16]

    def confirm_mac(self, r_i: bytes, r_r: bytes) -> bytes:
        return self.d(5, r_i + r_r)[:16]

    def directions(self, r_i: bytes, r_r: bytes) -> tuple[Direction, Direction]:
        """Initiator to responder, responder to initiator."""
        chain = r_i + r_r
        salts = self.d(3, chain)
        return (
            Direction(self.suite, self.d(1, chain), salts, self.ad(1, r_r[:4]), r_r[:4]),
            Direction(self.suite, self.d(2, chain), salts[N // 2 :], self.ad(2, r_i[:4]), r_i[:4]),
        )

    def ad(self, c: int, sid: bytes) -> bytes:
        return ctx(self.suite, c, sid, self.id_i, self.id_r)


def message(suite: int, kind: int, sid: bytes, sender: bytes, r: bytes, mac: bytes) -> bytes:
    """A handshake message."""
    return header(suite, HANDSHAKE, sid, 0, 0x10 + kind) + sender + r + mac
