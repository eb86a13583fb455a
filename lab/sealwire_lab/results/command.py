# SPDX-License-Identifier: Apache-2.0
"""The command `sealwire-lab results`."""

import argparse
import json
import sys
from pathlib import Path

from ..implement import designs
from ..terminal import dash, say, show, switches
from . import export, filters, local, query, shipped
from .record import PUBLISHED, Record


def options(parser: argparse.ArgumentParser) -> None:
    filters.add(parser)
    where = parser.add_mutually_exclusive_group()
    switches(where, shipped="only those of the repository", local="only those of this machine")
    switches(parser, published="what papers print too", all="earlier ones too")
    form = parser.add_mutually_exclusive_group()
    switches(form, json="whole records, a list", csv="a line for each record")
    form.add_argument("--parquet", type=Path, metavar="FILE", help="the same columns as --csv")
    switches(form, ship="put this machine's records into results/measured.jsonl")


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
        if record.status == "error" or designs.current_hash(record) != record.sources_sha256:
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


def run(arguments: argparse.Namespace) -> int:
    needed = arguments.local or arguments.ship  # without the database there is no answer
    found = local.load() if needed else query.ours_if_any(not arguments.shipped)
    theirs = shipped.load()
    filters.check(arguments, [*theirs, *found])
    known = query.merge([] if needed else theirs, found, latest=not arguments.all)
    chosen = [r for r in filters.apply(arguments, known) if arguments.published or r.stage != PUBLISHED]
    if arguments.ship:
        return _ship(chosen)
    if arguments.json:
        print(json.dumps([record.json() for record in chosen], indent=2))
    elif arguments.csv:
        export.write_csv(chosen, sys.stdout)
    elif arguments.parquet is not None:
        export.write_parquet(chosen, arguments.parquet)
    elif chosen:
        show(_HEADS, map(_row, chosen))
        for record in chosen:
            if record.reason:
                print(f"{record.variant} on {record.target}: {record.reason}")
    else:
        say("no result fits")
    return 0
