# SPDX-License-Identifier: Apache-2.0
"""Standard cells: gate equivalents, clock and energy against what the library's file says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sealwire_lab import cores
from sealwire_lab.cli import main
from sealwire_lab.errors import LabError
from sealwire_lab.implement import cells, yosys
from sealwire_lab.implement.designs import Request
from support.standard_cells import TARGET, described, installed

SMALLEST = "asconprf64-r1"
ACCUMULATOR = """\
module accumulator #(
    parameter int DATA_BITS = 64
) (
    input logic clk,
    input logic [15:0] a,
    output logic [15:0] q
);
  always_ff @(posedge clk) q <= q + a;
endmodule
"""
STORE = """\
module store #(
    parameter int WORDS = 64,
    parameter int DATA_BITS = 64
) (
    input logic clk,
    input logic [9:0] at,
    input logic [7:0] data,
    output logic [7:0] q
);
  logic [7:0] words[WORDS];
  always_ff @(posedge clk) begin
    words[at] <= data;
    q <= words[at];
  end
endmodule
"""
MANIFEST = """\
[[core]]
name = "{name}"
kind = "other"
top = "{name}"
scheme = "none"
sources = ["hdl/{name}.sv"]
defaults = {{ {defaults} }}
"""


@pytest.fixture(autouse=True)
def library() -> None:
    installed()


def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, defaults: str = "") -> str:
    """A repository with one tiny core; its name."""
    name = source.split()[1]
    (tmp_path / "hdl").mkdir()
    (tmp_path / "hdl" / f"{name}.sv").write_text(source, encoding="utf-8")
    (tmp_path / "hdl" / "cores.toml").write_text(MANIFEST.format(name=name, defaults=defaults), encoding="utf-8")
    monkeypatch.setenv("SEALWIRE_ROOT", str(tmp_path))
    return name


def implement(name: str, *words: str) -> int:
    return main(["implement", "--core", name, "--target", "osu018", "--no-cycles", *words])


def test_gates_are_counted_by_area_and_paths_begin_and_end_at_the_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = house(tmp_path, monkeypatch, ACCUMULATOR)
    assert implement(name, "--json") == 0
    record = json.loads(capsys.readouterr().out)
    areas = {cell: area for cell, (area, _) in described().items()}
    area = sum(count * areas[cell] for cell, count in record["cells"].items())
    assert record["gate_equivalents"] == round(area / areas["NAND2X1"]) and record["ff"] == 16
    # Sixteen sums with their carries: not faster than four cells, not slower than a ripple of two cells a bit.
    assert 4 * 0.05 < 1000 / record["fmax_mhz"] < 32 * 0.5
    assert record["evidence"] == {"clock": "synthesised", "area": "synthesised"}
    assert record["lut"] is record["bram"] is record["gbit_s"] is record["pj_bit"] is None
    assert set(record["tools"]) == {"yosys", "opensta"}
    assert implement(name) == 0
    said = capsys.readouterr().out
    assert "gate equivalents" in said and "without wires" in said and "LUT" not in said


def test_a_large_memory_is_a_reason_and_no_sea_of_flip_flops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = house(tmp_path, monkeypatch, STORE, "WORDS = 64")
    assert implement(name, "--json") == 0
    assert json.loads(capsys.readouterr().out)["ff"] == 64 * 8 + 8
    assert implement(name, "--param", "WORDS=1024") == 1
    assert "store has a larger memory than flip-flops can be, and osu018 has none" in capsys.readouterr().err


def test_a_missing_library_names_its_packages(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert main(["implement", "--core", SMALLEST, "--target", "osu018"]) == 2
    assert "apt-get install qflow-tech-osu018 opensta" in capsys.readouterr().err


def test_an_error_of_the_analyser_is_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    core = cores.find(house(tmp_path, monkeypatch, ACCUMULATOR))
    request = Request(core, TARGET, core.parameters(), count_cycles=False)
    done = yosys.synthesise(request, lambda *_: None)
    with pytest.raises(LabError, match="OpenSTA: Error: another_top is not"):
        cells.period(core.name, "another_top", done, request, lambda *_: None)
