# SPDX-License-Identifier: Apache-2.0
"""A zeroise leaves nothing of a secret in the link but what zeroise.toml lists; no secret decides on its handshakes."""

import pytest
from proofs import prover, zeroise

JOBS = zeroise.jobs()


@pytest.mark.parametrize(
    ("top", "suite", "mutant"),
    [
        # Four minutes of one processor in all, most of it in reading the link
        pytest.param(*job, marks=() if job == JOBS[0] else pytest.mark.exhaustive)
        for job in JOBS
    ],
    ids=lambda value: getattr(value, "says", None) or str(value),
)
def test_nothing_of_a_secret_outlives_a_zeroise_and_planted_defects_are_found(
    top: str, suite: int, mutant: prover.Mutant | None
) -> None:
    assert bool(zeroise.check(top, suite, mutant)) == bool(mutant)


@pytest.mark.parametrize("top", zeroise.SOURCES)
def test_every_change_that_the_search_makes_finds_its_text(top: str) -> None:
    for change in zeroise.changes(top):
        change.planted((prover.ROOT / change.file).read_text(encoding="utf-8"))
