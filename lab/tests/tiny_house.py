# SPDX-License-Identifier: Apache-2.0
"""Repositories for tests, with cores small enough to count by hand."""

from pathlib import Path

#: WIDTH flip-flops, each fed by one adder bit.
_ADDER = """\
module {name} #(parameter int WIDTH = {width}, parameter int DATA_BITS = 64, parameter int CONTEXTS = 1)
(input logic clk, input logic [WIDTH-1:0] a, output logic [WIDTH-1:0] q);
  always_ff @(posedge clk) q <= q + a;
endmodule
"""
_ENTRY = """\
[[core]]
name = "{name}"
kind = "other"
top = "{top}"
scheme = "none"
sources = ["hdl/{source}.sv"]
{more}
"""


def adder(width: int, name: str = "adder") -> str:
    """The source of an accumulator."""
    return _ADDER.format(name=name, width=width)


def entry(name: str, more: str = "", *, top: str = "", source: str = "") -> str:
    """The entry of a core in the manifest, with `more` lines of it."""
    return _ENTRY.format(name=name, top=top or name, source=source or top or name, more=more)


def make(folder: Path, manifest: str, **sources: str) -> Path:
    """A repository with these sources by the names of their modules."""
    (folder / "hdl").mkdir()
    for name, text in sources.items():
        (folder / "hdl" / f"{name}.sv").write_text(text, encoding="utf-8")
    (folder / "hdl" / "cores.toml").write_text(manifest, encoding="utf-8")
    return folder
