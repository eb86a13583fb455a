# SPDX-License-Identifier: Apache-2.0
"""Records, their two stores, `sealwire-lab results` and `sealwire-lab rank`."""

import csv
import io
import itertools
import json
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import tiny_house
from pyarrow import parquet
from record_maker import record
from sealwire_lab.cli import main
from sealwire_lab.errors import LabError
from sealwire_lab.implement import designs
from sealwire_lab.publish import tables
from sealwire_lab.results import load, local, query, rank, select, shipped
from sealwire_lab.results.record import CriticalPath, parse

FAILED = {"status": "failed", "reason": "no room", "stage": "packed", "fmax_mhz": None, "gbit_s": None}


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two cores in its manifest and no results."""
    monkeypatch.setenv("SEALWIRE_ROOT", str(tmp_path))
    entries = (tiny_house.entry(f"{name}-r1", source=f"{name}/{name}-r1") for name in ("alpha", "beta"))
    return tiny_house.make(tmp_path, "".join(entries))


def test_a_record_comes_back_from_text_and_database_as_it_was(house: Path) -> None:
    made = record(failed_seeds={3: "did not route"})
    assert parse(made.text(), "here") == made
    local.put(made)
    assert local.load() == [made] and local.get(made.key()) == made and local.get("other") is None
    assert shipped.ship([made]) == [made] and shipped.load() == [made]
    assert load() == [made]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "results.jsonl:2: not a record"),
        ("[1]", "results.jsonl:2: not a record"),
        ('{"schema": 1}', "a record of form 1; this lab reads form 2"),
        (record().text().replace('"lut"', '"luts"'), "a record has no luts"),
        ('{"schema": 2, "core": "a"}', "not a record"),
        (record().text().replace('"1": 100.0', '"one": 100.0'), "not a record"),
        *(
            (record(**wrong).text(), f"{name} cannot be ")
            for name, wrong in (
                ("gbit_s", {"gbit_s": "fast"}),
                ("gbit_s", {"gbit_s": float("inf")}),
                ("lut", {"lut": 10.5}),
                ("lut", {"lut": True}),
                ("scheme", {"scheme": 7}),
                ("params", {"params": {"KEY_BITS": "512"}}),
                ("tools", {"tools": ["yosys"]}),
                ("seeds", {"seeds": [1, "2"]}),
                ("notes", {"notes": "one"}),
                ("fmax_mhz_by_seed", {"fmax_mhz_by_seed": {1: "100"}}),
                ("message of cycles", {"cycles": {"message": "ten"}}),
                ("finished", {"finished": 20260101}),
                ("total of cycles", {"cycles": {"message": 1, "total": {1: None}}}),
                ("delay_ns of critical_path", {"critical_path": CriticalPath("a", "b", "c", 1, 1, 1, ())}),
            )
        ),
        (record(cycles=[1]).text(), "not a record"),
        ("[" * 100_000, "not a record"),
    ],
)
def test_text_that_is_no_record_is_named_by_its_line(house: Path, line: str, message: str) -> None:
    (house / "results").mkdir()
    (house / "results" / "results.jsonl").write_text(f"# by hand\n{line}\n", encoding="utf-8")
    with pytest.raises(LabError, match=r"results\.jsonl:2") as caught:
        shipped.load()
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_a_wrong_field_in_the_shipped_text_is_one_line(house: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (house / "results").mkdir()
    (house / "results" / "x.jsonl").write_text(record(gbit_s="fast").text() + "\n", encoding="utf-8")
    for words in (["rank"], ["results"], ["tables"]):
        assert main(words) == 2
        out, err = capfd.readouterr()
        assert out == "" and 'x.jsonl:1: not a record: gbit_s cannot be "fast"' in err and err.count("\n") == 1


def test_the_same_result_made_twice_counts_once(house: Path) -> None:
    local.put(record())
    local.put(record(finished="2026-02-02T00:00:00+00:00", run_seconds={"synthesis": 3.0}))
    assert [r.finished for r in local.load()] == ["2026-02-02T00:00:00+00:00"]
    # Another limit of time is not another result; another seed is.
    assert record(options={"place": "--x", "timeout_s": 99}).key() == record().key() != record(seeds=[1]).key()


def test_shipping_replaces_what_answered_the_same_question(house: Path) -> None:
    others = [record("beta-r1"), record(interface="axis-64"), record(params={"KEY_BITS": 128}), record(target="xcup")]
    shipped.ship([record(), *others])
    before = (house / "results" / "measured.jsonl").read_text().splitlines()
    newer = record(sources_sha256="11", seeds=[1, 2, 3], finished="2026-03-03T00:00:00+00:00")
    assert shipped.ship([newer]) == [newer] and shipped.ship([newer]) == []
    after = (house / "results" / "measured.jsonl").read_text().splitlines()
    assert len(after) == 5 and len(set(after) - set(before)) == 1  # a pull request shows one line changed
    assert shipped.load() == sorted(shipped.load(), key=lambda r: r.order())


def test_of_two_results_the_newest_is_shown(house: Path) -> None:
    shipped.ship([record()])
    local.put(record(sources_sha256="11", finished="2026-03-03T00:00:00+00:00"))
    assert len(load()) == 2 and [r.sources_sha256 for r in load(latest=True)] == ["11"]
    assert [r.sources_sha256 for r in load(local_ones=False)] == ["00"]


LATER = "2026-03-03T00:00:00+00:00"
ERROR = {"status": "error", "reason": "no tool", "stage": "none", "tools": {}, "sources_sha256": None, "cycles": None}
TIMEOUT = {"status": "timeout", "reason": "slow", "fmax_mhz": None, "fmax_mhz_by_seed": None, "cycles": None}


@pytest.mark.parametrize(
    ("later", "shown"),
    [
        (ERROR, "ok"),  # says nothing of the design
        (FAILED, "ok"),  # the same sources: it is known that they can be routed
        (TIMEOUT | {"tools": {"yosys": "0.2"}}, "ok"),
        (FAILED | {"sources_sha256": "11"}, "failed"),  # that is how it is with the newest sources
        ({"sources_sha256": "11", "fmax_mhz": 90.0}, "ok"),
        ({"cycles": None, "gbit_s": None, "tools": {}}, "ok"),  # made with --no-cycles
    ],
)
def test_what_came_to_nothing_hides_no_result_of_the_same_sources(house: Path, later: dict, shown: str) -> None:
    good, other = record(), record(finished=LATER, **later)
    for pair in ([good, other], [other, good]):
        (chosen,) = query.merge(pair[:1], pair[1:], latest=True)
        assert chosen.status == shown and (later.get("sources_sha256") != "11") == (chosen == good)
    shipped.ship([good])
    shipped.ship([other])
    assert [r.status for r in shipped.load()] == [shown]
    assert query.merge([other], [], latest=True) == [other]  # where there is nothing else it is shown


def test_of_several_seeds_the_record_of_all_of_them_counts(house: Path) -> None:
    singles = [
        record(seeds=[n], fmax_mhz_by_seed={n: 90.0 + n}, fmax_mhz=90.0 + n, fmax_mhz_median=90.0 + n) for n in (1, 2)
    ]
    both = record(fmax_mhz=92.0, fmax_mhz_median=91.5, fmax_mhz_by_seed={1: 91.0, 2: 92.0})
    third = record(seeds=[3], fmax_mhz_by_seed={3: 80.0}, finished=LATER)
    for order in itertools.permutations([*singles, both, third]):
        assert query.merge(order[:2], order[2:], latest=True) == [both]
        assert tables.usual_options(order) == [both]
    shipped.ship([both])
    assert shipped.ship(singles) == [] and shipped.load() == [both]
    # Other tools or sources are another matter: the newest counts.
    for change in ({"tools": {"yosys": "0.2"}}, {"sources_sha256": "11"}, {"options": {"place": "--y"}}):
        newer = record(seeds=[3], finished=LATER, **change)
        assert tables.usual_options([newer, both]) == [newer]


def test_a_run_that_came_to_nothing_replaces_no_result_of_the_database(house: Path) -> None:
    good = record()
    for worse in (record(finished=LATER, **TIMEOUT), record(finished=LATER, fmax_mhz_by_seed={1: 100.0})):
        assert worse.key() == good.key()
        local.put(good)
        local.put(worse)
        assert local.load() == [good] == query.merge([good], [worse], latest=False)
    local.path().unlink()
    local.put(record(**TIMEOUT))
    local.put(good)
    assert local.load() == [good]


@pytest.mark.parametrize(
    ("words", "cores"),
    [
        ({"core": ["*-r1"]}, ["alpha-r1", "beta-r1"]),
        ({"family": ["beta"]}, ["beta-r1", "beta-x8"]),
        ({"key_bits": [128]}, ["beta-x8"]),
        ({"architecture": ["x8"]}, ["beta-x8"]),
        ({"architecture": ["interleaved"]}, ["beta-x8"]),
        ({"interface": ["axis-*"]}, ["alpha-r1"]),
        ({"target": ["xc7"]}, []),
        ({"family": ["beta"], "status": ["failed"]}, ["beta-x8"]),
    ],
)
def test_filters(words: dict[str, list], cores: list[str]) -> None:
    known = [
        record(interface="axis-64" if words.get("interface") else "bare"),
        record("beta-r1"),
        record("beta-x8", params={"KEY_BITS": 128}, architecture="eight packets interleaved", **FAILED),
    ]
    assert [r.core for r in select(known, **words)] == cores


def test_queries_as_csv_json_and_parquet_hold_the_same(house: Path, capfd: pytest.CaptureFixture[str]) -> None:
    shipped.ship([record(), record("beta-r1", cycles=None, **FAILED)])
    assert main(["results", "--json"]) == 0
    listed = json.loads(capfd.readouterr().out)
    assert [(r["core"], r["status"]) for r in listed] == [("alpha-r1", "ok"), ("beta-r1", "failed")]
    assert main(["results", "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capfd.readouterr().out)))
    assert [(r["core"], r["fmax_mhz"], r["cycles_message"], r["params_KEY_BITS"]) for r in rows] == [
        ("alpha-r1", "100.0", "10", "512"),
        ("beta-r1", "", "", "512"),
    ]
    file = house / "r.parquet"
    assert main(["results", "--parquet", str(file)]) == 0
    table = parquet.read_table(file)
    assert table.column_names == list(rows[0]) and table["cycles_message"].to_pylist() == [10, None]
    assert main(["results"]) == 0
    assert "beta-r1 on ecp5: no room" in capfd.readouterr().out
    assert main(["results", "--target", "xc7"]) == 0
    assert capfd.readouterr() == ("", "no result fits\n")
    away = house / "no" / "r.parquet"
    assert main(["results", "--parquet", str(away)]) == 2
    assert capfd.readouterr().err == f"sealwire-lab: cannot write {away}: No such file or directory\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--target", "XCUP"], "no target is called 'XCUP'; did you mean xcup? (known: ecp5, xcup, xc7, osu018)"),
        (["--core", "alpha-r2"], "no core is called 'alpha-r2'; did you mean alpha-r1? (known: alpha-r1, beta-r1)"),
        (["--core", "zeta-*"], "no core is called 'zeta-*' (known: alpha-r1, beta-r1)"),
        (["--core", "alpha-*", "--core", "Alpha*"], "no core is called 'Alpha*'"),
        (["--family", "omda"], "no family is called 'omda' (known: alpha, beta)"),
        (["--interface", "axi-64"], "no interface is called 'axi-64'; did you mean axis-64?"),
    ],
)
def test_a_name_that_nothing_has_is_answered_with_those_that_are(
    house: Path, words: list[str], message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    shipped.ship([record("paper", "virtex6", stage="published", source="a paper")])
    for command in (["rank"], ["results"], ["results", "--ship"]):
        assert main([*command, *words]) == 2
        out, err = capfd.readouterr()
        assert out == "" and message in err and err.count("\n") == 1
        # What only a paper has is known too.
        assert main([*command, "--core", "paper", "--target", "virtex6", "--interface", "axis-*"]) == 0
        assert "no result" in capfd.readouterr().err


def test_ship_takes_what_describes_the_sources_of_today(
    house: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(designs, "current_hash", lambda r: "00")
    for made in (
        record(),
        record("beta-r1", sources_sha256="11"),
        record("gamma-r1", status="error", reason="no tool"),
    ):
        local.put(made)
    assert main(["results", "--ship"]) == 0
    err = capfd.readouterr().err
    assert "shipped: alpha-r1" in err and "left out: beta-r1 on ecp5: its sources have changed" in err
    assert "left out: gamma-r1 on ecp5: no tool" in err
    assert [r.core for r in shipped.load()] == ["alpha-r1"] and "`sealwire-lab tables`" in err
    for more, message in (
        ([], "these results, or better ones"),
        (["--target", "xc7"], "no result of this machine fits"),
    ):
        assert main(["results", "--ship", *more]) == 0
        err = capfd.readouterr().err
        assert "nothing to ship: " in err and message in err and "tables" not in err


def test_rank_orders_ties_by_name_and_names_what_failed(house: Path, capfd: pytest.CaptureFixture[str]) -> None:
    shipped.ship(
        [
            record("gamma-r1", gbit_s=9.0), record("beta-r1"), record("alpha-r1"), record("delta-r1", gbit_s=1.0),
            record("omega-r1", **FAILED), record("alpha-r1", "xcup", gbit_s=None, stage="synthesised"),
            record("paper", stage="published", source="a paper"),
        ]
    )  # fmt: skip
    assert main(["rank", "--json"]) == 0
    listed = json.loads(capfd.readouterr().out)
    assert [(p["rank"], p["core"], p["value"]) for p in listed] == [
        (1, "gamma-r1", 9.0), (2, "alpha-r1", 5.12), (2, "beta-r1", 5.12), (4, "delta-r1", 1.0),
        (None, "omega-r1", None),
    ]  # fmt: skip
    assert listed[-1]["reason"] == "failed: no room"
    assert main(["rank"]) == 0
    out, err = capfd.readouterr()
    assert [line.split()[0] for line in out.splitlines()[1:]] == ["1", "2", "2", "4"]
    assert err == "not ranked: omega-r1 on ecp5: failed: no room\n"
    assert main(["rank", "--published", "--json", "--core", "paper"]) == 0
    assert [p["core"] for p in json.loads(capfd.readouterr().out)] == ["paper"]
    assert main(["rank", "--target", "xcup"]) == 0
    assert "not ranked: alpha-r1 on xcup: no figure in Gbit/s" in capfd.readouterr().err


def test_rank_names_cores_without_a_result_and_how_many_seeds_there_were(
    house: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    shipped.ship([record(failed_seeds={3: "did not route"}, seeds=[1, 2, 3]), record("beta-r1", "xcup", lut=7)])
    assert main(["rank"]) == 0
    out, err = capfd.readouterr()
    assert [re.split("  +", line.strip()) for line in out.splitlines()] == [
        ["rank", "core", "interface", "target", "throughput, Gbit/s", "MHz", "median", "seeds", "LUT"],
        ["1", "alpha-r1", "bare", "ecp5", "5.12", "100", "99.5", "2 of 3", "1000"],
    ]
    assert err == "no result on ecp5: beta-r1 (1 of 2 cores)\n"
    assert main(["rank", "--json"]) == 0
    ranked, absent = json.loads(capfd.readouterr().out)
    assert (ranked["rank"], ranked["seeds"], len(ranked["fmax_mhz_by_seed"])) == (1, [1, 2, 3], 2)
    assert set(absent) == set(ranked) and [absent[name] for name in ("rank", "core", "target", "status", "reason")] == [
        None, "beta-r1", "ecp5", "missing", "no result on ecp5",
    ]  # fmt: skip
    for words, named in (
        (["--family", "alpha"], ""),
        (["--core", "beta-*"], "no result fits\nno result on ecp5: beta-r1 (1 of 2 cores)\n"),
        (["--target", "xcup", "--by", "area"], "no result on xcup: alpha-r1 (1 of 2 cores)\n"),
        (["--interface", "axis-*"], "no result fits\n"
         "no result on ecp5 behind axis-*: alpha-r1, beta-r1 (2 of 2 cores)\n"),
    ):  # fmt: skip
        assert main(["rank", *words]) == 0
        assert capfd.readouterr().err == named


def test_rank_says_what_there_was_before_the_newest_sources_failed(
    house: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    shipped.ship([record(), record("beta-r1")])
    local.put(record(sources_sha256="11", finished=LATER, **FAILED))
    assert main(["rank"]) == 0
    out, err = capfd.readouterr()
    assert "alpha-r1" not in out
    assert err == "not ranked: alpha-r1 on ecp5: failed: no room (earlier sources: 5.12 Gbit/s)\n"


def test_measures(house: Path) -> None:
    small, fast = record("small-r1", lut=10), record("fast-r1", gbit_s_64=4.0, latency_ns_64=100.0, lut=2000)
    for by, first in (("area", "small-r1"), ("latency", "fast-r1"), ("tpa", "small-r1")):
        assert rank.rank([small, fast], rank.measure(by))[0].record.core == first
    assert rank.rank([small, fast], rank.measure("throughput", 64))[0].record.core == "fast-r1"
    assert rank.measure("tpa", 64).value(fast) == 2.0
    assert rank.measure("throughput", 64, new_key=True).value(record(gbit_s_64_new_key=0.5)) == 0.5


def test_gates_and_energy_are_ranked_in_standard_cells(house: Path, capfd: pytest.CaptureFixture[str]) -> None:
    cells = {"target": "osu018", "lut": None}
    shipped.ship(
        [
            record(**cells, gate_equivalents=9000, pj_bit=20.0),
            record("beta-r1", **cells, gate_equivalents=10000, pj_bit=10.5),
        ]
    )
    for by, unit, order in (("gates", "GE", ["alpha-r1", "beta-r1"]), ("energy", "pJ/bit", ["beta-r1", "alpha-r1"])):
        assert main(["rank", "--by", by, "--json"]) == 0
        places = json.loads(capfd.readouterr().out)
        assert [place["core"] for place in places] == order and places[0]["unit"] == unit


@pytest.mark.parametrize(
    "words",
    [
        ["--by", "latency", "--bytes", "long"],
        ["--by", "area", "--new-key"],
        ["--by", "energy", "--new-key"],
        ["--by", "energy", "--bytes", "64"],
    ],
)
def test_rank_refuses_what_makes_no_sense(house: Path, words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["rank", *words]) == 2
    out, err = capfd.readouterr()
    assert out == "" and err.count("\n") == 1


def test_a_broken_database_is_one_line_and_the_shipped_results_are_shown(
    house: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    shipped.ship([record()])
    local.path().parent.mkdir(parents=True)
    local.path().write_bytes(b"no database " * 100)
    assert main(["results"]) == 0
    out, err = capfd.readouterr()
    assert "alpha-r1" in out and err.count("\n") == 1 and "move it away" in err
    assert main(["rank"]) == 0
    assert "alpha-r1" in capfd.readouterr().out
    assert main(["results", "--local"]) == 2


def test_a_locked_database_is_one_line(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    local.put(record())
    monkeypatch.setattr(local, "PATIENCE", 0.05)
    other = sqlite3.connect(local.path(), isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(LabError, match="locked"):
        local.put(record("beta-r1"))
    other.close()
    local.put(record("beta-r1"))
    assert len(local.load()) == 2


def test_a_database_of_another_version_is_left_alone(house: Path) -> None:
    local.put(record())
    with sqlite3.connect(local.path()) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(LabError, match="layout 99"):
        local.load()


def test_many_processes_write_at_once(house: Path) -> None:
    program = """
import sys
from record_maker import record
from sealwire_lab.results import local
for number in range(20):
    local.put(record(f"core{number}-r{sys.argv[1]}"))
    local.put(record("shared-r1"))
"""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    children = [subprocess.Popen([sys.executable, "-c", program, str(n)], env=environment) for n in range(4)]
    assert [child.wait(60) for child in children] == [0] * 4
    assert len(local.load()) == 81
