# SPDX-License-Identifier: Apache-2.0
"""The key schedule of the link (docs/wire-format.md), and packets under the keys that it gives."""

from __future__ import annotations

from dataclasses import dataclass

from .strings import xor
from .suites import NUMBER_BYTES, SUITES
from .wire import HEADER, MAC, SID, VERSION, ctx, header, nonce

#: First argument of ctx(): what an output is for
HELLO_MAC, I_TO_R, R_TO_I, SALTS, REPLY_MAC, CONFIRM_MAC = range(6)


def derive(
    suite: int, psk: bytes, id_i: bytes, id_r: bytes, c: int, chain: bytes, version: int = VERSION
) -> bytes:  # fmt: skip
    """D(c, H) = F'(H, PSK || ctx(c, 0) || zeros)."""
    n = SUITES[suite].n
    return SUITES[suite].compress(chain, psk + ctx(suite, c, bytes(SID), id_i, id_r, 0, version).ljust(n, b"\0"))


@dataclass
class Direction:
    """Keys of one direction of a session; what is longer than the suite's key and salt is cut."""

    suite: int
    key: bytes
    salt: bytes
    ad: bytes
    sid: bytes
    version: int = VERSION

    def __post_init__(self) -> None:
        suite = SUITES[self.suite]
        self.key, self.salt = self.key[: suite.key_bytes], self.salt[: suite.salt_bytes]
        self.tag_bytes, self.aead = suite.tag_bytes, suite.aead(self.key)

    def seal(self, number: int, message: bytes) -> bytes:
        """The whole packet."""
        text, tag = self.aead.seal(nonce(self.salt, number), self.ad, message)
        return header(self.suite, len(message) + self.tag_bytes, self.sid, number, self.version << 4) + text + tag

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
    version: int = VERSION

    def d(self, c: int, chain: bytes) -> bytes:
        return derive(self.suite, self.psk, self.id_i, self.id_r, c, chain, self.version)

    def hello_mac(self, r_i: bytes, number: int = 0) -> bytes:
        chain = r_i + number.to_bytes(NUMBER_BYTES, "big")
        return self.d(HELLO_MAC, chain.ljust(SUITES[self.suite].n, b"\0"))[:MAC]

    def reply_mac(self, r_i: bytes, r_r: bytes) -> bytes:
        return self.d(REPLY_MAC, r_i + r_r)[:MAC]

    def confirm_mac(self, r_i: bytes, r_r: bytes) -> bytes:
        return self.d(CONFIRM_MAC, r_i + r_r)[:MAC]

    def directions(self, r_i: bytes, r_r: bytes) -> tuple[Direction, Direction]:
        """Initiator to responder, responder to initiator."""
        chain = r_i + r_r
        salts = self.d(SALTS, chain)
        return (
            self.direction(I_TO_R, self.d(I_TO_R, chain), salts, r_r[:SID]),
            self.direction(R_TO_I, self.d(R_TO_I, chain), salts[len(r_i) :], r_i[:SID]),
        )

    def direction(self, c: int, key: bytes, salt: bytes, sid: bytes) -> Direction:
        return Direction(self.suite, key, salt, self.ad(c, sid), sid, self.version)

    def ad(self, c: int, sid: bytes) -> bytes:
        return ctx(self.suite, c, sid, self.id_i, self.id_r, 0, self.version)
