# SPDX-License-Identifier: Apache-2.0
"""Bars beside their figures: `sealwire-lab rank --bars`, and the tables of bars in documents."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from record_maker import record
from sealwire_lab import links
from sealwire_lab.cli import main
from sealwire_lab.errors import LabError
from sealwire_lab.implement import designs
from sealwire_lab.publish import tables
from sealwire_lab.results import Record, bars, local, query, shipped

CORE = "ascon-aead128-r1"
PAIR = "ocb-aes128"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of results for the cores that there are, whose sources have not changed; the machine has none."""
    monkeypatch.setattr(shipped, "folder", lambda: tmp_path)
    monkeypatch.setattr(designs, "current_hash", lambda made: "00")
    monkeypatch.setattr(local, "load", list)
    return tmp_path


def of(core: str, target: str = "ecp5", **fields: Any) -> Record:
    """A routed result of a design of the repository with its usual parameters."""
    return record(core, target, **({"params": links.find(core).parameters()} | fields))


def ask(store: Path, *entries: str) -> None:
    """Make these the bars."""
    text = "bar = [\n" + "".join(f"  {{ {entry} }},\n" for entry in entries) + "]\n"
    (store / "bars.toml").write_text(text, encoding="utf-8")


def told(capfd: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    """What the command says for machines; a report ends well whatever it says."""
    assert main(["rank", "--bars", "--json", *words]) == 0
    rows: list[dict[str, Any]] = json.loads(capfd.readouterr().out)
    return rows


@pytest.mark.parametrize(
    ("bar", "figures", "result"),
    [
        ("least = { fmax_mhz = 150 }", {"fmax_mhz": 150.0}, "reached"),
        ("least = { fmax_mhz = 150 }", {"fmax_mhz": 149.99, "fmax_mhz_median": 151.0}, "missed"),
        ("above = { gbit_s = 2 }", {"gbit_s": 2.0}, "missed"),
        ("above = { gbit_s = 2 }", {"gbit_s": 2.0001}, "reached"),
        ("most = { lut = 3200 }", {"lut": 3200}, "reached"),
        ("most = { lut = 3200 }", {"lut": 3201}, "missed"),
        ("most = { bram = 0 }", {"bram": 0.0}, "reached"),
        ("most = { cycles_block = 8 }", {"cycles": {"message": 8.1}}, "missed"),
        ("least = { mbit_s_per_lut = 1.4 }", {"mbit_s_per_lut": 1.5}, "reached"),
        ("least = { core_clk = 95 }", {"fmax_mhz_by_clock": {"core_clk": 94.0, "trusted_clk": 130.0}}, "missed"),
        ("least = { trusted_clk = 125 }", {"fmax_mhz_by_clock": {"core_clk": 94.0, "trusted_clk": 130.0}}, "reached"),
        # What is packed is no figure of the synthesis.
        ("most = { lut_synthesised = 10 }", {"cells": {"LUT4": 7}, "lut": 11}, "reached"),
        ("most = { lut_synthesised = 10 }", {"cells": {"LUT4": 11}, "lut": 10}, "missed"),
    ],
)
def test_a_bar_is_reached_or_missed_by_the_best_figure(
    store: Path, capfd: pytest.CaptureFixture[str], bar: str, figures: dict[str, Any], result: str
) -> None:
    ask(store, f'core = "{CORE}", {bar}')
    shipped.ship([of(CORE, **figures)])
    (row,) = told(capfd)
    assert (row["core"], row["result"], row["reason"], row["earlier_sources"]) == (CORE, result, None, False)


@pytest.mark.parametrize(
    ("others", "reason"),
    [
        ([], "no record"),
        ([of(CORE, "xcup"), of(CORE, interface="axis-64"), of("ascon-aead128-r2")], "no record"),
        ([of(CORE, params={**links.find(CORE).parameters(), "DATA_BITS": 32})], "no record"),
        ([of(CORE, source="a paper")], "no record"),
        ([of(CORE, fmax_mhz=None, fmax_mhz_median=None, stage="synthesised")], "no such figure"),
        ([of(CORE, status="failed", reason="no room")], "failed"),
    ],
    ids=["nothing", "other_designs", "other_parameters", "published", "synthesised", "failed"],
)
def test_what_has_no_figure_is_a_row_of_its_own(
    store: Path, capfd: pytest.CaptureFixture[str], others: list[Record], reason: str
) -> None:
    ask(store, f'core = "{CORE}", least = {{ fmax_mhz = 50 }}, stretch = {{ fmax_mhz = 60 }}')
    shipped.ship(others)
    (row,) = told(capfd)
    expected = {"result": "not measured", "reason": reason, "figure": None, "median": None, "stretch_reached": None}
    assert row == row | expected


def test_a_pair_is_judged_by_the_ratio_of_its_figures(store: Path, capfd: pytest.CaptureFixture[str]) -> None:
    ask(store, f'core = "{PAIR}-p2", times = "r1", least = {{ fmax_mhz = 1.4 }}, most = {{ lut = 1.05 }}')
    basic = of(f"{PAIR}-r1", fmax_mhz=100.0, fmax_mhz_median=90.0, lut=1000, fmax_mhz_by_seed={1: 100.0})
    shipped.ship([basic, of(f"{PAIR}-p2", fmax_mhz=139.0, fmax_mhz_median=135.0, lut=1050, failed_seeds={3: "slow"})])
    clock, area = told(capfd)
    assert (clock["figure"], clock["median"], clock["result"]) == (1.39, 1.5, "missed")
    assert (clock["times"], clock["placements"]) == (f"{PAIR}-r1", ["2 of 3", "1"])
    assert (area["figure"], area["median"], area["placements"], area["result"]) == (1.05, None, [], "reached")
    shipped.ship(
        [
            of(
                f"{PAIR}-r1",
                fmax_mhz=None,
                fmax_mhz_median=None,
                finished="2026-03-03T00:00:00+00:00",
                sources_sha256="11",
            )
        ]
    )
    assert [row["result"] for row in told(capfd)] == ["not measured", "reached"]


def test_a_single_placement_has_no_median(store: Path, capfd: pytest.CaptureFixture[str]) -> None:
    ask(store, f'core = "{CORE}", least = {{ fmax_mhz = 99 }}')
    for seeds, median in (({1: 100.0, 2: 99.0}, 99.5), ({1: 100.0}, None)):
        shipped.ship([of(CORE, fmax_mhz_by_seed=seeds, seeds=list(seeds), sources_sha256=str(len(seeds)))])
        (row,) = told(capfd)
        assert (row["median"], row["placements"]) == (median, [str(len(seeds))])


def test_an_adapter_is_judged_by_what_it_adds(store: Path, capfd: pytest.CaptureFixture[str]) -> None:
    ask(store, f'core = "{CORE}", target = "xcup", interface = "axis-64", beyond = "bare", most = {{ lut = 1600 }}')
    shipped.ship([of(CORE, "xcup", lut=5000), of(CORE, "xcup", interface="axis-64", lut=6601), of(CORE, lut=9)])
    (row,) = told(capfd)
    assert (row["figure"], row["interface"], row["result"]) == (1601, "axis-64", "missed")


@pytest.mark.parametrize(
    ("relation", "present"),
    [('times = "r1"', of(f"{PAIR}-p2", lut=1)), ('beyond = "axis-64"', of(f"{PAIR}-p2", lut=1)),
     ('times = "r1"', of(f"{PAIR}-r1", lut=1)), ('beyond = "axis-64"', of(f"{PAIR}-p2", interface="axis-64", lut=1))],
)  # fmt: skip
def test_what_is_compared_needs_both_figures(
    store: Path, capfd: pytest.CaptureFixture[str], relation: str, present: Record
) -> None:
    ask(store, f'core = "{PAIR}-p2", {relation}, most = {{ lut = 9 }}')
    shipped.ship([present])
    (row,) = told(capfd)
    assert (row["result"], row["reason"], row["figure"]) == ("not measured", "no record", None)


def test_an_area_without_cells_is_no_area_of_nothing(store: Path, capfd: pytest.CaptureFixture[str]) -> None:
    ask(store, f'core = "{CORE}", most = {{ lut_synthesised = 9 }}')
    shipped.ship([of(CORE, cells=None)])
    assert told(capfd)[0]["reason"] == "no such figure"


def test_a_stretch_is_judged_beside_its_bar(store: Path, capfd: pytest.CaptureFixture[str]) -> None:
    ask(store, f'core = "{CORE}", least = {{ gbit_s = 2, fmax_mhz = 100 }}, stretch = {{ gbit_s = 4 }}')
    for gbit_s, result, stretch in ((1.0, "missed", False), (3.0, "reached", False), (4.0, "reached", True)):
        shipped.ship([of(CORE, gbit_s=gbit_s, fmax_mhz=100.0)])
        found, plain = told(capfd)
        assert (found["result"], found["stretch_reached"], plain["stretch_reached"]) == (result, stretch, None)


def test_a_pattern_stands_for_every_core_that_fits_and_for_no_link(store: Path) -> None:
    ask(store, 'core = "*-p2", times = "r1", most = { lut = 1.05 }')
    names = [bar.core for bar in bars.load()]
    assert len(names) == 10 and "scream12-p2" in names and not any(name.startswith("link") for name in names)


def test_people_read_a_table_and_a_count(store: Path, capfd: pytest.CaptureFixture[str]) -> None:
    ask(
        store,
        f'core = "{CORE}", least = {{ gbit_s = 2 }}, stretch = {{ gbit_s = 9 }}, most = {{ lut = 900 }}',
        'core = "ascon-aead128-r2", least = { fmax_mhz = 120 }',
    )
    shipped.ship([of(CORE, gbit_s_median=4.99)])
    assert main(["rank", "--bars"]) == 0
    out, err = capfd.readouterr()
    assert [re.split("  +", line.strip()) for line in out.splitlines()] == [
        list(bars.HEADS),
        [CORE, "ecp5", "Gbit/s", ">= 2", ">= 9", "5.12", "4.99", "2", "reached, stretch missed"],
        [CORE, "ecp5", "LUT", "<= 900", "1000", "missed"],
        ["ascon-aead128-r2", "ecp5", "MHz", ">= 120", "not measured: no record"],
    ]
    assert err == "1 reached, 1 missed, 1 not measured\n"


def test_a_figure_of_earlier_sources_says_so(
    store: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    ask(store, f'core = "{CORE}", most = {{ lut = 1000 }}')
    shipped.ship([of(CORE)])
    monkeypatch.setattr(designs, "current_hash", lambda made: "11")
    assert told(capfd)[0]["earlier_sources"]
    assert main(["rank", "--bars"]) == 0 and "1000 (earlier sources)" in capfd.readouterr().out


def test_cores_targets_and_interfaces_choose_and_shipped_leaves_this_machine_out(
    store: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    ask(
        store, f'core = "{CORE}", least = {{ fmax_mhz = 150 }}',
        f'core = "{CORE}", target = "xcup", most = {{ lut = 9 }}',
        f'core = "{CORE}", target = "xcup", interface = "axis-64", most = {{ lut = 9 }}',
        'core = "ascon-aead128-r2", most = { lut = 9 }',
    )  # fmt: skip
    for words, count in (
        ([], 4), (["--core", "ascon-*"], 4), (["--core", "*-r2"], 1), (["--target", "xcup"], 2),
        (["--interface", "axis-*"], 1), (["--interface", "bare", "--core", CORE], 2), (["--target", "xc7"], 0),
    ):  # fmt: skip
        assert len(told(capfd, *words)) == count
    assert main(["rank", "--bars", "--target", "xc7"]) == 0 and capfd.readouterr() == ("", "no bar fits\n")
    shipped.ship([of(CORE, fmax_mhz=100.0)])
    later = {"finished": "2026-03-03T00:00:00+00:00", "sources_sha256": "11"}
    monkeypatch.setattr(local, "load", lambda: [of(CORE, fmax_mhz=160.0, **later)])
    assert told(capfd)[0]["result"] == "reached" and told(capfd, "--shipped")[0]["result"] == "missed"


@pytest.mark.parametrize(
    "words", [["--by", "area"], ["--bytes", "64"], ["--new-key"], ["--family", "omd"], ["--key-bits", "128"],
              ["--architecture", "r1"], ["--published"]],
)  # fmt: skip
def test_options_that_change_no_bar_are_refused(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["rank", "--bars", *words]) == 2
    assert capfd.readouterr() == ("", f"sealwire-lab: {words[0]} does not change the bars; leave it out\n")


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ('core = "ascon-aead128-r9", most = { lut = 1 }', "no core is called 'ascon-aead128-r9'; did you mean ascon-"),
        ('core = "zeta-*", most = { lut = 1 }', "no core is called 'zeta-*'"),
        (f'core = "{CORE}", most = {{ luts = 1 }}', "no quantity is called 'luts'; did you mean lut?"),
        (f'core = "{CORE}", target = "ecp6", most = {{ lut = 1 }}', "no target is called 'ecp6'"),
        (f'core = "{CORE}", interface = "axi-64", most = {{ lut = 1 }}', "no interface is called 'axi-64'"),
        (f'core = "{CORE}", interface = "axis-48", most = {{ lut = 1 }}', "cannot be 48 bits wide; allowed: 64"),
        (f'core = "{CORE}", beyond = "axis", interface = "x", most = {{ lut = 1 }}', "no interface is called 'x'"),
        (f'core = "{CORE}", times = "r3", most = {{ lut = 1 }}', "no core is called 'ascon-aead128-r3'"),
        (f'core = "{CORE}", least = {{ lut = 1 }}', "lut is no figure to be held by 'least'"),
        (f'core = "{CORE}", most = {{ fmax_mhz = 1 }}', "fmax_mhz is no figure to be held by 'most'"),
        (f'core = "{CORE}", most = {{ lut = "1" }}', "a bar of lut must be a number"),
        (f'core = "{CORE}", most = {{ lut = true }}', "a bar of lut must be a number"),
        (f'core = "{CORE}", most = {{ lut = 1 }}, stretch = {{ lut = "1" }}', "a bar of lut must be a number"),
        (f'core = "{CORE}", stretch = {{ lut = 1 }}', "lut has a stretch and no bar"),
        (f'core = "{CORE}", mosts = {{ lut = 1 }}', "no part of a bar is called 'mosts'; did you mean most?"),
        (f'core = "{CORE}", most = 7', "not a bar: "),
        ("most = { lut = 1 }", "not a bar: KeyError('core')"),
        ('core = "ascon-aead128-*", most = { lut = 1 }', f"{CORE} has a bar of lut already"),
    ],
)
def test_a_wrong_bar_is_one_line_with_its_place(
    store: Path, entry: str, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    ask(store, f'core = "{CORE}", most = {{ lut = 3200 }}', entry)
    assert main(["rank", "--bars"]) == 2
    out, err = capfd.readouterr()
    assert out == "" and f"{store / 'bars.toml'}: entry 2: " in err and message in err and err.count("\n") == 1


@pytest.mark.parametrize(("text", "message"), [("bars = []\n", "it has no `bar`"), ("bar = [", "not a list of bars")])
def test_a_file_without_bars_is_one_line(
    store: Path, text: str, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    (store / "bars.toml").write_text(text, encoding="utf-8")
    assert main(["rank", "--bars"]) == 2
    out, err = capfd.readouterr()
    assert out == "" and message in err and err.count("\n") == 1


def test_a_document_has_the_bars_of_the_cores_that_it_names(store: Path) -> None:
    ask(store, f'core = "{CORE}", most = {{ lut = 999 }}', 'core = "ascon-aead128-r2", least = { fmax_mhz = 99 }')
    page = store / "page.md"
    page.write_text("<!-- bars ascon-aead128-r1 -->\n<!-- end of results -->\n", encoding="utf-8")
    _, made = tables.updated(page, [of(CORE), of("ascon-aead128-r2")])
    assert made.splitlines()[3:-1] == [f"| `{CORE}` | ecp5 | LUT | <= 999 |  | 1000 |  |  | **missed** |"]
    page.write_text("<!-- bars asco?-* -->\n<!-- end of results -->\n", encoding="utf-8")
    assert tables.updated(page, [])[1].count("not measured: no record") == 2
    page.write_text("<!-- bars omd-* -->\n<!-- end of results -->\n", encoding="utf-8")
    with pytest.raises(LabError, match=r"page\.md: no core with a bar fits 'omd-\*'"):
        tables.updated(page, [])


def test_the_bars_of_a_link_are_the_clocks_that_its_placement_aims_at() -> None:
    asked = [bar for bar in bars.load() if bar.core.startswith("link-") and bar.quantity.endswith("_clk")]
    assert asked and all(links.find(bar.core).clocks[bar.quantity] == bar.bar for bar in asked)


def test_every_bar_of_the_repository_is_a_row() -> None:
    every = bars.load()
    rows = bars.judge(every, query.merge(shipped.load(), (), latest=True))
    assert len(rows) == len(every) > 100 and [row["quantity"] for row in rows] == [bar.quantity for bar in every]
    assert not [row for row in rows if row["target"] == "xcup" and row["reason"] == "no such figure"]  # it has no clock
