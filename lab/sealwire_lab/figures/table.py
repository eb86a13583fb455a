# SPDX-License-Identifier: Apache-2.0
"""A table as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from .style import FONT, Theme

_ROW, _SIZE, _MARGIN, _GAP = 24, 12, 16, 22


@dataclass(frozen=True)
class Row:
    """Cells of a row as text; `kind` is published or ours; a row with a single cell is a heading."""

    cells: tuple[str, ...]
    kind: str = "ours"


@dataclass(frozen=True)
class Table:
    """Heads may have two lines (name and unit, divided by a newline).  The first column is flush left."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()


def _width(text: str, size: float = _SIZE) -> float:
    """Of the text in pixels, on the safe side: the mean of a sans-serif."""
    narrow = sum(letter in "iljtfr.,:;|'()[] " for letter in text)
    return size * (0.31 * narrow + 0.58 * (len(text) - narrow))


def _wrap(notes: Sequence[str], width: float) -> list[str]:
    lines: list[str] = []
    for note in notes:
        line = ""
        for word in note.split():
            if line and _width(f"{line} {word}", 11.5) > width:
                lines.append(line)
                line = word
            else:
                line = f"{line} {word}".strip()
        lines.append(line)
    return lines


def svg(table: Table, theme: Theme) -> str:
    """The table as SVG; published rows are in italics on a band, so that they differ without colour too."""
    columns = range(len(table.heads))
    widths = [
        max(
            *(_width(line) for line in table.heads[column].split("\n")),
            *(_width(row.cells[column]) for row in table.rows if len(row.cells) > 1), 0.0,
        )
        for column in columns
    ]  # fmt: skip
    rights = [_MARGIN + sum(widths[: column + 1]) + _GAP * column for column in columns]
    width = max(rights[-1], _MARGIN + _width(table.title, 16)) + _MARGIN
    notes = _wrap(table.notes, width - 2 * _MARGIN)
    head = 62 if any("\n" in text for text in table.heads) else 48
    height = head + 14 + _ROW * len(table.rows) + 18 * len(notes) + 30
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
        f'viewBox="0 0 {width:.0f} {height}" '
        f'font-family="{escape(FONT)}" font-size="{_SIZE}" fill="{theme.ink}" role="img">',
        f"<title>{escape(table.title)}</title>",
        f'<rect width="100%" height="100%" fill="{theme.ground}"/>',
        f'<text x="{_MARGIN}" y="28" font-size="15" font-weight="bold">{escape(table.title)}</text>',
    ]

    def cell(column: int, y: float, text: str, more: str = "") -> str:
        if column == 0:
            return f'<text x="{_MARGIN}" y="{y:.0f}"{more}>{escape(text)}</text>'
        return f'<text x="{rights[column]:.1f}" y="{y:.0f}" text-anchor="end"{more}>{escape(text)}</text>'

    for column, text in enumerate(table.heads):
        for number, line in enumerate(text.split("\n")):
            more = ' font-weight="bold"' if number == 0 else f' fill="{theme.faint}"'
            parts.append(cell(column, 54 + 15 * number, line, more))
    y = float(head + 14)
    parts.append(f'<path d="M{_MARGIN} {y:.0f}H{width - _MARGIN:.0f}" stroke="{theme.faint}"/>')
    for row in table.rows:
        published = row.kind == "published"
        if published and len(row.cells) > 1:
            parts.append(f'<rect x="8" y="{y:.0f}" width="{width - 16:.0f}" height="{_ROW}" fill="{theme.band}"/>')
        y += _ROW
        more = ' font-style="italic"' if published else ""
        if len(row.cells) == 1:
            more = f' font-weight="bold" fill="{theme.faint}"'
        parts += [cell(column, y - 8, text, more) for column, text in enumerate(row.cells)]
    y += 12
    parts.append(f'<path d="M{_MARGIN} {y - 6:.0f}H{width - _MARGIN:.0f}" stroke="{theme.rule}"/>')
    for line in notes:
        y += 18
        parts.append(f'<text x="{_MARGIN}" y="{y - 4:.0f}" font-size="11.5" fill="{theme.faint}">{escape(line)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
