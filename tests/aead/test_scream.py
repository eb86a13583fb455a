# SPDX-License-Identifier: Apache-2.0
"""Runs scream_behaviours.py on a SCREAM core of either kind: no number of a block comes twice."""

import pytest
from sealwire_lab import cores
from support.cocotb_program import program, run


@pytest.mark.parametrize("name", ["scream10-r1", "scream12-p2"])
def test_no_number_comes_twice(name: str) -> None:
    core = cores.find(name)
    built = program(core.top, core.sources, core.parameters(), ["--public-flat-rw"])
    environment = {"SEALWIRE_SCHEME": core.scheme, "SEALWIRE_VERSION": "3"}
    output, outcome = run(built, core.top, "scream_behaviours", environment)
    assert len(outcome) == 3 and not any(outcome.values()), output[-3000:]
