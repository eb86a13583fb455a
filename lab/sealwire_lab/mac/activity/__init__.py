# SPDX-License-Identifier: Apache-2.0
"""Switching activity of a MAC core: toggles of the nets of its netlist a byte of message, simulated.

A relative figure: without the capacitance of nets and the glitches that delays make it is neither power nor energy.
"""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from ... import build, netlist, toolchain
from ...cores import Core
from ...errors import LabError
from ...implement import stages
from ...implement.targets import Target

_SOURCE = Path(__file__).parent / "activity.cpp"


@dataclass(frozen=True)
class Activity:
    """Of one message: how many nets there are, and how often they changed."""

    core: str
    target: str
    message_bytes: int
    nets: int
    toggles: int
    cycles: int

    @property
    def toggles_per_byte(self) -> float:
        """The figure to compare."""
        return self.toggles / self.message_bytes


def measure(core: Core, target: Target, size: int, seed: int, progress: stages.Progress) -> Activity:
    """Synthesise, or find what was synthesised, simulate the netlist and count."""
    if core.kind != "mac":
        raise LabError(f"{core.name} is a core of kind {core.kind!r}; activity is counted for MAC cores")
    parameters = core.parameters()
    cells = netlist.make(core, parameters, target, progress)
    tools = toolchain.find()
    options = [f"-D{name}={value}" for name, value in sorted(parameters.items())]
    ports = build.HARNESS / "ports.hpp"

    def make(scratch: Path) -> None:
        library = build.runtime()
        folders = dict.fromkeys(f"-I{path.parent}" for path in cells.included)
        flags = ["--trace-vcd", "--trace-depth", "1", "-fno-lift-expr", *folders]
        archive = build.verilate(scratch, core.top, cells.sources, {}, "Vcore", flags, "-O0")
        build._run(
            [
                tools.cxx, "-O1", *build._CXXFLAGS, *options, "-I", tools.include, "-I", "obj", "-I", ports.parent,
                _SOURCE, archive, tools.include / "verilated_vcd_c.cpp", library, "-pthread", "-o", "activity",
            ],
            scratch,
        )  # fmt: skip
        shutil.rmtree(scratch / "obj")

    inputs: list[str | Path] = [core.top, *options, *cells.sources, *cells.included, _SOURCE, ports, Path(__file__)]
    program = build.cached(f"activity/{cells.name}-{build.digest(inputs)}", make) / "activity"
    done = subprocess.run([program, str(size), str(seed)], capture_output=True, text=True)
    if done.returncode:
        raise LabError(f"the netlist of {core.name} could not be simulated: status {done.returncode}")
    nets, toggles, cycles = map(int, done.stdout.split())
    return Activity(core.name, target.name, size, nets, toggles, cycles)
