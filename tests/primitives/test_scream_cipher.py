# SPDX-License-Identifier: Apache-2.0
"""SCREAM's cipher by itself: either number of steps and of stages."""

from pathlib import Path

import pytest
from support import hdl_bench

PRIMITIVES = Path(__file__).parents[2] / "hdl" / "primitives"
SOURCES = [PRIMITIVES / f"{name}.sv" for name in ("round_flights", "scream/scream_pkg", "scream/scream_cipher")]


@pytest.mark.xdist_group("scream")
@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("tweakable_bench"))
@pytest.mark.parametrize(("steps", "stages"), [(10, 1), (10, 2), (12, 1), (12, 2)])
def test_scream(steps: int, stages: int, test: str) -> None:
    sizes = {"STEPS": steps, "STAGES": stages}
    directory = hdl_bench.simulation("scream_cipher", SOURCES, sizes, ["--public-flat-rw"])
    given = {f"SEALWIRE_{name}": value for name, value in sizes.items()}
    hdl_bench.check(directory, "scream_cipher", "tweakable_bench", test, **given)
