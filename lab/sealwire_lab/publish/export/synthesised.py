# SPDX-License-Identifier: Apache-2.0
"""The exported Verilog after a synthesis by Yosys, which reads the file that the user gets: for area and simulation.

For a simulation the cells are words (adders, multiplexers, registers, memories), not those of a technology: what a
synthesis takes for other than what a simulation does, it has taken by then, and words simulate fast.
"""

from pathlib import Path

from ...errors import LabError
from ...implement import flow, reports, stages, targets
from ...implement.targets import Area

#: Devices of the datasheet.
TARGETS = ("ecp5", "xcup")
_SOURCE, _RESULT = "plain.v", "synthesised.v"


def area(name: str, verilog: str, target_name: str, progress: stages.Progress, limit: float) -> Area:
    """Cells on a device."""
    target = targets.find(target_name)
    script = [
        f"read_verilog {_SOURCE}", f"{target.synth} -top {name}", "check -assert -noinit",
        f"tee -q -o {flow.STAT} stat -json",
    ]  # fmt: skip
    what = f"area for {target.name}"
    done = flow.passes(what, f"area/{name}-{target.name}", {_SOURCE: verilog}, script, progress, limit)
    if done.status != stages.OK:
        raise LabError(f"no area of {name}: {done.reason} (--no-measure leaves the figures out)")
    return target.area(reports.cells_of(done.folder / flow.STAT))


def make(name: str, verilog: str, progress: stages.Progress, limit: float) -> Path:
    """The file with the module after synthesis."""
    script = [
        f"read_verilog {_SOURCE}", f"synth -flatten -noalumacc -run begin:fine -top {name}",
        f"write_verilog -noattr {_RESULT}",
    ]  # fmt: skip
    what = "synthesis of the plain Verilog"
    done = flow.passes(what, f"synthesised/{name}", {_SOURCE: verilog}, script, progress, limit)
    if done.status != stages.OK:
        raise LabError(f"the plain Verilog of {name} does not synthesise: {done.reason}")
    return done.folder / _RESULT
