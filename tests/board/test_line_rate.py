# SPDX-License-Identifier: Apache-2.0
"""The record of what two simulated boards carry, and its table in docs/board.md."""

import json
from pathlib import Path

import pytest
from sealwire_lab import cores, files
from sealwire_lab.board import boards, line_rate
from sealwire_lab.errors import LabError
from sealwire_lab.publish import tables
from sealwire_lab.results import unchanged

DOCUMENT = cores.root() / "docs" / "board.md"
BOARD = boards.find("ecp5-versa")
#: Bytes on the wire beside a frame: preamble, what the link adds, the least gap
OVERHEAD = 8 + 46 + 12
RATES = {"64": {"limit": 961_538, "a_to_b": 961_537, "b_to_a": 961_000}}


def test_the_documents_tables_are_those_of_the_records() -> None:
    before, after = tables.updated(DOCUMENT, [])
    assert "<!-- line-rate ecp5-versa colorlight-i9 -->" in before
    assert before == after, "run `sealwire-lab tables`"


@pytest.mark.parametrize("name", line_rate.load())
def test_a_record_is_of_the_boards_clocks_and_near_the_limit_of_the_cable(name: str) -> None:
    told = line_rate.load()[name]
    board = boards.find(name)
    assert (told["core_mhz"], told["stream_mhz"]) == (board.core_mhz, board.stream_mhz)
    assert list(told["frames_a_second"]) == ["64", "128", "512", "1518"] and told["milliseconds"] >= 5
    for size, rates in told["frames_a_second"].items():
        limit = 1e9 / 8 / (int(size) + OVERHEAD)
        assert rates["limit"] == round(limit)
        given = told["load"] * limit
        # Frames begin on bytes of the line, 8 ns each: the last one may come so much before its place.
        early = 1 + 8e-6 / told["milliseconds"]
        for way in ("a_to_b", "b_to_a"):
            assert 0.999 * given < rates[way] <= round(min(limit, early * given))


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(line_rate, "path", lambda: tmp_path / "line-rate.json")
    line_rate.keep(BOARD, load=0.5, milliseconds=5.0, up_cycles=842_000, rates=RATES)
    return tmp_path / "line-rate.json"


def test_what_was_measured_is_a_row_for_each_size(kept: Path) -> None:
    assert json.loads(kept.read_text())["ecp5-versa"]["up_cycles"] == 842_000
    assert line_rate.table(["ecp5-versa"]).splitlines()[2:] == [
        f"| `ecp5-versa` | {BOARD.core_mhz:g} | 64 | 961,538 | 50 % | 961,537 | 961,000 |"
    ]


@pytest.mark.parametrize("changed", ["link_end.sv", "short_board.sv", "board.toml", "console.c"])
def test_a_record_of_other_sources_is_said_to_be(kept: Path, monkeypatch: pytest.MonkeyPatch, changed: str) -> None:
    assert "earlier sources" not in line_rate.table(["ecp5-versa"])
    assert changed in [path.name for path in line_rate.inputs(BOARD)]

    def read(path: Path) -> bytes:
        return files.source(path) + (b"\nmodule more; endmodule" if path.name == changed else b"")

    told = files.sources_hash(line_rate.inputs(BOARD), read)
    monkeypatch.setattr(line_rate, "sources_hash", lambda _: told)
    assert "`ecp5-versa` (earlier sources)" in line_rate.table(["ecp5-versa"])


def test_a_board_without_a_record_is_named(kept: Path) -> None:
    with pytest.raises(LabError, match="colorlight-i9"):
        line_rate.table(["colorlight-i9"])


class Before(unchanged.Before):
    """Sources as they were before an edit of some of them."""

    def __init__(self, edited: str) -> None:
        self._edited, self._held = edited, set()

    def read(self, path: Path) -> bytes:
        return files.source(path) + (b"\nmodule more; endmodule" if path.name == self._edited else b"")


@pytest.mark.parametrize(
    ("edited", "same_modules", "of_before", "carried"),
    [
        ("link_end.sv", True, True, True), ("link_end.sv", False, True, False), ("link_end.sv", True, False, False),
        ("short_board.sv", True, True, False),
    ],
)  # fmt: skip
def test_a_record_is_carried_over_where_an_edit_leaves_the_boards_what_they_were(
    monkeypatch: pytest.MonkeyPatch, edited: str, same_modules: bool, of_before: bool, carried: bool
) -> None:
    """What a simulation alone has is compared to the byte, for no synthesis sees it."""
    monkeypatch.setattr(unchanged, "_same_board", lambda *_: same_modules)
    before = Before(edited)
    kept = {"sources_sha256": before.hash(line_rate.inputs(BOARD)) if of_before else "0" * 64, "load": 1.0}
    told = unchanged.rate("ecp5-versa", kept, before, lambda *_: None)
    assert told == ({"sources_sha256": line_rate.sources_hash(BOARD), "load": 1.0} if carried else None)
