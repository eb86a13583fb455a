# SPDX-License-Identifier: Apache-2.0
"""Minalpher-P by itself, in one stage and in two."""

from pathlib import Path

import pytest
from support import hdl_bench

ROOM = Path(__file__).parents[2] / "hdl" / "primitives" / "minalpher"
SOURCES = [ROOM / "minalpher_p_pkg.sv", ROOM / "minalpher_p.sv"]


@pytest.mark.xdist_group("minalpher_p")
@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("minalpher_p_bench"))
@pytest.mark.parametrize("stages", [1, 2])
def test_minalpher_p(stages: int, test: str) -> None:
    directory = hdl_bench.simulation("minalpher_p", SOURCES, {"STAGES": stages}, ["--public-flat-rw"])
    hdl_bench.check(directory, "minalpher_p", "minalpher_p_bench", test, SEALWIRE_STAGES=stages)
