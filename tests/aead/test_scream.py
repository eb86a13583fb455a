# SPDX-License-Identifier: Apache-2.0
"""Runs scream_behaviours.py on a SCREAM core of either kind: no number of a block comes twice."""

import pytest
from sealwire_lab import cores
from support.cocotb_program import program, run


@pytest.mark.parametrize(("name", "data_bits"), [("scream10-r1", 64), ("scream12-p2", 64), ("scream10-r1", 128)])
def test_no_number_comes_twice(name: str, data_bits: int) -> None:
    core = cores.find(name)
    built = program(core.top, core.sources, core.parameters(DATA_BITS=data_bits), ["--public-flat-rw"])
    environment = {"SEALWIRE_SCHEME": core.scheme, "SEALWIRE_VERSION": "3"}
    output, outcome = run(built, core.top, "scream_behaviours", environment)
    assert len(outcome) == 3 and not any(outcome.values()), output[-3000:]
