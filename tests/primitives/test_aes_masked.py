# SPDX-License-Identifier: Apache-2.0
"""Masked AES in hdl/primitives/aes_masked: one pytest test for each cocotb test."""

import pytest
from support import hdl_bench

MASKED = hdl_bench.ROOT / "hdl" / "primitives" / "aes_masked"


@pytest.mark.xdist_group("aes_masked")
@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("aes_masked_sbox_bench"))
def test_masked_sbox(test: str) -> None:
    sources = [MASKED / f"{name}.sv" for name in ("aes_masked_pkg", "aes_masked_inverse", "aes_masked_sbox")]
    directory = hdl_bench.simulation("aes_masked_sbox", sources, {})
    hdl_bench.check(directory, "aes_masked_sbox", "aes_masked_sbox_bench", test)


@pytest.mark.xdist_group("aes_masked_r1")
@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("aes_masked_bench"))
def test_masked_aes(test: str) -> None:
    sources = [MASKED.parent / "aes" / "aes_pkg.sv"]
    parts = ("pkg", "inverse", "keys", "share", "r1")
    sources += [MASKED / f"aes_masked_{name}.sv" for name in parts]
    directory = hdl_bench.simulation("aes_masked_r1", sources, {}, ["--public-flat-rw"])
    hdl_bench.check(directory, "aes_masked_r1", "aes_masked_bench", test)
