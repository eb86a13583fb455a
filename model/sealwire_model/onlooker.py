# SPDX-License-Identifier: Apache-2.0
"""What a receiving end must do with each packet, told by an onlooker: receive rules 1 to 6 of docs/wire-format.md.

The onlooker holds no key and needs none: a packet authenticates exactly when the other end made it, header and all, and
the onlooker saw every packet that was made. The handshake shows the session ids. So the verdict on every packet is
known. Time stands still: what an onlooker follows ends before the first timer does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import suites, wire
from .end import OUTER, End
from .suites import Suite
from .wire import Header


def header(frame: bytes) -> Header:
    """The header in a whole outer frame."""
    return Header.parse(frame[OUTER:])


def link_packet(frame: bytes) -> bytes:
    """The link packet in a whole outer frame, without padding."""
    return frame[OUTER : OUTER + wire.HEADER + header(frame).length]


def is_data(frame: bytes) -> bool:
    """Of a packet that an end made: no handshake message."""
    return header(frame).kind == wire.DATA


def suite_of(frame: bytes) -> Suite:
    """Of a packet that an end made."""
    return suites.SUITES[header(frame).suite]


def carries_frame(frame: bytes) -> bool:
    """Of a packet that an end made: no handshake message, no keep-alive."""
    return is_data(frame) and header(frame).length - suite_of(frame).tag_bytes >= wire.MIN_FRAME


@dataclass
class _Incoming:
    """The direction of a session to an end: what the other end made is right."""

    sid: bytes
    made: set[bytes]
    tag_bytes: int

    def open(self, packet: bytes) -> bytes | None:
        """The sealed message as it stands in the packet, or nothing."""
        return packet[wire.HEADER : -self.tag_bytes] if packet in self.made else None


class Receiver(End):
    """The rules of one end, which sends nothing by itself; `counts` go by the names of the RTL's counters."""

    def __init__(self, suite: int, own_id: bytes, peer_id: bytes) -> None:
        super().__init__(suite, own_id, peer_id)
        self.psk = b"whichever both ends hold"
        self.made: set[bytes] = set()  # link packets that the other end made
        self.accepted: list[bytes] = []  # link packets of delivered frames, in order
        self._judged = b""

    def said(self, frame: bytes) -> None:
        """This end made a packet: its hello or hello-reply shows its R, which a reply or a confirm must answer."""
        if header(frame).kind in (wire.HELLO, wire.REPLY):
            self.state = "hello"
            self.r = link_packet(frame)[wire.HEADER + wire.ID : -wire.MAC]

    def receive_frame(self, frame: bytes) -> str:
        """The verdict on a whole outer frame, counted."""
        cause = super().receive_frame(frame)
        if cause == "delivered":
            self.accepted.append(link_packet(frame))
        return cause

    def judge_handshake(self, packet: bytes, head: Header) -> str:
        self._judged = packet
        return super().judge_handshake(packet, head)

    @property
    def schedule(self) -> Any:
        """In place of the key schedule, whose MACs follow."""
        return self

    def _mac(self, *_: object) -> bytes:
        """The MAC of a message is right when the other end made the message."""
        return self._judged[-wire.MAC :] if self._judged in self.made else b""

    hello_mac = reply_mac = confirm_mac = _mac

    def install(self, *_: bytes) -> None:
        """One R opens one session, whose id to this end it begins with."""
        assert self.r
        self.open(self.r[: wire.SID])
        self.r = None

    def open(self, sid: bytes) -> None:
        """Open a session by its id to this end."""
        incoming: Any = _Incoming(sid, self.made, self.tag_bytes)
        self.load(incoming, incoming)

    def _by_itself(self, *_: Any, **__: Any) -> Any:
        """Nothing: what the end that is looked at draws and sends, `said` shows."""

    new_r = send = keep_alive = say_confirm = _by_itself
