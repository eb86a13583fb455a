# SPDX-License-Identifier: Apache-2.0
"""The constraint files of hdl/lib/cdc/constraints, run with stand-ins for the tools' commands."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from support import hdl_bench
from support.tools import tool

FOLDER = hdl_bench.ROOT / "hdl" / "lib" / "cdc" / "constraints"
TABLE = {row["module"]: row for row in tomllib.loads((FOLDER / "paths.toml").read_text(encoding="utf-8"))["path"]}
#: Cells are called by the pattern that found them; the two clocks have periods of 8 and 5 ns.
STAND_INS = """
proc get_cells args {return [list [lindex $args end]]}
proc get_pins args {return "pins of $args"}
proc get_clocks args {return [list @CLOCKS@]}
proc get_property {name clocks} {set all {a 8.0 b 5.0}; set found {}
    foreach clock $clocks {lappend found [dict get $all $clock]}; return $found}
proc all_fanin args {return "starts"}
foreach name {set_property set_max_delay set_bus_skew set_false_path} {proc $name args "puts \\"$name \\$args\\""}
@BEFORE@
source @FILE@
"""


def calls(file: str, before: str = "", clocks: str = "a b") -> list[str]:
    """Run a file; the constraints that it sets."""
    program = tool("tclsh")
    script = STAND_INS.replace("@CLOCKS@", clocks).replace("@BEFORE@", before).replace("@FILE@", str(FOLDER / file))
    done = subprocess.run([program], input=script, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("module", TABLE)
def test_every_path_has_its_constraint_for_vivado(module: str) -> None:
    row, said = TABLE[module], calls(f"{module}.tcl")
    if row["kind"] == "reset":
        assert [line.split()[0] for line in said] == ["set_property", "set_property", "set_false_path"]
    else:
        (limit,) = [line for line in said if line.startswith("set_max_delay")]
        assert "-datapath_only" in limit and limit.endswith(" 5.0") and f"{row['to']}_reg" in limit
        assert f"{row['from']}_reg" in limit if row["kind"] == "held" else "-from starts" in limit
    if row["kind"] == "synchroniser":
        assert any(line.startswith("set_bus_skew") and line.endswith(" 5.0") for line in said)


@pytest.mark.parametrize("module", [name for name, row in TABLE.items() if row["kind"] != "reset"])
def test_a_module_with_one_clock_on_both_sides_is_timed_as_any_logic(module: str) -> None:
    assert not any(line.startswith("set_max_delay") for line in calls(f"{module}.tcl", clocks="a"))


@pytest.mark.parametrize("module", TABLE)
def test_the_registers_are_those_of_the_module(module: str) -> None:
    text = hdl_bench.library(module).read_text(encoding="utf-8")
    for end in ("from", "to"):
        if end in TABLE[module]:
            assert f" {TABLE[module][end]}" in text


def test_sdc_limits_every_pair_of_clocks_to_the_faster() -> None:
    said = calls("crossings.sdc", "set sealwire_clocks {a 8.0 b 5.0 c 10.0}; proc get_clocks name {return $name}")
    limits = sorted(line for line in said if line.startswith("set_max_delay"))
    expected = [(a, b) for a in "abc" for b in "abc" if a != b]
    period = {"a": 8.0, "b": 5.0, "c": 10.0}
    assert limits == sorted(f"set_max_delay {min(period[a], period[b])} -from {a} -to {b}" for a, b in expected)
    assert sum(line.startswith("set_false_path -hold") for line in said) == len(expected)


def test_sdc_says_what_it_needs() -> None:
    with pytest.raises(AssertionError, match="set sealwire_clocks to the names and periods"):
        calls("crossings.sdc")


@pytest.mark.parametrize(
    ("delay", "clocks", "status", "said"),
    [
        (4.9, ["s_clk=8", "m_clk=5"], 0, "4.90 ns of 5.00 ns"),
        (5.1, ["s_clk=8", "m_clk=5"], 1, "TOO SLOW"),
        (1.0, ["s_clk=8"], 2, "give the period of both clocks"),
        (1.0, ["s_clk=fast"], 2, "wanted: REPORT.json CLOCK=NS"),
    ],
)
def test_nextpnr_report(delay: float, clocks: list[str], status: int, said: str, tmp_path: Path) -> None:
    path = {"from": "posedge $glbnet$s_clk", "to": "posedge m_clk", "path": [{"delay": 0.5}, {"delay": delay - 0.5}]}
    others = [{"from": "<async>", "to": "posedge m_clk", "path": [{"delay": 99}]}]
    others.append({"from": "posedge m_clk", "to": "posedge m_clk", "path": [{"delay": 99}]})
    report = tmp_path / "report.json"
    report.write_text(json.dumps({"critical_paths": [*others, path]}), encoding="utf-8")
    command = [sys.executable, FOLDER / "nextpnr_crossings.py", report, *clocks]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, said in done.stdout + done.stderr) == (status, True), done.stdout + done.stderr


def test_vivado_reads_the_constraints_of_every_module_scoped_to_it() -> None:
    said = calls("vivado.tcl", 'proc read_xdc args {puts "read_xdc $args"}')
    assert said == [f"read_xdc -unmanaged -ref {module} {FOLDER / module}.tcl" for module in TABLE]
