# SPDX-License-Identifier: Apache-2.0
"""A zeroise leaves nothing of a secret in the link but what zeroise.toml lists; no secret decides on its handshakes."""

import pytest
from proofs import prover, zeroise

pytestmark = pytest.mark.exhaustive  # two minutes of one processor in all, most of it in reading the link


@pytest.mark.parametrize("suite", zeroise.TABLE["suites"])
def test_nothing_of_a_secret_outlives_a_zeroise(suite: int) -> None:
    assert not zeroise.check(suite)


@pytest.mark.parametrize("mutant", zeroise.mutants(), ids=lambda mutant: mutant.says)
def test_a_planted_defect_is_found(mutant: prover.Mutant) -> None:
    assert zeroise.check(zeroise.TABLE["suites"][0], mutant)
