# SPDX-License-Identifier: Apache-2.0
"""What is explored, and the changed rules that must be refuted. As a program: all of it, with counter-examples."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from protocol.explore import JUNK, PROPERTIES, Bounds, Explorer, IdealSchedule, Probe, Result, Scenario
from sealwire_model.end import Session
from sealwire_model.schedule import I_TO_R, SALTS, Direction
from sealwire_model.wire import CONFIRM, MAC, REPLY, Header, Window

REPLAYED = frozenset({"one answer", "one answer ever"})
AFTER_RESTART = frozenset({"one answer ever"})

#: Seconds each.
QUICK = [
    Scenario("version 1, two runs", 1, Bounds(hellos=2), fails=REPLAYED),
    Scenario("version 2, two runs", 2, Bounds(hellos=2, numbers=2)),
    Scenario("version 2, one run after a restart", 2, Bounds(1, 1, 2, restarts=1), fails=AFTER_RESTART),
    Scenario("version 2, two responders of one id", 2, Bounds(1, 2, 2), "IRS"),
    Scenario("version 2, two initiators of one id", 2, Bounds(1, 1, 2), "IJR"),
    Scenario("version 2 beside version 1", bounds=Bounds(1, 2, 2), versions=(2, 1)),
    Scenario("version 1 beside version 2", bounds=Bounds(1, 2, 2), versions=(1, 2)),
]  # fmt: skip

#: Minutes in all.
THOROUGH = [
    Scenario("version 2, two runs, three hellos", 2, Bounds(hellos=3, numbers=2)),
    Scenario("version 1, two runs, three hellos, restarts", 1, Bounds(restarts=1), fails=REPLAYED),
    Scenario("version 2, two runs, restarts", 2, Bounds(hellos=2, numbers=2, restarts=1), fails=AFTER_RESTART),
    Scenario("version 2, two runs, a new pre-shared key", 2, Bounds(hellos=2, numbers=2, new_keys=1)),
    Scenario("version 2, two runs, sessions erased at any time", 2, Bounds(hellos=2, numbers=2, erasures=True)),
    Scenario(
        "version 2, two runs, restarts, a new pre-shared key, sessions erased",
        2,
        Bounds(2, 2, 1, 1, 1, True),
        fails=AFTER_RESTART,
    ),
]


class OneDirection(IdealSchedule):
    def directions(self, r_i: bytes, r_r: bytes) -> tuple[Direction, Direction]:
        key, salt = self.d(I_TO_R, r_i + r_r), self.d(SALTS, r_i + r_r)
        return self.direction(I_TO_R, key, salt, r_r[:4]), self.direction(I_TO_R, key, salt, r_i[:4])


class NoResponder(IdealSchedule):
    def reply_mac(self, r_i: bytes, r_r: bytes) -> bytes:
        return super().reply_mac(r_i, bytes(len(r_r)))

    def confirm_mac(self, r_i: bytes, r_r: bytes) -> bytes:
        return super().confirm_mac(r_i, bytes(len(r_r)))

    def directions(self, r_i: bytes, r_r: bytes) -> tuple[Direction, Direction]:
        to_r, to_i = super().directions(r_i, bytes(len(r_r)))
        salts = self.d(SALTS, r_i + bytes(len(r_r)))
        return self.direction(1, to_r.key, salts, r_r[:4]), self.direction(2, to_i.key, salts[16:], r_i[:4])


class NoHelloNumber(IdealSchedule):
    def hello_mac(self, r_i: bytes, number: int = 0) -> bytes:
        return super().hello_mac(r_i, 0)


class AnyConfirm(IdealSchedule):
    def confirm_mac(self, r_i: bytes, r_r: bytes) -> bytes:
        return JUNK[:MAC]


class NoVersion(NoHelloNumber):
    def d(self, c: int, chain: bytes) -> bytes:
        return IdealSchedule(self.suite, self.psk, self.id_i, self.id_r, 0).d(c, chain)

    def ad(self, c: int, sid: bytes) -> bytes:
        return IdealSchedule(self.suite, self.psk, self.id_i, self.id_r, 0).ad(c, sid)


class Directionless(Probe):
    schedule_class = OneDirection


class WithoutResponder(Probe):
    schedule_class = NoResponder


class HelloNumberUnproved(Probe):
    schedule_class = NoHelloNumber


class ConfirmUnproved(Probe):
    schedule_class = AnyConfirm


class Versionless(Probe):
    schedule_class = NoVersion


class Forgetful(Probe):
    def judge_hello(self, psk: bytes, number: int) -> str:
        newest = dict(self.newest)
        cause = super().judge_hello(psk, number)
        self.newest = newest
        return cause


class KeepsValue(Probe):
    def judge_handshake(self, packet: bytes, head: Header) -> str:
        value = self.r
        cause = super().judge_handshake(packet, head)
        if head.kind == CONFIRM:
            self.r = value
        return cause


class AnyState(Probe):
    def judge_handshake(self, packet: bytes, head: Header) -> str:
        if head.kind == REPLY and self.r:
            self.state = "hello"
        return super().judge_handshake(packet, head)


class Hasty(Probe):
    def load(self, tx: Direction, rx: Direction) -> None:
        super().load(tx, rx)
        if not self.initiator:
            self.cur = self.alt


class NoWindow(Probe):
    def judge_data(self, packet: bytes, head: Header) -> tuple[str, bytes]:
        verdict = super().judge_data(packet, head)
        for session in self.sessions:
            session.window = Window(64)
        return verdict


class NumbersAnew(Probe):
    def promote(self, session: Session) -> None:
        session.number = 0
        super().promote(session)


class SameValues(Probe):
    def restart(self) -> None:
        self.draws = 0
        super().restart()


@dataclass(frozen=True)
class Mutant:
    """A rule changed, where that is explored, and the property that it breaks."""

    says: str
    scenario: Scenario
    breaks: str


def _mutant(
    says: str, breaks: str, probe: type[Probe] = Probe, bounds: Bounds | None = None, ends: str = "IR",
    versions: tuple[int, ...] = (), copies: str = "",
) -> Mutant:  # fmt: skip
    scenario = Scenario(says, 2, bounds or Bounds(1, 2, 2), ends, versions, probe, copies)
    return Mutant(says, scenario, breaks)


RESTART = Bounds(1, 1, 2, restarts=1)
MUTANTS = [
    _mutant("the responder's random value is left out of MACs and keys", "fresh keys", WithoutResponder, RESTART),
    _mutant("both directions have one key and one salt", "numbers", Directionless),
    _mutant("the number is left out of the hello's MAC", "origin", HelloNumberUnproved),
    _mutant("the confirm's MAC is no secret", "origin", ConfirmUnproved),
    _mutant(
        "the version is left out of MACs and keys, the number out of the hello's",
        "origin",
        Versionless,
        versions=(2, 1),
    ),
    _mutant("the responder does not keep the greatest number", "one answer", Forgetful),
    _mutant("the responder keeps its random value after a confirm", "fresh keys", KeepsValue),
    _mutant("the initiator takes a hello-reply in any state", "fresh keys", AnyState),
    _mutant("the responder seals in a session before it is heard", "live peer", Hasty),
    _mutant("the replay window keeps nothing", "no replay", NoWindow),
    _mutant("packet numbers begin again when a session is taken into use", "numbers", NumbersAnew),
    _mutant("random values repeat after a restart", "fresh keys", SameValues, RESTART),
    _mutant("a copy of the responder goes on with its keys", "numbers", bounds=Bounds(1, 1, 2), ends="IRS", copies="S"),
    _mutant("a copy of the initiator goes on with its keys", "numbers", bounds=Bounds(1, 1, 2), ends="IJR", copies="J"),
]


def wrong(scenario: Scenario, result: Result) -> list[str]:
    """What is not as the scenario says: properties that must hold and are broken, or must be broken and hold."""
    broken = set(result.violations)
    return [
        *(f"broken: {name}\n" + "\n".join(result.violations[name]) for name in sorted(broken - scenario.fails)),
        *(f"not refuted: {name}" for name in sorted(scenario.fails - broken)),
    ]


def main() -> int:
    """Explore all, or what the arguments name a part of."""
    failed, wanted = False, " ".join(sys.argv[1:])
    for name, says in PROPERTIES.items():
        print(f"{name}: {says}")
    for scenario in QUICK + THOROUGH:
        if wanted in scenario.name:
            result = Explorer(scenario).run()
            said = wrong(scenario, result)
            failed |= bool(said)
            refuted = f", refuted as it must be: {', '.join(sorted(scenario.fails))}" if scenario.fails else ""
            print(
                f"\n{scenario.name}: {result.states} states, {result.transitions} steps, {result.seconds:.1f} s"
                f"{refuted}",
                *said, sep="\n", flush=True,
            )  # fmt: skip
            for name in sorted(scenario.fails & set(result.violations)):
                print(
                    f"  {name}:",
                    *("  " + line for step in result.violations[name] for line in step.split("\n")),
                    sep="\n",
                )
    for mutant in MUTANTS:
        if wanted in mutant.says:
            result = Explorer(mutant.scenario).run(until=mutant.breaks)
            steps = result.violations.get(mutant.breaks)
            failed |= steps is None
            print(f"\nmutant: {mutant.says}: {mutant.breaks if steps else 'NOT REFUTED'}, {result.states} states")
            print(*("  " + line for step in steps or [] for line in step.split("\n")), sep="\n", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
