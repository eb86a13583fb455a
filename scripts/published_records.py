# SPDX-License-Identifier: Apache-2.0
"""The records that stand in rankings for the figures of papers, made of the lab's files of these figures.

Run it as `python scripts/published_records.py`; it writes results/published.jsonl.
"""

from typing import Any

from sealwire_lab.cycles import DEFAULT_BLOCKS
from sealwire_lab.published import ascon_macs, load, total
from sealwire_lab.results import Record, shipped
from sealwire_lab.results.record import PUBLISHED, THEIR_SOURCE

_EVIDENCE = {"lut": "area", "fmax_mhz": "clock", "cycles": "cycles"}


def _record(paper: dict[str, Any], entry: dict[str, Any], **figures: Any) -> Record:
    known = {name: str(entry.get(name, paper.get(name))) for name in ("target", "device", "place", "paper")}
    evidence = {what: PUBLISHED for field, what in _EVIDENCE.items() if figures.get(field) is not None}
    figures = {"evidence": evidence, "params": {}} | figures
    return Record(
        target=known["target"], device=known["device"], source=f"{known['paper']}: {known['place']}", status="ok",
        stage="published", tools=paper.get("tools", {}), seeds=[], options={}, **figures,
    )  # fmt: skip


def _cycles(entry: dict[str, Any]) -> dict[str, Any] | None:
    if "setup" not in entry:
        return None
    cycles = {name: entry[name] for name in ("setup", "message", "tag")}
    return cycles | {"total": {n: total(entry, n) for n in DEFAULT_BLOCKS}}


def _omd_source() -> list[Record]:
    """The source of the hardware paper, through our flow."""
    paper = load("omd-hardware")
    of_paper = {entry["name"]: entry for entry in paper["core"]}
    measured = (
        "target",
        "device",
        "tools",
        "lut",
        "lut_memory",
        "ff",
        "bram",
        "carry",
        "gbit_s",
        "mbit_s_per_lut",
        "evidence",
    )
    return [
        Record(
            core=entry["name"], source=f"{paper['paper']}: {entry['source']}", status="ok", stage=THEIR_SOURCE,
            family="omd", scheme=of_paper[entry["like"]]["scheme"], block_bits=512,
            architecture=of_paper[entry["like"]]["architecture"], params=of_paper[entry["like"]]["params"],
            cycles=_cycles(of_paper[entry["like"]]), fmax_mhz=entry.get("mhz"), seeds=[], options={},
            **{name: entry[name] for name in measured if name in entry},
        )
        for entry in paper["measured"]
    ]  # fmt: skip


def _omd() -> list[Record]:
    paper = load("omd-hardware")
    found = []
    for entry in paper["core"]:
        cycles = _cycles(entry)
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
    return sorted([*_omd(), *_omd_source(), *_caesar(), *_macs()], key=Record.order)


def text() -> str:
    """What results/published.jsonl holds."""
    return "".join(record.text() + "\n" for record in records())


if __name__ == "__main__":
    path = shipped.folder() / "published.jsonl"
    path.write_text(text(), encoding="utf-8")
    print(path)
