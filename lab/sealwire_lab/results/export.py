# SPDX-License-Identifier: Apache-2.0
"""Records as rows of a table: CSV and Parquet, the same columns in the same order whatever the records hold."""

import csv
import json
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, TextIO

from ..cores import PARAMETERS
from ..errors import LabError
from .record import Record

#: Fields that become columns of their own parts; other nested ones become one column of JSON.
_PARTS: dict[str, tuple[str, ...]] = {
    "params": PARAMETERS,
    "cycles": ("key_setup", "ad_block", "setup", "message", "tag"),
    "evidence": ("area", "clock", "cycles"),
}


def row(record: Record) -> dict[str, Any]:
    """One record by column; parts are named FIELD_PART."""
    cells: dict[str, Any] = {}
    values = record.json()
    for field in fields(Record):
        value = values[field.name]
        for part in _PARTS.get(field.name, ()):
            cells[f"{field.name}_{part}"] = (value or {}).get(part)
        cells[field.name] = json.dumps(value) if isinstance(value, dict | list) else value
    return cells


def write_csv(records: Sequence[Record], to: TextIO) -> None:
    """CSV with a line of names; what does not exist is empty."""
    columns = list(row(_EMPTY))
    writer = csv.DictWriter(to, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(row(record) for record in records)


def write_parquet(records: Sequence[Record], path: Path) -> None:
    """A Parquet file.  LabError when it cannot be written."""
    import pyarrow  # type: ignore[import-untyped]  # here: it takes a while to load
    from pyarrow import parquet

    rows = [row(record) for record in records]
    try:
        with path.open("wb") as file:
            parquet.write_table(pyarrow.table({name: [cells[name] for cells in rows] for name in row(_EMPTY)}), file)
    except (OSError, pyarrow.ArrowException) as error:
        raise LabError(f"cannot write {path}: {getattr(error, 'strerror', None) or error}") from error


_EMPTY = Record(core="", target="", status="", params={}, tools={}, seeds=[], options={})
