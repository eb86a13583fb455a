# SPDX-License-Identifier: Apache-2.0
"""What synthesis for an ECP5 leaves of the ring oscillators: every inverter, in loops of odd lengths."""

import json

from sealwire_lab import cores
from sealwire_lab.implement import yosys

LUT4 = """\
(* blackbox *)
module LUT4 #(parameter logic [15:0] INIT = 0) (input A, B, C, D, output Z);
endmodule
"""
SCRIPT = """\
read_slang -D SYNTHESIS --top noise_rings lut4.sv sync_bits.sv noise_rings.sv
synth_ecp5 -top noise_rings
write_json netlist.json
"""


def test_synthesis_keeps_every_ring() -> None:
    root = cores.root()
    files = (root / "hdl/lib/cdc/sync_bits.sv", root / "boards/common/noise/ecp5/noise_rings.sv")
    sources = {"lut4.sv": LUT4, **{path.name: path.read_text(encoding="utf-8") for path in files}}
    failure = "the rings are not synthesised: {reason} ({folder})"
    folder = yosys.passes("rings", "noise_rings", sources, SCRIPT, lambda *_: None, 600, failure)
    cells = json.loads((folder / "netlist.json").read_text())["modules"]["noise_rings"]["cells"].values()
    inverters = {
        cell["connections"]["Z"][0]: cell["connections"]["A"][0]
        for cell in cells
        if cell["type"] == "LUT4" and cell["parameters"]["INIT"] == f"{0x5555:016b}"
    }
    lengths = []
    while inverters:
        start, node = inverters.popitem()
        length = 1
        while node != start:
            node = inverters.pop(node)
            length += 1
        lengths.append(length)
    assert sorted(lengths) == [3, 3, 5, 5, 7, 7, 9, 9]
