# SPDX-License-Identifier: Apache-2.0
"""A gadget as it stands in the netlist of a whole core: cut out between registers, as a module that can be probed.

The cut takes the cells that its ends depend on, back to the registers that are its inputs.
"""

import itertools
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


class Core:
    """A core's netlist, and the nets of its RTL in it: of several names of a wire a netlist keeps one."""

    def __init__(self, netlist: Path, rtl: Path, top: str) -> None:
        self.module, source = (json.loads(path.read_bytes())["modules"][top] for path in (netlist, rtl))
        self.source = source["netnames"]
        self.aliases: dict[int, list[tuple[str, int]]] = {}
        for name, net in self.source.items():
            for index, bit in enumerate(net["bits"]):
                if isinstance(bit, int):
                    self.aliases.setdefault(bit, []).append((name, index))
        self.names: dict[int, set[str]] = {}
        for name in self.source:
            for bit, found in zip(self.source[name]["bits"], self._bits(name), strict=True):
                if found is not None:
                    self.names.setdefault(found, set()).update(alias for alias, _ in self.aliases[bit])

    def _bits(self, name: str) -> list[int | None]:
        """The netlist's bit for each of a net of the RTL; None for one that synthesis has left out."""
        nets = self.module["netnames"]
        return [
            next((nets[alias]["bits"][index] for alias, index in self.aliases.get(bit, ()) if alias in nets), None)
            for bit in self.source[name]["bits"]
        ]

    def wires(self, text: str) -> list[int]:
        """The netlist's bits of a net, or of `net[7:0]`."""
        found = re.fullmatch(r"(.+?)(?:\[(\d+):(\d+)\])?", text)
        assert found
        bits = self._bits(found[1])
        bits = bits[int(found[3]) : int(found[2]) + 1] if found[2] else bits
        made = [bit for bit in bits if bit is not None]
        assert len(made) == len(bits), f"{text} is not whole in the netlist"
        return made


def _value(cell: Any, given: Mapping[int, int]) -> int:
    """What a LUT4 shows of these inputs."""
    place = 0
    for number, pin in enumerate("ABCD"):
        (bit,) = cell["connections"][pin]
        place |= given.get(bit, int(bit == "1")) << number
    return int(cell["parameters"]["INIT"], 2) >> place & 1


def whole(cell: Any, driver: Mapping[int, Any]) -> Any:
    """A PFUMX of an ECP5, which chooses between two LUT4, as one table of their inputs, if there are six at most.

    What a probe on its output sees is the same, and includes what one on either LUT4 sees; a sum across both shows.
    """
    if cell["type"] != "PFUMX":
        return cell
    pins = cell["connections"]
    halves = [driver.get(pins[pin][0]) for pin in ("BLUT", "ALUT")]
    if any(half is None or half["type"] != "LUT4" for half in halves):
        return cell
    taken = [pins["C0"][0], *(half["connections"][pin][0] for half in halves for pin in "ABCD")]
    inputs = list(dict.fromkeys(bit for bit in taken if isinstance(bit, int)))
    if len(inputs) > 6 or pins["C0"][0] not in inputs:
        return cell
    table = ""
    for values in itertools.product((0, 1), repeat=len(inputs)):
        given = dict(zip(reversed(inputs), values, strict=True))
        table = str(_value(halves[given[pins["C0"][0]]], given)) + table
    names = [f"I{number}" for number in range(len(inputs))]
    return {
        "type": f"LUT{len(inputs)}",
        "parameters": {"INIT": table},
        "port_directions": {**dict.fromkeys(names, "input"), "O": "output"},
        "connections": {**{name: [bit] for name, bit in zip(names, inputs, strict=True)}, "O": pins["Z"]},
    }


def cut(
    core: Core,
    inside: str,
    inputs: Mapping[str, Sequence[str]],
    folder: Path,
    *,
    last: Sequence[str] = (),
    users: Sequence[str] = (),
) -> Path:
    """A module `gadget` with a clock, `inputs` (port: nets of the core) and an output, on the ends of the cut.

    Ends are the registers `last`, and what the registers `users` take, with the logic in front of them. Every register
    of the gadget has a name that begins with `inside`; whatever else it takes must be among the inputs.
    """
    module, names = core.module, core.names
    (clock,) = module["ports"]["clk"]["bits"]
    ports = {port: [bit for net in nets for bit in core.wires(net)] for port, nets in inputs.items()}
    taken = {bit for name in users for bit in core.wires(name)}
    ends = [bit for name in last for bit in core.wires(name)]
    for cell in module["cells"].values():
        pins = cell["connections"]
        if taken.intersection(pins.get("Q", ())):
            ends += pins["DI" if "DI" in pins else "D"]
    driver, cell_of = {}, {}
    for name, cell in module["cells"].items():
        for pin, bits in cell["connections"].items():
            if cell["port_directions"][pin] == "output":
                driver.update(dict.fromkeys(bits, name))
                cell_of.update(dict.fromkeys(bits, cell))

    given = {clock, *(bit for bits in ports.values() for bit in bits)}
    assert ends and not given & set(ends)
    cells: dict[str, Any] = {}
    seen, waiting = set(given), list(ends)
    while waiting:
        bit = waiting.pop()
        if bit in seen or not isinstance(bit, int):
            continue
        seen.add(bit)
        assert bit in driver, f"the gadget takes the core's input {names.get(bit)}"
        cell = whole(cell_of[bit], cell_of)
        clocked = "Q" in cell["connections"]
        # A register outside may have a port of the gadget among its names.
        assert not clocked or all(name.startswith(inside) for name in names.get(bit, ("?",))), (
            f"the gadget takes {names.get(bit)}"
        )
        cells[driver[bit]] = cell
        for pin, bits in cell["connections"].items():
            if cell["port_directions"][pin] == "input":
                waiting += bits

    made = {
        "ports": {
            "clk": {"direction": "input", "bits": [clock]},
            **{name: {"direction": "input", "bits": bits} for name, bits in ports.items()},
            "last": {"direction": "output", "bits": ends},
        },
        "cells": cells,
        "netnames": {name: net for name, net in module["netnames"].items() if all(bit in seen for bit in net["bits"])},
    }
    path = folder / "gadget.json"
    path.write_text(json.dumps({"modules": {"gadget": made}}), encoding="utf-8")
    return path
