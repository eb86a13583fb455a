# SPDX-License-Identifier: Apache-2.0
"""The key schedule of the link (docs/wire-format.md), and packets under the keys that it gives."""

from __future__ import annotations

from dataclasses import dataclass

from .strings import xor
from .suites import NUMBER_BYTES, SUITES
from .wire import HEADER, MAC, SID, ctx, header, nonce

#: First argument of ctx(): what an output is for
HELLO_MAC, I_TO_R, R_TO_I, SALTS, REPLY_MAC, CONFIRM_MAC = range(6)


def derive(suite: int, psk: bytes, id_i: bytes, id_r: bytes, c: int, chain: bytes) -> bytes:
    """D(c, H) = F'(H, PSK || ctx(c, 0) || zeros)."""
    n = SUITES[suite].n
    return SUITES[suite].compress(chain, psk + ctx(suite, c, bytes(SID), id_i, id_r).ljust(n, b"\0"))


@dataclass
class Direction:
    """Keys of one direction of a session; what is longer than the suite's key and salt is cut."""

    suite: int
    key: bytes
    salt: bytes
    ad: bytes
    sid: bytes

    def __post_init__(self) -> None:
        suite = SUITES[self.suite]
        self.key, self.salt = self.key[: suite.key_bytes], self.salt[: suite.salt_bytes]
        self.tag_bytes, self.aead = suite.tag_bytes, suite.aead(self.key)

    def seal(self, number: int, message: bytes) -> bytes:
        """The whole packet."""
        text, tag = self.aead.seal(nonce(self.salt, number), self.ad, message)
        return header(self.suite, len(message) + self.tag_bytes, self.sid, number) + text + tag

    def open(self, packet: bytes) -> bytes | None:
        """The message of a packet of exactly its stated length, or None."""
        number, text, tag = (
            packet[HEADER - NUMBER_BYTES : HEADER],
            packet[HEADER : -self.tag_bytes],
            packet[-self.tag_bytes :],
        )
        message, right = self.aead.open(self.salt + number, self.ad, text, tag)
        return message if not any(xor(tag, right)) else None


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
        return self.d(HELLO_MAC, r_i.ljust(SUITES[self.suite].n, b"\0"))[:MAC]

    def reply_mac(self, r_i: bytes, r_r: bytes) -> bytes:
        return self.d(REPLY_MAC, r_i + r_r)[:MAC]

    def confirm_mac(self, r_i: bytes, r_r: bytes) -> bytes:
        return self.d(CONFIRM_MAC, r_i + r_r)[:MAC]

    def directions(self, r_i: bytes, r_r: bytes) -> tuple[Direction, Direction]:
        """Initiator to responder, responder to initiator."""
        chain = r_i + r_r
        salts = self.d(SALTS, chain)
        sid_i, sid_r = r_i[:SID], r_r[:SID]
        return (
            Direction(self.suite, self.d(I_TO_R, chain), salts, self.ad(I_TO_R, sid_r), sid_r),
            Direction(self.suite, self.d(R_TO_I, chain), salts[len(r_i) :], self.ad(R_TO_I, sid_i), sid_i),
        )

    def ad(self, c: int, sid: bytes) -> bytes:
        return ctx(self.suite, c, sid, self.id_i, self.id_r)
