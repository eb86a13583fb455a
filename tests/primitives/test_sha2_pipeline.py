# SPDX-License-Identifier: Apache-2.0
"""SHA-512 for two contexts at once (hdl/primitives/sha2/sha2_pipeline_x2): one pytest test for each cocotb test."""

import pytest
from support import hdl_bench

SHA2 = hdl_bench.ROOT / "hdl" / "primitives" / "sha2"
SOURCES = [SHA2 / "sha2_pkg.sv", SHA2 / "sha2_delay.sv", SHA2 / "sha2_pipeline_x2.sv"]


@pytest.mark.xdist_group("sha2_pipeline")
@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("sha2_pipeline_bench"))
def test_sha2_pipeline(test: str) -> None:
    directory = hdl_bench.simulation("sha2_pipeline_x2", SOURCES, {})
    hdl_bench.check(directory, "sha2_pipeline_x2", "sha2_pipeline_bench", test)
