# SPDX-License-Identifier: Apache-2.0
"""A flip-flop at every port of an ECP5 netlist, so that the placer knows where its paths to the outside end.

The inputs are a chain that one port feeds; an output ends in a flip-flop that nothing reads. All of them have the
design's clock, so the paths through ports are timed, too.
"""

import json
from itertools import count
from pathlib import Path
from typing import Any

from .. import files
from ..errors import LabError

CLOCK = "clk"
# A blank behind the digit makes it a text in the JSON of Yosys.
_CELL: dict[str, Any] = {
    "hide_name": 0, "type": "TRELLIS_FF", "attributes": {},
    "parameters": {"CEMUX": "1 ", "CLKMUX": "CLK", "GSR": "DISABLED", "LSRMUX": "LSR", "REGSET": "RESET"},
    "port_directions": {"CLK": "input", "DI": "input", "LSR": "input", "Q": "output"},
}  # fmt: skip


def attach(netlist: Path) -> int:
    """Put the flip-flops into a netlist of Yosys; returns how many."""
    design = json.loads(netlist.read_text(encoding="utf-8"))
    module = next(each for each in design["modules"].values() if "top" in each.get("attributes", {}))
    ports = module["ports"]
    if CLOCK not in ports:
        raise LabError(f"--scan is for designs with one clock, {CLOCK}, which {netlist.name} does not have")
    clock = ports[CLOCK]["bits"]
    nets = count(1 + max(bit for cell in (*module["cells"].values(), *_as_cells(ports)) for bit in _numbers(cell)))
    begin = last = next(nets)
    number = 0
    for name, port in ports.items():
        for bit in port["bits"] if name != CLOCK else ():
            if isinstance(bit, str):  # a constant
                continue
            data, out = (last, bit) if port["direction"] == "input" else (bit, next(nets))
            last = out if port["direction"] == "input" else last
            joined = {"CLK": clock, "DI": [data], "LSR": ["0"], "Q": [out]}
            module["cells"][f"scan_{number}"] = {**_CELL, "connections": joined}
            number += 1
    module["ports"] = {CLOCK: ports[CLOCK], "scan_in": {"direction": "input", "bits": [begin]}}
    files.write(netlist, json.dumps(design))
    return number


def _as_cells(ports: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"connections": {name: port["bits"]}} for name, port in ports.items()]


def _numbers(cell: dict[str, Any]) -> list[int]:
    return [bit for bits in cell["connections"].values() for bit in bits if isinstance(bit, int)]
