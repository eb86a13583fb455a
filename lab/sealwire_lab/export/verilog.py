# SPDX-License-Identifier: Apache-2.0
"""SystemVerilog to plain Verilog (IEEE 1364-2005) by Yosys, before any mapping to a technology.

Modules, registers and memories keep their names.  Instances of one module that came out alike share one again.  Names
of modules begin with that of the top, so that two exports can live in one design.  Parameters are built in.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import LabError
from ..implement import flow, stages
from ..top import Top

#: Memories with more than one write port.  In Verilog each port is an always block of its own, and a tool that makes
#: registers of the memory then finds two drivers.
_MANY_WRITERS = "t:$mem_v2 r:WR_PORTS>1 %i"
#: The cell of a write to part of a packed array, for which Verilog has no operator.
_BWMUX = "bwmux.v"
_BWMUX_TEXT = """\
module \\$bwmux (A, B, S, Y);
  parameter WIDTH = 0;
  input [WIDTH-1:0] A, B, S;
  output [WIDTH-1:0] Y;
  assign Y = (A & ~S) | (B & S);
endmodule
"""
#: As written by hand: memories stay memories (reads with their register), nothing is mapped to cells of a technology.
_PASSES = (
    "hierarchy -check",
    "opt -fine -full",
    "opt_mem",
    "opt_mem_priority",
    "opt_mem_feedback",
    "memory_dff",
    "memory_collect",
    f"memory_map {_MANY_WRITERS}",
    f"techmap -map {_BWMUX} t:$bwmux",
    "opt -fine -full",
    "rename -unescape",
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
_MODULE = re.compile(r"^module (\\\S+ |\w+) ?\((.*?)\);\n(.*?)^endmodule\n", re.DOTALL | re.MULTILINE)
_ESCAPED = re.compile(r"\\\S+ ")


@dataclass
class _Module:
    name: str  # as Yosys writes it: definition$path and a blank, escaped
    ports: str
    body: str

    @property
    def definition(self) -> str:
        return self.name.removeprefix("\\").split("$")[0].strip()


def _replace(text: str, names: dict[str, str]) -> str:
    return _ESCAPED.sub(lambda found: names.get(found[0], found[0]), text)


def _plain(body: str) -> str:
    """A module's own names without the characters that need escaping."""
    for name in dict.fromkeys(_ESCAPED.findall(body)):
        base = plain = re.sub(r"\W+", "_", name.strip("\\ ")).strip("_")
        count = 1
        while re.search(rf"\b{plain}\b", body):
            count += 1
            plain = f"{base}_{count}"
        body = body.replace(name, f"{plain} ")
    return body


def _shared(modules: list[_Module]) -> list[_Module]:
    """One module for all that say the same, from the leaves up."""
    while True:  # the names of shared instances change the text of what holds them
        first: dict[tuple[str, str, str], str] = {}
        same: dict[str, str] = {}
        for module in modules:
            kept = first.setdefault((module.definition, module.ports, module.body), module.name)
            if kept != module.name:
                same[module.name] = kept
        if not same:
            return modules
        modules = [
            _Module(module.name, module.ports, _replace(module.body, same))
            for module in modules
            if module.name not in same
        ]


def tidy(text: str, top: str) -> str:
    """Yosys' text with shared modules under plain names, the top first."""
    modules = _shared([_Module(*found) for found in _MODULE.findall(text)])
    names: dict[str, str] = {}
    taken = {top}
    for module in modules:
        if module.definition == top:
            continue
        name, count = f"{top}_{module.definition}", 1
        while name in taken:
            count += 1
            name = f"{top}_{module.definition}_{count}"
        taken.add(name)
        names[module.name] = f"{name} "
    parts = []
    for module in sorted(modules, key=lambda module: module.definition != top):
        name = names.get(module.name, f"{top} ").strip()
        parts.append(f"module {name} ({module.ports});\n{_plain(_replace(module.body, names))}endmodule\n")
    if len(parts) != len(modules) or not modules:
        raise LabError(f"the Verilog of {top} is not what Yosys usually writes")
    return "\n".join(parts)


def make(top: Top, progress: stages.Progress, limit: float) -> str:
    """The modules as plain Verilog; kept in the store by what went in."""
    sources = [(path.name, path.read_text(encoding="utf-8")) for path in top.sources]
    sources.append((f"{top.name}.sv", top.text))
    state = hashlib.sha256(repr((top.name, _PASSES, _BWMUX_TEXT, flow.yosys_version(), sources)).encode())
    folder = flow.store() / "verilog" / f"{top.name}-{state.hexdigest()[:16]}"

    def prepare(scratch: Path) -> Sequence[str]:
        names = [f"{index:02d}_{name}" for index, (name, _) in enumerate(sources)]
        for name, (_, text) in zip(names, sources, strict=True):
            (scratch / name).write_text(text, encoding="utf-8")
        (scratch / _BWMUX).write_text(_BWMUX_TEXT, encoding="utf-8")
        read = f"read_slang -D SYNTHESIS --keep-hierarchy --top {top.name} {' '.join(names)}"
        script = [read, *_PASSES, f"write_verilog -noattr {_RESULT}"]
        return flow.yosys(scratch, script)

    done = stages.run("plain Verilog by Yosys", folder, prepare, limit=limit, force=False, progress=progress)
    if done.status != stages.OK:
        raise LabError(f"no plain Verilog for {top.name}: {done.reason}")
    text = tidy((done.folder / _RESULT).read_text(encoding="utf-8"), top.name)
    read_back(top.name, text, progress, limit)
    return text


def read_back(name: str, text: str, progress: stages.Progress, limit: float) -> None:
    """Raises LabError when a synthesis of the text would not be what its simulation is."""
    state = hashlib.sha256(repr((name, text, _READS_BACK, flow.yosys_version())).encode())

    def prepare(scratch: Path) -> Sequence[str]:
        (scratch / _RESULT).write_text(text, encoding="utf-8")
        hierarchy, *others = _READS_BACK
        return flow.yosys(scratch, [f"read_verilog {_RESULT}", f"{hierarchy} -top {name}", *others])

    folder = flow.store() / "readback" / f"{name}-{state.hexdigest()[:16]}"
    done = stages.run("reading the plain Verilog", folder, prepare, limit=limit, force=False, progress=progress)
    if done.status != stages.OK:
        raise LabError(f"the plain Verilog of {name} is not what it simulates: {done.reason}; see {done.folder}")
