# SPDX-License-Identifier: Apache-2.0
"""Behaviour of hdl/interfaces/aead_repack alone, narrow to wide, wide to narrow and between equal widths."""

import pytest
from support import hdl_bench


@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("repack_bench"))
@pytest.mark.parametrize(
    "widths", [pytest.param(pair, marks=pytest.mark.xdist_group(f"repack_{pair}")) for pair in ((64, 64), (32, 128))]
)
def test_repack(widths: tuple[int, int], test: str) -> None:
    source = hdl_bench.ROOT / "hdl" / "interfaces" / "aead_repack.sv"
    directory = hdl_bench.simulation("aead_repack", [source], {"S_BITS": widths[0], "M_BITS": widths[1]})
    hdl_bench.check(directory, "aead_repack", "repack_bench", test)
