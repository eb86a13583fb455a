# SPDX-License-Identifier: Apache-2.0
"""A zeroise leaves nothing of a secret in the link but what zeroise.toml lists; no secret decides on its handshakes."""

import pytest
from proofs import prover, zeroise

pytestmark = pytest.mark.exhaustive  # four minutes of one processor in all, most of it in reading the link


@pytest.mark.parametrize(
    ("top", "suite", "mutant"), zeroise.jobs(), ids=lambda value: getattr(value, "says", None) or str(value)
)
def test_nothing_of_a_secret_outlives_a_zeroise_and_planted_defects_are_found(
    top: str, suite: int, mutant: prover.Mutant | None
) -> None:
    assert bool(zeroise.check(top, suite, mutant)) == bool(mutant)
