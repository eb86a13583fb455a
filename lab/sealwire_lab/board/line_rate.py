# SPDX-License-Identifier: Apache-2.0
"""Frames that two simulated boards carry both ways at once: results/line-rate.json, and its table in the documents.

`pytest --exhaustive tests/board/test_two_boards.py` makes the record where LINE_RATE_RECORD is set.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .. import cores, files, firmware
from ..errors import one_of
from ..terminal import markdown
from . import boards, kept

_HEADS = ("board", "core, MHz", "bytes", "the cable's limit", "given, both ways", "A to B", "B to A")


def path() -> Path:
    return cores.root() / "results" / "line-rate.json"


def load() -> dict[str, Any]:
    """What was measured, by the board's name."""
    return kept.load(path())


def inputs(board: boards.Board) -> list[Path]:
    """Everything that the simulated boards are made of, the firmware included."""
    return [*boards.short_board_sources(), *firmware.texts(), board.folder / "board.toml"]


def sources_hash(board: boards.Board) -> str:
    """Of everything that the simulated boards are made of."""
    return files.sources_hash(inputs(board))


def keep(board: boards.Board, *, load: float, milliseconds: float, up_cycles: int, rates: Mapping[str, Any]) -> None:
    """Put what was measured into results/line-rate.json.

    `load` is the share of the cable's limit that was given; `rates` are frames a second by size and direction, with
    that limit; `up_cycles` of the core passed from power-on until frames crossed.
    """
    told = {
        "core_mhz": board.core_mhz, "stream_mhz": board.stream_mhz, "load": load, "milliseconds": milliseconds,
        "up_cycles": up_cycles, "frames_a_second": dict(rates), "sources_sha256": sources_hash(board),
    }  # fmt: skip
    store({board.name: told})


def store(entries: dict[str, Any]) -> None:
    """Put entries into results/line-rate.json, in the place of those of the same names."""
    kept.store(path(), entries)


def table(names: Sequence[str]) -> str:
    """A row for each size of frame, of each of the boards."""
    known, rows = load(), []
    for name in names:
        told = known[one_of("board with a line rate", name, known)]
        label = kept.label(name, told, sources_hash(boards.find(name)))
        for size, rates in told["frames_a_second"].items():
            limit, *ways = (f"{rates[what]:,}" for what in ("limit", "a_to_b", "b_to_a"))
            rows.append([label, f"{told['core_mhz']:g}", size, limit, f"{100 * told['load']:g} %", *ways])
    return markdown(_HEADS, rows)
