# SPDX-License-Identifier: Apache-2.0
"""Switching activity of a MAC core: toggles of the nets of its netlist a byte of message, simulated.

A relative figure: without the capacitance of nets and the glitches that delays make it is neither power nor energy.
"""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .. import build, netlist
from ..cores import Core
from ..errors import LabError
from ..implement import flow, stages
from ..implement.targets import Target

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
    cells = netlist.synthesised(core, parameters, target, progress) / flow.NETLIST
    model, included = netlist.models(target)
    options = [f"-D{name}={value}" for name, value in sorted(parameters.items())]
    ports = build.HARNESS / "ports.hpp"

    def make(scratch: Path) -> None:
        # Every net once: synthesis leaves second names for many of them, and none but a number for others.
        script = [f'read_json "{cells}"', "splitnets", "opt_clean -purge"]
        build._run(flow.yosys(scratch, [*script, "write_verilog -noattr nets.v"]), scratch)
        folders = dict.fromkeys(f"-I{path.parent}" for path in included)
        flags = ["--trace-vcd", "--trace-depth", "1", "--trace-underscore", "-fno-lift-expr", *folders]
        files = [netlist._QUIET, scratch / "nets.v", model]
        build.program(
            scratch, "activity", core.top, files, {}, "Vcore", flags,
            main=_SOURCE, words=[*options, "-I", ports.parent], optimise="-O0",
        )  # fmt: skip

    inputs: list[str | Path] = [
        core.top, *options, cells, model, *included, _SOURCE, ports, Path(__file__),
    ]  # fmt: skip
    program = build.cached(f"activity/{core.name}-{target.name}-{build.digest(inputs)}", make) / "activity"
    done = subprocess.run([program, str(size), str(seed)], capture_output=True, text=True)
    if done.returncode:
        raise LabError(f"the netlist of {core.name} could not be simulated: status {done.returncode}")
    nets, toggles, cycles = map(int, done.stdout.split())
    # The nets of the netlist but the clock's: bits of ports and of what cells join.
    modules = json.loads(cells.read_text(encoding="utf-8"))["modules"].values()
    top = next(module for module in modules if int(module["attributes"].get("top", "0"), 2))
    joined = [bits for cell in top["cells"].values() for bits in cell["connections"].values()]
    joined += [port["bits"] for port in top["ports"].values()]
    there = len({bit for bits in joined for bit in bits if isinstance(bit, int)}) - 1
    if not 0.99 * there < nets <= there:  # Verilator watches nets that can never differ as one
        raise LabError(f"{nets} nets of {core.name} were watched, its netlist has {there}")
    return Activity(core.name, target.name, size, nets, toggles, cycles)
