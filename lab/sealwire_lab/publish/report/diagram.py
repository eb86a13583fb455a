# SPDX-License-Identifier: Apache-2.0
"""Block diagrams of the families of cores: data in diagrams/FAMILY.toml, drawn by templates/diagram.svg.

A box is [x, y, width, height, kind, text]; text may have lines, the one in backquotes is a module of the RTL.
A wire is a list of points and ends in an arrow, a label is [x, y, text].
"""

from functools import cache
from pathlib import Path
from typing import Any

from ... import files
from ...cores import Core
from . import templates

_FOLDER = Path(__file__).parent / "diagrams"


def name_of(core: Core) -> str:
    """Which diagram shows a core: that of its family; interleaved, unrolled and masked ones have their own."""
    for way in ("pipe", "masked"):
        if any(path.stem.endswith(f"_{way}_core") for path in core.sources):
            return f"{core.family}_{way}"
    return f"{core.family}_x" if core.contexts > 1 else core.family


@cache
def _load(name: str) -> dict[str, Any] | None:
    path = _FOLDER / f"{name}.toml"
    return files.toml(path) if path.exists() else None


def modules(name: str) -> list[str]:
    """Modules that a diagram names."""
    table = _load(name) or {"box": []}
    lines = [line for *_, text in table["box"] for line in text.split("\n")]
    return [line.strip("`") for line in lines if line.startswith("`") and "{" not in line]


def svg(core: Core) -> str | None:
    """The diagram of a core, or None for a family that has none."""
    table = _load(name_of(core))
    if table is None:
        return None
    # Of the sources in hdl/primitives the last one that is no package is the compression function, not a part of it.
    found = [path.stem for path in core.sources if "primitives" in path.parts and not path.stem.endswith("_pkg")]
    compression = found[-1] if found else "compression function"
    words = {"compression": compression, "architecture": core.architecture, "contexts": core.contexts}
    boxes = [(*place, text.format(**words).split("\n")) for *place, text in table["box"]]
    return templates.environment().get_template("diagram.svg").render(table | {"box": boxes, "core": core.name})
