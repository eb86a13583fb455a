# SPDX-License-Identifier: Apache-2.0
"""What a receiving end must do with each packet: docs/wire-format.md, receive rules 1 to 6, told by an onlooker.

The onlooker holds no key. It does not need one: a packet authenticates exactly when the other end made it, header and
all, and the onlooker saw every packet that was made. So the expected verdict on every packet is known, and the RTL's
counters have to agree.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

OUTER_BYTES = 14
HEADER_BYTES = 16
TAG_BYTES = 32  # suites 01 and 02
ETHERTYPE = b"\x88\xb5"
MIN_FRAME_BYTES = 14
MAX_FRAME_BYTES = 9600
PN_LIMIT = 1 << 48
WINDOW = 64  # packets

#: Causes of a drop in the order of the rules; `overload` depends on timing and must not happen here.
CAUSES = (
    "overload", "short", "version", "type", "suite", "length", "session", "number", "replay", "auth", "foreign",
)  # fmt: skip
DELIVERED = "delivered"
KEEPALIVE = "keepalives_in"


def link_packet(frame: bytes) -> bytes:
    """The link packet in a whole outer frame, without padding."""
    packet = frame[OUTER_BYTES:]
    return packet[: HEADER_BYTES + int.from_bytes(packet[2:4], "big")]


def packet_number(frame: bytes) -> int:
    return int.from_bytes(frame[OUTER_BYTES + 8 : OUTER_BYTES + 16], "big")


def message_bytes(frame: bytes) -> int:
    """Size of the sealed message in a packet that an end made."""
    return int.from_bytes(frame[OUTER_BYTES + 2 : OUTER_BYTES + 4], "big") - TAG_BYTES


@dataclass
class Receiver:
    """The rules of one end without handshake: one session, one suite."""

    suite: int
    sid: bytes
    made: set[bytes] = field(default_factory=set)  # link packets that the other end made
    next_number: int = 0
    marked: set[int] = field(default_factory=set)
    verdicts: Counter[str] = field(default_factory=Counter)
    accepted: list[bytes] = field(default_factory=list)  # link packets of delivered frames, in order

    def judge(self, frame: bytes) -> str:
        """The verdict on a whole outer frame, counted."""
        verdict = self._verdict(frame)
        self.verdicts[verdict] += 1
        return verdict

    def _verdict(self, frame: bytes) -> str:
        if len(frame) < OUTER_BYTES or frame[12:14] != ETHERTYPE:
            return "foreign"
        packet = frame[OUTER_BYTES:]
        length = int.from_bytes(packet[2:4], "big")
        number = int.from_bytes(packet[8:16], "big")
        if len(packet) < HEADER_BYTES or len(packet) < HEADER_BYTES + length:
            return "short"
        if packet[0] >> 4 != 1:
            return "version"
        if packet[0] & 15 != 0:
            return "type"
        if packet[1] != self.suite:
            return "suite"
        if not TAG_BYTES + 1 <= length <= TAG_BYTES + MAX_FRAME_BYTES:
            return "length"
        if packet[4:8] != self.sid:
            return "session"
        if number >= PN_LIMIT:
            return "number"
        if number < self.next_number and (self.next_number - number > WINDOW or number in self.marked):
            return "replay"
        if link_packet(frame) not in self.made:
            return "auth"
        self.marked.add(number)
        self.next_number = max(self.next_number, number + 1)
        if length - TAG_BYTES < MIN_FRAME_BYTES:
            return KEEPALIVE
        self.accepted.append(link_packet(frame))
        return DELIVERED
