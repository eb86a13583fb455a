# SPDX-License-Identifier: Apache-2.0
"""The exported Verilog after a synthesis by Yosys, which reads the file that the user gets: for area and simulation.

For a simulation the cells are words (adders, multiplexers, registers, memories), not those of a technology: what a
synthesis takes for other than what a simulation does, it has taken by then, and words simulate fast.
"""

from pathlib import Path

from ...implement import flow, reports, stages, targets
from ...implement.targets import Area
from .templates import fill

#: Devices of the datasheet.
TARGETS = ("ecp5", "xcup")
_SOURCE, _RESULT = "plain.v", "synthesised.v"


def area(name: str, verilog: str, target_name: str, progress: stages.Progress, limit: float) -> Area:
    """Cells on a device."""
    target = targets.find(target_name)
    script = fill("area.ys", source=_SOURCE, synth=target.synth, top=name, stat=flow.STAT)
    what, place = f"area for {target.name}", f"area/{name}-{target.name}"
    failure = f"no area of {name}: {{reason}} (--no-measure leaves the figures out)"
    done = flow.passes(what, place, {_SOURCE: verilog}, script, progress, limit, failure)
    return target.area(reports.cells_of(done / flow.STAT))


def make(name: str, verilog: str, progress: stages.Progress, limit: float) -> Path:
    """The file with the module after synthesis."""
    script = fill("synthesised.ys", source=_SOURCE, top=name, result=_RESULT)
    what, place = "synthesis of the plain Verilog", f"synthesised/{name}"
    failure = f"the plain Verilog of {name} does not synthesise: {{reason}}"
    return flow.passes(what, place, {_SOURCE: verilog}, script, progress, limit, failure) / _RESULT
