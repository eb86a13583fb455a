# SPDX-License-Identifier: Apache-2.0
"""Latency, throughput and throughput per LUT against the length of a message: the hardware paper's and ours.

Appendix C of the paper: latency = (setup + n message + tag) / frequency, throughput = n 512 / latency.  For our cores
the cycles are those counted, total(n); where packets are interleaved the throughput is that of packet(n), all contexts
busy.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ... import cores, published
from ...results import Record

#: Message lengths in bytes of the paper's figures 4 to 6: 1 to 150 blocks of 64 bytes.
SHORTEST, LONGEST = 64, 9600
_BLOCK = 64
_PUBLISHED_BLOCKS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 50, 64, 100, 150)


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
        if record.stage != "published"
        and (record.target, record.family, record.interface) == (target, family, "bare")
        and record.lut
        # Full-width key, version 2: the parameters that the manifest names for the core.
        and (record.params.get("KEY_BITS"), record.params.get("VERSION")) == (record.block_bits, 2)
    ]
    return sorted(found, key=lambda record: record.core)


def ours(records: Iterable[Record], target: str, family: str = "omd") -> list[Curve]:
    """Their curves."""
    return [curve for curve in map(of_record, chosen(records, target, family)) if curve]


def missing(curves: Sequence[Curve], what: str) -> tuple[str, ...]:
    """A sentence about cores that have no clock."""
    without = [curve.label for curve in curves if curve.mhz is None]
    return (f"No {what}: {', '.join(without)} (not routed).",) if without else ()


def absent(records: Sequence[Record], target: str, device: str, family: str = "omd") -> tuple[str, ...]:
    """A sentence about the family's cores in the manifest of which there is no result on a target."""
    there = {record.core for record in chosen(records, target, family)}
    without = [core.name for core in cores.load().values() if core.family == family and core.name not in there]
    return (f"No result on {device} yet: {', '.join(without)}.",) if without else ()
