# SPDX-License-Identifier: Apache-2.0
"""One end of the link (docs/wire-format.md): handshake in both roles, session slots, timers, receive rules, counters.

Time is a number of milliseconds that the caller moves. What an end sends is in `out`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from .schedule import Direction, Schedule
from .suites import SUITES
from .wire import (
    CONFIRM,
    DATA,
    ETHERTYPE,
    HEADER,
    HELLO,
    ID,
    MAC,
    MAX_FRAME,
    MIN_FRAME,
    REPLY,
    SID,
    VERSION,
    WINDOW,
    Header,
    Window,
    handshake_length,
    message,
)

OUTER = 14  # bytes of an outer Ethernet header
RESEND = KEEP_ALIVE = 250  # ms
CONFIRM_TIME, SILENCE, OLD = 500, 750, 2000
REPLIES = 16  # hellos that are answered in a second, from version 2 on


@dataclass
class Session:
    """A slot's contents."""

    tx: Direction
    rx: Direction
    born: float
    sealed_at: float
    number: int = 0
    window: Window = field(default_factory=Window)
    heard: bool = False
    dies_at: float | None = None


class End:
    """The rules of one end. `handshake` False: sessions are loaded."""

    def __init__(
        self, suite: int, own_id: bytes, peer_id: bytes, draw: Callable[[], bytes] | None = None,
        t_rekey: float = 120_000, t_max: float = 180_000, handshake: bool = True, n_max: int | None = None,
        version: int = VERSION, wall_clock: Callable[[], int] | None = None,
        window: int = WINDOW,
    ) -> None:  # fmt: skip
        self.now = 0.0
        self.version = version
        self.wall_clock = wall_clock or (lambda: round(self.now * 1_000_000) + 1)
        self.suite, self.own_id, self.peer_id = suite, own_id, peer_id
        self.initiator = own_id < peer_id
        self.id_i, self.id_r = (own_id, peer_id) if self.initiator else (peer_id, own_id)
        self.counts: Counter[str] = Counter()
        self.delivered: list[bytes] = []
        self.draw = draw or (lambda: random.randbytes(SUITES[suite].random_bytes))
        self.t_rekey, self.t_max, self.handshake = t_rekey, t_max, handshake
        self.n_max, self.tag_bytes = n_max or SUITES[suite].n_max, SUITES[suite].tag_bytes
        self.window = window
        self.out: list[bytes] = []
        self.forget()

    def forget(self) -> None:
        """Forget session, pre-shared key and random value, as a reset does. Counters stay."""
        self.psk: bytes | None = None
        self.cur: Session | None = None
        self.alt: Session | None = None
        self.state = "idle"
        self.r: bytes | None = None
        self.peer_r = b""
        self.again_at = self.confirm_at = self.heard_at = self.now
        self.hello_number = 0
        self.newest: dict[bytes, int] = {}
        self.replies = -1, 0

    # ------------------------------------------------------------------------------------------ parts

    @property
    def schedule(self) -> Schedule:
        assert self.psk
        return Schedule(self.suite, self.psk, self.id_i, self.id_r, self.version)

    def derived(self, r_i: bytes, r_r: bytes) -> tuple[Direction, Direction]:
        """The directions of a session as this end sees them: out, in."""
        to_r, to_i = self.schedule.directions(r_i, r_r)
        return (to_r, to_i) if self.initiator else (to_i, to_r)

    @property
    def rx(self) -> Direction:
        assert self.cur
        return self.cur.rx

    @property
    def tx(self) -> Direction:
        assert self.cur
        return self.cur.tx

    @property
    def sessions(self) -> list[Session]:
        return [session for session in (self.cur, self.alt) if session]

    def new_r(self) -> bytes:
        """Drawn again while its session id is 0 or lives in a slot, or while it is the value held before."""
        while True:
            r = self.draw()
            if any(r[:SID]) and r[:SID] not in [session.rx.sid for session in self.sessions] and r != self.r:
                return r

    def install(self, r_i: bytes, r_r: bytes) -> None:
        """Derive a session and put it into `alt`."""
        self.load(*self.derived(r_i, r_r))

    def load(self, tx: Direction, rx: Direction) -> None:
        self.alt = Session(tx, rx, self.now, self.now, window=Window(self.window))
        self.counts["sessions_installed"] += 1

    def promote(self, session: Session) -> None:
        """First valid packet in a session."""
        session.heard = True
        if session is not self.alt:
            return
        self.cur, self.alt = session, self.cur
        if self.alt:
            self.alt.dies_at = self.now + OLD
        self.counts["sessions_taken"] += 1
        if self.initiator:
            self.state = "idle"
        else:
            self.keep_alive(session)

    # ------------------------------------------------------------------------------------------ sending

    def seal_in(self, session: Session, text: bytes) -> bytes:
        packet = session.tx.seal(session.number, text)
        session.number += 1
        session.sealed_at = self.now
        return packet

    def seal(self, text: bytes) -> bytes:
        """The next packet in `cur`."""
        assert self.cur
        return self.seal_in(self.cur, text)

    def keep_alive(self, session: Session) -> None:
        if session.number < self.n_max:
            self.out.append(self.seal_in(session, b"\0"))
            self.counts["keepalives_out"] += 1

    def send(self, kind: int, sid: bytes, mac: bytes, number: int = 0) -> None:
        assert self.r
        self.out.append(message(self.suite, kind, sid, self.own_id, self.r, mac, number, self.version))
        self.counts["handshakes_out"] += 1

    def start(self) -> None:
        """Enter HELLO with a fresh random value."""
        self.state, self.r = "hello", self.new_r()
        self.say_hello()

    def say_hello(self) -> None:
        assert self.r
        if self.version >= 2:
            self.hello_number = max(self.wall_clock(), self.hello_number + 1)
        self.send(HELLO, bytes(SID), self.schedule.hello_mac(self.r, self.hello_number), self.hello_number)
        self.again_at = self.now + RESEND

    def say_confirm(self) -> None:
        assert self.r and self.alt
        self.send(CONFIRM, self.peer_r[:SID], self.schedule.confirm_mac(self.r, self.peer_r))
        self.keep_alive(self.alt)
        self.again_at = self.now + RESEND

    def expire(self, now: float) -> None:
        """Time goes on; sessions end."""
        self.now = now
        if self.cur and now - self.cur.born >= self.t_max:
            self.cur = None
        if self.alt and (
            now - self.alt.born >= self.t_max or (self.alt.dies_at is not None and now >= self.alt.dies_at)
        ):
            self.alt = None

    def poll(self, now: float) -> None:
        """Everything that time asks for."""
        self.expire(now)
        if self.handshake and not self.initiator and self.r is None:
            self.r = self.new_r()
        if self.handshake and self.initiator and self.psk:
            self.poll_initiator(now)
        probes_alt = not self.handshake and self.initiator and self.alt and not self.alt.heard
        if probes_alt and self.alt and (self.alt.number == 0 or now - self.alt.sealed_at >= RESEND):
            self.keep_alive(self.alt)
        if self.cur and now - self.cur.sealed_at >= KEEP_ALIVE:
            self.keep_alive(self.cur)

    def poll_initiator(self, now: float) -> None:
        if self.state == "idle":
            cur = self.cur
            if (
                cur is None
                or now - cur.born >= self.t_rekey
                or max(cur.number, cur.window.next) > self.n_max // 2
                or now - self.heard_at >= SILENCE
            ):
                self.start()
        elif self.state == "confirm" and now - self.confirm_at >= CONFIRM_TIME:
            self.start()
        elif now >= self.again_at:
            self.say_hello() if self.state == "hello" else self.say_confirm()

    # ------------------------------------------------------------------------------------------ receiving

    def receive(self, packet: bytes) -> str:
        """Judge a packet and keep the books; returns the cause."""
        cause, message = self.judge(packet)
        self.counts["untrusted_in"] += 1
        self.counts[cause] += 1
        if cause == "delivered":
            self.delivered.append(message)
        return cause

    def receive_frame(self, frame: bytes) -> str:
        """Judge the packet in an outer Ethernet frame and keep the books; returns the cause."""
        if len(frame) >= OUTER and frame[12:OUTER] != ETHERTYPE:
            self.counts["untrusted_in"] += 1
            self.counts["drop_foreign"] += 1
            return "drop_foreign"
        return self.receive(frame[OUTER:])

    def types(self) -> tuple[int, ...]:
        if not self.handshake:
            return (DATA,)
        return (DATA, REPLY) if self.initiator else (DATA, HELLO, CONFIRM)

    def judge(self, packet: bytes) -> tuple[str, bytes]:
        """The receive rules, in order: the first that fails, or what the packet is; and the message."""
        head = Header.parse(packet)
        if len(packet) < HEADER or HEADER + head.length > len(packet):
            return "drop_short", b""
        if head.version != self.version:
            return "drop_version", b""
        if head.kind not in self.types():
            return "drop_type", b""
        if head.suite != self.suite:
            return "drop_suite", b""
        lengths = range(self.tag_bytes + 1, self.tag_bytes + MAX_FRAME + 1)
        if head.length not in lengths if head.kind == DATA else head.length != handshake_length(self.suite):
            return "drop_length", b""
        packet = packet[: HEADER + head.length]
        return self.judge_data(packet, head) if head.kind == DATA else (self.judge_handshake(packet, head), b"")

    def judge_data(self, packet: bytes, head: Header) -> tuple[str, bytes]:
        number = head.number
        session = next((session for session in self.sessions if session.rx.sid == head.sid), None)
        if session is None:
            return "drop_session", b""
        if number >= self.n_max:
            return "drop_number", b""
        if session.window.stale(number):
            return "drop_replay", b""
        text = session.rx.open(packet)
        if text is None:
            return "drop_auth", b""
        session.window.mark(number)
        self.heard_at = self.now
        if not session.heard:
            self.promote(session)
        return ("delivered" if len(text) >= MIN_FRAME else "keepalives_in"), text

    def judge_hello(self, psk: bytes, number: int) -> str:
        """Rule 6 for a hello whose MAC is right: why it gets no answer, or nothing."""
        if number <= self.newest.get(psk, 0):
            return "drop_stale"
        self.newest[psk] = number
        second, said = int(self.now // 1000), self.replies
        self.replies = second, said[1] + 1 if said[0] == second else 1
        return "drop_surplus" if self.replies[1] > REPLIES else ""

    def judge_handshake(self, packet: bytes, head: Header) -> str:
        kind, sid = head.kind, head.sid
        sender, r, mac = packet[HEADER : HEADER + ID], packet[HEADER + ID : -MAC], packet[-MAC:]
        own = self.r[:SID] if self.r else None
        if not {HELLO: sid == bytes(SID), REPLY: self.state == "hello" and sid == own, CONFIRM: sid == own}[kind]:
            return "drop_session"
        if sender != self.peer_id:
            return "drop_peer"
        if head.number and (kind != HELLO or self.version == 1):
            return "drop_number"
        if self.psk is None:
            return "drop_auth"
        if kind == HELLO:
            if mac != self.schedule.hello_mac(r, head.number):
                return "drop_auth"
            if self.version >= 2 and (cause := self.judge_hello(self.psk, head.number)):
                return cause
            if self.r:
                self.send(REPLY, r[:SID], self.schedule.reply_mac(r, self.r))
            return "handshakes_in"
        assert self.r
        if not any(r[:SID]):
            return "drop_auth"
        if kind == REPLY:
            if mac != self.schedule.reply_mac(self.r, r):
                return "drop_auth"
            self.peer_r, self.state, self.confirm_at = r, "confirm", self.now
            self.install(self.r, r)
            self.say_confirm()
        else:
            if mac != self.schedule.confirm_mac(r, self.r):
                return "drop_auth"
            self.install(r, self.r)
            self.r = self.new_r()
        return "handshakes_in"
