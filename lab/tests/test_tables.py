# SPDX-License-Identifier: Apache-2.0
"""`sealwire-lab tables`: tables of results in documents."""

from pathlib import Path

import pytest
import tiny_house
from record_maker import record
from sealwire_lab.cli import main
from sealwire_lab.implement import designs
from sealwire_lab.publish import tables
from sealwire_lab.results import shipped

ALPHA, BETA = (
    tiny_house.entry(
        name,
        f'architecture = "one round a cycle"\ndefaults = {{ KEY_BITS = 512, TAG_BITS = 256 }}\ndoc = "docs/{name}.md"',
    )
    for name in ("alpha-r1", "beta-r1")
)
USUAL = {"KEY_BITS": 512, "TAG_BITS": 256, "DATA_BITS": 64, "CONTEXTS": 1}
DOCUMENT = "Before\n\n<!-- results {} -->\nold\n<!-- end of results -->\n\nAfter\n"


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two cores, their results and one document."""
    tiny_house.make(tmp_path, BETA + ALPHA)
    monkeypatch.setenv("SEALWIRE_ROOT", str(tmp_path))
    monkeypatch.setattr(designs, "current_hash", lambda r: "11" if r.core == "beta-r1" else "00")
    failed = {"status": "failed", "fmax_mhz": None, "gbit_s": None, "fmax_mhz_by_seed": None, "mbit_s_per_lut": None}
    shipped.ship(
        [
            record(params=USUAL), record("beta-r1", params=USUAL, **failed), record(target="xcup", params=USUAL),
            record(target="xcup", params=USUAL, interface="axis-64", cycles=None, lut=1500),
            record("paper", params=USUAL, source="a paper"), record(params=USUAL | {"KEY_BITS": 128}),
        ]
    )  # fmt: skip
    return tmp_path


def written(house: Path, what: str) -> list[str]:
    (house / "README.md").write_text(DOCUMENT.format(what), encoding="utf-8")
    assert main(["tables"]) == 0
    lines = (house / "README.md").read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ["Before", ""] and lines[-2:] == ["", "After"]
    return lines[5:-3]


def test_clocks_in_the_order_of_the_manifest_with_what_failed(house: Path) -> None:
    assert written(house, "ecp5 *") == [
        "| [`beta-r1`](docs/beta-r1.md) (earlier sources) | failed | 1000 | 500 | 0 |  |  | 1.68 |  |",
        "| [`alpha-r1`](docs/alpha-r1.md) | 100 (median of 2: 99.5) | 1000 | 500 | 0 | 5.12 |  | 1.68 | 5.120 |",
    ]


def test_a_kind_stands_for_its_cores_and_experimental_ones_are_labelled(house: Path) -> None:
    manifest = house / "hdl" / "cores.toml"
    mac = ALPHA.replace('"other"', '"mac"') + "experimental = true\nblock_bytes = 40\n"
    manifest.write_text(BETA + mac, encoding="utf-8")
    shipped.ship([record(params={name: size for name, size in USUAL.items() if name != "CONTEXTS"}, target="ecp5")])
    rows = written(house, "ecp5 mac")
    assert [row.split(" | ")[0] for row in rows] == ["| [`alpha-r1`](docs/alpha-r1.md) (experimental)"]
    assert [row.split(" | ")[0] for row in written(house, "ecp5 other")] == [
        "| [`beta-r1`](docs/beta-r1.md) (earlier sources)"
    ]


def test_areas_and_cycles_with_adapters_if_asked(house: Path) -> None:
    bare = "| [`alpha-r1`](docs/alpha-r1.md) | one round a cycle | 10 | 10 n + 22 | 1000 | 500 | 0 |"
    assert written(house, "xcup alpha-*") == [bare]
    assert written(house, "xcup alpha-* behind axis-64") == [
        bare,
        "| [`alpha-r1`](docs/alpha-r1.md) behind axis-64 | one round a cycle |  |  | 1500 | 500 | 0 |",
    ]


def test_standard_cells_have_gates_and_energy_and_what_failed_says_so(house: Path) -> None:
    cells = {"target": "osu018", "params": USUAL, "lut": None, "bram": None, "fmax_mhz_by_seed": None}
    figures = {"fmax_mhz": 400.0, "gbit_s": 5.0, "gbit_s_64": 1.0, "gbit_s_1536": 4.0}
    failed = {"status": "failed", "fmax_mhz": None, "gbit_s": None, "gbit_s_64": None, "ff": None}
    shipped.ship(
        [
            record(**cells, **figures, gate_equivalents=10000, pj_bit=16.65),
            record("beta-r1", **cells, **failed),
        ]
    )
    assert written(house, "osu018 *") == [
        "| [`beta-r1`](docs/beta-r1.md) (earlier sources) |  |  | failed |  |  |  |  |  |",
        "| [`alpha-r1`](docs/alpha-r1.md) | 10000 | 500 | 400 | 5.00 | 4.00 | 1.00 | 500 | 16.6 |",
    ]


def test_copies_for_a_line_rate_are_whole_and_short_packets_need_more(house: Path) -> None:
    # 200 MHz; packets of 64 bytes in 128 cycles are 0.8 Gbit/s, of 1536 in 1228.8 are 2.0; 512 bytes were not counted.
    cycles = {"message": 50, "total": {1: 60}, "packet": {1: 128.0, 24: 1228.8}}
    shipped.ship([record(params=USUAL, block_bits=512, fmax_mhz=200.0, lut=7000, cycles=cycles)])
    (house / "README.md").write_text(DOCUMENT.replace("results {}", "rates ecp5 alpha-*"), encoding="utf-8")
    assert main(["tables"]) == 0
    row = next(line for line in (house / "README.md").read_text().splitlines() if "alpha-r1" in line)
    assert row.split(" | ")[1:] == [
        "0.80 / – / 2.00", "2 / – / 1 (7.0 k)", "13 / – / 5 (35.0 k)", "32 / – / 13 (91.0 k)", "125 / – / 50 (350 k) |",
    ]  # fmt: skip


def test_check_names_what_is_stale_and_writes_nothing(house: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = DOCUMENT.format("ecp5 *")
    (house / "README.md").write_text(text, encoding="utf-8")
    assert main(["tables", "--check"]) == 1
    assert capfd.readouterr().err == "README.md: tables of results are not up to date; run `sealwire-lab tables`\n"
    assert (house / "README.md").read_text(encoding="utf-8") == text
    assert main(["tables"]) == 0 and main(["tables", "--check"]) == 0
    shipped.ship([record(params=USUAL, fmax_mhz=101.0)])
    assert main(["tables", "--check"]) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (DOCUMENT.format("ice40 *"), "no target is called 'ice40'"),
        (DOCUMENT.format("ecp5 gamma-*"), "no core fits 'gamma-*'"),
        ("<!-- results ecp5 * -->\n", "has no line <!-- end of results -->"),
    ],
)
def test_a_wrong_marker_is_one_line(house: Path, text: str, message: str, capfd: pytest.CaptureFixture[str]) -> None:
    (house / "README.md").write_text(text, encoding="utf-8")
    assert main(["tables"]) == 2
    err = capfd.readouterr().err
    assert message in err and "README.md" in err and err.count("\n") == 1


def test_a_formula_only_where_cycles_lie_on_a_line() -> None:
    assert tables.total({"message": 25, "total": {1: 78, 2: 103, 150: 3803}}) == "25 n + 53"
    assert tables.total({"message": 25, "total": {1: 78, 2: 104, 150: 3803}}) == ""
