# SPDX-License-Identifier: Apache-2.0
"""SystemVerilog to plain Verilog (IEEE 1364-2005) by Yosys, before any mapping to a technology.

Modules, registers and memories keep their names; parameters are built in.  `tidy` makes the text fit to read.
"""

from ... import files
from ...errors import LabError
from ...implement import flow, stages
from ...top import Top
from . import templates
from .tidy import tidy

#: Memories with more than one write port.  In Verilog each port is an always block of its own, and a tool that makes
#: registers of the memory then finds two drivers.
_MANY_WRITERS = "t:$mem_v2 r:WR_PORTS>1 %i"
#: Memories of one word, which Icarus Verilog 11 does not see written.
_ONE_WORD = "t:$mem_v2 r:SIZE=1 %i"
#: Flip-flops, by Yosys' names without the dollar.
_FLIP_FLOPS = ("dff", "dffe", "sdff", "sdffe", "sdffce")
#: The file that puts one cell in terms of others.
_OPERATORS = "operators.v"
#: The Verilog looks as if written by hand: memories stay memories (reads with their register), and nothing is mapped
#: to cells of a technology.
#: Words stay words: bit by bit (`opt -fine`), the table of an S-box becomes thousands of wires.
_PASSES = (
    "hierarchy -check",
    "opt -undriven -mux_undef",
    "opt_mem",
    "opt_mem_priority",
    "opt_mem_feedback",
    "memory_dff",
    "memory_collect",
    f"memory_map {_MANY_WRITERS} {_ONE_WORD}",
    "opt -undriven -mux_undef",
    f"techmap -map {_OPERATORS} t:$bwmux t:$logic_not t:$shiftx",
    # A wire with several drivers, each for some bits, looks like a loop where one bit follows from another: it becomes
    # several.  A register of several parts stays whole.
    *(f"chtype -set hidden_{name} t:${name}" for name in _FLIP_FLOPS),
    "splitnets -driver",
    *(f"chtype -set ${name} t:hidden_{name}" for name in _FLIP_FLOPS),
    "clean",
    "check -assert -noinit",
)
#: The text as a synthesis sees it first: no variable has two drivers or a latch, no module is missing.
_READS_BACK = (
    "hierarchy -check",
    "proc",
    "check -assert",
    "select -assert-none t:$dlatch* t:$adlatch t:$sr",
    "memory_collect",
    f"select -assert-none {_MANY_WRITERS}",
)
_RESULT = "plain.v"


def make(top: Top, progress: stages.Progress, limit: float) -> str:
    """The modules as plain Verilog; kept in the store by what went in."""
    texts = [*((path.name, files.read(path)) for path in top.sources), (f"{top.name}.sv", top.text)]
    sources = {f"{index:02d}_{name}": text for index, (name, text) in enumerate(texts)}
    read = f"read_slang -D SYNTHESIS --best-effort-hierarchy --top {top.name} {' '.join(sources)}"
    script = [read, *_PASSES, f"write_verilog -noattr {_RESULT}"]
    sources[_OPERATORS] = templates.fill(_OPERATORS)
    done = flow.passes("plain Verilog by Yosys", f"verilog/{top.name}", sources, script, progress, limit)
    if done.status != stages.OK:
        raise LabError(f"no plain Verilog for {top.name}: {done.reason}")
    text = tidy(files.read(done.folder / _RESULT), top.name)
    read_back(top.name, text, progress, limit)
    return text


def read_back(name: str, text: str, progress: stages.Progress, limit: float) -> None:
    """Raises LabError when a synthesis of the text would not be what its simulation is."""
    hierarchy, *others = _READS_BACK
    script = [f"read_verilog {_RESULT}", f"{hierarchy} -top {name}", *others]
    what = "reading the plain Verilog"
    done = flow.passes(what, f"readback/{name}", {_RESULT: text}, script, progress, limit)
    if done.status != stages.OK:
        raise LabError(f"the plain Verilog of {name} is not what it simulates: {done.reason}; see {done.folder}")
