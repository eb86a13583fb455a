# SPDX-License-Identifier: Apache-2.0
"""The job itself, the same for both kinds of traffic: peace, an attack at rest, an attack in flight."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from sealwire_lab.errors import LabError
from sealwire_model.onlooker import is_data

from . import attacks
from .bench import Bench, Stats
from .probes import PING_BYTES, PROBE_BYTES, RoundTrip, probe
from .traffic import Pings, Traffic, Transfer
from .wire import OTHER

PINGS = 10
_REPLAYS = 30
_HANDSHAKE_REPLAYS = 5  # of each message
_EACH_FORGERY = 3
_TRUNCATIONS = 12
_STRANGERS = 4


@dataclass
class Course:
    """What happened, for the checks and the report."""

    pings: list[Pings] = field(default_factory=list)
    trips: list[RoundTrip] = field(default_factory=list)  # beside a gateway there are none
    transfers: list[Transfer] = field(default_factory=list)
    stages: dict[str, Stats] = field(default_factory=dict)  # state of both ends after each stage
    final: Stats = field(default_factory=dict)


def run(bench: Bench, traffic: Traffic, rng: random.Random, tell: Callable[[str], None]) -> Course:
    """Sends everything through and returns what was seen. Judging it is for `checks`."""
    course = Course()

    tell("ping")
    course.pings.append(_ping(traffic, PINGS))
    course.stages["start"] = bench.settle()

    if bench.is_timed:
        tell("one packet, followed through both links")
        course.trips = [probe(bench, traffic, size) for size in PROBE_BYTES]

    course.stages["before file"] = bench.settle()
    tell(f"a file of {traffic.file_bytes[0]:,} bytes over TCP")
    course.transfers.append(_transfer(traffic, "in peace", traffic.file_bytes[0]))
    course.stages["peace"] = bench.settle()

    tell("the attacker replays, forges, truncates and reflects packets")
    for name in bench.ends:
        _attack_at_rest(bench, name, rng)
    course.stages["attack at rest"] = bench.settle()

    tell(f"the attacker damages packets in flight; a file of {traffic.file_bytes[1]:,} bytes over TCP")
    bench.wire.attack(attacks.InFlight(rng))
    course.transfers.append(_transfer(traffic, "under attack", traffic.file_bytes[1]))
    bench.wire.attack(None)
    course.stages["attack in flight"] = bench.settle()

    tell("ping once more")
    course.pings.append(_ping(traffic, 3))
    for end in bench.ends.values():
        end.hold()
    course.final = bench.settle()
    return course


def _ping(traffic: Traffic, count: int) -> Pings:
    """A link that loses pings does not end the job: the checks will say what else is wrong."""
    try:
        return traffic.ping(count, PING_BYTES)
    except LabError:
        return Pings(count, [])


def _transfer(traffic: Traffic, name: str, size: int) -> Transfer:
    try:
        return traffic.transfer(name, size)
    except LabError as error:
        return Transfer(name, 0, "", "", 0.0, str(error))


def _attack_at_rest(bench: Bench, sender: str, rng: random.Random) -> None:
    """Sends to the other end what `sender` never sent, or sent before."""
    seen = bench.wire.traffic[sender].frames
    data = [frame for frame in seen if is_data(frame)]
    handshakes = [frame for frame in seen if not is_data(frame)]
    theirs = bench.wire.traffic[OTHER[sender]].frames
    bench.wire.inject(sender, attacks.replays(rng, data, _REPLAYS) + handshakes * _HANDSHAKE_REPLAYS, "replay")
    bench.wire.inject(sender, attacks.forgeries(rng, data, _EACH_FORGERY), "forge")
    bench.wire.inject(sender, attacks.forged_handshakes(rng, handshakes, _EACH_FORGERY), "forge")
    bench.wire.inject(sender, attacks.truncations(rng, seen, _TRUNCATIONS), "truncate")
    bench.wire.inject(sender, attacks.reflections(theirs[:2] + rng.choices(theirs, k=6), seen[0]), "reflect")
    bench.wire.inject(sender, attacks.strangers(rng, seen[0], _STRANGERS), "stranger")
