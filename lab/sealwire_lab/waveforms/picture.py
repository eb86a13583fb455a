# SPDX-License-Identifier: Apache-2.0
"""A recorded waveform as SVG: colours are classes of the page around it, stretches without change are folded."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from .record import MARK, Edge, Waveform

_LEFT, _CELL, _FOLD, _LANE, _TOP = 74, 25, 46, 38, 30
#: Edges of one state in a row that are all drawn; of more, the first two and the last.
_SHOWN = 4
_LETTER = {"key": "K", "cmd": "", "ad": "A", "msg": "M", "tag_in": "T", "out": "O", "result": ""}
_WORD = {"seal": "sealing", "open": "opening"}


@dataclass(frozen=True)
class _Cell:
    """One edge, or `folded` edges of the same state."""

    number: int
    edge: Edge
    folded: int = 0

    @property
    def width(self) -> int:
        return _FOLD if self.folded else _CELL


def _cells(edges: list[Edge]) -> list[_Cell]:
    cells: list[_Cell] = []
    start = 0
    while start < len(edges):
        end = start
        while end < len(edges) and edges[end] == edges[start]:
            end += 1
        length = end - start
        if length <= _SHOWN:
            cells += [_Cell(number, edges[start]) for number in range(start, end)]
        else:
            cells += [
                _Cell(start, edges[start]), _Cell(start + 1, edges[start]),
                _Cell(start + 2, edges[start], length - 3), _Cell(end - 1, edges[start]),
            ]  # fmt: skip
        start = end
    return cells


def _label(name: str, cell: _Cell, beat: int, operation: str) -> str:
    if name == "cmd":
        return operation
    if name == "result":
        return "ok" if cell.edge.mark[name] else "no"
    if name in ("key", "tag_in"):
        return _LETTER[name]
    return f"{_LETTER[name]}{beat}" + ("*" if cell.edge.mark[name] else "")


def _channel(name: str, cells: list[_Cell], top: float, operation: str) -> list[str]:
    """Boxes for valid, and the line of ready below them."""
    parts = [f'<text class="wave-name" x="0" y="{top + 15}">{name}</text>']
    x, beat = float(_LEFT), 0
    high, low, ready_high, ready_low = top + 2, top + 20, top + 24, top + 31
    ready: list[str] = []
    for cell in cells:
        valid, taken = cell.edge.valid[name], cell.edge.valid[name] and cell.edge.ready[name]
        if valid:
            kind = "taken" if taken else "waits"
            parts.append(f'<rect class="wave-{kind}" x="{x}" y="{high}" width="{cell.width}" height="18"/>')
            if taken:
                count = cell.folded or 1
                text = f"{count} beats" if cell.folded else _label(name, cell, beat, operation)
                parts.append(f'<text class="wave-beat" x="{x + cell.width / 2}" y="{top + 15}">{text}</text>')
                beat += count
        else:
            parts.append(f'<path class="wave-idle" d="M{x} {low}h{cell.width}"/>')
        level = ready_high if cell.edge.ready[name] else ready_low
        ready.append(f"{'M' if not ready else 'L'}{x} {level}H{x + cell.width}")
        x += cell.width
    parts.append(f'<path class="wave-ready" d="{"".join(ready)}"/>')
    return parts


def svg(waveform: Waveform, operation: str) -> str:
    """One operation of a waveform."""
    cells = _cells(waveform.edges(operation))
    width = _LEFT + sum(cell.width for cell in cells) + 8
    height = _TOP + _LANE * (len(MARK) + 1) - 8
    total = sum(cell.folded or 1 for cell in cells)
    title = f"{waveform.core}, {_WORD[operation]} {waveform.message_bytes} bytes: {total} clock edges"
    parts = [
        f'<svg class="wave" xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}">'
    ]
    x = float(_LEFT)
    for cell in cells:
        if cell.folded:
            parts.append(f'<rect class="wave-fold" x="{x}" y="{_TOP - 8}" width="{cell.width}" height="{height}"/>')
            parts.append(f'<text class="wave-edge" x="{x + cell.width / 2}" y="14">… {cell.folded}</text>')
        else:
            parts.append(f'<path class="wave-tick" d="M{x} {_TOP - 8}V{height}"/>')
            parts.append(f'<text class="wave-edge" x="{x + cell.width / 2}" y="14">{cell.number}</text>')
        x += cell.width
    parts.append(f'<text class="wave-name" x="0" y="{_TOP + 15}">busy</text>')
    x, line = float(_LEFT), ""
    for cell in cells:
        line += f"{'L' if line else 'M'}{x} {_TOP + (4 if cell.edge.busy else 20)}H{x + cell.width}"
        x += cell.width
    parts.append(f'<path class="wave-busy" d="{line}"/>')
    for number, name in enumerate(MARK):
        parts += _channel(name, cells, _TOP + _LANE * (number + 1), operation)
    return "\n".join([*parts, "</svg>"])
