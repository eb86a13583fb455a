# SPDX-License-Identifier: Apache-2.0
"""Figures that others published: one file a paper, as printed, with its place in it; and the records made of them.

`python -m sealwire_lab.published` writes the records to results/published.jsonl.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from ..cycles import DEFAULT_BLOCKS
from ..results import Record
from ..results import record as of_results

_EVIDENCE = {"lut": "area", "fmax_mhz": "clock", "cycles": "cycles"}


@cache
def load(name: str) -> dict[str, Any]:
    """The file of one paper; a table of TOML."""
    return tomllib.loads((Path(__file__).parent / f"{name}.toml").read_text(encoding="utf-8"))


def total(entry: dict[str, Any], blocks: int) -> int:
    """Cycles for a message of so many blocks by the paper's own formula."""
    return int(entry["setup"] + entry["message"] * blocks + entry["tag"])


def _record(paper: dict[str, Any], entry: dict[str, Any], **figures: Any) -> Record:
    known = {name: str(entry.get(name, paper.get(name))) for name in ("target", "device", "place", "paper")}
    evidence = {what: of_results.PUBLISHED for field, what in _EVIDENCE.items() if figures.get(field) is not None}
    figures = {"evidence": evidence, "params": {}} | figures
    return Record(
        target=known["target"], device=known["device"], source=f"{known['paper']}: {known['place']}", status="ok",
        stage="published", tools=paper.get("tools", {}), seeds=[], options={}, **figures,
    )  # fmt: skip


def _omd() -> list[Record]:
    paper = load("omd-hardware")
    found = []
    for entry in paper["core"]:
        cycles = None
        if "setup" in entry:
            cycles = {name: entry[name] for name in ("setup", "message", "tag")}
            cycles["total"] = {n: total(entry, n) for n in DEFAULT_BLOCKS}
        common = {
            "family": "omd", "scheme": entry["scheme"], "architecture": entry["architecture"],
            "params": entry["params"], "cycles": cycles, "fmax_mhz": entry["mhz"], "gbit_s": entry["gbit_s"],
            "block_bits": 512 if "512" in entry["scheme"] or "blake" in entry["scheme"] else 256,
        }  # fmt: skip
        for name, end in ((entry["name"], ""), (f"{entry['name']}, without L and Tag_a", "_without_session")):
            if f"lut{end}" in entry:
                area = {field: entry.get(f"{field}{end}") for field in ("lut", "lut_memory", "mbit_s_per_lut")}
                found.append(_record(paper, entry, core=name, **area, **common))
    return found


def _caesar() -> list[Record]:
    paper = load("caesar")
    return [
        _record(
            paper, entry, core=f"slides: {entry['name']}, {form}", family=entry["name"].lower(),
            architecture="basic iterative" if form == "basic" else "two blocks pipelined inside the round",
            fmax_mhz=entry[f"{form}_mhz"],
        )
        for entry in paper["cipher"]
        for form in ("basic", "pipelined")
    ]  # fmt: skip


def ascon_macs() -> list[dict[str, Any]]:
    """The rows of the slides with throughput as it follows from cycles and period (Mbit/s, TP/A in Mbit/s per LUT)."""
    paper = load("ascon-macs")
    rows = []
    for values in paper["rows"]:
        row = dict(zip(paper["columns"], values, strict=True))
        for size in (1600, 16640):
            row[f"mbit_s_{size}"] = size * 8 / row[f"cycles_{size}"] / row["period_ns"] * 1000
        row["mbit_s_per_lut"] = row["mbit_s_16640"] / row["lut"]
        rows.append(row)
    return rows


def _macs() -> list[Record]:
    paper = load("ascon-macs")
    return [
        _record(
            paper, row, core=f"slides: {row['mac']}, {row['rounds']} rounds a cycle", family=row["mac"].lower(),
            architecture=f"{row['rounds']} rounds a cycle", params={"KEY_BITS": 128}, lut=row["lut"], ff=row["ff"],
            fmax_mhz=round(1000 / row["period_ns"], 2), gbit_s=round(row["mbit_s_16640"] / 1000, 3),
            mbit_s_per_lut=round(row["mbit_s_per_lut"], 2),
            notes=["16640 bytes; the slides' throughput x 64: they count 64-bit words"],
        )
        for row in ascon_macs()
    ]  # fmt: skip


def records() -> list[Record]:
    """All that can stand in a ranking, sorted."""
    return sorted([*_omd(), *_caesar(), *_macs()], key=Record.order)


def text() -> str:
    """What results/published.jsonl holds."""
    return "".join(record.text() + "\n" for record in records())
