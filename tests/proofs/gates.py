# SPDX-License-Identifier: Apache-2.0
"""A module as Yosys reads it: its cells as a graph of bits.

The graph says for every bit which bits its next value may depend on. A path is a possibility, not an influence; where
there is no path, there is no influence, whatever the state and the inputs.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

_YOSYS = "import sys; from pyosys import libyosys as y; d = y.Design(); [y.run_pass(s, d) for s in sys.argv[1:]]"
_WORDS = ("proc", "flatten", "opt_expr", "opt_clean", "memory_collect", "opt_clean", "dffunmap", "opt_clean")
_CONSTANTS = ("opt_expr", "opt_clean", "opt_muxtree", "opt_reduce", "opt_expr", "opt_clean") * 2

#: Cells of which a bit of the output depends on that bit of the operands alone.
_BITWISE = ("$and", "$or", "$xor", "$xnor", "$not", "$pos")
#: Those of which it depends on that bit and the lower ones.
_CARRYING = ("$add", "$sub", "$neg")

Bit = int | str  # of a net; "0", "1" and "x" are constants


def elaborate(
    top: str,
    parameters: dict[str, int],
    sources: Sequence[Path],
    folder: Path,
    high: Sequence[str] = (),
    constants: bool = False,
) -> list[Any]:
    """The module as Yosys writes it, flattened, registers with nothing but clock and input.

    With `constants` what constants in the sources decide is decided; every register stays.

    Then again with each input of `high` at 1, as far as constants say what follows from that.
    """
    given = " ".join(f"-G {name}={value}" for name, value in parameters.items())
    read = f"read_slang -D SYNTHESIS --top {top} {given} {' '.join(map(str, sources))}"
    # Where constants decide, a register or memory may have no use and still hold what it held.
    keep = "setattr -set keep 1 t:$dff t:$mem_v2"
    steps = [read, f"hierarchy -top {top}", *_WORDS, keep, *(_CONSTANTS if constants else ())]
    steps += ["write_json module.json", "design -save module"]
    for name in high:
        steps += ["design -load module", f"delete -port w:{name}", f"connect -set {name} 1'1", *_CONSTANTS]
        steps += [f"write_json {name}.json"]
    done = subprocess.run(
        [sys.executable, "-c", _YOSYS, *steps], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise RuntimeError((done.stdout + done.stderr)[-4000:])
    modules = []
    for name in ("module", *high):
        modules += json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))["modules"].values()
    return modules


@dataclass
class Graph:
    """What every bit may depend on."""

    needs: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    registers: set[int] = field(default_factory=set)
    clocks: dict[int, Bit] = field(default_factory=dict)  # of registers, by their clock's net
    memory: bool = False  # there is one that is written; what it holds is no register, what it gives may depend on it
    stored: dict[int, str] = field(
        default_factory=dict
    )  # columns of memories, one bit each, negative; only if asked for
    names: dict[int, str] = field(default_factory=dict)

    def reach(self, start: Iterable[int], step: Callable[[int], Iterable[int]]) -> dict[int, int | None]:
        """All bits reached from `start`, each with the one before it."""
        before: dict[int, int | None] = dict.fromkeys(start)
        waiting = list(before)
        for bit in waiting:
            for other in step(bit):
                if other not in before:
                    before[other] = bit
                    waiting.append(other)
        return before

    @cached_property
    def users(self) -> dict[int, list[int]]:
        """The other way round: which bits may depend on a bit. The graph is whole by then."""
        made = defaultdict(list)
        for bit, needed in self.needs.items():
            for one in needed:
                made[one].append(bit)
        return made

    def influenced(self, start: Iterable[int]) -> set[int]:
        """All bits that may depend on one of `start`."""
        return set(self.reach(start, lambda bit: self.users.get(bit, ())))

    def entered(self, start: Iterable[int]) -> dict[int, int]:
        """The registers and columns of memories whose next value may depend on one of `start`, each with such a one."""
        states = self.registers | self.stored.keys()
        origin = {bit: bit for bit in start}
        found: dict[int, int] = {}
        waiting = list(origin)
        for bit in waiting:
            for other in self.users.get(bit, ()):
                if other in states:
                    found.setdefault(other, origin[bit])
                elif other not in origin:
                    origin[other] = origin[bit]
                    waiting.append(other)
        return found

    def paths(self, outputs: Iterable[int], sources: set[int]) -> Iterator[list[str]]:
        """For each output that depends on a source a shortest path, the source first."""
        reached = self.influenced(sources)
        for output in reached.intersection(outputs):
            before = self.reach([output], lambda bit: self.needs.get(bit, ()))
            found = next((bit for bit in before if bit in sources), None)
            path = []
            while found is not None:
                path.append(self.names.get(found, "?"))
                found = before[found]
            if path:
                yield path


def ports(module: Any, direction: str, pattern: str) -> dict[str, list[Bit]]:
    """The ports of a direction whose whole name fits."""
    return {
        name: port["bits"]
        for name, port in module["ports"].items()
        if port["direction"] == direction and re.fullmatch(pattern, name)
    }


def named(module: Any) -> Iterator[tuple[str, int, Bit]]:
    """Every bit of every net: name, index, bit."""
    for name, net in module["netnames"].items():
        for index, bit in enumerate(net["bits"]):
            yield name, index, bit


def graph(module: Any, cut: Sequence[str] = (), memories: bool = False) -> Graph:
    """The graph of a module of word-wide cells; nets of `cut`, or bits of them as in `net[3:0]`, depend on nothing.

    With `memories` a column of a memory is a bit that keeps what it may depend on: no write is known to overwrite it.
    """
    made = Graph()
    for name, index, bit in sorted(named(module), key=lambda one: (one[0].startswith("$"), len(one[0]))):
        if isinstance(bit, int):
            made.names.setdefault(bit, f"{name}[{index}]")
    for cell in module["cells"].values():
        if cell["type"] == "$dff":
            clock = cell["connections"]["CLK"][0]
            made.clocks.update((bit, clock) for bit in cell["connections"]["Q"] if isinstance(bit, int))
        assert all(bit in "0" for bit in cell["parameters"].get("RD_CLK_ENABLE", "")), "a memory is read with a clock"
        made.memory |= cell["type"] == "$mem_v2" and int(cell["parameters"]["WR_PORTS"], 2) > 0
        if memories and cell["type"] == "$mem_v2":
            _store(made, cell)
            continue
        for bit, needed in _cell(cell, made.registers):
            if isinstance(bit, int):
                made.needs[bit].update(one for one in needed if isinstance(one, int))
    for text in cut:
        told = re.fullmatch(r"(.+?)(?:\[(\d+):(\d+)\])?", text)
        assert told is not None
        name, high, low = told.groups()
        bits = module["netnames"][name]["bits"]
        for bit in bits[int(low) : int(high) + 1] if high else bits:
            made.needs[bit] = set()
    return made


def _store(made: Graph, cell: Any) -> None:
    """A memory, each of its columns a bit that needs itself, what may be written there, and when and where."""
    pins = cell["connections"]
    width, places = (int(cell["parameters"][name], 2) for name in ("WIDTH", "ABITS"))
    name = cell["parameters"]["MEMID"].strip("\\")
    first = -1 - len(made.stored)
    columns = [first - column for column in range(width)]
    for column, state in enumerate(columns):
        written = [*pins["WR_DATA"][column::width], *pins["WR_EN"][column::width], *pins["WR_ADDR"]]
        made.stored[state] = made.names[state] = f"{name}[{column}]"
        made.needs[state] = {state, *(bit for bit in written if isinstance(bit, int))}
    for index, bit in enumerate(pins["RD_DATA"]):
        port, column = divmod(index, width)
        read = [columns[column], *pins["RD_ADDR"][port * places : (port + 1) * places], pins["RD_EN"][port]]
        if isinstance(bit, int):
            made.needs[bit].update(one for one in read if isinstance(one, int))


def _cell(cell: Any, registers: set[int]) -> Iterator[tuple[Bit, Iterable[Bit]]]:
    """What each bit of a cell's outputs depends on; all of its inputs, for a cell of a type that is not told apart."""
    kind, pins = cell["type"], cell["connections"]
    operands = [pins[name] for name in "AB" if name in pins]
    if kind == "$scopeinfo":
        return
    if kind in _BITWISE:
        for index, bit in enumerate(pins["Y"]):
            yield bit, [word[min(index, len(word) - 1)] for word in operands]
    elif kind in _CARRYING:
        for index, bit in enumerate(pins["Y"]):
            yield bit, [one for word in operands for one in word[: index + 1]]
    elif kind in ("$mux", "$pmux"):
        for index, bit in enumerate(pins["Y"]):
            yield bit, [pins["A"][index], *pins["B"][index :: len(pins["Y"])], *pins["S"]]
    elif kind == "$bmux":
        for index, bit in enumerate(pins["Y"]):
            yield bit, [*pins["A"][index :: len(pins["Y"])], *pins["S"]]
    elif kind == "$dff":
        registers.update(bit for bit in pins["Q"] if isinstance(bit, int))
        yield from ((bit, [data]) for bit, data in zip(pins["Q"], pins["D"], strict=True))
    elif kind == "$mem_v2":
        width, places = (int(cell["parameters"][name], 2) for name in ("WIDTH", "ABITS"))
        for index, bit in enumerate(pins["RD_DATA"]):
            port, column = divmod(index, width)
            read = [*pins["RD_ADDR"][port * places : (port + 1) * places], pins["RD_EN"][port]]
            yield bit, [*read, *pins["WR_DATA"][column::width], *pins["WR_EN"][column::width], *pins["WR_ADDR"]]
    else:
        inputs = [bit for name, bits in pins.items() if cell["port_directions"][name] == "input" for bit in bits]
        for name, bits in pins.items():
            if cell["port_directions"][name] == "output":
                yield from ((bit, inputs) for bit in bits)
