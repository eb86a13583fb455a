# SPDX-License-Identifier: Apache-2.0
"""The proofs of proofs.toml hold and refute their mutants: the fast ones in `make test`, all in `make proofs`."""

import json
import sys
from pathlib import Path

import pytest
from proofs import prover

PROOFS = prover.proofs()
CHOSEN = [pytest.param(name, marks=() if proof.fast else pytest.mark.exhaustive) for name, proof in PROOFS.items()]


@pytest.mark.parametrize("name", CHOSEN)
def test_proof_holds(name: str) -> None:
    found = prover.search(PROOFS[name])
    assert found.holds, found.said


@pytest.mark.parametrize("name", CHOSEN)
def test_proof_refutes_its_mutants(name: str) -> None:
    assert PROOFS[name].mutants, f"{name} has no mutant: nothing shows that it can fail"
    survivors = [mutant.says for mutant in PROOFS[name].mutants if prover.search(PROOFS[name], mutant).holds]
    assert not survivors


@pytest.mark.parametrize("name", PROOFS)
def test_every_defect_and_every_change_has_its_place_in_the_sources(name: str) -> None:
    for mutant in PROOFS[name].mutants:
        prover.texts(PROOFS[name], mutant)


@pytest.mark.parametrize("name", [name for name, proof in PROOFS.items() if not proof.fast])
def test_harness_and_sources_fit_together(name: str) -> None:
    """Of the proofs that only `make proofs` searches, which a new port of a module would end without a word."""
    prover.elaborate(PROOFS[name])


def test_page_has_the_recorded_times() -> None:
    record = json.loads(prover.RECORD.read_text(encoding="utf-8"))
    assert set(record) == set(PROOFS), "make proofs ARGS=--record"
    page = prover.PAGE.read_text(encoding="utf-8")
    assert prover.document(record, page) == page, "make proofs ARGS=--record"


def test_an_invariant_that_failed_its_check_proves_nothing() -> None:
    """ABC's last words of a search with a limit of 240 s."""
    said = "Verification of 201 clauses has failed.\nTOTAL =   240.13 sec\nProperty proved.  Time =   240.42 sec\n"
    with pytest.raises(RuntimeError, match="no answer"):
        prover.holds(PROOFS["sealing"], said)


def test_a_search_ends_by_the_time_of_its_processor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(prover, "LIMIT", 1)
    prover._run([sys.executable, "-c", "import time; time.sleep(1.5)"], tmp_path)
    with pytest.raises(RuntimeError, match="no answer within 1 s of processor"):
        prover._run([sys.executable, "-c", "while True: pass"], tmp_path)
