# SPDX-License-Identifier: Apache-2.0
"""Tables of the papers with rows of ours: Table 1 of the hardware paper, the Ascon-MAC slides, the CAESAR slides."""

from collections.abc import Sequence
from typing import Any

from ... import published
from ...results import Record
from .. import pairs
from . import curves
from .drawing import Figure, Row, Table, texts
from .style import Theme

_NONE = "–"
#: The length of the column that says what one message takes.
_ALONE = 1536


def _number(value: float | None, digits: int = 0) -> str:
    if value is None:
        return _NONE
    return f"{value:,.{digits}f}".replace(",", "\u202f")


def _cycles(value: float | None) -> str:
    """Whole, or to a tenth."""
    return _number(value, 0 if value is None or abs(value - round(value)) < 0.05 else 1)


def _figure(name: str, heads: tuple[str, ...], rows: Sequence[Row], ours: bool, notes: Sequence[str] = ()) -> Figure:
    text = texts()[name]
    missing = () if ours else (text["missing"],)
    said = (text["published"], *notes, *missing)
    made = Table(text["title"], heads, tuple(rows), said)
    return Figure(name, text["title"], " ".join(said), text["alternative"], table=made, missing=missing)


def _published_omd() -> list[Row]:
    rows = []
    for entry in published.load("omd-hardware")["core"]:
        cycles = [_number(entry.get(name)) for name in ("setup", "message", "tag")]
        cycles.append(_number(published.total(entry, _ALONE // 64) if "setup" in entry else None))
        device = "UltraScale+" if "setup" in entry else "Virtex-7"
        common = (device, *cycles, _number(entry["mhz"]), f"{entry['gbit_s']:g}")
        for name, end in ((entry["name"], ""), ("  the same, L and Tag_a from outside", "_without_session")):
            if f"lut{end}" in entry:
                area = (_number(entry[f"lut{end}"]), f"{entry[f'mbit_s_per_lut{end}']:g}")
                rows.append(Row((name, *common, *area), "published"))
    return rows


def _their_source() -> list[Row]:
    """The paper's own source in our flow."""
    paper = published.load("omd-hardware")
    like = {entry["name"]: entry for entry in paper["core"]}
    return [
        Row((
            entry["name"], {"ecp5": "ECP5", "xcup": "UltraScale+"}[entry["target"]],
            *(_number(like[entry["like"]][name]) for name in ("setup", "message", "tag")),
            _number(published.total(like[entry["like"]], _ALONE // 64)), _number(entry.get("mhz"), 1),
            _number(entry.get("gbit_s"), 2), _number(entry["lut"]), _number(entry.get("mbit_s_per_lut"), 3),
        ), "published")
        for entry in paper["measured"]
    ]  # fmt: skip


def _counted(record: Record) -> list[str]:
    """Set-up, message, tag, and one message alone.

    An interleaved core's cycles a block are a packet's share while all contexts are busy, its set-up and tag are those
    of a message alone: side by side they would be added to what is true of neither.
    """
    cycles = record.cycles or {}
    alone = cycles.get("total", {}).get(_ALONE * 8 // record.block_bits) if record.block_bits else None
    contexts = int(cycles.get("contexts", 1))
    if contexts > 1:
        return [_NONE, f"{_cycles(cycles.get('message'))} (of {contexts})", _NONE, _number(alone)]
    return [*(_cycles(cycles.get(name)) for name in ("setup", "message", "tag")), _number(alone)]


def _our_omd(records: Sequence[Record], target: str, device: str) -> list[Row]:
    return [
        Row((
            record.core, device, *_counted(record), _number(record.fmax_mhz, 1), _number(record.gbit_s, 2),
            _number(record.lut), _number(record.mbit_s_per_lut, 3),
        ))
        for record in curves.chosen(records, target)
    ]  # fmt: skip


def omd_table1(records: Sequence[Record], _: Theme) -> Figure:
    """Table 1 of the hardware paper."""
    heads = ("core", "device", "setup\ncycles", "message\ncycles a block", "tag\ncycles",
             f"alone, {_ALONE} bytes\ncycles", "clock\nMHz",
             "throughput\nGbit/s", "area\nLUT", "TP/A\nMbit/s per LUT")  # fmt: skip
    routed, synthesised = _our_omd(records, "ecp5", "ECP5"), _our_omd(records, "xcup", "UltraScale+")
    rows = [Row(("Published",)), *_published_omd()]
    rows += [Row(("Their source, our flow: the clock is estimated after placement",)), *_their_source()]
    if routed:
        rows += [Row(("Ours, placed and routed (nextpnr)",)), *routed]
    if synthesised:
        rows += [Row(("Ours, after synthesis (Yosys): no clock without the vendor's tools",)), *synthesised]
    ours = bool(routed or synthesised)
    return _figure("omd-table1", heads, rows, ours, [texts()["omd-table1"]["ours"]] if ours else [])


def cycles_of(record: Record, size: int) -> float | None:
    """Counted cycles for so many bytes, drawn on along the message's slope where that length was not counted."""
    exact = (record.cycles or {}).get("total_bytes", {})
    if size in exact:
        return float(exact[size])
    if not record.cycles or not record.block_bits or not record.cycles.get("total"):
        return None
    blocks = -(-size * 8 // record.block_bits)
    counted = record.cycles["total"]
    nearest = min(counted, key=lambda n: abs(n - blocks))
    return float(counted[nearest] + (blocks - nearest) * record.cycles["message"])


def _ascon_row(record: Record, slides: Sequence[dict[str, Any]]) -> Row:
    """Ours.  Where there is no clock of our own, the clock of the slides' core with as many rounds a cycle."""
    short, long = cycles_of(record, 1600), cycles_of(record, 16640)
    clock, name = record.fmax_mhz, f"{record.core} ({record.target})"
    rounds = record.params.get("ROUNDS_PER_CYCLE") or 6
    alike = [row for row in slides if row["rounds"] == rounds]
    if clock is None and alike:
        clock, name = 1000 / alike[0]["period_ns"], f"{name}, slides' clock"
    mbit_s = [size * 8 / cycles * clock if cycles and clock else None
              for size, cycles in ((1600, short), (16640, long))]  # fmt: skip
    share = mbit_s[1] / record.lut if mbit_s[1] and record.lut else None
    return Row((
        name, str(rounds), _number(record.lut), _number(record.ff), _number(clock, 1), _number(short), _number(long),
        _NONE, *map(_number, mbit_s), _number(share, 2), _NONE,
    ))  # fmt: skip


def ascon_macs(records: Sequence[Record], _: Theme) -> Figure:
    """The table of the Ascon-MAC slides with its throughput put right."""
    paper = published.load("ascon-macs")
    heads = ("MAC", "rounds\na cycle", "area\nLUT", "\nFF", "clock\nMHz", "1600 bytes\ncycles",
             "16640 bytes\ncycles", "as printed\nMbit/s", "1600 bytes\nMbit/s", "16640 bytes\nMbit/s",
             "TP/A long\nMbit/s per LUT", "energy long\nnJ a byte")  # fmt: skip
    rows: list[Row] = []
    found: list[Row] = []
    for mac, stem in paper["cores"].items():
        slides = [row for row in published.ascon_macs() if row["mac"] == mac]
        ours = [_ascon_row(record, slides) for record in _macs(records, stem)]
        rows += [Row((mac,)), *map(_slide_row, slides), *ours]
        found += ours
    return _figure("ascon-macs", heads, rows, bool(found))


def _slide_row(row: dict[str, Any]) -> Row:
    return Row((
        "slides", str(row["rounds"]), _number(row["lut"]), _number(row["ff"]), _number(1000 / row["period_ns"], 1),
        _number(row["cycles_1600"]), _number(row["cycles_16640"]), _number(row["printed_mbit_s_16640"], 2),
        _number(row["mbit_s_1600"]),
        _number(row["mbit_s_16640"]), _number(row["mbit_s_per_lut"], 2), _number(row["energy_nj_16640"] / 16640, 3),
    ), "published")  # fmt: skip


def _macs(records: Sequence[Record], stem: str) -> list[Record]:
    """Our cores of a MAC: NAME-rN or NAME-pN, whatever they are one day."""
    found = [
        record for record in records
        if record.ours and record.core.rpartition("-")[0] == stem and record.interface == "bare"
    ]  # fmt: skip
    return sorted(found, key=lambda record: (record.target != "xc7", record.params.get("ROUNDS_PER_CYCLE", 0)))


def caesar(records: Sequence[Record], _: Theme) -> Figure:
    """Clocks of the CAESAR slides."""
    paper = published.load("caesar")
    heads = ("cipher", "basic\nMHz", "pipelined\nMHz", "ratio\nof the clocks", "ratio\nas printed")
    rows = [
        Row((entry["name"], _number(entry["basic_mhz"]), _number(entry["pipelined_mhz"]),
             _number(entry["pipelined_mhz"] / entry["basic_mhz"], 2), _number(entry["printed_ratio"], 2)), "published")
        for entry in paper["cipher"]
    ]  # fmt: skip
    ours: list[Row] = []
    for pair in pairs.load():
        names = [f"{pair.core}-{form}" for form in pairs.FORMS]
        clocks = [max((r.fmax_mhz or 0 for r in records if r.core == name), default=0) or None for name in names]
        if any(clocks):
            cells = (*(_number(clock, 1) for clock in clocks), _number(pairs.ratio(clocks), 2))
            ours.append(Row((pair.core, *cells, _NONE)))
    if ours:
        rows = [Row(("Published",)), *rows, Row(("Ours, ECP5",)), *ours]
    return _figure("caesar-pipelining", heads, rows, bool(ours))
