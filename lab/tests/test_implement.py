# SPDX-License-Identifier: Apache-2.0
"""`sealwire-lab implement` on a design small enough to count by hand."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import tiny_house
from sealwire_lab import cores, cycles, links, toolchain
from sealwire_lab.cli import main
from sealwire_lab.errors import LabError
from sealwire_lab.implement import block_rams, command, designs, flow, reports, scan, stages, targets, yosys
from sealwire_lab.implement.designs import Request

ADDER = tiny_house.adder(16)
MANIFEST = tiny_house.entry("adder", "defaults = { WIDTH = 16 }")
ECP5 = ["implement", "--core", "adder", "--target", "ecp5", "--no-cycles"]


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one tiny core, and nothing in its store."""
    monkeypatch.setenv("SEALWIRE_ROOT", str(tmp_path))
    flow.nextpnr.cache_clear()
    return tiny_house.make(tmp_path, MANIFEST, adder=ADDER)


def part(house: Path, name: str, text: str) -> cores.Core:
    """Another design of the repository, in the form of a core."""
    source = house / "hdl" / f"{name}.sv"
    source.write_text(text, encoding="utf-8")
    return replace(cores.find("adder"), name=name, top=name, sources=(source,), kind=cores.PART)


def record_of(out: str) -> dict:
    return json.loads(out)


def test_ecp5_gives_area_clock_and_slowest_path_and_keeps_them(house: Path, capfd: pytest.CaptureFixture[str]) -> None:
    keep = house / "kept"
    assert main([*ECP5, "--json", "--seeds", "2", "--keep", str(keep)]) == 0
    out, err = capfd.readouterr()
    record = record_of(out)
    assert (record["status"], record["stage"], record["device"]) == ("ok", "routed", "LFE5U-85F-8CABGA756")
    assert record["ff"] == 16 and record["carry"] == 8
    assert record["lut"] >= 16  # two for each carry cell, and what nextpnr adds to begin and end a chain
    assert record["params"] == {"WIDTH": 16, "DATA_BITS": 64, "CONTEXTS": 1}
    clocks = record["fmax_mhz_by_seed"]
    assert set(clocks) == {"1", "2"} and record["fmax_mhz"] == max(clocks.values()) > 200
    assert min(clocks.values()) <= record["fmax_mhz_median"] <= record["fmax_mhz"]
    path = record["critical_path"]
    assert path["start"].startswith("q_TRELLIS_FF") and path["delay_ns"] == pytest.approx(
        1000 / record["fmax_mhz"], 0.01
    )
    assert record["gbit_s"] is None and record["cycles"] is None
    assert set(record["tools"]) == {"yosys", "nextpnr-ecp5"}
    assert "place and route, seed 2" in err
    assert sorted(path.name for path in keep.rglob("*.json")).count("report.json") == 2

    # Again: from the store, the same to the letter.  --force: the tools run, with the same area and clock.
    assert main([*ECP5, "--json", "--seeds", "2"]) == 0
    out, err = capfd.readouterr()
    assert record_of(out) == record and "answered from" in err
    assert main([*ECP5, "--json", "--force"]) == 0
    out, err = capfd.readouterr()
    assert "answered from" not in err
    assert record_of(out)["fmax_mhz"] == clocks["1"] and record_of(out)["lut"] == record["lut"]

    # A changed source is another design.
    source = house / "hdl" / "adder.sv"
    source.write_text(ADDER.replace("q + a", "q ^ a"), encoding="utf-8")
    assert main([*ECP5, "--json", "--target", "xcup"]) == 0
    out, err = capfd.readouterr()
    assert "answered from" not in err and record_of(out)["carry"] == 0


def test_what_a_netlist_was_placed_as_is_kept_though_a_source_changes(
    house: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A source that leaves the netlist as it is, but for the lines of its cells, costs a synthesis alone."""
    source = house / "hdl" / "adder.sv"

    def made(text: str) -> tuple[dict, list[int]]:
        source.write_text(text, encoding="utf-8")
        assert main([*ECP5, "--json"]) == 0
        stages_of = (yosys.store() / stage for stage in ("synthesis", "placement"))
        return record_of(capfd.readouterr().out), [len(list(folder.glob("adder-*"))) for folder in stages_of]

    first, counts = made(ADDER)
    assert counts == [1, 1]
    again, counts = made("module unused (\n    input logic clk\n);\nendmodule\n" + ADDER)
    assert counts == [2, 1]
    assert again["fmax_mhz"] == first["fmax_mhz"] and again["finished"] >= first["finished"]
    assert again["sources_sha256"] != first["sources_sha256"]
    _, counts = made(ADDER.replace("q + a", "q ^ a"))
    assert counts == [3, 2]


def test_the_placer_is_the_core_s_or_the_one_that_is_asked_for(house: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def made(*more: str) -> dict:
        assert main([*ECP5, "--json", *more]) == 0
        return record_of(capfd.readouterr().out)

    usual, other = made(), made("--placer", "heap")
    assert usual["options"]["place"].endswith(" --placer static") and "--placer" not in usual["command"]
    assert other["options"]["place"].endswith(" --placer heap") and other["command"].endswith(
        " --placer heap --no-cycles"
    )
    manifest = house / "hdl" / "cores.toml"
    manifest.write_text(MANIFEST + 'placer = "heap"\n', encoding="utf-8")
    assert made("--force")["options"] == other["options"]


def test_block_rams_stand_side_by_side_and_the_next_row_goes_back() -> None:
    assert block_rams.places(3, (82,)) == ["X58/Y82/EBR0", "X60/Y82/EBR1", "X62/Y82/EBR2"]
    # The columns of the right half are two further on.
    assert block_rams.places(52, (22,))[26:30] == ["X62/Y22/EBR2", "X64/Y22/EBR3", "X69/Y22/EBR0", "X71/Y22/EBR1"]
    there_and_back = block_rams.places(8, (82, 70))
    assert there_and_back[3:5] == ["X64/Y82/EBR3", "X64/Y70/EBR3"] and there_and_back[7] == "X58/Y70/EBR0"
    everywhere = block_rams.places(208, (22, 46, 70, 82))
    assert len(set(everywhere)) == 208
    with pytest.raises(LabError, match="row 50 holds no block RAM; the rows are 22, 46, 70, 82"):
        block_rams.places(1, (50,))
    with pytest.raises(LabError, match="row 82 of block RAMs is named twice"):
        block_rams.places(1, (70, (82, 46), 82))
    with pytest.raises(LabError, match="105 block RAMs do not fit in 2 rows of 52"):
        block_rams.places(105, (70, 82))


def test_a_scan_puts_a_flip_flop_at_every_port_and_counts_none(house: Path) -> None:
    netlist = house / "placed.json"
    plain = Request(cores.find("adder"), targets.find("ecp5"), {"WIDTH": 16}, count_cycles=False)
    request = replace(plain, scan=True, place_options=("--write", netlist.name))
    result = flow.implement(request, lambda *_: None)
    record = result.record
    assert record.status == "ok" and record.ff == 16 and record.options["scan"] is True, record.reason
    assert record.lut == flow.implement(plain, lambda *_: None).record.lut
    assert "scan" not in plain.options() and "--scan" in record.command and "--scan" not in plain.command()
    placed = json.loads((result.folders[1] / netlist.name).read_text(encoding="utf-8"))
    module = next(iter(placed["modules"].values()))
    added = {name: cell for name, cell in module["cells"].items() if name.startswith("scan_")}
    assert len(added) == 32 and set(module["ports"]) == {"clk", "scan_in"}
    # From the port through all inputs, and from every output.
    # nextpnr leads what no LUT makes to the input M.
    joined = [cell["connections"] for cell in added.values()]
    data = {each["Q"][0]: (each.get("DI") or each["M"])[0] for each in joined}
    chain = [bit for bit in data if bit not in data.values()]
    ends = [bit for bit in chain if data[bit] in data]
    assert len(chain) == 17 and len(ends) == 1
    length, bit = 0, ends[0]
    while bit in data:
        length, bit = length + 1, data[bit]
    assert length == 16


def test_a_scan_needs_one_clock(tmp_path: Path) -> None:
    netlist = tmp_path / "netlist.json"
    ports = {"s_clk": {"direction": "input", "bits": [2]}}
    netlist.write_text(json.dumps({"modules": {"two": {"attributes": {"top": "1"}, "ports": ports, "cells": {}}}}))
    with pytest.raises(LabError, match="--scan is for designs with one clock, clk"):
        scan.attach(netlist)


#: Twelve memories, each read and written in every cycle
MEMORIES = """\
module memories #(
    parameter int WIDTH = 16
) (
    input logic clk,
    input logic [9:0] address,
    input logic [WIDTH-1:0] a,
    output logic [WIDTH-1:0] q
);
  logic [12:0][WIDTH-1:0] word;
  assign word[0] = a;
  for (genvar i = 0; i < 12; i++) begin : gen_memory
    (* ram_style = "block" *) logic [WIDTH-1:0] mem[1024];
    always_ff @(posedge clk) begin
      mem[address] <= word[i];
      word[i+1] <= mem[address];
    end
  end
  assign q = word[12];
endmodule
"""


@pytest.mark.parametrize(("rows", "written"), [([82], "82"), ([[70, 82]], "70+82")])
def test_block_rams_are_placed_in_the_rows_of_the_entry_in_the_order_of_their_names(
    house: Path, rows: list[cores.Band], written: str
) -> None:
    core = replace(part(house, "memories", MEMORIES), ram_rows=rows)
    netlist = house / "placed.json"
    request = Request(
        core, targets.find("ecp5"), {"WIDTH": 16}, count_cycles=False, place_options=("--write", netlist.name)
    )
    result = flow.implement(request, lambda *_: None)
    assert result.record.status == "ok" and result.record.options["ram_rows"] == rows, result.record.reason
    (module,) = json.loads((result.folders[-1] / netlist.name).read_text(encoding="utf-8"))["modules"].values()
    found = {
        int(name.split("[")[1].split("]")[0]): cell["attributes"]["NEXTPNR_BEL"]
        for name, cell in module["cells"].items() if cell["type"] == block_rams.CELL
    }  # fmt: skip
    assert [found[number] for number in range(12)] == block_rams.places(12, rows)
    free = replace(request, ram_rows=(), place_options=())
    assert "ram_rows" not in free.options() and free.command().endswith("--ram-rows none --no-cycles")
    assert command.ram_rows(written) == rows
    assert f"--ram-rows {written} " in replace(free, ram_rows=rows).command()


def test_two_rows_in_turn_give_their_places_column_by_column() -> None:
    beside = block_rams.places(10, ((70, 82),))
    assert [place.split("/")[1] for place in beside] == ["Y70", "Y82"] * 5
    columns = [int(place.split("/")[0][1:]) for place in beside]
    assert columns == sorted(columns) and columns[0::2] == columns[1::2]


#: Two clocks, a register of each behind the other's
TWO_CLOCKS = """\
module two_clocks #(
    parameter int WIDTH = 16
) (
    input logic slow_clk,
    input logic fast_clk,
    input logic [WIDTH-1:0] a,
    output logic [WIDTH-1:0] q
);
  logic [WIDTH-1:0] sum, held;
  always_ff @(posedge fast_clk) sum <= sum + a;
  always_ff @(posedge slow_clk) begin
    held <= sum;
    q    <= q + (held ^ {held[0], held[WIDTH-1:1]});
  end
endmodule
"""


def test_a_design_with_two_clocks_has_both_and_the_placer_aims_at_each(house: Path) -> None:
    core = replace(part(house, "two_clocks", TWO_CLOCKS), clocks={"slow_clk": 50, "fast_clk": 300})
    request = Request(core, targets.find("ecp5"), {"WIDTH": 16}, count_cycles=False)
    result = flow.implement(request, lambda *_: None)
    record, log = result.record, (result.folders[-1] / stages.LOG).read_text(encoding="utf-8")
    assert record.status == "ok" and record.fmax_mhz_by_clock is not None
    assert set(record.fmax_mhz_by_clock) == {"slow_clk", "fast_clk"}
    assert record.fmax_mhz == min(record.fmax_mhz_by_clock.values())
    assert record.options["clocks_mhz"] == {"slow_clk": 50, "fast_clk": 300}
    assert all(f"'{name}' to {mhz}.00 MHz" in log for name, mhz in core.clocks.items())
    # The slowest path is one of a clock: none from one clock to the other limits either.
    path = record.critical_path
    assert path is not None and path.delay_ns == pytest.approx(1000 / record.fmax_mhz, 0.02)


def test_xilinx_targets_have_area_but_no_clock(house: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = ["implement", "--core", "adder", "--target", "xc7", "--no-cycles", "--param", "WIDTH=8"]
    assert main([*words, "--json"]) == 0
    record = record_of(capfd.readouterr().out)
    assert (record["lut"], record["ff"], record["carry"], record["stage"]) == (8, 8, 2, "synthesised")
    assert record["fmax_mhz"] is record["gbit_s"] is record["mbit_s_per_lut"] is None and record["seeds"] == []
    assert "no open place and route" in record["notes"][0]
    assert main(words) == 0
    assert "no open place and route" in capfd.readouterr().out


def test_a_synthesis_is_named_by_all_commands_that_it_runs(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = []

    def named(_what: str, folder: Path, *_: object, **__: object) -> stages.Outcome:
        folders.append(folder)
        return stages.Outcome("failed", "not run", 0, 0, "", folder)

    monkeypatch.setattr(stages, "run", named)
    for hierarchy, changed in ((False, ""), (True, ""), (True, "APART"), (True, "_JOINED")):
        core = replace(cores.find("adder"), hierarchy=hierarchy)
        with monkeypatch.context() as other:
            if changed:
                other.setattr(yosys, changed, (*getattr(yosys, changed), "another"))
            yosys.synthesise(Request(core, targets.find("xc7"), core.parameters()), lambda *_: None)
    assert len(set(folders)) == 4


def test_a_failure_is_a_record_one_line_and_status_1(house: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (house / "hdl" / "adder.sv").write_text(ADDER.replace("q + a", "q + b"), encoding="utf-8")
    for expected in ("use of undeclared identifier 'b'",) * 2:  # the second time from the store
        assert main([*ECP5, "--json"]) == 1
        out, err = capfd.readouterr()
        assert record_of(out)["status"] == "failed" and expected in record_of(out)["reason"]
        assert expected in err and record_of(out)["lut"] is None
    assert "answered from" in err


def test_a_design_that_does_not_place_keeps_its_area(house: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main([*ECP5, "--json", "--place=--no-such-option"]) == 1
    record = record_of(capfd.readouterr().out)
    assert record["status"] == "failed" and record["ff"] == 16 and record["fmax_mhz"] is None
    assert list(record["failed_seeds"]) == ["1"] and "place and route, seed 1 failed" in record["reason"]


def test_a_design_that_does_not_route_keeps_area_and_estimate(
    house: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    stuck = house / "nextpnr"
    stuck.write_text(
        """#!/bin/sh
test "$1" = --version && echo '"nextpnr-ecp5" -- Next Generation Place and Route (Version nextpnr-9.9)' && exit
for cell in TRELLIS_COMB TRELLIS_FF DP16KD MULT18X18D; do printf 'Info: \\t%20s:      20/  83640     0%%\\n' $cell; done
echo "Info: Max frequency for clock 'clk': 78.90 MHz (FAIL at 150.00 MHz)"
echo "Info: Routing.." && echo "ERROR: Failed to route arc 3 of net 'a'" && exit 255
""",
        encoding="utf-8",
    )
    stuck.chmod(0o755)
    monkeypatch.setenv("NEXTPNR_ECP5", str(stuck))
    assert main([*ECP5, "--json"]) == 1
    record = record_of(capfd.readouterr().out)
    assert (record["status"], record["stage"], record["lut"], record["fmax_mhz"]) == ("failed", "placed", 20, None)
    assert record["fmax_mhz_estimated"] == 78.9 and record["gbit_s"] is None
    assert record["reason"] == (
        "place and route, seed 1 failed (exit status 255): ERROR: Failed to route arc 3 of net 'a'"
    )
    assert record["tools"]["nextpnr-ecp5"] == "9.9"


def test_a_run_out_of_time_is_a_failure_until_given_more(tmp_path: Path) -> None:
    def stage(limit: float) -> stages.Outcome:
        return stages.run(
            "sleep", tmp_path / "s", lambda _: ["sleep", "2"], limit=limit, force=False, progress=lambda *_: None
        )

    begun = time.monotonic()
    first = stage(0.5)
    assert time.monotonic() - begun < 1.9
    assert first.status == "timeout" and "longer than 0.5 s" in first.reason and not first.stored
    assert stage(0.4).stored and stage(0.4).status == "timeout"
    again = stage(30)
    assert (again.status, again.stored) == ("ok", False) and stage(0.1).status == "ok"
    assert [path for path in tmp_path.iterdir() if path.name.startswith(".making")] == []


@pytest.mark.parametrize(
    "line",
    [
        "Warning: multiple conflicting drivers for top.q:",
        "Warning: Driver-driver conflict for q between cell a.Q and constant 1'0 in top: Resolved using constant.",
        "Warning: Wire top.q has multiple drivers!",
        "%Warning-MULTIDRIVEN: top.v:5: Signal has multiple driving blocks with different clocking: 'q'",
        "CRITICAL WARNING: [Synth 8-6859] multi-driven net on pin q",
    ],
)
def test_two_drivers_in_a_log_are_a_failure(line: str, tmp_path: Path) -> None:
    def stage(text: str) -> stages.Outcome:
        return stages.run(
            "tool", tmp_path / "s", lambda _: ["echo", text], limit=9, force=True, progress=lambda *_: None
        )

    done = stage(line)
    assert done.status == "failed" and done.reason == f"tool found two drivers of one signal: {line}"
    assert stage("can't share write port 1: conflict in simultaneous read and write operations").status == "ok"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--core", "addder", "--target", "ecp5"], "did you mean adder?"),
        (["--core", "adder", "--target", "ice40"], "no target is called 'ice40' (known: ecp5, xcup, xc7, osu018)"),
        (["--core", "adder", "--target", "ecp5", "--param", "DEPTH=1"], "adder has no parameter DEPTH"),
        (["--core", "adder", "--target", "ecp5", "--keep", "/"], "name a new folder"),
    ],
)
def test_bad_input_is_one_line_and_status_2(
    house: Path, words: list[str], message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["implement", *words]) == 2
    out, err = capfd.readouterr()
    assert out == "" and message in err and err.count("\n") == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_ending_the_command_ends_its_tool(number: int, tmp_path: Path) -> None:
    program = """
import sys
from dataclasses import replace
from pathlib import Path
from sealwire_lab import cli
from sealwire_lab.implement import flow, stages

def implement(request, progress):
    command = ["sh", "-c", "echo $$ > " + sys.argv[1] + "; exec sleep 600"]
    stages.run("sleep", Path(sys.argv[1] + ".stage"), lambda _: command, limit=600, force=True, progress=progress)

flow.implement = implement
cli.main(["implement", "--core", "omd-sha512-r1", "--target", "xcup"])
"""
    told = tmp_path / "pid"
    child = subprocess.Popen([sys.executable, "-c", program, str(told)])
    deadline = time.monotonic() + 60
    while not (told.exists() and told.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    tool = int(told.read_text())
    child.send_signal(number)
    assert child.wait(timeout=10) == (128 + number if number == signal.SIGTERM else -number)
    status = Path(f"/proc/{tool}/status")
    deadline = time.monotonic() + 10
    while status.exists() and "State:\tZ" not in status.read_text() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not status.exists() or "State:\tZ" in status.read_text()


@pytest.mark.parametrize("words", [["--seeds", "0"], ["--param", "WIDTH"], ["--timeout", "-1"], ["--seed", "x"]])
def test_bad_usage_is_status_2(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([*ECP5, *words])
    assert caught.value.code == 2 and capfd.readouterr().out == ""


def test_a_missing_tool_says_what_to_do(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEXTPNR_ECP5", "no-such-program")
    flow.nextpnr.cache_clear()
    with pytest.raises(LabError, match="NEXTPNR_ECP5 is 'no-such-program'"):
        flow.nextpnr()
    monkeypatch.delenv("NEXTPNR_ECP5")
    monkeypatch.setattr(toolchain.util, "find_spec", lambda _: None)
    with pytest.raises(LabError, match="make setup"):
        flow.nextpnr()
    yosys.version.cache_clear()
    with pytest.raises(LabError, match="make setup"):
        yosys.version()


def test_a_store_that_cannot_be_written_is_one_line(house: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (house / "build").write_text("in the way", encoding="utf-8")
    assert main(ECP5) == 2
    assert "cannot keep the results of synthesis" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("echo 'error: x.json: No space left on device'; exit 1", "No space left"),
        ("kill -TERM $$", r"ended from outside \(SIGTERM\)"),
        ("kill -KILL $$", r"ended from outside \(SIGKILL\)"),
        ("exit 1", None),
        ("kill -SEGV $$", None),
    ],
)
def test_what_says_nothing_about_the_design_is_not_kept(words: str, message: str | None, tmp_path: Path) -> None:
    def stage() -> stages.Outcome:
        return stages.run(
            "tool", tmp_path / "s", lambda _: ["sh", "-c", words], limit=9, force=False, progress=lambda *_: None
        )

    if message is None:
        assert stage().status == "failed" and stage().stored
    else:
        with pytest.raises(LabError, match=message):
            stage()
        assert not (tmp_path / "s").exists()


def test_memory_and_wide_cells_of_xilinx_count_as_documented() -> None:
    cells = {
        "LUT6": 10,
        "LUT1": 1,
        "INV": 5,
        "MUXF7": 3,
        "RAM32M16": 2,
        "SRL16E": 3,
        "RAMB18E2": 3,
        "FDRE": 4,
        "CARRY8": 1,
    }
    area = targets.find("xcup").area(cells)
    assert (area.lut_logic, area.lut_memory, area.lut) == (11, 19, 30)
    assert (area.bram, area.ff, area.carry, area.dsp) == (1.5, 4, 1, 0)


def test_cycles_are_counted_once(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def measure(core: cores.Core, parameters: dict[str, int], _blocks: tuple[int, ...]) -> cycles.Cycles:
        calls.append(parameters)
        return cycles.Cycles(core.name, parameters, 1, 1, 2, 3, 81, 5, {1: 100}, {1: 90.5}, {1: 101}, 1.01)

    monkeypatch.setattr(cycles, "measure", measure)
    core = cores.find("adder")

    def count(**parameters: int) -> cycles.Cycles:
        return flow.count_cycles(core, core.parameters(**parameters), lambda *_: None)

    assert count() == count()
    assert len(calls) == 1
    count(WIDTH=3)
    assert len(calls) == 2


def test_a_new_key_is_never_faster_than_the_same_key() -> None:
    blocks = {1: 48, 24: 324, 150: 1836}
    counted = cycles.Cycles("mac", {}, 1, 0, 0, 0, 12, 36, blocks, {n: count + 1 for n, count in blocks.items()})
    for key_setup, taken in ((0, 49), (1, 49), (12, 60)):
        speeds = reports.speeds(replace(counted, key_setup=key_setup), 64, 1000, 100.0, 100.0)
        assert speeds["gbit_s_64_new_key"] == pytest.approx(51.2 / taken, abs=1e-4)
        assert speeds["gbit_s_64_new_key"] <= speeds["gbit_s_64"] == pytest.approx(51.2 / 49, abs=1e-4)


def test_throughput_is_bits_times_clock_over_cycles(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Blocks of 64 bytes: 1, 24 and 150 of them are the messages that a record has figures for.
    counted = cycles.Cycles(
        "adder", {}, 1, 10, 16, 4, 16, 2, {1: 22, 24: 390, 150: 2406}, {1: 20, 24: 388, 150: 2404}
    )  # fmt: skip
    monkeypatch.setattr(flow, "count_cycles", lambda *_, **__: counted)
    core = cores.find("adder")
    request = Request(core, targets.find("ecp5"), core.parameters())
    record = flow.implement(request, lambda *_: None).record
    clock = record.fmax_mhz
    assert clock and record.lut and record.block_bits == 512 and record.tools["verilator"]
    assert record.gbit_s == pytest.approx(clock * 32 / 1000, 1e-3)
    assert record.mbit_s_per_lut == pytest.approx(clock * 32 / record.lut, 1e-3)
    assert record.gbit_s_64 == pytest.approx(clock * 512 / 20 / 1000, 1e-3)
    assert record.gbit_s_64_new_key == pytest.approx(clock * 512 / (10 + 22) / 1000, 1e-3)
    assert record.gbit_s_1536_new_key == pytest.approx(clock * 12288 / (10 + 390) / 1000, 1e-3)
    assert record.latency_ns_9600 == pytest.approx(2406 * 1000 / clock, 1e-3)
    assert record.evidence == {"area": "routed", "clock": "routed", "cycles": "simulated"}
    assert os.path.commonpath([yosys.store(), house]) == str(house)


def test_without_routing_the_area_is_that_of_the_synthesis(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*ECP5, "--no-route", "--json"]) == 0
    found = record_of(capsys.readouterr().out)
    assert found["status"] == "ok" and found["stage"] == "synthesised" and found["ff"] == 16
    assert found["fmax_mhz"] is None and found["seeds"] == [] and "nextpnr-ecp5" not in found["tools"]
    assert found["command"].split()[-2:] == ["--no-route", "--no-cycles"]


def test_every_link_and_part_is_a_design_and_no_core() -> None:
    assert links.load() and cores.parts() and not set(links.others()) & set(cores.load())
    for name, other in links.others().items():
        assert links.find(name) == other and all(path.exists() for path in other.sources)
        request = Request(other, targets.find("ecp5"), other.parameters(), route=False)
        assert request.command() == f"sealwire-lab implement --core {name} --target ecp5 --no-route"
        planned = flow.plan(request)
        assert planned.family in ("link", "aes") and planned.counter_sha256 is None and designs.current_hash(planned)
