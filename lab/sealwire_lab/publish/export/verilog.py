# SPDX-License-Identifier: Apache-2.0
"""SystemVerilog to plain Verilog (IEEE 1364-2005) by Yosys, before any mapping to a technology; and its syntheses.

Modules, registers and memories keep their names; parameters are built in.  `tidy` makes the text fit to read.
"""

from pathlib import Path

from ... import files
from ...implement import flow, reports, stages, targets
from ...implement.targets import Area
from ...tops import Top
from .templates import fill
from .tidy import tidy

#: Memories with more than one write port.
_MANY_WRITERS = "t:$mem_v2 r:WR_PORTS>1 %i"
#: Flip-flops, by Yosys' names without the dollar.
_FLIP_FLOPS = ("dff", "dffe", "sdff", "sdffe", "sdffce")
_RESULT, _SYNTHESISED = "plain.v", "synthesised.v"
#: Devices of the datasheet.
TARGETS = ("ecp5", "xcup")


def make(top: Top, progress: stages.Progress, limit: float) -> str:
    """The modules as plain Verilog; kept in the store by what went in."""
    texts = [*((path.name, files.read(path)) for path in top.sources), (f"{top.name}.sv", top.text)]
    sources = {f"{index:02d}_{name}": text for index, (name, text) in enumerate(texts)}
    script = fill(
        "plain.ys", top=top.name, sources=" ".join(sources), many_writers=_MANY_WRITERS, flip_flops=_FLIP_FLOPS,
        result=_RESULT,
    )  # fmt: skip
    sources["operators.v"] = fill("operators.v")
    failure = f"no plain Verilog for {top.name}: {{reason}}"
    made = flow.passes("plain Verilog by Yosys", f"verilog/{top.name}", sources, script, progress, limit, failure)
    text = tidy(files.read(made / _RESULT), top.name)
    read_back(top.name, text, progress, limit)
    return text


def read_back(name: str, text: str, progress: stages.Progress, limit: float) -> None:
    """Raises LabError when a synthesis of the text would not be what its simulation is."""
    script = fill("read_back.ys", source=_RESULT, top=name, many_writers=_MANY_WRITERS)
    failure = f"the plain Verilog of {name} is not what it simulates: {{reason}}; see {{folder}}"
    flow.passes("reading the plain Verilog", f"readback/{name}", {_RESULT: text}, script, progress, limit, failure)


def area(name: str, verilog: str, target_name: str, progress: stages.Progress, limit: float) -> Area:
    """Cells on a device, by Yosys from the file that the user gets."""
    target = targets.find(target_name)
    script = fill("area.ys", source=_RESULT, synth=target.synth, top=name, stat=flow.STAT)
    what, place = f"area for {target.name}", f"area/{name}-{target.name}"
    failure = f"no area of {name}: {{reason}} (--no-measure leaves the figures out)"
    done = flow.passes(what, place, {_RESULT: verilog}, script, progress, limit, failure)
    return target.area(reports.cells_of(done / flow.STAT))


def synthesised(name: str, verilog: str, progress: stages.Progress, limit: float) -> Path:
    """The file with the module after synthesis by Yosys, which reads the file that the user gets: for simulation.

    Its cells are words (adders, multiplexers, registers, memories), not those of a technology: what a synthesis takes
    for other than what a simulation does, it has taken by then, and words simulate fast.
    """
    script = fill("synthesised.ys", source=_RESULT, top=name, result=_SYNTHESISED)
    what, place = "synthesis of the plain Verilog", f"synthesised/{name}"
    failure = f"the plain Verilog of {name} does not synthesise: {{reason}}"
    return flow.passes(what, place, {_RESULT: verilog}, script, progress, limit, failure) / _SYNTHESISED
