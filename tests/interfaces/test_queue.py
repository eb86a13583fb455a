# SPDX-License-Identifier: Apache-2.0
"""Behaviour of hdl/interfaces/aead_queue alone, of one context and of four."""

from pathlib import Path

import pytest
from support import hdl_bench

HDL = hdl_bench.ROOT / "hdl"
SOURCES = [
    HDL / "lib" / "memory" / "wiped_ram.sv",
    HDL / "interfaces" / "aead_queue.sv",
    Path(__file__).parent / "flat_queue.sv",
]


@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("queue_bench"))
@pytest.mark.parametrize("contexts", [pytest.param(n, marks=pytest.mark.xdist_group(f"queue_{n}")) for n in (1, 4)])
def test_queue(contexts: int, test: str) -> None:
    directory = hdl_bench.simulation("flat_queue", SOURCES, {"CONTEXTS": contexts})
    hdl_bench.check(directory, "flat_queue", "queue_bench", test)
