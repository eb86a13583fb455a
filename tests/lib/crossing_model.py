# SPDX-License-Identifier: Apache-2.0
"""A design with two clocks as a transition system of one step, its crossings metastable, for a model checker.

A clock is an input that says in each step whether it has an edge.  A flip-flop that looks at flip-flops of another
clock (straight, or through logic) sees for each of their bits either what it holds or what it held one step before,
whichever is worse: that is a late or an undecided first stage, and skew between the bits of a bus of up to one cycle.
A flip-flop with asynchronous set is high as soon as it is set, at any time: whatever looks at it sees it late or not,
also with its own clock.  With an edge right behind the set it moves, or stays high.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from importlib import util
from pathlib import Path
from typing import Any

#: The clock of the harness: its flip-flops see every step, and all values as they are.
STEP = "step"
#: With asynchronous set, which is the pin R of its kind.
FLIP_FLOP, WITH_SET = "$_DFF_P_", "$_DFF_PP1_"
#: One of the two has its edge in each step, either as often as it likes.
CLOCKS = ("s_clk", "m_clk")

_YOSYS = "import sys; from pyosys import libyosys as y; d = y.Design(); [y.run_pass(s, d) for s in sys.argv[1:]]"


def _yosys(*steps: str) -> str:
    done = subprocess.run([sys.executable, "-c", _YOSYS, *steps], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    return done.stdout


def _netlist(top: str, parameters: dict[str, int], sources: Sequence[Path], into: Path) -> None:
    """Gates and flip-flops without enable or reset, flat."""
    given = " ".join(f"-G {name}={value}" for name, value in parameters.items())
    _yosys(
        f"read_slang -D SYNTHESIS --top {top} {given} {' '.join(map(str, sources))}",
        f"hierarchy -top {top}",
        "proc", "flatten", "opt_expr", "opt_clean", "memory_map", "opt -full", "dffunmap", "techmap", "opt",
        "dffunmap", "simplemap", "opt_clean", f"write_json {into}",
    )  # fmt: skip


class _Model:
    def __init__(self, module: dict[str, Any]) -> None:
        self.module = module
        self.cells: dict[str, Any] = module["cells"]
        self.ports: dict[str, Any] = module["ports"]
        named = (*module["ports"].values(), *module["netnames"].values())
        connected = [bits for cell in self.cells.values() for bits in cell["connections"].values()]
        self.next_bit = 1 + max(
            bit for bits in [*connected, *(item["bits"] for item in named)] for bit in bits if isinstance(bit, int)
        )
        self.flip_flops = {
            cell["connections"]["Q"][0]: cell for cell in self.cells.values() if cell["type"] in (FLIP_FLOP, WITH_SET)
        }
        self.driver = {cell["connections"]["Y"][0]: cell for cell in self.cells.values() if "Y" in cell["connections"]}
        odd = {cell["type"] for cell in self.cells.values()} - {FLIP_FLOP, WITH_SET}
        assert all(
            re.fullmatch(r"\$_(AND|OR|XOR|XNOR|NAND|NOR|NOT|MUX|ANDNOT|ORNOT|NMUX|BUF)_", kind) for kind in odd
        ), odd
        self.step = self.ports[STEP]["bits"][0]
        self.set_at_any_time = {bit for bit, cell in self.flip_flops.items() if cell["type"] == WITH_SET}
        self.clock = {bit: cell["connections"]["C"][0] for bit, cell in self.flip_flops.items()}
        module["netnames"] = {}
        self.past: dict[int, int] = {}
        self.copies: dict[tuple[int, int], int] = {}

    def bit(self) -> int:
        self.next_bit += 1
        return self.next_bit - 1

    def gate(self, kind: str, **connections: Any) -> int:
        out = "Q" if kind == FLIP_FLOP else "Y"
        bit = connections.pop(out, None) or self.bit()
        self.cells[f"model_{bit}"] = {
            "hide_name": 0, "type": kind, "parameters": {}, "attributes": {},
            "port_directions": {**dict.fromkeys(connections, "input"), out: "output"},
            "connections": {**{pin: [value] for pin, value in connections.items()}, out: [bit]},
        }  # fmt: skip
        return bit

    def free(self, purpose: str) -> int:
        bit = self.bit()
        self.ports[f"{purpose}_{bit}"] = {"direction": "input", "bits": [bit]}
        return bit

    def unsure(self, bit: int) -> int:
        """The value of a flip-flop, or that of the step before."""
        if bit not in self.past:
            self.past[bit] = self.gate(FLIP_FLOP, C=self.step, D=bit)
        return self.gate("$_MUX_", A=bit, B=self.past[bit], S=self.free("late"))

    def foreign(self, bit: Any, clock: int) -> bool:
        if bit not in self.clock or clock == self.step:
            return False
        return self.clock[bit] not in (clock, self.step) or bit in self.set_at_any_time

    def seen(self, bit: Any, clock: int) -> Any:
        """`bit` as a flip-flop of `clock` sees it: the logic in front of it is copied where it differs."""
        if self.foreign(bit, clock):
            key = (bit, clock)
            if key not in self.copies:
                self.copies[key] = self.unsure(bit)
            return self.copies[key]
        if bit not in self.driver:
            return bit
        key = (bit, clock)
        if key not in self.copies:
            cell = self.driver[bit]
            inputs = {pin: bits[0] for pin, bits in cell["connections"].items() if pin != "Y"}
            other = {pin: self.seen(value, clock) for pin, value in inputs.items()}
            self.copies[key] = bit if other == inputs else self.gate(cell["type"], **other)
        return self.copies[key]

    def set(self, cell: dict[str, Any], moved: int) -> int:
        """Make a flip-flop with set a plain one, whose output is high with the set; returns what it holds next."""
        pins = cell["connections"]
        (given,), (shown,) = pins.pop("R"), pins["Q"]
        cell["type"] = FLIP_FLOP
        del cell["port_directions"]["R"]
        pins["Q"] = [self.bit()]
        self.gate("$_OR_", A=pins["Q"][0], B=given, Y=shown)
        before = self.gate(FLIP_FLOP, C=self.step, D=given)
        stays = self.gate("$_AND_", A=self.gate("$_AND_", A=before, B=self.free("late")), B=shown)
        return self.gate("$_OR_", A=self.gate("$_OR_", A=moved, B=given), B=stays)

    def build(self, zero: bool) -> int:
        """Turn every clock into an enable; returns how many bits cross.

        Flip-flops of the harness begin with zero, the others only if `zero`, else with anything.
        """
        for bit, cell in self.flip_flops.items():
            clock = self.clock[bit]
            if clock == self.step:
                continue
            pins = cell["connections"]
            data = pins["D"][0]
            # Each flip-flop that looks at another clock straight decides for itself.
            data = self.unsure(data) if self.foreign(data, clock) else self.seen(data, clock)
            moved = self.gate("$_MUX_", A=bit, B=data, S=clock)
            if cell["type"] == WITH_SET:
                moved = self.set(cell, moved)
            pins["D"] = [moved]
            pins["C"] = [self.step]
        first, second = (self.ports[name]["bits"][0] for name in CLOCKS)
        del self.ports[CLOCKS[1]]
        self.gate("$_NOT_", A=first, Y=second)
        for bit in [cell["connections"]["Q"][0] for cell in self.cells.values() if cell["type"] == FLIP_FLOP]:
            if zero or self.clock.get(bit, self.step) == self.step:
                self.module["netnames"][f"state_{bit}"] = {"hide_name": 0, "bits": [bit], "attributes": {"init": "0"}}
        return sum(name.startswith("late_") for name in self.ports)


def model(top: str, parameters: dict[str, int], sources: Sequence[Path], folder: Path, zero: bool = True) -> int:
    """Write folder/model.aig; returns how many bits of flip-flops cross between the clocks."""
    sys.setrecursionlimit(100000)
    _netlist(top, parameters, sources, folder / "flat.json")
    design = json.loads((folder / "flat.json").read_text(encoding="utf-8"))
    made = _Model(design["modules"][top])
    crossing = made.build(zero)
    (folder / "model.json").write_text(json.dumps(design), encoding="utf-8")
    _yosys(
        f"read_json {folder / 'model.json'}", "opt_clean", "opt -full", "dffunmap", "aigmap", "opt_clean",
        f"write_aiger -symbols -zinit {folder / 'model.aig'}",
    )  # fmt: skip
    return crossing


def outputs(top: str, source: Path) -> list[str]:
    """Names of the outputs of a harness, in the order of the model's."""
    text = source.read_text(encoding="utf-8")
    return re.findall(r"^\s*output\s+logic\s+(\w+)", text[text.index(f"module {top}") :], re.MULTILINE)


def check(folder: Path, *steps: str) -> str:
    """What the model checker ABC says about folder/model.aig."""
    spec = util.find_spec("pyosys")
    assert spec is not None and spec.origin is not None
    command = [str(Path(spec.origin).parent / "yosys-abc"), "-c", "; ".join(["read_aiger model.aig", "scorr", *steps])]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
