# SPDX-License-Identifier: Apache-2.0
"""SystemVerilog to plain Verilog (IEEE 1364-2005) by Yosys, before any mapping to a technology.

Modules, registers and memories keep their names; parameters are built in.  `tidy` makes the text fit to read.
"""

from ... import files
from ...implement import flow, stages
from ...tops import Top
from .templates import fill
from .tidy import tidy

#: Memories with more than one write port.
_MANY_WRITERS = "t:$mem_v2 r:WR_PORTS>1 %i"
#: Flip-flops, by Yosys' names without the dollar.
_FLIP_FLOPS = ("dff", "dffe", "sdff", "sdffe", "sdffce")
_RESULT = "plain.v"


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
