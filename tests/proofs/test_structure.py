# SPDX-License-Identifier: Apache-2.0
"""The structure of the cores lets no secret decide on time, or outlive a pulse of clear or rst."""

import pytest
from proofs import prover, structure
from sealwire_lab import cores

#: Those whose structure takes a few seconds; the whole manifest is exhaustive.
FAST = {"ascon-aead128-r1", "fsks64-r1", "asconprf64-r1"}
CORES = [pytest.param(name, marks=() if name in FAST else pytest.mark.exhaustive) for name in cores.load()]


@pytest.mark.parametrize("core", CORES)
def test_no_secret_decides_on_time_or_outlives_a_pulse(core: str) -> None:
    found = structure.check(core)
    assert "time" in found and not any(found.values()), found


def test_only_cores_of_the_manifest_have_exceptions() -> None:
    slow = set(structure.TABLE["several_cycles"]["cores"])
    assert slow | set(structure.TABLE["verdict"]) <= set(cores.load())
    assert all("time" in structure.check(core) for core in slow & FAST)


@pytest.mark.parametrize(
    ("core", "finds", "mutant"), structure.mutants(), ids=lambda value: getattr(value, "says", None)
)
def test_a_planted_defect_is_found(core: str, finds: str, mutant: prover.Mutant) -> None:
    assert structure.refuted(core, finds, mutant)


def _second_fails(core: str) -> dict[str, list[structure.Finding]]:
    if core == "second":
        raise AssertionError("the module has other ports than expected")
    return {"time": []}


def test_the_others_are_proved_when_one_core_cannot_be(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cores, "load", lambda: dict.fromkeys(["first", "second", "third"]))
    monkeypatch.setattr(structure, "check", _second_fails)
    monkeypatch.setattr(structure, "mutants", list)
    assert structure.main(["first", "second", "third"]) == 1
    said = capsys.readouterr().out
    assert "first: time holds" in said and "third: time holds" in said
    assert "second: NO ANSWER: AssertionError('the module has other ports than expected')" in said
    assert structure.main(["first", "third"]) == 0
