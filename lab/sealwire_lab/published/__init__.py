# SPDX-License-Identifier: Apache-2.0
"""Figures that others published: one file a paper, as printed, with its place in it."""

from functools import cache
from pathlib import Path
from typing import Any

from .. import files


@cache
def load(name: str) -> dict[str, Any]:
    """The file of one paper; a table of TOML."""
    return files.toml(Path(__file__).parent / f"{name}.toml")


def total(entry: dict[str, Any], blocks: int) -> int:
    """Cycles for a message of so many blocks by the paper's own formula."""
    return int(entry["setup"] + entry["message"] * blocks + entry["tag"])


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
