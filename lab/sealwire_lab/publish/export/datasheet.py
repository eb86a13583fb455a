# SPDX-License-Identifier: Apache-2.0
"""The one-page datasheet."""

from ...cycles import Cycles
from ...implement import targets
from ...implement.targets import Area
from . import bench
from .package import Package
from .templates import fill


def _streams(package: Package) -> list[tuple[str, str, str]]:
    """One row a stream, its name, widths and directions, comment: its ports differ in their last word only."""
    rows: list[tuple[str, str, str]] = []
    streams: dict[str, list[str]] = {}
    comments: dict[str, str] = {}
    for port in package.top.ports:
        stem, _, last = port.name.rpartition("_")
        width = f"[{package.bits(port.width)}]" if port.width else ""
        arrow = "in" if port.direction == "input" else "out"
        if not stem:
            rows.append((port.name, arrow, port.comment or "rising edge"))
            continue
        streams.setdefault(stem, []).append(f"{last}{width} {arrow}")
        comments[stem] = comments.get(stem) or port.comment
    return rows + [(f"{stem}_*", ", ".join(parts), comments[stem]) for stem, parts in streams.items()]


def text(package: Package, cycles: Cycles | None, area: dict[str, Area]) -> str:
    """Markdown."""
    blocks = max(cycles.total) if cycles else 0
    return fill(
        "datasheet.md", p=package, core=package.core, axis=package.top.bus == "axis", scheme=package.answers.scheme,
        sampled=bench.sampled(package), records=len(package.answers.aead), every=bench.every(package),
        answers=bench.answers_name(package), bench=bench.sources(package), streams=_streams(package), cycles=cycles,
        constant=cycles.total[blocks] - cycles.message * blocks if cycles else 0,
        area={targets.find(name).device: cells for name, cells in area.items()},
    )  # fmt: skip
