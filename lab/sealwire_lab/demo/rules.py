# SPDX-License-Identifier: Apache-2.0
"""What a receiving end must do with each packet: docs/wire-format.md, receive rules 1 to 6, told by an onlooker.

The onlooker holds no key. It does not need one: a packet authenticates exactly when the other end made it, header and
all, and the onlooker saw every packet that was made. The handshake shows the session ids. So the expected verdict on
every packet is known, and the RTL's counters have to agree. Timers are left out: a job ends before the first one does.
"""

from collections import Counter
from dataclasses import dataclass, field

from sealwire_model import suites, wire
from sealwire_model.suites import Suite

OUTER_BYTES = 14
R_BYTES = 32  # of the suites that this job runs
_ID = wire.HEADER
_R = _ID + wire.ID

#: Suites whose links this job runs, by name.
SUITES = {name: suites.BY_NAME[name] for name in ("omd-sha512", "omd-blake2b", "otr-aes128-p", "otr-aes256-p")}

#: Causes of a drop in the order of the rules; `overload` and `surplus` depend on timing and must not happen here.
CAUSES = (
    "overload", "short", "version", "type", "suite", "length", "session", "peer", "number", "replay", "auth",
    "stale", "surplus", "foreign",
)  # fmt: skip
DELIVERED = "delivered"
KEEPALIVE = "keepalives_in"
HANDSHAKE = "handshakes_in"


def link_packet(frame: bytes) -> bytes:
    """The link packet in a whole outer frame, without padding."""
    packet = frame[OUTER_BYTES:]
    return packet[: wire.HEADER + int.from_bytes(packet[2:4], "big")]


def is_data(frame: bytes) -> bool:
    """Of a packet that an end made: no handshake message."""
    return frame[OUTER_BYTES] & 15 == wire.DATA


def carries_frame(frame: bytes) -> bool:
    """Of a packet that an end made: no handshake message, no keep-alive."""
    return is_data(frame) and message_bytes(frame) >= wire.MIN_FRAME


def session_id(frame: bytes) -> bytes:
    return frame[OUTER_BYTES + 4 : OUTER_BYTES + 8]


def packet_number(frame: bytes) -> int:
    return int.from_bytes(frame[OUTER_BYTES + 8 : OUTER_BYTES + 16], "big")


def suite_of(frame: bytes) -> Suite:
    """Of a packet that an end made."""
    return suites.SUITES[frame[OUTER_BYTES + 1]]


def message_bytes(frame: bytes) -> int:
    """Size of the sealed message in a packet that an end made."""
    return int.from_bytes(frame[OUTER_BYTES + 2 : OUTER_BYTES + 4], "big") - suite_of(frame).tag_bytes


@dataclass
class Receiver:
    """The rules of one end."""

    suite: int
    initiator: bool
    peer_id: bytes
    made: set[bytes] = field(default_factory=set)  # link packets that the other end made
    own_r: bytes | None = None  # that a reply or a confirm must answer, as far as the wire has shown it
    newest_hello: int = 0  # its number
    windows: dict[bytes, wire.Window] = field(default_factory=dict)  # of sessions, by the session id to this end
    verdicts: Counter[str] = field(default_factory=Counter)
    accepted: list[bytes] = field(default_factory=list)  # link packets of delivered frames, in order

    def said(self, frame: bytes) -> None:
        """This end made a packet: its hello or hello-reply shows its R."""
        packet = frame[OUTER_BYTES:]
        if packet[0] & 15 in (wire.HELLO, wire.REPLY):
            self.own_r = packet[_R : _R + R_BYTES]

    def judge(self, frame: bytes) -> str:
        """The verdict on a whole outer frame, counted."""
        verdict = self._verdict(frame)
        self.verdicts[verdict] += 1
        return verdict

    def _verdict(self, frame: bytes) -> str:
        if len(frame) < OUTER_BYTES or frame[12:14] != wire.ETHERTYPE:
            return "foreign"
        packet = frame[OUTER_BYTES:]
        length = int.from_bytes(packet[2:4], "big")
        if len(packet) < wire.HEADER or len(packet) < wire.HEADER + length:
            return "short"
        if packet[0] >> 4 != wire.VERSION:
            return "version"
        kind = packet[0] & 15
        if kind not in ((wire.DATA, wire.REPLY) if self.initiator else (wire.DATA, wire.HELLO, wire.CONFIRM)):
            return "type"
        if packet[1] != self.suite:
            return "suite"
        return self._data(link_packet(frame)) if kind == wire.DATA else self._handshake(link_packet(frame))

    def _data(self, packet: bytes) -> str:
        suite = suites.SUITES[self.suite]
        size = len(packet) - wire.HEADER - suite.tag_bytes
        number = int.from_bytes(packet[8:16], "big")
        if not 1 <= size <= wire.MAX_FRAME:
            return "length"
        window = self.windows.get(packet[4:8])
        if window is None:
            return "session"
        if number >= suite.n_max:
            return "number"
        if window.stale(number):
            return "replay"
        if packet not in self.made:
            return "auth"
        window.mark(number)
        if size < wire.MIN_FRAME:
            return KEEPALIVE
        self.accepted.append(packet)
        return DELIVERED

    def _handshake(self, packet: bytes) -> str:
        if len(packet) != wire.HEADER + wire.handshake_length(self.suite):
            return "length"
        is_hello = packet[0] & 15 == wire.HELLO
        if packet[4:8] != (bytes(4) if is_hello else self.own_r and self.own_r[:4]):
            return "session"
        if packet[_ID:_R] != self.peer_id:
            return "peer"
        number = int.from_bytes(packet[8:16], "big")
        if number and not is_hello:
            return "number"
        if packet not in self.made:
            return "auth"
        if is_hello:
            if number <= self.newest_hello:
                return "stale"
            self.newest_hello = number
        else:  # one R opens one session
            self.windows[packet[4:8]] = wire.Window()
            self.own_r = None
        return HANDSHAKE
