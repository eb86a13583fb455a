# SPDX-License-Identifier: Apache-2.0
"""The planter of defects: what it finds in a small house, what it writes, how it draws, and which tests it chooses."""

from __future__ import annotations

import os
import subprocess
import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pyslang
import pytest
from sealwire_assurance.mutants import campaign, defects, plant, sites, survey, trial
from sealwire_assurance.mutants.defects import KINDS
from sealwire_assurance.mutants.plant import Workspace
from sealwire_assurance.mutants.sites import Mutant
from sealwire_assurance.mutants.survey import Simulation
from sealwire_lab import build, cores, files
from sealwire_lab.cli import main

HERE = Path(__file__).parent
SOURCE = (HERE / "planted.sv").read_bytes()
FILE = "hdl/lib/planted.sv"


def mutants(source: bytes, folder: Path) -> list[Mutant]:
    path = folder / "planted.sv"
    path.write_bytes(source)
    return sites.find(path, FILE, sites.house([path]))


@pytest.fixture
def found(tmp_path: Path) -> list[Mutant]:
    return mutants(SOURCE, tmp_path)


def test_every_kind_of_defect_is_planted_and_nothing_else(found: list[Mutant]) -> None:
    assert {(mutant.kind, mutant.was, mutant.becomes) for mutant in found} == {
        ("operators", "go && a < 4'd9", "(go) || (a < 4'd9)"),
        ("operators", "go && a < 4'd9", "1'b1 && (go)"),
        ("operators", "go && a < 4'd9", "1'b1 && (a < 4'd9)"),
        ("bounds", "a < 4'd9", "(a) <= (4'd9)"),
        ("bounds", "4'd9", "4'ha"),
        ("enables", "go", "1'b0"),
        ("enables", "go", "1'b1"),
        ("enables", "go", "!(go)"),
        ("enables", "sum <= stay ? sum : a + 1'b1;", ""),
        ("operators", "stay ? sum : a + 1'b1", "(stay) ? (a + 1'b1) : (sum)"),
        ("operators", "a + 1'b1", "(a) - (1'b1)"),
        ("constants", "1'b1", "1'b0"),
        ("resets", "rst", "1'b0"),
        ("resets", "sum <= '0;", ""),
        ("constants", "'0", "'1"),
        ("connections", "a[0]", "'0"),
        ("connections", "a[0]", "~(a[0])"),
        ("constants", "0", "1"),
        ("operators", "!a", "1'b1 && (a)"),
    }
    assert {mutant.kind for mutant in found} == set(KINDS)


def test_a_pattern_at_a_port_is_tied_and_not_inverted() -> None:
    """A pattern has the type of the port that it stands at, and no operator can stand before it."""
    assert [*defects.of_connection("'{a, 1'b0}")] == [("connections", "'0")]


def test_places_are_those_of_the_text(found: list[Mutant]) -> None:
    for mutant in found:
        assert SOURCE[mutant.start : mutant.end].decode() == mutant.was
        assert mutant.was.partition("\n")[0] in SOURCE.decode().splitlines()[mutant.line - 1]


def test_a_difference_shows_one_defect(found: list[Mutant], tmp_path: Path) -> None:
    (tmp_path / FILE).parent.mkdir(parents=True)
    (tmp_path / FILE).write_bytes(SOURCE)
    reset = next(mutant for mutant in found if mutant.kind == "resets" and mutant.was == "rst")
    changed = [line for line in plant.diff(tmp_path, reset) if line[0] in "+-"]
    assert changed[2:] == ["-    if (rst) sum <= '0;\n", "+    if ((1'b0)) sum <= '0;\n"]


def behaviour(folder: Path, chosen: str) -> str:
    environment = {**os.environ, plant.VARIABLE: chosen}
    done = subprocess.run([folder / "planted"], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def simulation(folder: Path, source: str) -> Path:
    folder.mkdir()
    (folder / "planted.sv").write_text(source)
    main = HERE / "planted.cpp"
    build.program(folder, "planted", "planted", [folder / "planted.sv"], {}, "Vplanted", main=main, optimise="-O0")
    return folder


def test_one_build_does_what_each_mutant_says(found: list[Mutant], tmp_path: Path) -> None:
    planted = simulation(tmp_path / "planted", plant.instrumented(SOURCE, found))
    assert behaviour(planted, "") == behaviour(planted, "0")
    expected = {
        # (was, becomes): sum after each edge, high and odd before it
        ("", ""): "000 410 411 400 1000 1001",
        ("go && a < 4'd9", "(go) || (a < 4'd9)"): "010 410 411 400 1010 1011",
        ("go && a < 4'd9", "1'b1 && (go)"): "000 410 411 400 1010 1001",
        ("a < 4'd9", "(a) <= (4'd9)"): "000 410 411 400 1010 1001",
        ("go", "1'b0"): "000 010 011 000 000 001",
        ("stay ? sum : a + 1'b1", "(stay) ? (a + 1'b1) : (sum)"): "000 010 911 900 900 901",
        ("a + 1'b1", "(a) - (1'b1)"): "000 210 211 200 800 801",
        ("'0", "'1"): "1500 410 411 400 1000 1001",
        ("a[0]", "~(a[0])"): "001 411 410 401 1001 1000",
        ("!a", "1'b1 && (a)"): "001 411 410 401 1001 1000",
    }
    ids = {(mutant.was, mutant.becomes): mutant.id for mutant in found} | {("", ""): ""}
    assert {place: behaviour(planted, ids[place]) for place in expected} == expected
    assert all(trial.holds(planted, mutant) for mutant in found if (mutant.was, mutant.becomes) in expected)
    assert not trial.holds(planted, replace(found[0], id="0badcafe"))


def test_an_id_follows_its_line(found: list[Mutant], tmp_path: Path) -> None:
    moved = mutants(b"// one more line\n" + SOURCE.replace(b"4'd9;", b"4'd8;"), tmp_path)
    line = next(mutant.line for mutant in found if "4'd9" in mutant.was)
    assert {m.id for m in found if m.line != line} == {m.id for m in moved if m.line != line + 1}
    assert not {m.id for m in found if m.line == line} & {m.id for m in moved if m.line == line + 1}


def test_rooms_share_by_size_and_none_is_left_out() -> None:
    lines = {"large": 9000, "middle": 900, "small": 100}
    assert campaign.shares(lines, 100, 10) == {"large": 80, "middle": 10, "small": 10}
    assert sum(campaign.shares(lines, 20, 6).values()) == 20


def test_a_draw_is_its_seed_and_every_kind_of_defect_is_in_it(found: list[Mutant]) -> None:
    many = [replace(m, id=f"{copy:04x}{m.id[:4]}") for m in found for copy in range(30)]  # 30 of a kind at least
    lines = {"lib": 100}
    drawn = campaign.draw(many, lines, 1, 60)
    assert drawn == campaign.draw(reversed(many), lines, 1, 60) != campaign.draw(many, lines, 2, 60)
    assert set(Counter(mutant.kind for mutant in drawn).values()) == {10}
    fewer = [mutant for mutant in many if mutant != drawn[7]]
    assert len(set(campaign.draw(fewer, lines, 1, 60)) - set(drawn)) == 1


def test_recorded_verdicts_serve_later_campaigns_until_their_file_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEALWIRE_ROOT", str(tmp_path))
    source = tmp_path / FILE
    source.parent.mkdir(parents=True)
    (tmp_path / "tests" / "mutants").mkdir(parents=True)
    source.write_bytes(SOURCE)
    first = campaign.prepare(1, 6)
    assert not first.verdicts
    jobs = [trial.Trial(1, mutant, (), 1, (), "") for mutant in first.drawn]
    ends = [trial.Verdict(m.id, status) for m, status in zip(first.drawn, ["found", "survives", "error"], strict=False)]
    Workspace(1).folder.mkdir(parents=True)
    campaign.go(first, jobs, lambda given: zip(given, ends, strict=False), lambda *_: None)
    assert not campaign.prepare(2, 19).verdicts
    kept = campaign.record(first).read_text(encoding="utf-8")
    known = campaign.prepare(2, 19).verdicts
    assert {one.id: one.status for one in known.values()} == {one.id: one.status for one in ends[:2]}
    source.write_bytes(SOURCE + b"// later\n")
    assert not campaign.prepare(2, 19).verdicts
    assert len(kept.splitlines()) == 2 and campaign.record(first).read_text(encoding="utf-8") == ""


def test_tests_that_share_a_run_belong_to_the_simulation_that_one_of_them_asks_for() -> None:
    lines: list[dict[str, object]] = [
        {"test": "t.py::core[a-1]", "group": "a"},
        {"test": "t.py::core[a-1]", "simulation": "cocotb/a", "sources": ["hdl/a.sv"]},
        {"test": "t.py::core[a-2]", "group": "a"},
        {"test": "t.py::plain", "group": ""},
    ]
    assert survey.simulations(lines) == [
        Simulation("cocotb/a", frozenset({"hdl/a.sv"}), ("t.py::core[a-1]", "t.py::core[a-2]"))
    ]


def test_the_smallest_simulations_come_first_and_the_largest_last() -> None:
    sizes = {"a": 50_000, "b": 40_000, "link": 400_000}

    def sim(name: str, sources: str, tests: int) -> Simulation:
        return Simulation(name, frozenset(sources.split()), tuple(f"{name} {i}" for i in range(tests)))

    known = [
        sim("simulations/link", "a b link", 5), sim("simulations/other_sizes", "a", 2), sim("simulations/a", "a", 3),
        sim("cocotb/a", "a", 2), sim("simulations/ab", "a b", 9), sim("cocotb/b", "b", 9),
    ]  # fmt: skip
    names = [simulation.name for simulation in survey.plan("a", known, sizes)]
    assert names == ["simulations/a", "cocotb/a", "simulations/ab", "simulations/other_sizes", "simulations/link"]
    assert survey.plan("b", known, sizes)[0].name == "cocotb/b"
    assert survey.plan("c", known, sizes) == []


def test_a_simulation_may_be_made_with_any_file_of_hdl(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    header = "hdl/lib/generated/planted_regs.h"
    (tmp_path / header).parent.mkdir(parents=True)
    (tmp_path / header).write_text("#define PLANTED 1\n", encoding="utf-8")
    drawn = mutants(SOURCE, tmp_path / "hdl" / "lib")
    simulation = Simulation("simulations/planted", frozenset({FILE, header}), ("test_planted",))
    monkeypatch.setenv("SEALWIRE_ROOT", str(tmp_path))
    monkeypatch.setattr(survey, "kept", lambda *_: [simulation])
    (job,) = campaign.trials(campaign.Campaign(1, drawn, len(drawn)), drawn[:1])
    assert job.simulations == (simulation,)


def test_recorded_equivalents_are_places_of_the_sources() -> None:
    root = cores.root()
    places = {mutant.id: mutant for mutant in sites.all_of(root)}
    assert len({mutant.room for mutant in places.values()}) > 9 and len(places) > 10000
    path = HERE / "equivalent.toml"
    for entry in tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]:
        place = places.get(entry["id"])
        assert place, f"{entry['id']} ({entry['file']}: {entry['was']}) is no place of hdl/ any more; delete its entry"
        assert [entry[name] for name in ("file", "was", "becomes")] == [place.file, place.was, place.becomes or ";"]
    assert set(campaign.equivalents(root)) <= set(places)


def test_command_shows_a_mutant_and_says_what_is_wrong(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["mutants", "--list", "--count", "20"]) == 0
    listed = capfd.readouterr().out.splitlines()
    assert len(listed) == 20
    assert main(["mutants", "--count", "20", "--show", listed[0][:8]]) == 0
    assert capfd.readouterr().out.startswith("--- a/hdl/")
    assert main(["mutants", "--count", "20", "--show", "z"]) == 2
    assert "0 drawn mutants have an id that begins with 'z'" in capfd.readouterr().err
    assert main(["mutants", "--count", "20", "--room", "cellar"]) == 2
    assert "no mutant is drawn in 'cellar'; rooms: " in capfd.readouterr().err


@pytest.mark.exhaustive
def test_a_sample_of_twenty_is_found() -> None:
    """Defects of the campaign of docs/assurance.md are found, or recorded as equivalent."""
    assert main(["mutants", "--seed", "1", "--count", "20", "--anew"]) == 0


def test_every_place_of_the_house_can_be_planted(tmp_path: Path) -> None:
    """All defects of a file stand in one source, of which a variable chooses one: each must elaborate."""
    planted: dict[str, list[Mutant]] = {}
    for mutant in sites.all_of(cores.root()):
        planted.setdefault(mutant.file, []).append(mutant)
    for file, mutants in planted.items():
        files.write(tmp_path / file, plant.instrumented((cores.root() / file).read_bytes(), mutants))
    for core in cores.load().values():
        driver = pyslang.driver.Driver()
        driver.addStandardArgs()
        sources = [path.relative_to(cores.root()) for path in core.sources]
        read = [str(tmp_path / path if str(path) in planted else cores.root() / path) for path in sources]
        sizes = [word for name, value in core.parameters().items() for word in ("-G", f"{name}={value}")]
        options = ("--single-unit", "--ignore-unknown-modules", "-Wnone", "-DSYNTHESIS", "--top", core.top)
        assert driver.parseCommandLine(" ".join(("slang", *options, *sizes, *read)))
        assert driver.processOptions() and driver.parseAllSources()
        made = driver.createCompilation()
        errors = [error for error in made.getAllDiagnostics() if error.isError()]
        assert not errors, f"{core.name}: {pyslang.DiagnosticEngine.reportAll(made.sourceManager, errors[:4])}"
