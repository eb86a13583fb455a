# SPDX-License-Identifier: Apache-2.0
"""A recorded waveform as WaveDrom draws it; stretches without change are folded."""

import json
from collections.abc import Callable
from itertools import groupby
from typing import Any

import wavedrom  # type: ignore[import-untyped]

from .record import Edge, Waveform

#: Edges of one state in a row that are all drawn; of more, the first two, a gap and the last.
_SHOWN = 4
_LETTER = {"key": "K", "ad": "A", "msg": "M", "tag_in": "T", "out": "O"}
_WORD = {"seal": "sealing", "open": "opening", "compute": "the tag of", "verify": "verifying"}
#: A place of the picture: its number, what a flip-flop sees there, and how many edges a gap stands for.
Cell = tuple[int, Edge, int]


def _cells(edges: list[Edge]) -> list[Cell]:
    cells: list[Cell] = []
    for _, group in groupby(enumerate(edges), key=lambda numbered: numbered[1]):
        run = [(number, edge, 0) for number, edge in group]
        cells += run if len(run) <= _SHOWN else [*run[:2], (run[2][0], run[2][1], len(run) - 3), run[-1]]
    return cells


def _lane(name: str, cells: list[Cell], states: Callable[[Cell], tuple[str, str]]) -> dict[str, Any]:
    """A row of the picture: of each cell its sign, and the label where it is a box."""
    wave, data, before = "", [], ""
    for cell in cells:
        sign, label = states(cell)
        goes_on = sign == before and sign in "012"  # else a box of its own
        wave += "|" if cell[2] else "." if goes_on else sign
        data += [] if cell[2] or goes_on else [label]
        before = sign
    return {"name": name, "wave": wave, "data": [label for label in data if label]}


def source(waveform: Waveform, operation: str) -> dict[str, Any]:
    """One operation in WaveDrom's own form: boxes for beats that are taken (5) and that wait (2)."""
    cells = _cells(waveform.edges(operation))
    total = len(waveform.edges(operation))
    title = f"{waveform.core}, {_WORD[operation]} {waveform.message_bytes} bytes: {total} clock edges"
    lanes: list[Any] = [
        _lane("edge", cells, lambda cell: ("3", str(cell[0]))),
        _lane("busy", cells, lambda cell: (cell[1]["busy"], "")),
    ]
    for channel in waveform.channels:
        beats = 0

        def valid(cell: Cell, channel: str = channel) -> tuple[str, str]:
            nonlocal beats
            _, edge, folded = cell
            is_valid, is_ready, mark = (bit == "1" for bit in edge[channel])
            if not (is_valid and is_ready):
                return ("2" if is_valid else "0"), ""
            label = f"{_LETTER.get(channel, '')}{beats}" + ("*" if mark else "")
            beats += folded or 1
            return "5", {"cmd": operation, "result": "ok" if mark else "no"}.get(channel, label)

        def ready(cell: Cell, channel: str = channel) -> tuple[str, str]:
            return cell[1][channel][1], ""

        lanes.append([channel, _lane("valid", cells, valid), _lane("ready", cells, ready)])
    return {"signal": lanes, "head": {"text": title}, "config": {"hscale": 1}}


def svg(waveform: Waveform, operation: str) -> str:
    """One operation of a waveform."""
    return str(wavedrom.render(json.dumps(source(waveform, operation))).tostring())
