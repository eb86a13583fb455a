# SPDX-License-Identifier: Apache-2.0
"""A finished figure, its words, and turning it into SVG and PNG; a table is drawn as rich shows it."""

import io
import json
import re
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import vl_convert
from rich import box
from rich import table as rich_table
from rich.color import Color
from rich.console import Console
from rich.style import Style
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from ... import files
from . import style
from .style import Theme

_FONT = "Liberation Mono, DejaVu Sans Mono, monospace"
_WIDEST, _NOTE = 240, 96  # letters
#: rich's own form without the frame of a window and without fonts from elsewhere.
_FORMAT = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"
  role="img" xml:space="preserve">
<title>%s</title>
<style>
text {{ font-family: %s; font-size: {char_height}px; }}
{styles}
</style>
<defs>{lines}</defs>
<rect width="100%%" height="100%%" fill="%s"/>
<g transform="translate({terminal_x}, 12)">{backgrounds}{matrix}</g>
</svg>
"""
_VEGA_LITE = "6.4"
_PNG_SCALE = 2.0


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


def _rgb(colour: str) -> tuple[int, int, int]:
    return Color.parse(colour).get_truecolor()


def table_svg(made: Table, theme: Theme) -> str:
    """The table as SVG; published rows are in italics on a band, so that they differ without colour too."""
    grid = rich_table.Table(title=Text(made.title), title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
    for number, head in enumerate(made.heads):
        grid.add_column(Text(head), justify="right" if number else "left", no_wrap=True)
    for row in made.rows:
        heading, published = len(row.cells) == 1, row.kind == "published"
        look = f"bold {theme.faint}" if heading else f"italic on {theme.band}" if published else ""
        grid.add_row(*map(Text, row.cells), style=look)
    ground = TerminalTheme(_rgb(theme.ground), _rgb(theme.ink), [_rgb(theme.ink)] * 8)
    console = Console(record=True, width=_WIDEST, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.width = max(console.measure(grid).maximum, _NOTE)
    console.print(grid)
    for note in made.notes:
        console.print(Text(note, Style.parse(theme.faint)))
    form = _FORMAT % (escape(made.title).replace("{", "{{").replace("}", "}}"), _FONT, theme.ground)
    return console.export_svg(theme=ground, code_format=form, unique_id="t").replace("&#160;", " ")


@cache
def texts() -> dict[str, dict[str, str]]:
    """The words of the figures by name, in the order in which figures are listed."""
    return files.toml(Path(__file__).parent / "texts.toml")


@dataclass(frozen=True)
class Figure:
    """A drawing for one theme.  Either `spec` (Vega-Lite, without configuration) or `table` is there.

    `missing` says, in sentences, what the figure would show if there were records of it.
    """

    name: str
    title: str
    caption: str
    alternative: str  # what the picture says, for those who do not see it
    spec: dict[str, Any] | None = None
    table: Table | None = None
    missing: tuple[str, ...] = ()


def svg(figure: Figure, theme: Theme) -> str:
    """The figure as SVG text."""
    if figure.table is not None:
        return table_svg(figure.table, theme)
    assert figure.spec is not None
    # The interface of vl-convert takes text or a dictionary; text keeps the order of names.
    spec = json.dumps(figure.spec | {"config": style.config(theme)})
    return _named(str(vl_convert.vegalite_to_svg(spec, vl_version=_VEGA_LITE)), figure.name) + "\n"


def _named(text: str, name: str) -> str:
    """The SVG with identifiers of its own: Vega counts them on from one drawing of a process to the next."""
    for number, old in enumerate(dict.fromkeys(re.findall(r' id="([^"]+)"', text))):
        text = re.sub(rf'(?<=[#"]){re.escape(old)}(?=[)"])', f"{name}-{number}", text)
    return text


def png(text: str) -> bytes:
    """SVG text as PNG, two pixels a unit."""
    return bytes(vl_convert.svg_to_png(text, scale=_PNG_SCALE))
