# SPDX-License-Identifier: Apache-2.0
"""A module at RGMII pins as a simulation takes it: with the delay that a PHY gives to the transmit clock (RGMII-ID)."""

import re
from pathlib import Path

from sealwire_lab import build, files

TEXT = """\
// For each output *_tx_clk of {name}, *_late_clk follows within a period of delay_clk.
module {name}_pins (
    input logic delay_clk,
    {late},
{ports}
);
  always_ff @(posedge delay_clk) begin
    {follow}
  end
  {name} u_{name} (.*);
endmodule
"""


def write(source: Path) -> Path:
    """The top around the module of `source`, with the module's default parameters."""
    name = source.stem
    _, _, module = source.read_text(encoding="utf-8").partition(f"\nmodule {name}")
    ports = module.partition("\n);")[0].partition(") (\n")[2]
    clocks = [
        (clock, clock.replace("tx_clk", "late_clk")) for clock in re.findall(r"output logic +(\w+_tx_clk)", ports)
    ]
    assert clocks, f"{source} has no output of RGMII"
    text = TEXT.format(
        name=name, ports=ports, late=",\n    ".join(f"output logic {late}" for _, late in clocks),
        follow="\n    ".join(f"{late} <= {clock};" for clock, late in clocks),
    )  # fmt: skip
    path = build.build_dir() / "tops" / f"{name}_pins.sv"
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        files.write(path, text)
    return path
