# SPDX-License-Identifier: Apache-2.0
"""Coverage of the RTL: what counts, what is left out and why, and that document and file agree."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from _pytest.mark.expression import Expression
from sealwire_assurance.coverage import document, exclusions, parts, points, summary
from sealwire_assurance.coverage.points import Point, Source
from sealwire_lab import build, cores, simulation
from sealwire_lab.cli import main
from sealwire_lab.coverage import collect, result
from sealwire_lab.coverage.result import Figure, Room
from sealwire_lab.errors import LabError
from support import cocotb_program

RTL = """\
module lamp (
    input  logic       clk,
    input  logic       on,
    output logic [1:0] light
);
  always_ff @(posedge clk) begin
    if (on) light <= 2'b11;
    else light <= '0;
  end
`ifndef SYNTHESIS
  always_ff @(posedge clk) if (on) never : assert (light != 2'b10);
  lamp_checks u_checks (.clk);
`endif
endmodule
"""
#: Kind of block, line, lines, count; as Verilator writes them, of two simulators.
BLOCKS = [("line", "block", 6, "1,6", 9), ("branch", "if", 7, "7", 4), ("branch", "else", 7, "1,8", 0)]
TOGGLES = [("on:0->1", 1), ("on:1->0", 0), ("light[0]:0->1", 2), ("light[0]:1->0", 2), ("light[1]:0->1", 0),
           ("light[1]:1->0", 0)]  # fmt: skip


def count(file: str, line: int, kind: str, what: str, lines: str, number: int) -> str:
    """A line of a file of counts."""
    more = f"\1S\2{lines}" if lines else ""
    place = f"\1f\2/elsewhere/{file}\1l\2{line}\1n\x0229\1t\2{kind}\1page\2v_{kind}/lamp__W2\1o\2{what}{more}"
    return f"C '{place}\1h\2top.u_lamp' {number}\n"


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A repository with one room, and the counts of one simulator."""
    room = tmp_path / "hdl" / "lights"
    room.mkdir(parents=True)
    (room / "lamp.sv").write_text(RTL)
    (room / "lamp_checks.sv").write_text("module lamp_checks (input logic clk);\nendmodule\n")
    (room / "generated").mkdir()
    (room / "generated" / "lamp_regs.sv").write_text("module lamp_regs;\nendmodule\n")
    data = tmp_path / "data"
    data.mkdir()
    lines = [count("hdl/lights/lamp.sv", line, kind, what, span, n) for kind, what, line, span, n in BLOCKS]
    lines += [count("hdl/lights/lamp.sv", 3, "toggle", what, "", number) for what, number in TOGGLES]
    lines += [count("hdl/lights/lamp.sv", 11, "branch", "else", "11", 0)]  # of a check
    lines += [count("hdl/lights/lamp_checks.sv", 1, "toggle", "clk:0->1", "", 0)]
    lines += [count("tests/toy.sv", 1, "toggle", "clk:0->1", "", 0)]
    (data / "one.dat").write_text("# SystemC::Coverage-3\n" + "".join(lines))
    return tmp_path


def read(top: Path) -> tuple[dict[Point, int], dict[str, Source]]:
    sources = points.load(top)
    return points.read(top / "data", sources), sources


def test_checks_generated_files_and_testbenches_are_not_counted(top: Path) -> None:
    counts, sources = read(top)
    assert set(sources) == {"hdl/lights/lamp.sv"}
    assert len(counts) == len(BLOCKS) + len(TOGGLES)


def test_what_stands_in_for_a_synthesis_is_design_and_the_alternative_is_a_check(top: Path) -> None:
    chosen = "`ifdef SYNTHESIS\n  assign x = 0;\n`else\n  assign x = y;\n`endif\nendmodule"
    (top / "hdl" / "lights" / "lamp.sv").write_text(RTL.replace("endmodule", chosen))
    lines = RTL.splitlines()
    first, last = lines.index("`ifndef SYNTHESIS") + 1, lines.index("`endif") + 1
    (lamp,) = points.load(top).values()
    checks = {number for number in lamp.checks if number > last}
    assert set(range(first, last + 1)) <= lamp.checks and checks & set(range(last + 3, last + 6)) == {
        last + 3, last + 4, last + 5
    }  # fmt: skip


def test_an_alternative_that_returns_is_not_counted_as_the_simulator_cannot(top: Path) -> None:
    lamp = top / "hdl" / "lights" / "lamp.sv"
    lamp.write_text(RTL.replace("if (on) light <= 2'b11;", "if (on) return;"))
    counts, _ = read(top)
    assert {point.what for point in counts if point.kind != points.TOGGLE} == {"block", "else"}


def test_lines_and_toggles_of_a_room(top: Path) -> None:
    counts, sources = read(top)
    rooms = summary.rooms(counts, sources)
    assert rooms == {"lights": Room(Figure(2, 3), Figure(3, 6))}
    assert rooms["lights"].lines.percent == 66.6


def test_counts_of_simulators_add_up(top: Path) -> None:
    (top / "data" / "two.dat").write_text(
        "# SystemC::Coverage-3\n"
        + count("hdl/lights/lamp.sv", 7, "branch", "else", "8", 1)
        + count("hdl/lights/lamp.sv", 3, "toggle", "on:1->0", "", 5)
        + count("hdl/lights/lamp.sv", 3, "toggle", "on:0->1", "", 0)
    )
    counts, sources = read(top)
    rooms = summary.rooms(counts, sources)
    assert rooms["lights"] == Room(Figure(3, 3), Figure(4, 6))


def test_a_line_with_a_block_that_never_ran_is_missing_with_its_text(top: Path) -> None:
    counts, sources = read(top)
    assert list(summary.missing(counts, sources, "lights")) == [
        "hdl/lights/lamp.sv:3: toggle: on 1->0",
        "hdl/lights/lamp.sv:3: toggle: light[1]",
        "hdl/lights/lamp.sv:8: line: else light <= '0;",
    ]


def test_a_line_needs_every_block_on_it(top: Path) -> None:
    (top / "data" / "two.dat").write_text(
        "# SystemC::Coverage-3\n" + count("hdl/lights/lamp.sv", 6, "branch", "elsif", "6", 0)
    )
    counts, sources = read(top)
    assert summary.rooms(counts, sources)["lights"].lines == Figure(1, 3)
    assert summary.annotated("hdl/lights/lamp.sv", counts, sources).splitlines()[5].startswith("!         0 |")


def test_annotated_sources_mark_what_is_missing(top: Path) -> None:
    counts, sources = read(top)
    summary.write(top / "out", counts, sources)
    lines = (top / "out" / "hdl" / "lights" / "lamp.sv").read_text().splitlines()
    assert [line[:13].replace("|", "").strip() for line in lines[5:8]] == ["9", "4", "!         0"]
    assert lines[2].startswith("!") and lines[2].endswith("// never: on 1->0, light[1]")


def test_a_file_that_no_simulator_contains_is_named(top: Path) -> None:
    (top / "hdl" / "lights" / "dark.sv").write_text("module dark;\nendmodule\n")
    counts, sources = read(top)
    assert summary.unsimulated(counts, sources) == ["hdl/lights/dark.sv"]
    assert "hdl/lights/dark.sv:1: no simulator contains this file" in summary.missing(counts, sources, "lights")


def test_counts_of_other_sources_are_refused(top: Path) -> None:
    (top / "data" / "old.dat").write_text(
        "# SystemC::Coverage-3\n" + count("hdl/lights/lamp.sv", 900, "line", "block", "900", 1)
    )
    with pytest.raises(LabError, match="other sources"):
        read(top)
    with pytest.raises(LabError, match=r"no counts in .*; run `make coverage`"):
        points.read(top / "hdl", {})


def excluded(top: Path, text: str) -> tuple[Room, list[str]]:
    """The room with the exclusions of a file, and what is wrong with them."""
    path = top / "coverage.toml"
    path.write_text(text)
    counts, sources = read(top)
    kept, complaints = exclusions.apply(exclusions.load(path), counts, sources)
    return summary.rooms(kept, sources)["lights"], complaints


ENTRY = '[[exclude]]\nfiles = ["hdl/lights/*.sv"]\nreason = "There is no such light."\n'


def test_an_exclusion_of_a_function_leaves_out_its_body(top: Path) -> None:
    source = Source(
        "hdl/lights/lamp.sv",
        ("function automatic logic [1:0] dim(input logic on);", "if (on) dim = 1;", "endfunction", "assign x = 1;"),
        frozenset(),
    )
    assert [source.function(line) for line in range(1, 5)] == ["dim", "dim", "dim", ""]
    entry = exclusions.Exclusion(("hdl/*",), "Made during elaboration.", "function", re.compile("dim"), None)
    at = [Point(source.name, line, 1, "line", "block", (line,)) for line in range(1, 5)]
    assert [entry.fits(point, source) for point in at] == [True, True, True, False]


def test_exclusions_leave_out_lines_and_bits(top: Path) -> None:
    room, complaints = excluded(
        top, ENTRY + "signal = 'light\\[1\\]'\n" + ENTRY + "line = 'if \\(on\\).*'\narm = 'else'\n"
    )
    assert not complaints
    assert room == Room(Figure(2, 2), Figure(3, 4))


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ("signal = 'lamp'", "excludes nothing; remove the entry"),
        ("signal = 'light\\[0\\]'", "excludes nothing; remove the entry"),
        ("signal = 'light.*'", "lamp.sv:3 light[0]:0->1 is reached"),
        ("line = 'if \\(on\\).*'", "lamp.sv:7 if is reached"),
        ("line = 'always_comb'", "excludes nothing; remove the entry"),
    ],
)
def test_an_exclusion_of_nothing_or_of_what_is_reached_is_an_error(top: Path, entry: str, complaint: str) -> None:
    _, complaints = excluded(top, ENTRY + entry + "\n")
    assert len(complaints) == 1 and complaint in complaints[0]


def test_contents_of_a_memory_may_be_reached(top: Path) -> None:
    room, complaints = excluded(top, ENTRY + "memory = 'light\\[\\d\\]'\n")
    assert not complaints and room.toggles == Figure(1, 2)
    _, complaints = excluded(top, ENTRY + "memory = 'lamp'\n")
    assert len(complaints) == 1 and "excludes nothing" in complaints[0]


def test_a_constant_that_left_its_random_start_may_be_excluded(top: Path) -> None:
    room, complaints = excluded(top, ENTRY + "signal = 'on'\n")
    assert not complaints and room.toggles == Figure(2, 4)


@pytest.mark.parametrize(
    "text",
    [
        '[[exclude]]\nfiles = ["hdl/*"]\nsignal = "x"\n',
        ENTRY,
        ENTRY + "signal = 'x'\nline = 'y'\n",
        ENTRY + "signal = '('\n",
        ENTRY + "signal = 'x'\nfile = 'y'\n",
        ENTRY.replace("There is no such light.", "") + "signal = 'x'\n",
        "[[exclude]\n",
    ],
)
def test_a_malformed_exclusion_is_refused(top: Path, text: str) -> None:
    with pytest.raises(LabError, match=r"coverage\.toml"):
        excluded(top, text)


# ---- simulators that count ----------------------------------------------------------------------------------------


def test_simulators_count_only_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(collect.VARIABLE, raising=False)
    assert collect.flags() == ()
    assert "-DVM_COVERAGE=0" in collect.defines((), "name")
    monkeypatch.setenv(collect.VARIABLE, "relative")
    with pytest.raises(LabError, match="give the whole path"):
        collect.flags()


WIDE = """\
module wide (
    input  logic        clk,
    output logic [95:0] word
);
  logic [3:0] count;
  always_ff @(posedge clk) count <= count + 1;
  assign word = {count[0], 91'd0, count};
endmodule
"""
WIDE_MAIN = """\
#include "Vwide.h"
#include "save_coverage.hpp"
int main() {
    VerilatedContext context;
    Vwide model{&context};
    for (int edge = 0; edge < 80; ++edge) {
        model.clk = edge & 1;
        model.eval();
    }
    save_coverage(context);
}
"""


def test_bits_of_a_signal_of_several_words_count_for_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "data"
    monkeypatch.setenv(collect.VARIABLE, str(folder))
    source, program = tmp_path / "hdl" / "lights" / "wide.sv", tmp_path / "main.cpp"
    source.parent.mkdir(parents=True)
    source.write_text(WIDE)
    program.write_text(WIDE_MAIN)
    words = collect.defines(collect.flags(), "wide")
    build.program(tmp_path, "program", "wide", [source], {}, "Vwide", collect.flags(), program, words)
    subprocess.run([tmp_path / "program"], check=True)
    counts = points.read(folder, points.load(tmp_path))
    changed = {point.what: number for point, number in counts.items() if point.signal.startswith("word") and number}
    both = {f"word[{bit}]:{way}" for bit in (0, 1, 2, 3, 95) for way in ("0->1", "1->0")}
    assert set(changed) == both
    assert changed["word[95]:0->1"] == changed["word[0]:0->1"] == 20 and changed["word[3]:1->0"] in (2, 3)


def test_runs_of_a_simulator_add_to_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(collect.VARIABLE, str(tmp_path))
    core = cores.find("fsks64-r3")
    arguments = ["kat", "--core", core.name, "--limit", "3", str(core.vectors()[0])]
    sources = points.load(cores.root())
    found = []
    for _ in range(2):
        assert main(arguments) == 0
        assert len(list(tmp_path.glob("*.dat"))) == 1
        found.append(points.read(tmp_path, sources))
    once, twice = found
    assert set(once) == set(twice) and any(once.values()) and not all(once.values())
    assert {point: 2 * number for point, number in once.items()} == twice
    (kept,) = tmp_path.glob("*.dat")
    kept.write_text("# SystemC::Coverage-3\n")
    assert main(arguments) == 2 and "is of another program; remove it" in capsys.readouterr().err
    assert kept.read_text() == "# SystemC::Coverage-3\n"


def test_a_simulator_that_counts_tells_its_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(collect.VARIABLE, str(tmp_path))
    core = cores.find("fsks64-r3")
    with simulation.Simulation.of(core, core.parameters()) as bench:
        bench.send("state")
        bench.key(bytes(range(core.parameters()["KEY_BITS"] // 8)))
        bench.send("run 50")
        bench.send("state")
        before, after = bench.flush().states
    assert before != after


def test_a_simulation_of_cocotb_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cocotb_program, "LIMIT", 1)
    runner = cocotb_program._Bounded()
    monkeypatch.setattr(runner, "gdb", False, raising=False)
    prefix = runner._get_sim_cmd_prefix()
    assert subprocess.run([*prefix, "sleep", "20"], env=os.environ).returncode == 124


# ---- parts ---------------------------------------------------------------------------------------------------------

#: A test that leaves a count, and one that fails on request.
PART_TEST = """\
import os, pathlib
def test_lamp():
    folder = pathlib.Path(os.environ["SEALWIRE_COVERAGE"])
    (folder / "lamp.dat").write_text("counted")
    assert not pathlib.Path(__file__).with_name("broken").exists()
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A repository with two parts."""
    for name in ("one", "two"):
        (tmp_path / "tests" / name).mkdir(parents=True)
        (tmp_path / "tests" / name / f"test_{name}.py").write_text(PART_TEST)
    (tmp_path / "hdl").mkdir()
    (tmp_path / "hdl" / "lamp.sv").write_text(RTL)
    listed = "".join(f'[[part]]\nname = "{name}"\ntests = ["tests/{name}"]\n' for name in ("one", "two"))
    (tmp_path / "tests" / "coverage.toml").write_text(listed)
    return tmp_path


def ran(house: Path) -> list[str]:
    """The parts that a run counts."""
    told: list[str] = []
    parts.run(house, house / "data", 1, told.append)
    return [line.rpartition(": ")[2] for line in told if line.startswith("part ")]


def test_a_part_is_counted_once_as_long_as_its_files_stay(house: Path) -> None:
    assert ran(house) == ["one", "two"] and ran(house) == []
    assert (house / "data" / "one" / "lamp.dat").read_text() == "counted"
    (house / "tests" / "one" / "bench.sv").write_text("module bench;\nendmodule\n")
    assert ran(house) == ["one"]
    (house / "hdl" / "lamp.sv").write_text(RTL + "\n")
    assert ran(house) == ["one", "two"]
    (house / "hdl" / "coverage.toml").write_text("")
    assert ran(house) == []


def test_a_run_goes_on_where_it_stopped(house: Path) -> None:
    (house / "tests" / "two" / "broken").touch()
    with pytest.raises(LabError, match="the tests of part two have failed"):
        ran(house)
    waits = parts.waiting(house, house / "data", parts.load(house))
    assert [part.name for part in waits] == ["two"]
    (house / "tests" / "two" / "broken").unlink()
    assert ran(house) == ["two"]


def test_counts_of_what_is_no_part_are_removed(house: Path) -> None:
    (house / "data" / "old").mkdir(parents=True)
    (house / "data" / "old" / "lamp.dat").write_text("of earlier sources")
    (house / "data" / "lamp.dat").write_text("of earlier sources")
    ran(house)
    assert sorted(path.name for path in (house / "data").iterdir()) == ["one", "two"]


def test_an_expression_may_stand_on_several_lines_and_the_shipped_parts_are_well_formed(house: Path) -> None:
    listed = '[[part]]\nname = "one"\ntests = ["tests/one"]\nonly = """lamp and (\n  on or\n  off)"""\nbench = "on"\n'
    (house / "tests" / "coverage.toml").write_text(listed)
    assert parts.load(house) == [parts.Part("one", ("tests/one",), "lamp and ( on or off)", "on")]
    assert len(parts.load(cores.root())) > 10


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[part]]\nname = "one"\n', "a .*part.* has `name`, `tests`"),
        ('[[part]]\nname = "one"\ntests = ["tests/one"]\nonly_if = ""\n', "a .*part.* has `name`, `tests`"),
        ('[[part]]\nname = "one"\ntests = ["tests/three"]\n', "part one names tests/three, which does not exist"),
        (2 * '[[part]]\nname = "one"\ntests = ["tests/one"]\n', "two parts have the same name"),
    ],
)
def test_a_malformed_list_of_parts_is_refused(house: Path, text: str, said: str) -> None:
    (house / "tests" / "coverage.toml").write_text(text)
    with pytest.raises(LabError, match=said):
        parts.load(house)


#: Cores that no part has: those of the same sources as one that is counted, with other parameters
UNCOUNTED = {"omd-sha512-r2", "pomd-sha512-r1"}


def collected(tests: set[str]) -> list[str]:
    """The names that pytest gives the fast tests of files and folders."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", *sorted(tests)]
    done = subprocess.run(command, cwd=cores.root(), capture_output=True, text=True, check=True)
    return [line for line in done.stdout.splitlines() if "::" in line]


def chosen(names: list[str], only: str) -> set[str]:
    """Those that pytest's expression of names selects."""

    def asked(name: str) -> bool:
        return Expression.compile(only).evaluate(lambda word, **_: word.lower() in name.lower())

    return {name for name in names if asked(name)}


def test_the_shipped_parts_select_tests_by_each_of_their_words_and_every_core_is_counted() -> None:
    listed = parts.load(cores.root())
    names = collected({test for part in listed for test in part.tests})
    counted: set[str] = set()
    for part in listed:
        here = [name for name in names if name.startswith(part.tests)]
        for word in re.findall(r"[^\s()]+", part.only):
            assert word in ("and", "or", "not") or chosen(here, word), f"part {part.name}: {word} is in no test's name"
        counted |= chosen(here, part.only) if part.only else set(here)
    told = {core for core in cores.load() if any(re.search(rf"[\[-]{re.escape(core)}[-\]]", name) for name in counted)}
    assert set(cores.load()) - told == UNCOUNTED


# ---- what ships -----------------------------------------------------------------------------------------------------


def test_the_total_is_the_sum_of_the_rooms() -> None:
    text = result.load().text()
    assert result.parse(text).text() == text
    room = next(iter(result.load().rooms.values()))
    with pytest.raises(LabError, match="not the sum"):
        result.parse(text.replace(f'"covered": {room.lines.covered}', f'"covered": {room.lines.covered - 1}', 1))


def test_every_room_of_the_rtl_has_figures_and_a_whole_run_meets_the_bar() -> None:
    shipped = result.load()
    sources = points.load(cores.root())
    if shipped.sources_sha256 == points.sources_hash(sources):
        assert set(shipped.rooms) == {source.room for source in sources.values()}
    else:
        assert "of the sources of commit" in shipped.command, (
            "say of which sources the figures are, or measure them anew"
        )
    if shipped.whole:
        assert not shipped.below() and not shipped.absent
    below = {name: Room(Figure(94, 100), Figure(95, 100)) for name in shipped.rooms}
    assert replace(shipped, rooms=below).below() == ["94.0 % of lines"]


def test_the_document_shows_the_shipped_figures() -> None:
    shipped = result.load()
    text = document.page().read_text(encoding="utf-8")
    assert document.updated(text, shipped) == text
    for _, room in shipped.everything():
        for figure in (room.lines, room.toggles):
            assert (f"{figure.covered} of {figure.total}" if figure.total else "none") in text
