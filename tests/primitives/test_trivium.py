# SPDX-License-Identifier: Apache-2.0
"""The random generator in hdl/primitives/trivium: one pytest test for each cocotb test."""

import pytest
from support import hdl_bench


@pytest.mark.xdist_group("trivium")
@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("trivium_bench"))
def test_random_generator(test: str) -> None:
    source = hdl_bench.ROOT / "hdl" / "primitives" / "trivium" / "trivium_random.sv"
    directory = hdl_bench.simulation("trivium_random", [source], {}, ["--public-flat-rw"])
    hdl_bench.check(directory, "trivium_random", "trivium_bench", test)
