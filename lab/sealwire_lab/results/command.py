# SPDX-License-Identifier: Apache-2.0
"""The command `sealwire-lab results`: records as a table, as JSON, CSV and Parquet, and shipped."""

import argparse
import csv
import json
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from ..cores import PARAMETERS
from ..errors import LabError
from ..implement import designs
from ..terminal import dash, progress, say, show, switches
from . import local, query, shipped, unchanged
from .record import Record

#: Fields that become columns of their own parts; other nested ones become one column of JSON.
_PARTS: dict[str, tuple[str, ...]] = {
    "params": PARAMETERS,
    "cycles": ("key_setup", "ad_block", "setup", "message", "tag"),
    "evidence": ("area", "clock", "cycles"),
}


def _columns(record: Record) -> dict[str, Any]:
    """One record by column, the same columns whatever it holds; parts are named FIELD_PART."""
    cells: dict[str, Any] = {}
    values = record.json()
    for field in fields(Record):
        value = values[field.name]
        for part in _PARTS.get(field.name, ()):
            cells[f"{field.name}_{part}"] = (value or {}).get(part)
        cells[field.name] = json.dumps(value) if isinstance(value, dict | list) else value
    return cells


def _write_parquet(records: Sequence[Record], path: Path) -> None:
    """A Parquet file.  LabError when it cannot be written."""
    import pyarrow  # type: ignore[import-untyped]  # here: it takes a while to load
    from pyarrow import parquet

    rows = [_columns(record) for record in records]
    try:
        with path.open("wb") as file:
            parquet.write_table(
                pyarrow.table({name: [cells[name] for cells in rows] for name in _columns(_EMPTY)}), file
            )
    except (OSError, pyarrow.ArrowException) as error:
        raise LabError(f"cannot write {path}: {getattr(error, 'strerror', None) or error}") from error


_EMPTY = Record(core="", target="", status="", params={}, tools={}, seeds=[], options={})


def options(parser: argparse.ArgumentParser) -> None:
    query.add_filters(parser)
    where = parser.add_mutually_exclusive_group()
    switches(where, shipped="only those of the repository", local="only those of this machine")
    switches(parser, published="what papers print too", all="earlier ones too")
    form = parser.add_mutually_exclusive_group()
    switches(form, json="whole records, a list", csv="a line for each record")
    form.add_argument("--parquet", type=Path, metavar="FILE", help="the same columns as --csv")
    switches(form, ship="put this machine's records into results/measured.jsonl")
    form.add_argument(
        "--unchanged", nargs="?", const="HEAD", metavar="COMMIT",
        help="give today's sources to shipped records whose designs are what they were in a commit (default HEAD)",
    )  # fmt: skip


_HEADS = ("core", "interface", "target", "result", "LUT", "FF", "BRAM", "MHz", "cycles/block", "Gbit/s", "Mbit/s/LUT")


def _row(record: Record) -> list[str]:
    figures = (
        (record.lut, "d"), (record.ff, "d"), (record.bram, "g"), (record.fmax_mhz, "g"),
        ((record.cycles or {}).get("message"), "g"), (record.gbit_s, ".2f"), (record.mbit_s_per_lut, ".3f"),
    )  # fmt: skip
    result = record.stage if record.status == "ok" else record.status
    cells = [dash(value, form=form) for value, form in figures]
    return [record.core, record.interface, record.target, result, *cells]


def _ship(records: list[Record]) -> int:
    fit = []
    for record in records:
        if record.status == "error" or not designs.current(record):
            why = record.reason if record.status == "error" else "its sources have changed since; implement it again"
            say(f"left out: {record.variant} on {record.target}: {why}")
        else:
            fit.append(record)
    changed = shipped.ship(fit) if fit else []
    for record in changed:
        say(f"shipped: {record.variant} on {record.target}")
    if changed:
        hint = "`sealwire-lab tables` brings the tables of the documents up to date"
    elif fit:
        hint = "nothing to ship: results/measured.jsonl holds these results, or better ones of the same sources"
    else:
        hint = "nothing to ship: no result of this machine fits; `sealwire-lab implement` or `sweep` makes one"
    say(hint)
    return 0


def _carry(commit: str) -> int:
    with progress() as tell:
        kept, left = unchanged.carry(commit, tell)
    for what in kept:
        say(f"as it was: {what}")
    for what in left:
        say(f"another design: {what}; implement it again")
    if not kept + left:
        say("nothing to do: every shipped record is of today's sources")
    return 0


def run(arguments: argparse.Namespace) -> int:
    if arguments.unchanged:
        return _carry(arguments.unchanged)
    needed = arguments.local or arguments.ship  # without the database there is no answer
    found = local.load() if needed else query.ours_if_any(not arguments.shipped)
    theirs = shipped.load()
    query.check_filters(arguments, [*theirs, *found])
    known = query.merge([] if needed else theirs, found, latest=not arguments.all)
    chosen = [r for r in query.filtered(arguments, known) if arguments.published or r.ours]
    if arguments.ship:
        return _ship(chosen)
    if arguments.json:
        print(json.dumps([record.json() for record in chosen], indent=2))
    elif arguments.csv:
        writer = csv.DictWriter(sys.stdout, list(_columns(_EMPTY)), lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(_columns, chosen))
    elif arguments.parquet is not None:
        _write_parquet(chosen, arguments.parquet)
    elif chosen:
        show(_HEADS, map(_row, chosen))
        for record in chosen:
            if record.reason:
                print(f"{record.variant} on {record.target}: {record.reason}")
    else:
        say("no result fits")
    return 0
