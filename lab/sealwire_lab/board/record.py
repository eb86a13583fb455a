# SPDX-License-Identifier: Apache-2.0
"""The last builds of the boards that were recorded: results/boards.json, and the table of them in the documents."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .. import cores, files, firmware
from ..errors import one_of
from ..terminal import markdown
from . import boards, flow, kept

_CELLS = {"COMB": "TRELLIS_COMB", "FF": "TRELLIS_FF", "DP16KD": "DP16KD"}
#: Columns of the table, and names in each of them
_CLOCKS = (("core_clk",), ("stream_clk",), ("tx_clk", "rx_clk"))
_HEADS = ("board", "seed", "core, MHz", "streams", "lines", *_CELLS, "SHA-256 of the bitstream")
_AREA_HEADS = ("board", "device", "core, MHz", "reached by its placements", *_CELLS)


def path() -> Path:
    return cores.root() / "results" / "boards.json"


def load() -> dict[str, Any]:
    """Builds by the board's name."""
    return kept.load(path())


def inputs(board: boards.Board) -> list[Path]:
    """Everything that a build is made of, the firmware included."""
    return [*boards.sources(board), *firmware.texts(), board.pins, board.folder / "board.toml"]


def sources_hash(board: boards.Board) -> str:
    """Of everything that a build is made of."""
    return files.sources_hash(inputs(board))


def keep(result: flow.Result) -> None:
    """Put a build into results/boards.json. Other placements stay there if they are of the same netlist and tools."""
    told = result.json() | {"sources_sha256": sources_hash(result.board)}
    for seed in told["seeds"]:
        del seed["bitstream"]  # a place on this machine
    before = load().get(result.board.name, {})
    if all(before.get(key) == told[key] for key in ("sources_sha256", "tools", "cells")):
        seeds = {seed["seed"]: seed for seed in (*before["seeds"], *told["seeds"])}
        told["seeds"] = [seeds[number] for number in sorted(seeds)]
    store({result.board.name: told})


def store(entries: dict[str, Any]) -> None:
    """Put entries into results/boards.json, in the place of those of the same names."""
    kept.store(path(), entries)


def _slowest(seed: dict[str, Any], *names: str) -> dict[str, Any]:
    """Of the clocks with these names, as the design calls them behind instances and in front of pads."""
    clocks = (clock for clock in seed["clocks"] if any(name in clock["clock"] for name in names))
    return min(clocks, key=lambda clock: clock["reached_mhz"], default={})


def _asked(clock: dict[str, Any]) -> str:
    """In MHz; nextpnr takes periods in whole ps, which a third decimal shows."""
    return f"{round(clock['asked_mhz'], 2):g}" if clock else ""


def _clock(clock: dict[str, Any]) -> str:
    return f"{clock['reached_mhz']:g} ({_asked(clock)})" if clock else ""


def _kept(name: str) -> tuple[boards.Board, dict[str, Any], str]:
    """A board, the build of it that was kept, and its name for a table."""
    known = load()
    build, board = known[one_of("board with a record", name, known)], boards.find(name)
    return board, build, kept.label(name, build, sources_hash(board))


def table(names: Sequence[str]) -> str:
    """A row for each seed of the builds of these boards: clocks as they were reached, and asked for."""
    rows = []
    for name in names:
        _, build, label = _kept(name)
        for seed in build["seeds"]:
            clocks = [_clock(_slowest(seed, *clock)) for clock in _CLOCKS]
            used = [str(seed["used"][cell]) for cell in _CELLS.values()]
            bits = f"`{seed['sha256']}`" if seed["sha256"] else f"none: {seed['reason']}"
            rows.append([label, str(seed["seed"]), *clocks, *used, bits])
    return markdown(_HEADS, rows)


def areas(names: Sequence[str]) -> str:
    """A row for each of these boards: its core's clock, what placements reach, and the area of the largest."""
    rows = []
    for name in names:
        _, build, label = _kept(name)
        cores = [(_slowest(seed, "core_clk"), bool(seed["sha256"])) for seed in build["seeds"]]
        asked = max(_asked(core) for core, _ in cores)  # all the same, or empty where none was routed
        reached = [core["reached_mhz"] for core, is_sound in cores if is_sound]
        span = f"{min(reached):g} to {max(reached):g}" if reached else "none"
        used = [str(max(seed["used"][cell] for seed in build["seeds"])) for cell in _CELLS.values()]
        rows.append([label, build["device"], asked, span, *used])
    return markdown(_AREA_HEADS, rows)
