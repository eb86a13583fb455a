# SPDX-License-Identifier: Apache-2.0
"""Behaviour of hdl/interfaces/lwc_writer alone: long strings, for which no core has to work."""

from pathlib import Path

import pytest
from support import hdl_bench

PARTS = ("aead_adapter_pkg", "lwc_pkg", "string_if", "aead_repack", "lwc_writer")


@pytest.mark.xdist_group("lwc_writer")
@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("writer_bench"))
def test_writer(test: str) -> None:
    sources = [hdl_bench.ROOT / "hdl" / "interfaces" / f"{name}.sv" for name in PARTS]
    sources.append(Path(__file__).parent / "flat_writer.sv")
    directory = hdl_bench.simulation("flat_writer", sources, {"W": 128, "TAG_BITS": 128})
    hdl_bench.check(directory, "flat_writer", "writer_bench", test)
