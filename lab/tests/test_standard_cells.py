# SPDX-License-Identifier: Apache-2.0
"""Standard cells: gate equivalents, clock and energy against what the library's file says."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
import tiny_house
from sealwire_lab import activity, cores
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
#: A flip-flop whose output an inverter leads back: every net changes every cycle.
TOGGLE = """\
module toggle #(
    parameter int DATA_BITS = 64
) (
    input logic clk,
    output logic q
);
  always_ff @(posedge clk) q <= ~q;
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


@pytest.fixture
def library() -> None:
    installed()


def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, defaults: str = "") -> str:
    """A repository with one tiny core; its name."""
    name = source.split()[1]
    tiny_house.make(tmp_path, tiny_house.entry(name, f"defaults = {{ {defaults} }}"), **{name: source})
    monkeypatch.setenv("SEALWIRE_ROOT", str(tmp_path))
    return name


def implement(name: str, *words: str) -> int:
    return main(["implement", "--core", name, "--target", "osu018", "--no-cycles", *words])


@pytest.mark.usefixtures("library")
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
    assert set(record["tools"]) == {"yosys", "opensta", "cells"}
    assert implement(name) == 0
    said = capsys.readouterr().out
    assert "gate equivalents" in said and "without wires" in said and "LUT" not in said


@pytest.mark.usefixtures("library")
def test_a_large_memory_is_a_reason_and_no_sea_of_flip_flops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = house(tmp_path, monkeypatch, STORE, "WORDS = 64")
    assert implement(name, "--json") == 0
    assert json.loads(capsys.readouterr().out)["ff"] == 64 * 8 + 8
    assert implement(name, "--param", "WORDS=1024") == 1
    assert "store has a larger memory than flip-flops can be, and osu018 has none" in capsys.readouterr().err


def without_inner_energy(text: str, but: tuple[str, str, str] | None = None) -> str:
    """The library with 0 in all tables of energy, or 1 pJ in that of one edge of one pin of a cell."""

    def cell(body: re.Match[str]) -> str:
        def pin(found: re.Match[str]) -> str:
            def table(power: re.Match[str]) -> str:
                value = "1.0" if (body[1], found[1], power[1]) == but else "0.0"
                return re.sub(r"values \(.*?\);", lambda v: re.sub(r"[\d.]+", value, v[0]), power[0], flags=re.DOTALL)

            return re.sub(r"(rise|fall)_power\(.*?\);\s*\}", table, found[0], flags=re.DOTALL)

        return re.sub(r"^  pin\((\w+)\).*?^  \}", pin, body[0], flags=re.MULTILINE | re.DOTALL)

    return re.sub(r"^cell \((\w+)\).*?^\}", cell, text, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    ("table", "picojoules"),
    [
        (("DFFPOSX1", "CLK", "rise"), 1.0),  # a rise and a fall of the clock in each cycle
        (("DFFPOSX1", "CLK", "fall"), 1.0),
        (("DFFPOSX1", "Q", "rise"), 0.5),  # one or the other of all other nets
        (("DFFPOSX1", "D", "fall"), 0.5),
        (("INVX1", "Y", "rise"), 0.5),
        (("INVX1", "Y", "fall"), 0.5),
        (("NOR2X1", "Y", "fall"), 0.0),  # there is none
    ],
)
@pytest.mark.usefixtures("library")
def test_energy_is_that_of_each_change(
    table: tuple[str, str, str], picojoules: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    core = cores.find(house(tmp_path, monkeypatch, TOGGLE))
    target = TARGET
    assert target.library
    text = target.library.text()
    assert without_inner_energy(text, table) != without_inner_energy(text)
    loads = {cell: pins for cell, (_, pins) in described().items()}
    found = []
    for number, but in enumerate((None, table)):
        file = tmp_path / f"{number}.lib"
        file.write_text(without_inner_energy(text, but), encoding="utf-8")
        of = replace(target, library=replace(target.library, file=file))
        request = Request(core, of, core.parameters(), count_cycles=False)
        done = yosys.synthesise(request, lambda *_: None)
        netlist = json.loads((done.folder / yosys.NETLIST).read_text())
        top = netlist["modules"]["toggle"]
        assert sorted(cell["type"] for cell in top["cells"].values()) == ["DFFPOSX1", "INVX1"]
        bits = {bit for cell in top["cells"].values() for bits in cell["connections"].values() for bit in bits}
        counted = activity.Counts(100, dict.fromkeys(bits - set(top["ports"]["clk"]["bits"]), (100, 50)), top)
        _, energy = cells.energy_of_cycle("toggle", "toggle", done, request, counted, lambda *_: None)
        assert energy is not None
        found.append(energy)
    # The loads: a rise or a fall of both nets, and both edges of the clock, at half of C V^2 each.
    charged = loads["DFFPOSX1"]["D"] + loads["INVX1"]["A"] + 2 * loads["DFFPOSX1"]["CLK"]
    assert found[0] == pytest.approx(charged * 1.8**2 / 2, rel=0.02)
    assert found[1] - found[0] == pytest.approx(picojoules, abs=0.002)


def test_a_missing_library_names_its_packages(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert main(["implement", "--core", SMALLEST, "--target", "osu018"]) == 2
    assert "apt-get install qflow-tech-osu018 opensta" in capsys.readouterr().err


@pytest.mark.usefixtures("library")
def test_an_error_of_the_analyser_is_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    core = cores.find(house(tmp_path, monkeypatch, ACCUMULATOR))
    request = Request(core, TARGET, core.parameters(), count_cycles=False)
    done = yosys.synthesise(request, lambda *_: None)
    with pytest.raises(LabError, match="OpenSTA: Error: another_top is not"):
        cells.period(core.name, "another_top", done, request, lambda *_: None)
