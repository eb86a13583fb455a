# SPDX-License-Identifier: Apache-2.0
"""Switching activity of a core: toggles of the nets of its netlist a byte of message, simulated.

A relative figure: without the capacitance of nets and the glitches that delays make it is neither power nor energy.
"""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import build, netlist
from ..cores import Core
from ..errors import LabError
from ..implement import stages, yosys
from ..implement.targets import Target

_SOURCE = Path(__file__).parent / "activity.cpp"
_PROGRAM, _NETS = "activity", "nets.json"


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


@dataclass(frozen=True)
class Counts:
    """Of one message: toggles and cycles at one of each net of a netlist, which `top` is, by the net's number there."""

    cycles: int
    nets: dict[int, tuple[int, int]]
    top: dict[str, Any]


def _program(core: Core, parameters: dict[str, int], target: Target, progress: stages.Progress) -> Path:
    """The folder with the netlist and the program that simulates it; both are made if they do not exist."""
    cells = netlist.synthesised(core, parameters, target, progress) / yosys.NETLIST
    model, included = netlist.models(target)
    options = [f"-D{name}={value}" for name, value in sorted(parameters.items())]
    if core.shares > 1:
        options.append(f"-DSHARES={core.shares}")
    ports = build.HARNESS / "ports.hpp"

    def make(scratch: Path) -> None:
        # Every net once: synthesis leaves second names for many of them, and none but a number for others.
        script = [f'read_json "{cells}"', "splitnets", "opt_clean -purge"]
        if target.library is None:  # for a library, synthesis gives every net a simple name
            script += ["rename -hide", "rename -enumerate -pattern n%_ w:*"]
        script += ["write_verilog -noattr nets.v", f"write_json {_NETS}"]
        build._run(yosys.command(scratch, script), scratch)
        folders = dict.fromkeys(f"-I{path.parent}" for path in included)
        flags = ["--trace-vcd", "--trace-depth", "1", "--trace-underscore", "-fno-lift-expr", *folders]
        files = [netlist._QUIET, scratch / "nets.v", model]
        build.program(
            scratch, _PROGRAM, core.top, files, {}, "Vcore", flags,
            main=_SOURCE, words=[*options, "-I", ports.parent], optimise="-O0",
        )  # fmt: skip

    inputs: list[str | Path] = [
        core.top, *options, cells, model, *included, _SOURCE, ports, Path(__file__),
    ]  # fmt: skip
    progress("compiling the simulation of the netlist", 0.0, "")
    return build.cached(f"activity/{core.name}-{target.name}-{build.digest(inputs)}", make)


def count(
    core: Core, parameters: dict[str, int], target: Target, size: int, seed: int, progress: stages.Progress
) -> Counts:
    """Synthesise, or find what was synthesised, simulate the netlist and count; the clock's net is left out."""
    folder = _program(core, parameters, target, progress)
    progress("simulating the netlist", 0.0, "")
    done = subprocess.run([folder / _PROGRAM, str(size), str(seed)], capture_output=True, text=True)
    if done.returncode:
        raise LabError(f"the netlist of {core.name} could not be simulated: status {done.returncode}")
    cycles, *lines = done.stdout.splitlines()
    rows = (line.split() for line in lines)
    counted = {(name, int(index)): (int(toggles), int(high)) for name, index, toggles, high in rows}
    modules = json.loads((folder / _NETS).read_text(encoding="utf-8"))["modules"].values()
    top = next(module for module in modules if int(module["attributes"].get("top", "0"), 2))
    # A net has several names, and a constant none that counts.
    nets = {
        bit: counted[name, index]
        for name, net in (top["netnames"] | top["ports"]).items()
        for index, bit in enumerate(net["bits"])
        if isinstance(bit, int) and (name, index) in counted
    }
    joined = [bits for cell in top["cells"].values() for bits in cell["connections"].values()]
    joined += [port["bits"] for port in top["ports"].values()]
    clock = set(top["ports"]["clk"]["bits"])
    there = {bit for bits in joined for bit in bits if isinstance(bit, int)} - clock
    nets = {bit: nets[bit] for bit in there if bit in nets}
    if len(nets) < 0.99 * len(there):  # Verilator watches nets that can never differ as one
        raise LabError(f"{len(nets)} nets of {core.name} were watched, its netlist has {len(there)}")
    return Counts(int(cycles), nets, top)


def measure(core: Core, target: Target, size: int, seed: int, progress: stages.Progress) -> Activity:
    """The toggles of all nets."""
    counts = count(core, core.parameters(), target, size, seed, progress)
    toggles = sum(toggled for toggled, _ in counts.nets.values())
    return Activity(core.name, target.name, size, len(counts.nets), toggles, counts.cycles)
