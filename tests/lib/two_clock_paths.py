# SPDX-License-Identifier: Apache-2.0
"""Finds every path of an elaborated design from a flip-flop or memory of one clock to one of another."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_YOSYS = "import sys; from pyosys import libyosys as y; d = y.Design(); [y.run_pass(s, d) for s in sys.argv[1:]]"
#: Cells whose output bit i depends on bit i of these inputs, and on all bits of the others.
_BITWISE = {
    "$mux": "AB", "$and": "AB", "$or": "AB", "$xor": "AB", "$xnor": "AB", "$not": "A", "$pos": "A", "$pmux": "A",
    "$bwmux": "ABS",
}  # fmt: skip
#: Pins of a flip-flop that work without its clock.
_ASYNCHRONOUS = ("ARST", "ALOAD", "AD", "SET", "CLR")


@dataclass(frozen=True)
class CrossingPath:
    """From a register to a register; `module` holds the end and is named by its file."""

    module: str
    start: str
    end: str
    start_clock: str
    end_clock: str
    asynchronous: bool
    straight: bool  # no logic between the two

    def __str__(self) -> str:
        return f"{self.start} ({self.start_clock}) -> {self.end} ({self.end_clock}) in {self.module}.sv"


def elaborate(top: str, sources: Sequence[Path], into: Path) -> dict[str, Any]:
    """The design flat, in word-level cells."""
    steps = (
        f"read_slang --top {top} {' '.join(map(str, sources))}",
        f"hierarchy -top {top}", "proc", "opt_expr", "opt_clean",
        "flatten", "opt_expr", "opt_clean", f"write_json {into}",
    )  # fmt: skip
    done = subprocess.run([sys.executable, "-c", _YOSYS, *steps], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    module: dict[str, Any] = json.loads(into.read_text(encoding="utf-8"))["modules"][top]
    return module


class Design:
    """Who drives each bit, and which clock each register has."""

    def __init__(self, module: dict[str, Any]) -> None:
        sys.setrecursionlimit(200000)
        self.cells = list(module["cells"].values())
        self.names: dict[int, str] = {}
        for name, net in module["netnames"].items():
            for bit in net["bits"]:
                known = self.names.get(bit)
                if not net["hide_name"] and (known is None or name.count(".") > known.count(".")):
                    self.names[bit] = name
        self.inputs = {
            bit: name for name, port in module["ports"].items() if port["direction"] == "input" for bit in port["bits"]
        }
        self.driver: dict[int, tuple[dict[str, Any], str, int]] = {}
        self.clock: dict[Any, Any] = {}  # of a bit of a register, or of a memory by its name
        self.ends: list[tuple[dict[str, Any], Any]] = []
        for cell in self.cells:
            pins = cell["connections"]
            if "Q" in pins:
                if "CLK" in pins:
                    self.clock |= dict.fromkeys(pins["Q"], pins["CLK"][0])
                else:
                    self.clock |= dict.fromkeys(pins["Q"], f"a latch: {cell['type']}")
                self.ends.append((cell, pins.get("CLK", [None])[0]))
            elif cell["type"].startswith("$memwr"):
                self.clock[cell["parameters"]["MEMID"]] = pins["CLK"][0]
                self.ends.append((cell, pins["CLK"][0]))
            for pin, bits in pins.items():
                if cell["port_directions"].get(pin) == "output":
                    for index, bit in enumerate(bits):
                        self.driver[bit] = (cell, pin, index)
        self._origins: dict[int, frozenset[Any]] = {}

    def _before(self, bit: int) -> Iterator[Any]:
        """What a bit depends on directly: bits, or the name of a memory."""
        cell, _, index = self.driver[bit]
        pins = cell["connections"]
        if cell["type"].startswith("$mem"):
            assert cell["type"] == "$memrd_v2", f"{cell['type']} is no cell that this search knows"
            yield cell["parameters"]["MEMID"]
        for pin, bits in pins.items():
            if cell["port_directions"][pin] != "input":
                continue
            if pin in _BITWISE.get(cell["type"], "") and len(bits) > index:
                yield bits[index]
            elif pin == "B" and cell["type"] == "$pmux":
                yield from bits[index :: len(pins["A"])]
            else:
                yield from bits

    def origins(self, bit: Any) -> frozenset[Any]:
        """Bits of registers, and memories, that a bit depends on through logic alone."""
        if isinstance(bit, str):
            return frozenset((bit,)) if bit in self.clock else frozenset()  # else a constant
        if bit in self.clock:
            return frozenset((bit,))
        if bit not in self._origins:
            self._origins[bit] = frozenset()  # a loop of logic adds nothing
            if bit in self.driver:
                self._origins[bit] = frozenset().union(*map(self.origins, self._before(bit)))
        return self._origins[bit]

    def name(self, origin: Any) -> str:
        return origin.removeprefix("\\") if isinstance(origin, str) else self.names.get(origin, f"bit {origin}")

    def clock_name(self, clock: Any) -> str:
        return self.inputs.get(clock) or self.name(clock)

    def paths(self) -> set[CrossingPath]:
        found = set()
        for cell, clock in self.ends:
            pins = cell["connections"]
            source = cell["attributes"].get("src", "").split("|")[0].partition(":")[0]
            for pin, bits in pins.items():
                if pin in ("CLK", "Q"):
                    continue
                for index, bit in enumerate(bits):
                    for origin in self.origins(bit):
                        if self.clock[origin] == clock:
                            continue
                        if "Q" in pins:
                            end = self.name(pins["Q"][index if pin in ("D", "AD") else 0])
                        else:
                            end = self.name(cell["parameters"]["MEMID"])
                        start_clock, end_clock = self.clock_name(self.clock[origin]), self.clock_name(clock)
                        module, start, asynchronous = Path(source).stem, self.name(origin), pin in _ASYNCHRONOUS
                        found.add(CrossingPath(module, start, end, start_clock, end_clock, asynchronous, origin == bit))
        return found
