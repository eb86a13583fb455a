# SPDX-License-Identifier: Apache-2.0
"""What a receiving end must do with each packet: docs/wire-format.md, receive rules 1 to 6, told by an onlooker.

The onlooker holds no key. It does not need one: a packet authenticates exactly when the other end made it, header and
all, and the onlooker saw every packet that was made. The handshake shows the session ids. So the expected verdict on
every packet is known, and the RTL's counters have to agree. Timers are left out: a job ends before the first one does.
"""

from collections import Counter
from dataclasses import dataclass, field

OUTER_BYTES = 14
HEADER_BYTES = 16
R_BYTES = 32
MAC_BYTES = 16
_DATA, _HELLO, _REPLY, _CONFIRM = range(4)
_ID = HEADER_BYTES
_R = HEADER_BYTES + 8
_HANDSHAKE_LENGTH = 8 + R_BYTES + MAC_BYTES
ETHERTYPE = b"\x88\xb5"
MIN_FRAME_BYTES = 14
MAX_FRAME_BYTES = 9600
WINDOW = 64  # packets


@dataclass(frozen=True)
class Suite:
    """What a suite changes on the wire."""

    code: int
    tag_bytes: int = 32
    pn_limit: int = 1 << 48  # packet numbers stay under it


SUITES = {
    "omd-sha512": Suite(0x01),
    "omd-blake2b": Suite(0x02),
    "otr-aes128-p": Suite(0x11, 16, 1 << 28),
    "otr-aes256-p": Suite(0x12, 16, 1 << 28),
}
_BY_CODE = {suite.code: suite for suite in SUITES.values()}

#: Causes of a drop in the order of the rules; `overload` depends on timing and must not happen here.
CAUSES = (
    "overload", "short", "version", "type", "suite", "length", "session", "peer", "number", "replay", "auth",
    "foreign",
)  # fmt: skip
DELIVERED = "delivered"
KEEPALIVE = "keepalives_in"
HANDSHAKE = "handshakes_in"


def link_packet(frame: bytes) -> bytes:
    """The link packet in a whole outer frame, without padding."""
    packet = frame[OUTER_BYTES:]
    return packet[: HEADER_BYTES + int.from_bytes(packet[2:4], "big")]


def is_data(frame: bytes) -> bool:
    """Of a packet that an end made: no handshake message."""
    return frame[OUTER_BYTES] & 15 == _DATA


def carries_frame(frame: bytes) -> bool:
    """Of a packet that an end made: no handshake message, no keep-alive."""
    return is_data(frame) and message_bytes(frame) >= MIN_FRAME_BYTES


def session_id(frame: bytes) -> bytes:
    return frame[OUTER_BYTES + 4 : OUTER_BYTES + 8]


def packet_number(frame: bytes) -> int:
    return int.from_bytes(frame[OUTER_BYTES + 8 : OUTER_BYTES + 16], "big")


def suite_of(frame: bytes) -> Suite:
    """Of a packet that an end made."""
    return _BY_CODE[frame[OUTER_BYTES + 1]]


def message_bytes(frame: bytes) -> int:
    """Size of the sealed message in a packet that an end made."""
    return int.from_bytes(frame[OUTER_BYTES + 2 : OUTER_BYTES + 4], "big") - suite_of(frame).tag_bytes


@dataclass
class Session:
    """Replay window of one session at its receiver."""

    next_number: int = 0
    marked: set[int] = field(default_factory=set)

    def late(self, number: int) -> bool:
        return number < self.next_number and (self.next_number - number > WINDOW or number in self.marked)

    def mark(self, number: int) -> None:
        self.marked.add(number)
        self.next_number = max(self.next_number, number + 1)


@dataclass
class Receiver:
    """The rules of one end."""

    suite: int
    initiator: bool
    peer_id: bytes
    made: set[bytes] = field(default_factory=set)  # link packets that the other end made
    own_r: bytes | None = None  # that a reply or a confirm must answer, as far as the wire has shown it
    sessions: dict[bytes, Session] = field(default_factory=dict)  # by the session id in packets to this end
    verdicts: Counter[str] = field(default_factory=Counter)
    accepted: list[bytes] = field(default_factory=list)  # link packets of delivered frames, in order

    def said(self, frame: bytes) -> None:
        """This end made a packet: its hello or hello-reply shows its R."""
        packet = frame[OUTER_BYTES:]
        if packet[0] & 15 in (_HELLO, _REPLY):
            self.own_r = packet[_R : _R + R_BYTES]

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
        if len(packet) < HEADER_BYTES or len(packet) < HEADER_BYTES + length:
            return "short"
        if packet[0] >> 4 != 1:
            return "version"
        kind = packet[0] & 15
        if kind not in ((_DATA, _REPLY) if self.initiator else (_DATA, _HELLO, _CONFIRM)):
            return "type"
        if packet[1] != self.suite:
            return "suite"
        return self._data(link_packet(frame)) if kind == _DATA else self._handshake(link_packet(frame))

    def _data(self, packet: bytes) -> str:
        suite = _BY_CODE[self.suite]
        size = len(packet) - HEADER_BYTES - suite.tag_bytes
        number = int.from_bytes(packet[8:16], "big")
        if not 1 <= size <= MAX_FRAME_BYTES:
            return "length"
        session = self.sessions.get(packet[4:8])
        if session is None:
            return "session"
        if number >= suite.pn_limit:
            return "number"
        if session.late(number):
            return "replay"
        if packet not in self.made:
            return "auth"
        session.mark(number)
        if size < MIN_FRAME_BYTES:
            return KEEPALIVE
        self.accepted.append(packet)
        return DELIVERED

    def _handshake(self, packet: bytes) -> str:
        if len(packet) != HEADER_BYTES + _HANDSHAKE_LENGTH:
            return "length"
        is_hello = packet[0] & 15 == _HELLO
        if packet[4:8] != (bytes(4) if is_hello else self.own_r and self.own_r[:4]):
            return "session"
        if packet[_ID:_R] != self.peer_id:
            return "peer"
        if any(packet[8:16]):
            return "number"
        if packet not in self.made:
            return "auth"
        if not is_hello:  # one R opens one session
            self.sessions[packet[4:8]] = Session()
            self.own_r = None
        return HANDSHAKE
