# SPDX-License-Identifier: Apache-2.0
"""A finished figure, its words, and turning it into SVG and PNG."""

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import vl_convert

from ... import files
from . import style, table
from .style import Theme
from .table import Table

_VEGA_LITE = "6.4"
_PNG_SCALE = 2.0


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
        return table.svg(figure.table, theme)
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
