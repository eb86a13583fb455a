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


def attach(netlist: Path) -> None:
    """Put the flip-flops into a netlist of Yosys."""
    design = json.loads(netlist.read_text(encoding="utf-8"))
    module = next(each for each in design["modules"].values() if "top" in each.get("attributes", {}))
    ports, cells = module["ports"], module["cells"]
    if CLOCK not in ports:
        raise LabError(f"--scan is for designs with one clock, {CLOCK}, which {netlist.name} does not have")
    clock = ports.pop(CLOCK)
    joined = [bits for cell in cells.values() for bits in cell["connections"].values()]
    joined += [port["bits"] for port in (clock, *ports.values())]
    # Constants are texts.
    nets = count(1 + max(bit for bits in joined for bit in bits if isinstance(bit, int)))
    begin = last = next(nets)
    ends = [(port["direction"], bit) for port in ports.values() for bit in port["bits"] if isinstance(bit, int)]
    for number, (direction, bit) in enumerate(ends):
        data, out = (last, bit) if direction == "input" else (bit, next(nets))
        last = out if direction == "input" else last
        connections = {"CLK": clock["bits"], "DI": [data], "LSR": ["0"], "Q": [out]}
        cells[f"scan_{number}"] = {**_CELL, "connections": connections}
    module["ports"] = {CLOCK: clock, "scan_in": {"direction": "input", "bits": [begin]}}
    files.write(netlist, json.dumps(design))
