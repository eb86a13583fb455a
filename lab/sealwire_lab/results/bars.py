# SPDX-License-Identifier: Apache-2.0
"""What cores and links are to reach, results/bars.toml, beside what was measured: `sealwire-lab rank --bars`."""

import argparse
import json
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fnmatch import filter as fitting
from fnmatch import fnmatchcase
from operator import attrgetter
from typing import Any

from .. import cores, files, links
from ..cores import Core
from ..errors import LabError, one_of, unknown
from ..implement import designs, targets
from ..terminal import say, show
from . import query, shipped
from .query import Place
from .record import BARE, Record

Figure = Callable[[Record], float | None]

SIGNS = {"least": (">=", operator.ge), "most": ("<=", operator.le), "above": (">", operator.gt)}
HEADS = ("core", "target", "quantity", "bar", "stretch", "figure", "median", "placements", "result")
MISSED, REACHED, NOT_MEASURED = "missed", "reached", "not measured"


@dataclass(frozen=True)
class Quantity:
    """A figure of a record, at the best clock and at the median; what is counted has no clock, and less is better."""

    unit: str
    value: Figure
    median: Figure = lambda record: None
    counted: bool = False


def synthesised(record: Record) -> float | None:
    """LUTs of the netlist, before a placer adds those that lead to registers and carry chains."""
    return targets.TARGETS[record.target].area(record.cells).lut if record.cells else None


def _median_per_lut(record: Record) -> float | None:
    return record.gbit_s_median * 1000 / record.lut if record.gbit_s_median and record.lut else None


def _clock(name: str) -> Quantity:
    return Quantity(f"MHz of {name}", lambda record: (record.fmax_mhz_by_clock or {}).get(name))


QUANTITIES = {
    "fmax_mhz": Quantity("MHz", attrgetter("fmax_mhz"), attrgetter("fmax_mhz_median")),
    "gbit_s": Quantity("Gbit/s", attrgetter("gbit_s"), attrgetter("gbit_s_median")),
    "mbit_s_per_lut": Quantity("Mbit/s per LUT", attrgetter("mbit_s_per_lut"), _median_per_lut),
    **{name: _clock(name) for name in ("core_clk", "trusted_clk", "untrusted_clk")},
    "lut": Quantity("LUT", attrgetter("lut"), counted=True),
    "lut_synthesised": Quantity("LUT, synthesised", synthesised, counted=True),
    "bram": Quantity("block RAM", attrgetter("bram"), counted=True),
    "cycles_block": Quantity("cycles a block", lambda record: (record.cycles or {}).get("message"), counted=True),
}


@dataclass(frozen=True)
class Bar:
    """What one figure is to reach.

    With `times` it is a multiple of the figure of that core, with `beyond` what the interface adds to that one.
    """

    core: str
    target: str
    interface: str
    quantity: str
    sign: str
    bar: float
    stretch: float | None
    times: str | None
    beyond: str | None

    @property
    def places(self) -> list[Place]:
        """Whose figure it is, and what that is compared with."""
        own = (self.core, self.target, self.interface)
        base = (self.times or self.core, self.target, self.beyond or self.interface)
        return [own] if base == own else [own, base]

    def figure(self, records: Sequence[Record], part: Figure) -> float | None:
        """Of the records at its places."""
        own, *base = [part(record) if record.status == "ok" else None for record in records] or [None]
        if own is None or None in base or len(records) < len(self.places):
            return None
        if self.times:
            return own / base[0] if base[0] else None
        return own - sum(filter(None, base))


def _parsed(entry: Mapping[str, Any], known: Mapping[str, Core]) -> Iterator[Bar]:
    """The bars of an entry of the file."""
    for name in entry:
        one_of("part of a bar", name, ("core", "target", "interface", "times", "beyond", *SIGNS, "stretch"))
    # A pattern is one of cores; a link or a part of a core is named in full.
    names = fitting(cores.load(), entry["core"]) or [name for name in known if name == entry["core"]]
    if not names:
        raise unknown("core", entry["core"], known)
    target, interface = one_of("target", entry.get("target", "ecp5"), targets.TARGETS), entry.get("interface", BARE)
    beyond, stretch = entry.get("beyond"), dict(entry.get("stretch", {}))
    for sign, quantity, bar in ((kind, *asked) for kind in SIGNS for asked in entry.get(kind, {}).items()):
        if QUANTITIES[one_of("quantity", quantity, QUANTITIES)].counted != (sign == "most"):
            raise LabError(f"{quantity} is no figure to be held by {sign!r}")
        better = stretch.pop(quantity, None)
        if not all(type(value) in (int, float) for value in (bar, better or 0)):
            raise LabError(f"a bar of {quantity} must be a number")
        for core in names:
            other = f"{core.rpartition('-')[0]}-{entry['times']}" if "times" in entry else None
            for place in (interface, beyond or BARE):
                designs.named(known[core], place)  # raises LabError for one that the core cannot have
            times = other and one_of("core", other, known)
            yield Bar(core, target, interface, quantity, sign, bar, better, times, beyond)
    if stretch:
        raise LabError(f"{next(iter(stretch))} has a stretch and no bar")


def load() -> list[Bar]:
    """All bars in the order of the file."""
    path, known = shipped.folder() / "bars.toml", links.designs()
    entries = files.toml(path, "a list of bars").get("bar")
    if not isinstance(entries, list):
        raise LabError(f"{path} is not a list of bars: it has no `bar`")
    found: dict[tuple[object, ...], Bar] = {}
    for number, entry in enumerate(entries, 1):
        try:
            for bar in _parsed(entry, known):
                if found.setdefault((*bar.places, bar.quantity), bar) is not bar:
                    raise LabError(f"{bar.core} has a bar of {bar.quantity} already")
        except (LabError, AttributeError, KeyError, TypeError, ValueError) as error:
            why = error if isinstance(error, LabError) else f"not a bar: {error!r}"
            raise LabError(f"{path}: entry {number}: {why}") from error
    return list(found.values())


def judge(bars: Iterable[Bar], records: Iterable[Record]) -> list[dict[str, Any]]:
    """Each bar beside its figure; `placements` are those that its clocks are the best of."""
    there, rows = query.usual(records), []
    for bar in bars:
        quantity, found = QUANTITIES[bar.quantity], [there[place] for place in bar.places if place in there]
        figure, reason = bar.figure(found, quantity.value), None
        several = any(len(record.fmax_mhz_by_seed or {}) > 1 for record in found)
        result, stretch = (
            None if figure is None or asked is None else SIGNS[bar.sign][1](figure, asked)
            for asked in (bar.bar, bar.stretch)
        )
        if figure is None:
            others = [record.status for record in found if record.status != "ok"]
            reason = others[0] if others else "no record" if len(found) < len(bar.places) else "no such figure"
        rows.append(
            asdict(bar)
            | {
                "unit": quantity.unit,
                "figure": figure,
                "median": bar.figure(found, quantity.median) if several else None,
                "placements": [] if quantity.counted else [record.placements for record in found],
                "result": {None: NOT_MEASURED, True: REACHED, False: MISSED}[result],
                "stretch_reached": stretch,
                "reason": reason,
                "earlier_sources": not all(map(designs.current, found)),
            }
        )
    return rows


def cells(row: Mapping[str, Any]) -> list[str]:
    """What `judge` says of a bar, for people, under `HEADS`."""
    best, median = ("" if one is None else f"{round(one, 4):.6g}" for one in (row["figure"], row["median"]))
    sign, stretch = SIGNS[row["sign"]][0], {None: "", True: ", stretch reached", False: ", stretch missed"}
    times, beyond = row["times"], row["beyond"]
    return [
        row["core"] + ("" if row["interface"] == BARE else f" behind {row['interface']}"),
        row["target"],
        row["unit"] + (f", times that of {times}" if times else f", more than {beyond}" if beyond else ""),
        f"{sign} {row['bar']:g}",
        "" if row["stretch"] is None else f"{sign} {row['stretch']:g}",
        best + (" (earlier sources)" if row["earlier_sources"] else ""),
        median,
        " and ".join(row["placements"]),
        row["result"] + (f": {row['reason']}" if row["reason"] else "") + stretch[row["stretch_reached"]],
    ]


def run(arguments: argparse.Namespace) -> int:
    """All bars, or those of the cores, targets and interfaces asked for; a missed one is no error."""
    records = query.merge(shipped.load(), query.ours_if_any(not arguments.shipped), latest=True)
    query.check_filters(arguments, records)
    asked = {name: patterns for name in ("core", "target", "interface") if (patterns := getattr(arguments, name))}
    chosen = [b for b in load() if all(any(fnmatchcase(getattr(b, n), p) for p in asked[n]) for n in asked)]
    rows = judge(chosen, records)
    if arguments.json:
        print(json.dumps(rows, indent=2))
    elif rows:
        show(HEADS, map(cells, rows))
        results = [row["result"] for row in rows]
        say(", ".join(f"{results.count(result)} {result}" for result in (REACHED, MISSED, NOT_MEASURED)))
    else:
        say("no bar fits")
    return 0
