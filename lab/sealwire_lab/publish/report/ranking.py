# SPDX-License-Identifier: Apache-2.0
"""The ranking table: a row a record, figures as text and as numbers to sort by."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ... import cores, links
from ...implement import targets
from ...results import Record
from ...results.record import BARE

NONE = "–"
#: Standard cells have other columns, and a page of their own (docs/cells.md).
LIBRARIES = targets.TARGETS.keys() - targets.DEVICES.keys()


@dataclass(frozen=True)
class Column:
    """A column.  `digits` after the point; text where None.  `first` says how a first click sorts."""

    name: str
    unit: str
    value: Callable[[Record], float | int | str | None]
    digits: int | None = None
    more_is_better: bool = True
    hint: str = ""


def _seeds(record: Record) -> int | None:
    return len(record.fmax_mhz_by_seed or {}) or None


COLUMNS = (
    Column("TP/A", "Mbit/s per LUT", lambda r: r.mbit_s_per_lut, 3, hint="throughput of long messages for a LUT"),
    Column("throughput", "Gbit/s, long", lambda r: r.gbit_s, 2, hint="long messages, best clock"),
    Column("1536 B", "Gbit/s", lambda r: r.gbit_s_1536, 2, hint="packets of 1536 bytes one after another"),
    Column("64 B", "Gbit/s", lambda r: r.gbit_s_64, 2, hint="packets of 64 bytes one after another"),
    Column("latency", "ns, 1536 B", lambda r: r.latency_ns_1536, 0, more_is_better=False),
    Column("clock", "MHz, best", lambda r: r.fmax_mhz, 1),
    Column("cycles", "a block", lambda r: (r.cycles or {}).get("message"), 1, more_is_better=False),
    Column("area", "LUT", lambda r: r.lut, 0, more_is_better=False),
    Column("FF", "", lambda r: r.ff, 0, more_is_better=False),
    Column("BRAM", "", lambda r: r.bram, 1, more_is_better=False, hint="block RAMs"),
    Column("seeds", "", _seeds, 0, hint="placements that the best clock is the best of"),
    # A median of one placement would only say the best clock twice.
    Column(
        "median",
        "MHz",
        lambda r: r.fmax_mhz_median if (_seeds(r) or 0) > 1 else None,
        1,
        hint="clock, median over the placements, where there are several",
    ),
    Column("64 B, new key", "Gbit/s", lambda r: r.gbit_s_64_new_key, 3, hint="a new key for each packet"),
)


@dataclass(frozen=True)
class Cell:
    """What a figure reads as, and what it sorts by (empty: last)."""

    text: str
    number: str


@dataclass(frozen=True)
class Row:
    """A record as the table shows it; the facets are what filters look at."""

    record: Record
    page: str | None
    facets: dict[str, str]
    cells: tuple[Cell, ...]


#: Filters in the order in which they stand: facet, label.
FACETS = (
    ("family", "Family"), ("key", "Key size"), ("architecture", "Architecture"), ("target", "Target"),
    ("interface", "Interface"), ("evidence", "Evidence"),
)  # fmt: skip


def number(value: float | int | str | None, digits: int | None) -> str:
    """A figure as people read it: thin spaces between thousands."""
    if value is None or isinstance(value, str) or digits is None:
        return NONE if value is None else str(value)
    if digits == 1 and abs(value - round(value)) < 0.005:
        digits = 0
    return f"{value:,.{digits}f}".replace(",", "\u202f")


def rows(records: Iterable[Record], pages: dict[str, str]) -> list[Row]:
    """All rows, the best TP/A first, then by area, those without figures last; those of others behind ours.

    Whole links and parts are left out: the ranking compares cores.
    """
    found, others = [], links.others()
    for record in records:
        if record.core in others or record.target in LIBRARIES:
            continue
        bits = record.params.get("KEY_BITS")
        facets = {
            "family": record.family, "key": f"{bits} bits" if bits else "not stated", "target": record.target,
            # The end of a core's name: r1, x8.
            "architecture": record.core.rpartition("-")[2] if record.ours else record.stage,
            # What clock and area rest on, in a word.
            "interface": record.interface, "evidence": record.stage if record.status == "ok" else record.status,
        }  # fmt: skip
        values = [(column.value(record), column.digits) for column in COLUMNS]
        cells = tuple(Cell(number(value, digits), "" if value is None else str(value)) for value, digits in values)
        found.append(Row(record, pages.get(record.core), facets, cells))
    return sorted(found, key=_rank)


def absent(records: Sequence[Record]) -> dict[str, list[str]]:
    """For each target the cores of the manifest of which no result says anything, not even that they did not route."""
    there = {(record.core, record.target) for record in records if record.interface == BARE}
    return {target: [name for name in cores.load() if (name, target) not in there] for target in targets.DEVICES}


def _rank(row: Row) -> tuple[bool, bool, float, float, str, str, str]:
    record = row.record
    published = not record.ours
    share = record.mbit_s_per_lut
    return published, share is None, -(share or 0), record.lut or 10**9, record.target, record.core, record.interface


def choices(table: Sequence[Row]) -> dict[str, list[str]]:
    """What each filter offers: what occurs, numbers by size.  Published rows add nothing but themselves."""
    offered: dict[str, list[str]] = {}
    for facet, _ in FACETS:
        values = {row.facets[facet] for row in table}
        offered[facet] = sorted(
            values, key=lambda text: (not text[:1].isdigit(), int(text.split()[0]) if text[:1].isdigit() else 0, text)
        )
    return offered
