# SPDX-License-Identifier: Apache-2.0
"""The comparison of areas and cycles with recorded ones, on an adder of as many bits as it should have."""

from dataclasses import replace
from pathlib import Path

import pytest
import tiny_house
from record_maker import record
from sealwire_lab import cores
from sealwire_lab.implement import designs, flow, targets
from sealwire_lab.implement.designs import Request
from sealwire_lab.results.record import Record
from support import regression

ADDER = tiny_house.adder(100)


def silent(*_: object) -> None:
    """Nobody is told."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Record]:
    """A repository, and what its adder of 100 bits takes on xc7."""
    manifest = tiny_house.entry("adder", "defaults = { WIDTH = 100 }")
    house = tiny_house.make(tmp_path_factory.mktemp("house"), manifest, adder=ADDER)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEALWIRE_ROOT", str(house))
        core = cores.find("adder")
        request = Request(core, targets.find("xc7"), core.parameters(), count_cycles=False)
        return house, flow.implement(request, silent).record


@pytest.fixture
def recorded(made: tuple[Path, Record], monkeypatch: pytest.MonkeyPatch) -> Record:
    """The record, with the source that it was made of in place."""
    house, found = made
    (house / "hdl" / "adder.sv").write_text(ADDER, encoding="utf-8")
    monkeypatch.setenv("SEALWIRE_ROOT", str(house))
    return found


def rewrite(old: str, new: str) -> None:
    """Change the source."""
    (cores.root() / "hdl" / "adder.sv").write_text(ADDER.replace(old, new), encoding="utf-8")


def test_unchanged_sources_run_nothing(recorded: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow, "synthesise", lambda *_: pytest.fail("synthesised again"))
    assert regression.drift(recorded, silent) == []


@pytest.mark.parametrize(("bits", "words"), [(101, []), (110, ["LUT 100 recorded, 110 now (+10.0%; allowed: 2%)"])])
def test_a_change_within_the_tolerance_passes_and_one_beyond_is_told(
    recorded: Record, bits: int, words: list[str]
) -> None:
    rewrite("WIDTH-1", f"{bits}-1")
    found = regression.drift(recorded, silent)
    assert found[: len(words)] == words and bool(found) == bool(words)


def test_a_design_that_does_not_synthesise_any_more_is_told(recorded: Record) -> None:
    rewrite("q + a", "q + b")
    assert "undeclared identifier" in regression.drift(recorded, silent)[0]


def test_everything_is_compared_on_demand(recorded: Record) -> None:
    assert regression.drift(recorded, silent, always=True) == []
    wrong = replace(recorded, cells={**(recorded.cells or {}), "FDRE": 50})
    assert regression.drift(wrong, silent, always=True) == ["FF 50 recorded, 100 now (+100.0%; allowed: 1%)"]


def test_a_cycle_more_or_less_is_told() -> None:
    was = record(cycles={"message": 25, "total": {1: 78, 24: 653}})
    assert regression.cycles_drift(was, {"message": 25, "total": {1: 78, 24: 653}}) == []
    assert regression.cycles_drift(was, {"message": 25, "total": {1: 79, 24: 653}}) == [
        "cycles, total: {1: 78, 24: 653} recorded, {1: 79, 24: 653} now"
    ]


def test_how_to_accept_names_the_commands() -> None:
    assert regression.accept(record()) == (
        "sealwire-lab implement --core alpha-r1 --target ecp5 && "
        "sealwire-lab results --ship --core alpha-r1 --target ecp5 --interface bare && sealwire-lab tables"
    )


def test_a_core_that_is_gone_counts_as_changed(recorded: Record) -> None:
    assert not regression.changed(recorded)
    assert designs.current_hash(replace(recorded, core="other")) is None
    assert regression.changed(replace(recorded, core="other"))
