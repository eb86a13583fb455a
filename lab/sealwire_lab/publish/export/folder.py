# SPDX-License-Identifier: Apache-2.0
"""All files of an exported folder, and putting them where the user wants them."""

from pathlib import Path

from ... import cores, files
from ...cycles import Cycles
from ...errors import LabError
from ...implement import targets
from ...implement.targets import Area
from . import bench
from .package import Package, crossings, listed_sources
from .templates import fill

#: What was measured for the datasheet: cycles of the core, area of the exported Verilog by target.
Figures = tuple[Cycles, dict[str, Area]]


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


def _datasheet(package: Package, figures: Figures | None) -> str:
    """The one-page datasheet."""
    cycles, area = figures or (None, {})
    blocks = max(cycles.total) if cycles else 0
    return fill(
        "datasheet.md", p=package, core=package.core, axis=package.top.bus == "axis", scheme=package.answers.scheme,
        sampled=bench.sampled(package), records=len(package.answers.aead), every=bench.every(package),
        answers=bench.answers_name(package), bench=bench.sources(package), streams=_streams(package), cycles=cycles,
        constant=cycles.total[blocks] - cycles.message * blocks if cycles else 0,
        area={targets.find(name).device: cells for name, cells in area.items()},
    )  # fmt: skip


def contents(package: Package, verilog: str, figures: Figures | None) -> dict[str, str]:
    """Text of every file by its name in the folder."""
    name, top = package.name, package.top
    found = listed_sources(name, top.sources) | {f"sv/{name}.sv": top.text}
    listed = list(found)
    found |= {
        "sources.f": "".join(f"{path}\n" for path in listed),
        f"verilog/{name}.v": fill("header.v", p=package) + verilog,
        f"vhdl/{name}_pkg.vhd": fill("component.vhd", p=package),
        "vivado/clock.xdc": fill("clock.xdc"),
        "vivado/out_of_context.tcl": fill("out_of_context.tcl"),
        "Makefile": fill("Makefile", p=package, bench=bench.sources(package)),
        "LICENSE": files.read(cores.root() / "LICENSE"),
        "datasheet.md": _datasheet(package, figures),
    }
    found |= bench.files(package)
    found |= crossings(top.sources)
    answers = [path for path in found if path.startswith("answers/")]
    found[f"{name}.core"] = fill(
        "fusesoc.core", p=package, sources=listed, bench=bench.sources(package), answers=answers
    )
    # Comments in the sources point to these pages by these names.
    pages = ("docs/core-ports.md", "docs/interfaces.md", package.core.doc)
    found |= {page: files.read(cores.root() / page) for page in pages if page}
    return dict(sorted(found.items()))


def check_place(directory: Path, force: bool) -> None:
    """Complain early about a folder that is in use or cannot be written."""
    if directory.exists() and not directory.is_dir():
        raise LabError(f"{directory} exists and is not a folder")
    if directory.is_dir() and any(directory.iterdir()) and not force:
        raise LabError(f"{directory} is not empty; name a new folder, or --force to write over what has the same names")
    files.check_room(directory)
