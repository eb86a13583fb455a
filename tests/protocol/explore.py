# SPDX-License-Identifier: Apache-2.0
"""Every state that the ends of a link and an attacker between them can reach, within bounds on runs and packets.

The ends are those of the executable specification (`sealwire_model.end`), on ideal cryptography: outputs of the key
schedule and tags are names for their inputs, which nobody without the key can make. The attacker has every packet
that was ever sent, delivers any of them to any end, any number of times or never, and puts packets together anew
from parts that it has. Time is the attacker's: whatever a timer may ask for may happen at any moment. The search goes
breadth first to a fixed point, so a counter-example is a shortest one.
"""

from __future__ import annotations

import hashlib
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property

from sealwire_model.end import End, Session
from sealwire_model.schedule import Direction, Schedule
from sealwire_model.suites import SUITES
from sealwire_model.wire import CONFIRM, DATA, HEADER, HELLO, ID, MAC, REPLY, SID, Header, Window, ctx, header, message

#: The suite with the shortest values: sizes play no part in what is explored.
SUITE = 5
ID_I, ID_R = bytes(7) + b"\1", bytes(7) + b"\2"
KEYS = (b"K1", b"K2")
KINDS = {DATA: "data", HELLO: "hello", REPLY: "hello-reply", CONFIRM: "confirm"}
#: What an attacker writes where it has nothing that is right, and a number above all others.
JUNK, FAR = b"junk".ljust(MAC, b"?"), 1 << 62
FRAME = b"frame".ljust(14, b".")

PROPERTIES = {
    "agreement": "an end takes a session into use only if the other role installed that session, under mirrored keys",
    "origin": "an accepted message is one that the other role sent, and no other field was changed",
    "no reflection": "no end accepts what its own role sent",
    "fresh keys": "no end, also not over restarts, installs keys twice, and no two ends seal under one key",
    "numbers": "nothing is sealed twice under one key and number",
    "no replay": "no packet is accepted twice under one key",
    "live peer": "frames are sealed only in a session in which a packet of the other end was accepted",
    "one answer": "a hello is answered at most once while the responder runs",
    "one answer ever": "a hello is answered at most once, also over restarts of the responder",
}


@cache
def ideal(*parts: bytes) -> bytes:
    """A name for its inputs, 64 bytes."""
    return hashlib.blake2b(b"".join(len(part).to_bytes(2, "big") + part for part in parts)).digest()


class IdealAead:
    """Tags that only a holder of the key makes. The text is not hidden: the attacker knows all messages."""

    def __init__(self, key: bytes, tag_bytes: int) -> None:
        self.key, self.tag_bytes = key, tag_bytes

    def seal(self, nonce: bytes, ad: bytes, text: bytes) -> tuple[bytes, bytes]:
        return text, ideal(b"tag", self.key, nonce, ad, text)[: self.tag_bytes]

    def open(self, nonce: bytes, ad: bytes, text: bytes, _tag: bytes) -> tuple[bytes, bytes]:
        return self.seal(nonce, ad, text)


class IdealDirection(Direction):
    def __post_init__(self) -> None:
        suite = SUITES[self.suite]
        self.key, self.salt = self.key[: suite.key_bytes], self.salt[: suite.salt_bytes]
        self.tag_bytes, self.aead = suite.tag_bytes, IdealAead(self.key, suite.tag_bytes)

    def __hash__(self) -> int:
        return hash((self.key, self.salt, self.sid))


class IdealSchedule(Schedule):
    def d(self, c: int, chain: bytes) -> bytes:
        return ideal(self.psk, ctx(self.suite, c, bytes(SID), self.id_i, self.id_r, 0, self.version), chain)[:32]

    def direction(self, c: int, key: bytes, salt: bytes, sid: bytes) -> Direction:
        return IdealDirection(self.suite, key, salt, self.ad(c, sid), sid, self.version)


class SpentError(Exception):
    """The bounds allow no further random value or hello."""


@dataclass(frozen=True)
class Slot:
    """A session of an end."""

    tx: Direction
    rx: Direction
    number: int
    next: int
    marked: frozenset[int]
    heard: bool

    @classmethod
    def of(cls, session: Session | None) -> Slot | None:
        if session is None:
            return None
        window = session.window
        return cls(session.tx, session.rx, session.number, window.next, frozenset(window.marked), session.heard)

    def session(self) -> Session:
        return Session(self.tx, self.rx, 0, 0, self.number, Window(64, self.next, set(self.marked)), self.heard)


@dataclass(frozen=True)
class Local:
    """Everything that an end knows, and how much of the bounds it has used."""

    psk: bytes = KEYS[0]
    cur: Slot | None = None
    alt: Slot | None = None
    state: str = "idle"
    r: bytes | None = None
    peer_r: bytes = b""
    hello_number: int = 0
    newest: frozenset[tuple[bytes, int]] = frozenset()
    draws: int = 0
    clock: int = 0
    life: int = 0

    @cached_property
    def hash(self) -> int:
        return hash((self.psk, self.cur, self.alt, self.state, self.r, self.hello_number, self.draws, self.life))

    def __hash__(self) -> int:
        return self.hash


@dataclass(frozen=True)
class Bounds:
    """How much may happen: per end, but for numbers, which are per direction of a session."""

    runs: int = 2
    hellos: int = 3
    numbers: int = 1
    restarts: int = 0
    new_keys: int = 0
    erasures: bool = False


class Probe(End):
    """An end of the executable specification that tells what it does, within bounds."""

    schedule_class: type[IdealSchedule] = IdealSchedule

    def __init__(self, name: str, initiator: bool, version: int, bounds: Bounds, local: Local) -> None:
        ids = (ID_I, ID_R) if initiator else (ID_R, ID_I)
        self.notes: list[tuple[object, ...]] = []
        self.bounds, self.name = bounds, name
        super().__init__(SUITE, *ids, self.fresh, n_max=bounds.numbers, version=version, wall_clock=lambda: self.clock)
        self.psk, self.state, self.r, self.peer_r = local.psk, local.state, local.r, local.peer_r
        self.cur, self.alt = (slot.session() if slot else None for slot in (local.cur, local.alt))
        self.hello_number, self.newest = local.hello_number, dict(local.newest)
        self.draws, self.clock, self.life = local.draws, local.clock, local.life

    def local(self) -> Local:
        assert self.psk
        return Local(
            self.psk, Slot.of(self.cur), Slot.of(self.alt), self.state, self.r, self.peer_r, self.hello_number,
            frozenset(self.newest.items()), self.draws, self.clock, self.life,
        )  # fmt: skip

    @property
    def schedule(self) -> Schedule:
        assert self.psk
        return self.schedule_class(self.suite, self.psk, self.id_i, self.id_r, self.version)

    def fresh(self) -> bytes:
        self.draws += 1
        # A responder has values for more sessions than there can be: its rules alone keep it from them.
        if self.draws > self.bounds.runs + (0 if self.initiator else 3 + self.bounds.restarts):
            raise SpentError
        return f"{self.name}{self.draws}".encode().ljust(SUITES[SUITE].random_bytes, b".")

    def say_hello(self) -> None:
        self.clock += 1
        if self.clock > self.bounds.hellos:
            raise SpentError
        super().say_hello()

    def load(self, tx: Direction, rx: Direction) -> None:
        self.notes.append(("install", tx.key, rx.key))
        super().load(tx, rx)

    def seal_in(self, session: Session, text: bytes) -> bytes:
        self.notes.append(("seal", session.tx.key, session.tx.salt, session.number, session.rx.key, len(text) > 1))
        return super().seal_in(session, text)

    def judge_data(self, packet: bytes, head: Header) -> tuple[str, bytes]:
        session = next((session for session in self.sessions if session.rx.sid == head.sid), None)
        first = session is not None and session is self.alt and not session.heard
        verdict = super().judge_data(packet, head)
        if session and not verdict[0].startswith("drop"):
            self.notes.append(("accept", session.rx.key, head.number, session.tx.key if first else b""))
        return verdict

    # What may happen at an end without a packet.

    def restart(self) -> None:
        psk = self.psk
        self.life += 1
        self.forget()
        self.psk = psk
        if not self.initiator:
            self.r = self.new_r()

    def change_key(self) -> None:
        self.psk = KEYS[1]

    def frame(self) -> None:
        self.out.append(self.seal(FRAME))

    def erase_cur(self) -> None:
        self.cur = None

    def erase_alt(self) -> None:
        self.alt = None

    def moves(self) -> Iterator[str]:
        if self.initiator:
            yield "start"
            if self.state == "hello":
                yield "say_hello"
            if self.state == "confirm" and self.alt:
                yield "say_confirm"
        if self.cur and self.cur.number < self.n_max:
            yield "frame"
        if self.life < self.bounds.restarts:
            yield "restart"
        if self.bounds.new_keys and self.psk != KEYS[1]:
            yield "change_key"
        if self.bounds.erasures:
            yield from (name for name, slot in (("erase_cur", self.cur), ("erase_alt", self.alt)) if slot)


@dataclass(frozen=True)
class World:
    """The ends, what was sent by whom, and the history that the properties speak of."""

    ends: tuple[Local, ...]
    sent: frozenset[tuple[int, bytes]] = frozenset()
    installed: frozenset[tuple[int, bytes, bytes]] = frozenset()
    sealed: frozenset[tuple[int, bytes, bytes, int]] = frozenset()
    accepted: frozenset[tuple[int, bytes, int]] = frozenset()
    heard: frozenset[tuple[int, bytes]] = frozenset()
    answered: frozenset[tuple[int, int, bytes]] = frozenset()


@dataclass(frozen=True)
class Scenario:
    """Who takes part: names of the ends, their versions, what may happen, and which rules they follow."""

    name: str
    version: int = 2
    bounds: Bounds = field(default_factory=Bounds)
    ends: str = "IR"
    versions: tuple[int, ...] = ()
    probe: type[Probe] = Probe
    #: An end whose copy goes on with all that it knew; without, a copy begins as a restarted end does.
    copies: str = ""
    #: Properties that do not hold, each of which must be refuted.
    fails: frozenset[str] = frozenset()

    def initiator(self, end: int) -> bool:
        return self.ends[end] in "IJ"


@dataclass
class Result:
    states: int = 0
    transitions: int = 0
    seconds: float = 0.0
    sessions: int = 0
    violations: dict[str, list[str]] = field(default_factory=dict)


def show(packet: bytes) -> str:
    """A packet as a person reads it."""
    head = Header.parse(packet)
    if head.kind == DATA:
        what = "frame" if FRAME in packet else "keep-alive"
        return f"{what} {head.number} of session {head.sid.decode().rstrip('.')}"
    r = packet[HEADER + ID : -MAC].decode().rstrip(".")
    mac = "a forged MAC" if packet[-MAC:] == JUNK else f"MAC {packet[-MAC:].hex()[:6]}"
    to = f", to {head.sid.decode().rstrip('.')}" if any(head.sid) else ""
    return f"{KINDS[head.kind]}(R = {r}{f', N = {head.number}' if head.number else ''}{to}; {mac})"


#: An end's state after a step, what it sends, its verdict on a packet, its notes
Step = tuple[Local, list[bytes], str, list[tuple[object, ...]]]


class Explorer:
    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        versions = scenario.versions or (scenario.version,) * len(scenario.ends)
        self.make: list[Callable[[Local], Probe]] = [
            lambda local, end=end, version=version: scenario.probe(
                scenario.ends[end], scenario.initiator(end), version, scenario.bounds, local
            )
            for end, version in enumerate(versions)
        ]
        self.memo: dict[tuple[int, Local, str | bytes], Step | None] = {}
        #: One object for each state of an end, so that equal ones are found by identity
        self.known: dict[Local, Local] = {}
        self.moves_of: dict[tuple[int, Local], list[str]] = {}
        self.offers_of: dict[tuple[int, Local, frozenset[bytes]], list[bytes]] = {}

    def first(self) -> World:
        locals_ = []
        for end, make in enumerate(self.make):
            probe = make(Local())
            if not self.scenario.initiator(end):
                probe.r = probe.new_r()
            locals_.append(probe.local())
        return World(tuple(locals_))

    def step(self, end: int, local: Local, what: str | bytes) -> Step | None:
        """What an end does on a packet or a move of its own: its new state, what it sends, verdict, notes."""
        key = end, local, what
        if key not in self.memo:
            probe = self.make[end](local)
            try:
                verdict = probe.receive(what) if isinstance(what, bytes) else getattr(probe, what)()
                after = probe.local()
                self.memo[key] = self.known.setdefault(after, after), probe.out, verdict or "", probe.notes
            except SpentError:
                self.memo[key] = None
        return self.memo[key]

    def moves(self, end: int, local: Local) -> list[str]:
        key = end, local
        if key not in self.moves_of:
            self.moves_of[key] = list(self.make[end](local).moves())
        return self.moves_of[key]

    def offers(self, end: int, local: Local, seen: frozenset[bytes]) -> list[bytes]:
        """Packets that the attacker can make of what it has seen, with a right MAC and with none."""
        key = end, local, seen
        if key in self.offers_of:
            return self.offers_of[key]
        probe = self.make[end](local)
        peer, version, own = probe.peer_id, probe.version, local.r
        heads = [(Header.parse(packet), packet) for packet in sorted(seen)]
        shakes = [packet for head, packet in heads if head.kind != DATA]
        macs = {packet[-MAC:] for packet in shakes} | {JUNK}
        values = {packet[HEADER + ID : -MAC] for packet in shakes}
        numbers = {head.number for head, _ in heads} | {0, FAR}
        made = []

        def offer(kind: int, sid: bytes, r: bytes, right: bytes, number: int = 0) -> None:
            for mac in {right, JUNK} & macs:
                made.append(message(SUITE, kind, sid, peer, r, mac, number, version))

        for r in sorted(values):
            if probe.initiator:
                if own:
                    offer(REPLY, own[:SID], r, probe.schedule.reply_mac(own, r))
            else:
                if own and own in values:
                    offer(CONFIRM, own[:SID], r, probe.schedule.confirm_mac(r, own))
                for number in sorted(numbers):
                    offer(HELLO, bytes(SID), r, probe.schedule.hello_mac(r, number), number)
        sids = sorted({slot.rx.sid for slot in (local.cur, local.alt) if slot})
        for head, packet in heads:
            if head.kind == DATA:
                for sid in sids:
                    for number in range(self.scenario.bounds.numbers):
                        made.append(header(SUITE, head.length, sid, number, version << 4) + packet[HEADER:])
        self.offers_of[key] = made
        return made

    def successors(self, world: World) -> Iterator[tuple[World, str, list[str]]]:
        names = self.scenario.ends
        seen = frozenset(packet for _, packet in world.sent)
        for end, local in enumerate(world.ends):
            for what in (*self.moves(end, local), *self.offers(end, local, seen)):
                done = self.step(end, local, what)
                if done is None or (done[0] == local and not done[1] and not done[3]):
                    continue
                after, out, verdict, notes = done
                told = (
                    f"attacker -> {names[end]}: {show(what)}: {verdict}"
                    if isinstance(what, bytes)
                    else f"{names[end]}: {what.replace('_', ' ')}"
                )
                told += "".join(f"\n    {names[end]} -> : {show(packet)}" for packet in out)
                ends = (*world.ends[:end], after, *world.ends[end + 1 :])
                moved = replace(world, ends=ends, sent=world.sent | {(end, packet) for packet in out})
                history, broken = self.judge(world, moved, end, what, verdict, out, notes)
                yield history, told, broken
        for end, name in enumerate(names):
            if name in self.scenario.copies:
                source = names.index({"J": "I", "S": "R"}[name])
                own = world.ends[end]
                if own.life == 0:
                    copied = replace(world.ends[source], life=1, draws=own.draws)
                    ends = (*world.ends[:end], copied, *world.ends[end + 1 :])
                    yield replace(world, ends=ends), f"{name} begins as a copy of {names[source]}, keys and all", []

    def judge(
        self, before: World, world: World, end: int, what: str | bytes, verdict: str, out: list[bytes],
        notes: list[tuple[object, ...]],
    ) -> tuple[World, list[str]]:  # fmt: skip
        """The history after a step, and the properties that the step breaks."""
        broken: set[str] = set()
        if not notes and not isinstance(what, bytes):
            return world, []
        role = self.scenario.initiator(end)
        installed, sealed, accepted = set(world.installed), set(world.sealed), set(world.accepted)
        heard, answered = set(world.heard), set(world.answered)
        if isinstance(what, bytes) and not verdict.startswith("drop"):
            roles = {self.scenario.initiator(author) for author, packet in before.sent if packet == what}
            if (not role) not in roles:
                broken.add("origin")
            tail = what[-MAC:]
            if role in {self.scenario.initiator(author) for author, packet in before.sent if packet[-MAC:] == tail}:
                broken.add("no reflection")
            if Header.parse(what).kind == HELLO and out:
                life = before.ends[end].life
                if (end, life, what) in answered:
                    broken.add("one answer")
                if any((end, earlier, what) in answered for earlier in range(life + 1)):
                    broken.add("one answer ever")
                answered.add((end, life, what))
        for note in notes:
            match note:
                case ("install", bytes(tx), bytes(rx)):
                    if any(key == tx and (by == end or rx_ != rx) for by, key, rx_ in installed) or tx == rx:
                        broken.add("fresh keys")
                    installed.add((end, tx, rx))
                case ("accept", bytes(rx), int(number), bytes(tx)):
                    if (end, rx, number) in accepted:
                        broken.add("no replay")
                    if tx and not any(
                        self.scenario.initiator(by) != role and (tx_, rx_) == (rx, tx) for by, tx_, rx_ in installed
                    ):
                        broken.add("agreement")
                    accepted.add((end, rx, number))
                    heard.add((end, rx))
                case ("seal", bytes(tx), bytes(salt), int(number), bytes(rx), bool(frame)):
                    if any((key, salt_, n) == (tx, salt, number) for _, key, salt_, n in sealed):
                        broken.add("numbers")
                    if any(key == tx and by != end for by, key, _, _ in sealed):
                        broken.add("fresh keys")
                    if frame and (end, rx) not in heard:
                        broken.add("live peer")
                    sealed.add((end, tx, salt, number))
        history = replace(
            world, installed=frozenset(installed), sealed=frozenset(sealed), accepted=frozenset(accepted),
            heard=frozenset(heard), answered=frozenset(answered),
        )  # fmt: skip
        return history, sorted(broken)

    def run(self, until: str = "") -> Result:
        """To the fixed point, or until this property is broken."""
        begun, result, start = time.process_time(), Result(), self.first()
        parents: dict[World, tuple[World, str] | None] = {start: None}
        queue = deque([start])
        while queue and not (until and until in result.violations):
            world = queue.popleft()
            for after, told, broken in self.successors(world):
                result.transitions += 1
                for name in broken:
                    if name not in result.violations:
                        result.violations[name] = [*self.path(parents, world), told]
                if after not in parents:
                    parents[after] = world, told
                    queue.append(after)
                    result.sessions = max(result.sessions, len({key for _, key in after.heard}))
        result.states, result.seconds = len(parents), time.process_time() - begun
        return result

    @staticmethod
    def path(parents: dict[World, tuple[World, str] | None], world: World) -> list[str]:
        steps: list[str] = []
        while (parent := parents[world]) is not None:
            world, told = parent
            steps.insert(0, told)
        return steps
