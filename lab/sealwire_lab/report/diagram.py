# SPDX-License-Identifier: Apache-2.0
"""Block diagrams of the families of cores: data in diagrams/FAMILY.toml, drawn as SVG in the colours of the page.

A box is [x, y, width, height, kind, text]; text may have lines, the one in backquotes is a module of the RTL.
A wire is a list of points and ends in an arrow, a label is [x, y, text].
"""

from __future__ import annotations

import tomllib
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from ..cores import Core

_FOLDER = Path(__file__).parent / "diagrams"
_LINE = 15


def name_of(core: Core) -> str:
    """Which diagram shows a core: that of its family; interleaved cores and unrolled ones have their own."""
    if any(path.stem == f"{core.family}_pipe_core" for path in core.sources):
        return f"{core.family}_pipe"
    return f"{core.family}_x" if core.contexts > 1 else core.family


@cache
def _load(name: str) -> dict[str, Any] | None:
    path = _FOLDER / f"{name}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def modules(name: str) -> list[str]:
    """Modules that a diagram names."""
    table = _load(name) or {"box": []}
    lines = [line for *_, text in table["box"] for line in text.split("\n")]
    return [line.strip("`") for line in lines if line.startswith("`") and "{" not in line]


def _compression(core: Core) -> str:
    """The module of the compression function: the source of hdl/primitives that is no package and not a part."""
    found = [path.stem for path in core.sources if "primitives" in path.parts and not path.stem.endswith("_pkg")]
    return found[-1] if found else "compression function"


def _text(x: float, y: float, line: str) -> str:
    module = line.startswith("`")
    kind = ' class="box-module"' if module else ""
    return f'<text x="{x}" y="{y}" text-anchor="middle"{kind}>{escape(line.strip("`"))}</text>'


def svg(core: Core) -> str | None:
    """The diagram of a core, or None for a family that has none."""
    table = _load(name_of(core))
    if table is None:
        return None
    width, height = table["size"]
    words = {"compression": _compression(core), "architecture": core.architecture, "contexts": core.contexts}
    parts = [
        f'<svg class="blocks" xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="Block diagram of {escape(core.name)}">',
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path class="wire-head" d="M0 0L8 4L0 8z"/></marker></defs>',
    ]
    for wire in table["wire"]:
        points = wire["points"]
        route = " ".join(f"{'M' if index == 0 else 'L'}{x} {y}" for index, (x, y) in enumerate(points))
        kind = wire.get("kind", "data")
        parts.append(f'<path class="wire wire-{kind}" d="{route}" marker-end="url(#arrow)"/>')
    for x, y, wide, high, kind, text in table["box"]:
        if kind == "xor":
            parts.append(f'<circle class="box box-xor" cx="{x}" cy="{y}" r="10"/>')
            parts.append(f'<path class="wire" d="M{x - 10} {y}H{x + 10}M{x} {y - 10}V{y + 10}"/>')
            continue
        if kind == "port":
            end = "start" if x < width / 2 else "end"
            place = x if x < width / 2 else x + wide
            parts.append(
                f'<text class="box-port" x="{place}" y="{y + high / 2 + 4}" text-anchor="{end}">{escape(text)}</text>'
            )
            continue
        parts.append(f'<rect class="box box-{kind}" x="{x}" y="{y}" width="{wide}" height="{high}" rx="4"/>')
        lines = text.format(**words).split("\n")
        first = y + high / 2 + 4 - _LINE * (len(lines) - 1) / 2
        parts += [_text(x + wide / 2, first + _LINE * index, line) for index, line in enumerate(lines)]
    for x, y, text in table.get("label", []):
        parts.append(f'<text class="wire-label" x="{x}" y="{y}">{escape(text)}</text>')
    return "\n".join([*parts, "</svg>"])
