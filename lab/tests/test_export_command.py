# SPDX-License-Identifier: Apache-2.0
"""`sealwire-lab export`: what the folder holds, and what is refused."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pyslang
import pytest
from jinja2 import UndefinedError
from sealwire_lab import cores, lint
from sealwire_lab.cli import main
from sealwire_lab.errors import LabError
from sealwire_lab.publish.export import package, verilog
from sealwire_lab.publish.export.templates import fill
from sealwire_lab.publish.export.verilog import tidy
from support.tools import tool

CORE = "omd-sha256-r1"
WORDS = ["export", "--core", CORE, "--bus", "axis", "--no-measure"]
TOP = "omd_sha256_r1_axis"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("export") / "core"
    assert main([*WORDS, "-o", str(made)]) == 0
    return made


def run(*command: object) -> None:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_verilog_is_plain(folder: Path) -> None:
    text = (folder / "verilog" / f"{TOP}.v").read_text()
    code = re.sub(r"//.*|/\*.*?\*/", "", text)
    assert "\\" not in code and "$" not in code.replace("$signed(", "(") and "(*" not in code.replace("@(*)", "")
    names = re.findall(r"^module (\w+)", code, re.MULTILINE)
    assert names[0] == TOP and all(name.startswith(f"{TOP}_") for name in names[1:]) and len(set(names)) == len(names)
    assert re.search(r"reg \[63:0\] \w+ +\[1023:0\];", code), "the store is a memory"


def test_slang_takes_the_verilog_as_verilog_2005(folder: Path) -> None:
    driver = pyslang.driver.Driver()
    driver.addStandardArgs()
    source = folder / "verilog" / f"{TOP}.v"
    assert driver.parseCommandLine(f'slang --std 1364-2005 "{source}"', pyslang.driver.CommandLineOptions())
    assert driver.processOptions() and driver.parseAllSources() and driver.runFullCompilation(True)


def test_icarus_takes_the_verilog(folder: Path, tmp_path: Path) -> None:
    run(tool("iverilog"), "-g2005", "-Wall", "-o", tmp_path / "out", folder / "verilog" / f"{TOP}.v")


def test_ghdl_takes_the_component(folder: Path, tmp_path: Path) -> None:
    run(tool("ghdl"), "-a", "--std=93", f"--workdir={tmp_path}", folder / "vhdl" / f"{TOP}_pkg.vhd")


LWC_BENCH = """\
library ieee;
use ieee.std_logic_1164.all;
use work.LWC_config.all;

entity bench is
end entity;

architecture test of bench is
  component LWC is
    port (
      clk, rst             : in  std_logic;
      pdi_data             : in  std_logic_vector(W * PDI_SHARES - 1 downto 0);
      pdi_valid            : in  std_logic;
      pdi_ready            : out std_logic;
      sdi_data             : in  std_logic_vector(SW * SDI_SHARES - 1 downto 0);
      sdi_valid            : in  std_logic;
      sdi_ready            : out std_logic;
      do_data              : out std_logic_vector(W * PDI_SHARES - 1 downto 0);
      do_last, do_valid    : out std_logic;
      do_ready             : in  std_logic
    );
  end component;
  signal bits : std_logic_vector(W - 1 downto 0);
  signal random : std_logic_vector(RW - 1 downto 0);
begin
  assert not ASYNC_RSTN and SW = W and bits'length = 16 and random'length = 0 severity failure;
  uut : LWC port map ('0', '0', bits, '0', open, bits, '0', open, open, open, open, '0');
end architecture;
"""


@pytest.fixture(scope="module")
def lwc_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("export") / "lwc"
    words = ["export", "--core", CORE, "--bus", "lwc", "--width", "16", "--no-measure", "-o", str(made)]
    assert main(words) == 0
    return made


def test_ghdl_takes_what_the_bench_of_the_lwc_api_reads(lwc_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "bench.vhd").write_text(LWC_BENCH)
    options = ("--std=08", f"--workdir={tmp_path}")
    run(tool("ghdl"), "-a", *options, lwc_folder / "gmu" / "LWC_config.vhd", tmp_path / "bench.vhd")
    run(tool("ghdl"), "-r", *options, "bench")


def test_the_module_lwc_is_the_core_under_the_names_of_the_api(lwc_folder: Path) -> None:
    sources = [lwc_folder / "verilog" / "omd_sha256_r1_lwc.v", lwc_folder / "gmu" / "LWC.v"]
    assert lint.plain("LWC", sources) == []
    core = (lwc_folder / "omd_sha256_r1_lwc.core").read_text()
    assert "- gmu/LWC.v: {file_type: systemVerilogSource}" in core


def test_malformed_messages_are_answered_by_failure_alone(lwc_folder: Path) -> None:
    text = (lwc_folder / "answers" / "do.txt").read_text()
    found = dict(re.findall(r"^# Message \d+, key \d+, (.*)\n# TB :.*\n(.*)$", text, re.MULTILINE))
    for what in ("seal nonce short of a byte", "open no tag", "open reserved bits", "seal key short of a byte"):
        assert found[what] == "STT = F000", what


def test_the_component_has_the_ports_of_the_module(folder: Path) -> None:
    vhdl = (folder / "vhdl" / f"{TOP}_pkg.vhd").read_text()
    text = (folder / "verilog" / f"{TOP}.v").read_text()
    module = text[text.index(f"module {TOP} ") : text.index("endmodule")]
    ports = {
        name: (direction, int(high or 0) + 1)
        for direction, high, name in re.findall(r"^  (input|output) (?:\[(\d+):0\] )?(\w+);", module, re.MULTILINE)
    }
    found = {
        name: ({"in": "input", "out": "output"}[direction], int(high or 0) + 1)
        for name, direction, high in re.findall(
            r"^ +(\w+) : (in|out) std_logic(?:_vector\((\d+) downto 0\))?", vhdl, re.M
        )
    }
    assert found == ports and found["s_axis_msg_tdata"] == ("input", 64)


def test_fusesoc_reads_the_core_file(folder: Path) -> None:
    run(tool("fusesoc"), "--cores-root", folder, "core", "show", f"sealwire:aead:{TOP}")


def test_the_core_file_names_what_is_there(folder: Path) -> None:
    text = (folder / f"{TOP}.core").read_text()
    assert text.startswith("CAPI=2:\n")
    named = re.findall(r"^ +- ([\w./-]+\.\w+)(?::|$)", text, re.MULTILINE)
    assert [name for name in named if not (folder / name).is_file()] == []
    everything = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert {name for name in everything if name.startswith(("sv/", "verilog/", "vhdl/", "bench/"))} <= set(named)
    for target in ("default", "sim", "lint", "vivado"):
        assert re.search(rf"^  {target}:$", text, re.MULTILINE)


def test_the_file_list_and_every_reference_hold(folder: Path) -> None:
    for name in (folder / "sources.f").read_text().split():
        assert (folder / name).is_file()
    sheet = (folder / "datasheet.md").read_text()
    for link in re.findall(r"\]\(([^)#]+)\)", sheet):
        assert (folder / link).is_file(), link
    assert "@" not in re.sub(r"\S+@\S+\.\S+", "", sheet) and "\n\n\n" not in sheet
    assert "/work" not in "".join(path.read_text() for path in folder.rglob("*") if path.is_file())


def test_a_folder_in_use_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("precious")
    assert main([*WORDS, "-o", str(tmp_path)]) == 2
    out, err = capfd.readouterr()
    assert out == "" and "is not empty" in err and "--force" in err and err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    assert main([*WORDS, "-o", str(mine)]) == 2
    assert "is not a folder" in capfd.readouterr().err
    assert main([*WORDS, "-o", str(tmp_path), "--force", "--json"]) == 0
    summary = json.loads(capfd.readouterr().out)
    assert mine.read_text() == "precious" and summary["top"] == TOP and summary["checked"] is None
    assert all((tmp_path / name).is_file() for name in summary["files"])


@pytest.mark.parametrize("place", ["/proc/new", "file/new", "file/new/deeper"])
def test_a_place_that_cannot_be_written_is_refused_before_any_work(
    place: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verilog, "make", None)
    (tmp_path / "file").write_text("")
    assert main([*WORDS, "-o", str(tmp_path / place)]) == 2
    out, err = capfd.readouterr()
    assert out == "" and "name another place" in err.splitlines()[-1]
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_verilator_has_no_warning_on_the_verilog(folder: Path) -> None:
    assert lint.plain(TOP, [folder / "verilog" / f"{TOP}.v"]) == []


SECOND_DRIVER = """\
module top (clk, a, b, q);
  input clk, a, b;
  output reg q;
  always @(posedge clk) q <= a;
  always @(posedge clk) if (b) q <= 1'b0;
endmodule
"""
TWO_PORTS = """\
module top (clk, a, b, d, e, q);
  input clk;
  input [3:0] a, b, d, e;
  output [3:0] q;
  reg [3:0] memory [15:0];
  always @(posedge clk) memory[a] <= d;
  always @(posedge clk) memory[b] <= e;
  assign q = memory[a];
endmodule
"""
LATCH = """\
module top (a, b, q);
  input a, b;
  output reg q;
  always @(*) if (a) q = b;
endmodule
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SECOND_DRIVER, r"two drivers of one signal: Warning: multiple conflicting drivers for top\.\\q"),
        (TWO_PORTS, "Assertion failed: selection is not empty: t:.mem_v2"),
        (LATCH, "Assertion failed: selection is not empty: t:.dlatch"),
        ("module top (a); input a; other u (.a(a)); endmodule\n", "is not part of the design"),
    ],
)
def test_verilog_that_synthesis_sees_otherwise_is_refused(text: str, message: str) -> None:
    with pytest.raises(LabError, match=f"the plain Verilog of top is not what it simulates: .*{message}"):
        verilog.read_back("top", text, lambda *_: None, 60)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--core", "omd-sha256-r9", "--bus", "axis"], "no core is called 'omd-sha256-r9'; did you mean"),
        (["--core", CORE, "--bus", "apb"], "no bus is called 'apb' (known: axis, lwc)"),
        (["--core", CORE, "--bus", "axis", "--width", "32"], "cannot be 32 bits wide; allowed: 64, 128, 256, 512"),
        (["--core", CORE, "--bus", "axis", "--param", "DEPTH=3"], f"{TOP} has no parameter DEPTH; it has AXIS_BITS"),
        (["--core", CORE, "--bus", "axis", "--param", "AXIS_BITS=64"], "AXIS_BITS is set by --width"),
        (["--core", CORE, "--bus", "lwc", "--param", "TAG_BITS=8"], "has no known answers for omd-sha256-r1 with"),
        (
            ["--core", CORE, "--bus", "axis", "--param", "STORE_BYTES=1000"],
            "STORE_BYTES = 1000, allowed: powers of two",
        ),
        (["--core", CORE, "--bus", "lwc", "--param", "STORE_BYTES=2048"], "at most STORE_BYTES = 2048"),
        (["--core", CORE, "--bus", "axis", "--param", "PACKET_BYTES=1001"], "PACKET_BYTES = 1001, allowed: multiples"),
        (["--core", CORE, "--bus", "axis", "--param", "PACKET_BYTES=64"], "the known answers of the bench need"),
        (["--core", CORE, "--bus", "axis", "--param", "DESCRIPTORS=3"], "DESCRIPTORS = 3, allowed: powers of two"),
        (["--core", CORE, "--bus", "axis", "--param", "MSG_FIFO_BYTES=8"], "MSG_FIFO_BYTES = 8, allowed: 0, and"),
        (["--core", "pomd-sha256-r1", "--bus", "lwc", "--param", "AD_FIFO_BYTES=32"], "AD_FIFO_BYTES = 32: the known"),
    ],
)
def test_bad_input_is_one_line_and_status_2(
    words: list[str],
    message: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(verilog, "make", None)  # refused before any work
    assert main(["export", *words, "--no-measure", "-o", str(tmp_path / "new")]) == 2
    out, err = capfd.readouterr()
    assert out == "" and message in err.splitlines()[-1] and not (tmp_path / "new").exists()


def test_parameters_choose_the_answers_and_become_the_defaults() -> None:
    sizes = {"KEY_BITS": 128, "NONCE_BITS": 96, "TAG_BITS": 64, "VERSION": 1}
    made = package.gather(cores.find(CORE), "lwc", 8, sizes)
    assert made.answers.path.name == "omdsha256k128n96tau64v1.rsp"
    for name, value in {**sizes, "W": 8, "SW": 8}.items():
        assert f"parameter int unsigned {name} = {value}" in made.top.text and made.values[name] == value
    assert (made.bits("W"), made.bits("AD_FIFO_BYTES"), made.bits("64"), made.bits("")) == (8, 0, 64, 1)


LIKE_YOSYS = """\
module \\leaf$top.a.u (x);
  input x;
endmodule

module \\leaf$top.b.u (x);
  input x;
endmodule

module \\middle$top.a (x);
  input x;
  \\leaf$top.a.u  u (.x(x));
endmodule

module \\middle$top.b (x);
  input x;
  \\leaf$top.b.u  u (.x(x));
endmodule

module \\leaf$top.c (x, y);
  input x;
  output y;
  reg \\y_reg[0] ;
  wire y_reg_0;
endmodule

module top(x);
  input x;
  \\middle$top.a  a (.x(x));
  \\middle$top.b  b (.x(x));
  \\leaf$top.c  c (.x(x));
endmodule
"""


def test_instances_that_say_the_same_share_a_module() -> None:
    text = tidy(LIKE_YOSYS, "top")
    assert re.findall(r"^module (\w+)", text, re.MULTILINE) == ["top", "top_leaf", "top_middle", "top_leaf_2"]
    assert re.findall(r"  (top_\w+) +\w+ \(", text) == ["top_middle", "top_middle", "top_leaf_2", "top_leaf"]
    assert "reg y_reg_0_2 ;" in text and "\\" not in text


def test_a_port_of_an_interface_has_one_plain_name_in_module_and_instance() -> None:
    leaf = "module \\leaf$top.u (\\s.valid , a_b);\n  input \\s.valid ;\n  wire s_valid;\n  input a_b;\nendmodule\n"
    top = "module top(x);\n  input x;\n  wire \\a.b ;\n  \\leaf$top.u  u (.\\s.valid (x), .a_b(\\a.b ));\nendmodule\n"
    text = tidy(f"{leaf}\n{top}", "top")
    assert "module top_leaf (s_valid_2 , a_b);" in text and "  input s_valid_2 ;" in text
    assert ".s_valid_2 (x), .a_b(a_b ));" in text and "\\" not in text


def test_a_template_without_its_value_is_noticed() -> None:
    assert "-period 8 [get" in fill("clock_of_project.xdc", p={"period_ns": 8.0})
    with pytest.raises(UndefinedError, match="period_ns"):
        fill("clock_of_project.xdc", p={})
