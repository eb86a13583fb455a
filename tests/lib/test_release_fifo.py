# SPDX-License-Identifier: Apache-2.0
"""Behaviour of hdl/lib/stream/release_fifo: one pytest test for each cocotb test and size of store."""

import pytest
from support import hdl_bench

SIZES = {"one_bank": (4096, 16), "two_banks": (16384, 64)}


@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("release_fifo_bench"))
@pytest.mark.parametrize(
    "size", [pytest.param(size, marks=pytest.mark.xdist_group(f"release_{size}")) for size in SIZES]
)
def test_release_fifo(size: str, test: str) -> None:
    store, descriptors = SIZES[size]
    sources = [hdl_bench.library("wiped_ram"), hdl_bench.library("release_fifo")]
    parameters = {"STORE_BYTES": store, "DESCRIPTORS": descriptors}
    directory = hdl_bench.simulation("release_fifo", sources, parameters, ["--public-flat-rw"])
    hdl_bench.check(directory, "release_fifo", "release_fifo_bench", test, DESCRIPTORS=descriptors)
