# SPDX-License-Identifier: Apache-2.0
"""The results in the repository: results/*.jsonl, one record a line, sorted, so that a change shows what it changes.

`measured.jsonl` holds what the lab made, one record for each question; other files (what papers print) are written by
hand and only read here.
"""

from collections.abc import Iterable
from pathlib import Path

from .. import cores, files
from . import choice
from .record import Record, parse

MEASURED = "measured.jsonl"


def folder() -> Path:
    """results/ at the top of the checkout."""
    return cores.root() / "results"


def read(path: Path) -> list[Record]:
    """The records of one file; empty lines and lines that begin with # are passed over."""
    lines = files.read(path).splitlines()
    return [
        parse(line, f"{path}:{number}")
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.startswith("#")
    ]


def load() -> list[Record]:
    """All shipped records, sorted."""
    found = [record for path in sorted(folder().glob("*.jsonl")) for record in read(path)]
    return sorted(found, key=Record.order)


def ship(records: Iterable[Record]) -> list[Record]:
    """Put records into measured.jsonl, each in place of the one that answered the same; returns what is new there.

    For the same sources what is there stays where it is the better one (`choice`).
    """
    path = folder() / MEASURED
    held = {record.place(): record for record in (read(path) if path.exists() else [])}
    changed = []
    for record in sorted(records, key=lambda record: record.finished or ""):
        before = held.get(record.place())
        if before is not None and (record.status == "error" or before.sources_sha256 == record.sources_sha256):
            record = choice.best([before, record])
        if before is None or before.text() != record.text():
            held[record.place()] = record
            changed.append(record)
    write(held.values())
    return changed


def write(records: Iterable[Record]) -> None:
    """Make these the records of measured.jsonl."""
    text = "".join(record.text() + "\n" for record in sorted(records, key=Record.order))
    files.write(folder() / MEASURED, text)
