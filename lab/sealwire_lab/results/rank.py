# SPDX-License-Identifier: Apache-2.0
"""Results in order of a figure: `sealwire-lab rank`."""

import argparse
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter

from .. import cores
from ..errors import LabError
from ..implement import targets
from ..terminal import dash, say, show, switches
from . import bars, choice, query, shipped
from .query import select
from .record import BARE, PACKET_BYTES, Record

#: The status of a core that nothing was measured of; only here, never in a store.
MISSING = "missing"
MEASURES = ("throughput", "area", "tpa", "latency", "gates", "energy")


@dataclass(frozen=True)
class Measure:
    """What results are ranked by: its unit, whether more is better, and how a record answers."""

    unit: str
    more_is_better: bool
    value: Callable[[Record], float | int | None]


@dataclass(frozen=True)
class Place:
    """A record and its rank, or no rank and why."""

    rank: int | None
    value: float | int | None
    reason: str | None
    record: Record


def measure(by: str, size: int | None = None, new_key: bool = False) -> Measure:
    """The measure of a name; `size` is the length of messages in bytes, None for long ones."""
    throughput = attrgetter("gbit_s" if size is None else f"gbit_s_{size}{'_new_key' if new_key else ''}")

    def per_lut(record: Record) -> float | None:
        figure = throughput(record)
        return None if figure is None or not record.lut else round(figure * 1000 / record.lut, 4)

    return {
        "throughput": Measure("Gbit/s", True, throughput),
        "area": Measure("LUT", False, attrgetter("lut")),
        "tpa": Measure("Mbit/s/LUT", True, per_lut),
        "gates": Measure("GE", False, attrgetter("gate_equivalents")),
        "energy": Measure("pJ/bit", False, attrgetter("pj_bit")),
        "latency": Measure("ns", False, attrgetter(f"latency_ns_{size or PACKET_BYTES[0]}")),
    }[by]


def _before(record: Record, by: Measure, earlier: Iterable[Record]) -> str:
    """What an earlier result gave for the same question."""
    good = [past for past in earlier if past.status == "ok" and past.place() == record.place()]
    value = by.value(choice.best(good)) if good else None
    return "" if value is None else f" (earlier sources: {value:g} {by.unit})"


def rank(records: Iterable[Record], by: Measure, earlier: Sequence[Record] = ()) -> list[Place]:
    """Best first; equal figures share a rank and keep the order of names; what cannot be ranked comes last.

    `earlier`: what may have been better before a failure.
    """
    ranked: list[tuple[float, Record]] = []
    others = []
    for record in sorted(records, key=Record.order):
        value = by.value(record)
        if record.status != "ok":
            others.append(Place(None, None, f"{record.status}: {record.reason}{_before(record, by, earlier)}", record))
        elif value is None:
            others.append(Place(None, None, f"no figure in {by.unit} ({record.stage})", record))
        else:
            ranked.append((value, record))
    ranked.sort(key=lambda pair: -pair[0] if by.more_is_better else pair[0])
    values = [value for value, _ in ranked]
    return [Place(values.index(value) + 1, value, None, record) for value, record in ranked] + others


def missing(chosen: Iterable[Record], target_names: Iterable[str], interfaces: Iterable[str]) -> list[Record]:
    """A record without figures for each core of the manifest that has none on a target behind an interface."""
    there = list(chosen)
    return [
        Record(
            core=core.name, interface=interface, target=target, status=MISSING, family=core.family, scheme=core.scheme,
            architecture=core.architecture, params=core.parameters(), tools={}, seeds=[], options={},
        )
        for target in target_names if target in targets.TARGETS
        for interface in interfaces
        for core in cores.load().values()
        if not select(there, core=[core.name], target=[target], interface=[interface])
    ]  # fmt: skip


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--by",
        choices=MEASURES,
        help="default throughput; tpa: throughput a LUT; gates, energy: of osu018",
    )
    parser.add_argument(
        "--bytes", choices=(*map(str, PACKET_BYTES), "long"), metavar="N",
        help=f"length of messages: {', '.join(map(str, PACKET_BYTES))} or long (default long; of latency 64)",
    )  # fmt: skip
    switches(parser, new_key="a new key for every message (throughput, tpa)")
    query.add_filters(parser, leave_out=("status",))
    switches(
        parser,
        shipped="only results of the repository",
        published="rank what papers print too",
        bars="each bar of results/bars.toml beside its figure, in place of a ranking",
        json="a list, best first",
    )


def _print(places: list[Place], by: str, unit: str) -> None:
    rows = []
    for place in places:
        record = place.record
        if place.rank is not None:
            figures = (f"{place.value:g}", dash(record.fmax_mhz, form="g"), dash(record.fmax_mhz_median, form="g"))
            what = (place.rank, record.core, record.interface, record.target)
            rows.append((*what, *figures, record.placements, dash(record.lut, form="d")))
    show(("rank", "core", "interface", "target", f"{by}, {unit}", "MHz", "median", "seeds", "LUT"), rows)


#: Options that change which figure is ranked, or of which records, and no bar.
_NOT_OF_BARS = ("by", "bytes", "new_key", "family", "architecture", "key_bits", "published")


def run(arguments: argparse.Namespace) -> int:
    if arguments.bars:
        for name in _NOT_OF_BARS:
            if getattr(arguments, name):
                raise LabError(f"--{name.replace('_', '-')} does not change the bars; leave it out")
        return bars.run(arguments)
    arguments.by = arguments.by or MEASURES[0]
    if arguments.by == "latency" and arguments.bytes == "long":
        raise LabError("a long message has no latency of its own; take --bytes 64, 1536 or 9600")
    if arguments.new_key and arguments.by not in ("throughput", "tpa"):
        raise LabError(f"--new-key does not change the {arguments.by}; leave it out")
    if arguments.bytes and arguments.by in ("area", "gates", "energy"):
        raise LabError(f"--bytes does not change the {arguments.by}; leave it out")
    arguments.target = arguments.target or ["osu018" if arguments.by in ("gates", "energy") else "ecp5"]
    arguments.interface = arguments.interface or [BARE]
    ours = query.ours_if_any(not arguments.shipped)
    every = query.merge(shipped.load(), ours, latest=False)
    records = query.merge(every, (), latest=True)
    query.check_filters(arguments, records)
    chosen = [r for r in query.filtered(arguments, records) if arguments.published or r.ours]
    size = None if arguments.bytes in (None, "long") else int(arguments.bytes)
    by = measure(arguments.by, size, arguments.new_key)
    places = rank(chosen, by, every)
    absent = query.filtered(arguments, missing(chosen, arguments.target, arguments.interface))
    if arguments.json:
        every_place = (*places, *(Place(None, None, f"no result on {r.target}", r) for r in absent))
        listed = [
            {"rank": p.rank, "by": arguments.by, "value": p.value, "unit": by.unit}
            | p.record.json()
            | {"reason": p.reason}
            for p in every_place
        ]
        print(json.dumps(listed, indent=2))
        return 0
    if any(place.rank for place in places):
        _print(places, arguments.by, by.unit)
    else:
        say("no result fits")
    for place in places:
        if place.rank is None:
            what = f"{place.record.variant} on {place.record.target}"
            say(f"not ranked: {what}: {place.reason}")
    lacking: dict[str, list[str]] = {}
    for record in absent:
        lacking.setdefault(f"{record.target}{record.behind}", []).append(record.core)
    for where, names in lacking.items():
        say(f"no result on {where}: {', '.join(names)} ({len(names)} of {len(cores.load())} cores)")
    return 0
