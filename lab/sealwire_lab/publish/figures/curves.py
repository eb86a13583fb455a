# SPDX-License-Identifier: Apache-2.0
"""Latency, throughput and throughput per LUT against the length of a message: the hardware paper's and ours.

Figures 4, 5 and 6 of the paper draw them.  Appendix C: latency = (setup + n message + tag) / frequency, throughput =
n 512 / latency.  For our cores the cycles are those counted, total(n); where packets are interleaved the throughput is
that of packet(n), all contexts busy.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from ... import cores, published
from ...results import Record
from . import panel
from .drawing import Figure, texts
from .panel import Axis, Line
from .style import Theme

#: Message lengths in bytes of the paper's figures 4 to 6: 1 to 150 blocks of 64 bytes.
SHORTEST, LONGEST = 64, 9600
_BLOCK = 64
_PUBLISHED_BLOCKS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 50, 64, 100, 150)
_BYTES = Axis("message, bytes", (SHORTEST, LONGEST), (64, 256, 1024, 4096, 9600))
#: Round numbers on a logarithmic axis.
_ONE_TWO_FIVE = [factor * 10.0**power for power in range(-6, 7) for factor in (1, 2, 5)]
_PAPER = "Maimuț, Mega"


@dataclass(frozen=True)
class Point:
    """One length of message.  `cycles` from command to result, `share` cycles a packet when packets follow closely."""

    size: int
    cycles: float
    share: float


@dataclass(frozen=True)
class Curve:
    """A core.  Clock in MHz and LUTs are None where nothing was measured."""

    label: str
    ours: bool
    hue: str
    points: tuple[Point, ...]
    mhz: float | None
    lut: int | None
    dotted: bool = False  # a second curve of the same published core

    def gbit_s(self, point: Point) -> float | None:
        """Throughput of messages of this length, one after another."""
        return point.size * 8 / point.share * self.mhz / 1000 if self.mhz else None

    def bits_a_cycle(self, point: Point) -> float:
        """Throughput in bits a clock cycle, whatever the clock."""
        return point.size * 8 / point.share

    def mbit_s_per_lut(self, point: Point) -> float | None:
        """Throughput for a LUT of the device."""
        speed = self.gbit_s(point)
        return speed * 1000 / self.lut if speed and self.lut else None


def hue_of(scheme: str) -> str:
    """Kind of compression function in a scheme's name."""
    return next((kind for kind in ("sha512", "sha256", "blake2b") if kind in scheme), "sha512")


def of_paper() -> list[Curve]:
    """The two cores of the hardware paper: with L and Tag_a, and without."""
    found = []
    for entry in published.load("omd-hardware")["core"]:
        if "setup" not in entry:
            continue
        points = tuple(
            Point(n * _BLOCK, published.total(entry, n), published.total(entry, n)) for n in _PUBLISHED_BLOCKS
        )
        for lut, dotted in ((entry["lut"], False), (entry["lut_without_session"], True)):
            label = entry["name"] + (", without L and Tag_a" if dotted else "")
            found.append(Curve(label, False, hue_of(entry["scheme"]), points, entry["mhz"], lut, dotted=dotted))
    return found


def of_their_source() -> list[Curve]:
    """The paper's own source in our flow, on the device of our clocks."""
    paper = published.load("omd-hardware")
    like = {curve.label: curve for curve in of_paper()}
    return [
        replace(like[entry["like"]], label=f"{entry['name']}, our flow", mhz=entry["mhz"], lut=entry["lut"])
        for entry in paper["measured"]
        if "mhz" in entry
    ]


def of_record(record: Record) -> Curve | None:
    """The curve of one of our cores, or None where its cycles were not counted."""
    if not record.cycles or not record.block_bits:
        return None
    block = record.block_bits // 8
    contexts = int(record.cycles.get("contexts", 1))
    points = tuple(
        Point(n * block, total, record.cycles["packet"].get(n, total) if contexts > 1 else total)
        for n, total in sorted(record.cycles["total"].items())
        if SHORTEST <= n * block <= LONGEST
    )
    routed = record.fmax_mhz if record.status == "ok" else None
    return Curve(record.core, True, hue_of(record.scheme), points, routed, record.lut)


def chosen(records: Iterable[Record], target: str, family: str = "omd") -> list[Record]:
    """Our cores of a family on one target: bare, with the parameters that the manifest names, by name."""
    found = [
        record
        for record in records
        if record.ours
        and (record.target, record.family, record.interface) == (target, family, "bare")
        and record.lut
        # Full-width key, version 2: the parameters that the manifest names for the core.
        and (record.params.get("KEY_BITS"), record.params.get("VERSION")) == (record.block_bits, 2)
    ]
    return sorted(found, key=lambda record: record.core)


def ours(records: Iterable[Record], target: str, family: str = "omd") -> list[Curve]:
    """Their curves."""
    return [curve for curve in map(of_record, chosen(records, target, family)) if curve]


def absent(records: Sequence[Record], target: str, device: str, family: str = "omd") -> tuple[str, ...]:
    """A sentence about the family's cores in the manifest of which there is no result on a target."""
    there = {record.core for record in chosen(records, target, family)}
    without = [core.name for core in cores.load().values() if core.family == family and core.name not in there]
    return (f"No result on {device} yet: {', '.join(without)}.",) if without else ()


Measure = Callable[[Curve, Point], float | None]


def _panel(title: str, unit: str, shown: Sequence[Curve], measure: Measure, theme: Theme) -> panel.Layers:
    drawn = []
    for curve in shown:
        points = [(point.size, value) for point in curve.points if (value := measure(curve, point)) is not None]
        dash = panel.SOLID if curve.ours else panel.DOTTED if curve.dotted else panel.DASHED
        if points:
            drawn.append(Line(curve.label, theme.hues[curve.hue], points, dash, hollow=not curve.ours))
    values = [value for line in drawn for _, value in line.points]
    ticks = [step for step in _ONE_TWO_FIVE if min(values) * 0.85 <= step <= max(values) * 1.15]
    size = (180 if theme.narrow else 310, 380)
    return panel.lines(title, _BYTES, Axis(unit, None, ticks), drawn, theme, size, 16)


#: What each figure shows: by each core's own clock, and without a clock.
_MEASURES: dict[str, tuple[tuple[str, Measure], tuple[str, Measure]]] = {
    "omd-figure4": (
        ("latency, µs", lambda curve, point: point.cycles / curve.mhz if curve.mhz else None),
        ("latency, cycles", lambda _, point: point.cycles),
    ),
    "omd-figure5": (("throughput, Gbit/s", Curve.gbit_s), ("throughput, bits a cycle", Curve.bits_a_cycle)),
    "omd-figure6": (
        ("TP/A, Mbit/s per LUT", Curve.mbit_s_per_lut),
        (
            "bits a cycle for 1000 LUTs",
            lambda curve, p: curve.bits_a_cycle(p) * 1000 / curve.lut if curve.lut else None,
        ),
    ),
}


def figure(name: str, records: Sequence[Record], theme: Theme) -> Figure:
    """Left by each core's own clock, right without a clock: of the areas of the paper's devices where it has some."""
    left, right = _MEASURES[name]
    text = texts()[name]
    paper, routed, counted = of_paper(), ours(records, "ecp5"), ours(records, "xcup")
    if name != "omd-figure6":  # the area does not matter: one curve for each published core
        paper = [curve for curve in paper if not curve.dotted]
        counted = counted or routed
    without = [curve.label for curve in routed if curve.mhz is None]
    missing = (
        *((f"No clock: {', '.join(without)} (not routed).",) if without else ()),
        *absent(records, "ecp5", "ECP5"),
        *absent(records, "xcup", "UltraScale+"),
    )
    sentences = [
        "Solid, filled: ours. Cycles simulated; clock and LUTs routed on ECP5, LUTs on UltraScale+ after synthesis.",
        f"Dashed, hollow: published ({_PAPER}, Table 1 and appendix C; Vivado, UltraScale+);",
        "their VHDL in our flow: on ECP5, its clock estimated after placement.",
        *missing,
    ]
    panels = [
        _panel(text["left"], left[0], [*paper, *of_their_source(), *routed], left[1], theme),
        _panel(text["right"], right[0], [*paper, *counted], right[1], theme),
    ]
    return panel.figure(name, panel.beside(panels, theme), sentences, theme, missing)
