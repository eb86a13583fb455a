# SPDX-License-Identifier: Apache-2.0
"""SystemVerilog to plain Verilog (IEEE 1364-2005) by Yosys, before any mapping to a technology; and its syntheses.

Modules, registers and memories keep their names; parameters are built in.  What Yosys writes is made fit for people and
for all tools.  Instances of one module that came out alike share one again.  Names of modules begin with that of the
top, so that two exports can live in one design.  Nothing is escaped, and no comment tells a synthesis what a simulation
does not know.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ... import files
from ...errors import LabError
from ...implement import reports, stages, targets, yosys
from ...implement.targets import Area
from ...tops import Top
from .templates import fill

_MODULE = re.compile(r"^module (\\\S+ |\w+) ?\((.*?)\);\n(.*?)^endmodule\n", re.DOTALL | re.MULTILINE)
_PARALLEL = re.compile(
    r"(?P<head>  function \[(?P<high>\d+):0\] (?P<name>\w+);\n(?:    input [^\n]*\n)+)"
    r"    casez \(s\) // synopsys parallel_case\n(?P<cases>.*?)    endcase\n  endfunction\n",
    re.DOTALL,
)
_ESCAPED = re.compile(r"\\\S+ ")
#: Memories with more than one write port.
_MANY_WRITERS = "t:$mem_v2 r:WR_PORTS>1 %i"
#: Flip-flops, by Yosys' names without the dollar.
_FLIP_FLOPS = ("dff", "dffe", "sdff", "sdffe", "sdffce")
_RESULT, _SYNTHESISED = "plain.v", "synthesised.v"
#: Devices of the datasheet.
TARGETS = ("ecp5", "xcup")


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


def _plain(name: str, bodies: Iterable[str]) -> str:
    """The name without characters that need escaping, as none in these bodies is, ports of their instances excepted."""
    base = plain = re.sub(r"\W+", "_", name.strip("\\ ")).strip("_")
    count = 1
    while any(re.search(rf"(?<!\.)\b{plain}\b", body) for body in bodies):
        count += 1
        plain = f"{base}_{count}"
    return f"{plain} "


def _plain_ports(text: str) -> str:
    """Ports that are fields of an interface under plain names, in every module and at every instance alike."""
    modules = _MODULE.findall(text)
    bodies = [body for _, _, body in modules]
    for name in dict.fromkeys(name for _, ports, _ in modules for name in _ESCAPED.findall(f"{ports} ")):
        plain = _plain(name, [body for body in bodies if name in body])
        bodies = [body.replace(name, plain) for body in bodies]
        text = text.replace(name, plain)
    return text


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


def _parallel(found: re.Match[str]) -> str:
    """A function that selects by one-hot `s`, with all words at once: Yosys only tells a synthesis that it may."""
    name, width = found["name"], int(found["high"]) + 1
    words = [
        f"({{{width}{{s[{bit}]}}}} & {word})"
        for bit, word in enumerate(re.findall(rf"{name} = (b\[\d+:\d+\]);", found["cases"]))
    ]
    words.append(f"({{{width}{{~|s}}}} & a)")
    return f"{found['head']}    {name} = " + "\n      | ".join(words) + ";\n  endfunction\n"


def _feeds_itself(name: str, body: str) -> bool:
    """Whether an output is written in parts and read by its own module."""
    assigns = re.findall(r"^  assign (.*?) = (.*);$", body, re.MULTILINE)
    word = re.compile(rf"\b{name}\b")
    written = sum(len(word.findall(left)) for left, _ in assigns)
    return written > 1 and any(word.search(right) for _, right in assigns)


def _apart(name: str, high: int, body: str) -> str:
    """The module with a wire for each part of an output: a bit that follows from another bit then is no loop."""
    inner, found = re.subn(rf"^  (?:output|wire) \[{high}:0\] {name};\n", "", body, flags=re.MULTILINE)
    if found != 2:
        return body  # a register
    word = re.compile(rf"\b{name}\b(?:\[(\d+)(?::(\d+))?\])?")
    tops = {high}
    for top, low in word.findall(inner):
        if top:
            tops |= {int(top), int(low or top) - 1} - {-1}
    parts: dict[int, tuple[str, int]] = {}  # by the lowest bit: name, highest bit
    low = 0
    for top in sorted(tops):
        parts[low] = (f"{name}_{top}" if top == low else f"{name}_{top}_{low}", top)
        low = top + 1
    if any(re.search(rf"\b{part}\b", body) for part, _ in parts.values()):
        return body  # the names are taken

    def joined(top: int, low: int) -> str:
        chosen = [part for start, (part, _) in sorted(parts.items(), reverse=True) if low <= start <= top]
        return chosen[0] if len(chosen) == 1 else "{ " + ", ".join(chosen) + " }"

    def replaced(found: re.Match[str]) -> str:
        return joined(int(found[1]), int(found[2] or found[1])) if found[1] else joined(high, 0)

    wires = [f"  wire {f'[{top - low}:0] ' if top != low else ''}{part};\n" for low, (part, top) in parts.items()]
    lines = (
        f"  output [{high}:0] {name};\n",
        *wires,
        word.sub(replaced, inner),
        f"  assign {name} = {joined(high, 0)};\n",
    )
    return "".join(lines)


def tidy(text: str, top: str) -> str:
    """Yosys' text with shared modules under plain names, the top first."""
    modules = _shared([_Module(*found) for found in _MODULE.findall(_plain_ports(text))])
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
        body = _replace(module.body, names)
        for own in dict.fromkeys(_ESCAPED.findall(body)):
            body = body.replace(own, _plain(own, [body]))
        body = _PARALLEL.sub(_parallel, body)
        for high, output in re.findall(r"^  output \[(\d+):0\] (\w+);$", body, re.MULTILINE):
            if _feeds_itself(output, body):
                body = _apart(output, int(high), body)
        parts.append(f"module {name} ({module.ports});\n{body}endmodule\n")
    if len(parts) != len(modules) or not modules:
        raise LabError(f"the Verilog of {top} is not what Yosys usually writes")
    return "\n".join(parts)


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
    made = yosys.passes("plain Verilog by Yosys", f"verilog/{top.name}", sources, script, progress, limit, failure)
    text = tidy(files.read(made / _RESULT), top.name)
    read_back(top.name, text, progress, limit)
    return text


def read_back(name: str, text: str, progress: stages.Progress, limit: float) -> None:
    """Raises LabError when a synthesis of the text would not be what its simulation is."""
    script = fill("read_back.ys", source=_RESULT, top=name, many_writers=_MANY_WRITERS)
    failure = f"the plain Verilog of {name} is not what it simulates: {{reason}}; see {{folder}}"
    yosys.passes("reading the plain Verilog", f"readback/{name}", {_RESULT: text}, script, progress, limit, failure)


def area(name: str, verilog: str, target_name: str, progress: stages.Progress, limit: float) -> Area:
    """Cells on a device, by Yosys from the file that the user gets."""
    target = targets.find(target_name)
    script = fill("area.ys", source=_RESULT, synth=target.synth, top=name, stat=yosys.STAT)
    what, place = f"area for {target.name}", f"area/{name}-{target.name}"
    failure = f"no area of {name}: {{reason}} (--no-measure leaves the figures out)"
    done = yosys.passes(what, place, {_RESULT: verilog}, script, progress, limit, failure)
    return target.area(reports.cells_of(done / yosys.STAT))


def synthesised(name: str, verilog: str, progress: stages.Progress, limit: float) -> Path:
    """The file with the module after synthesis by Yosys, which reads the file that the user gets: for simulation.

    Its cells are words (adders, multiplexers, registers, memories), not those of a technology: what a synthesis takes
    for other than what a simulation does, it has taken by then, and words simulate fast.
    """
    script = fill("synthesised.ys", source=_RESULT, top=name, result=_SYNTHESISED)
    what, place = "synthesis of the plain Verilog", f"synthesised/{name}"
    failure = f"the plain Verilog of {name} does not synthesise: {{reason}}"
    return yosys.passes(what, place, {_RESULT: verilog}, script, progress, limit, failure) / _SYNTHESISED
