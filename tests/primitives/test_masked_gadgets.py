# SPDX-License-Identifier: Apache-2.0
"""Pipelines of words in two shares: one pytest test for each cocotb test."""

import pytest
from support import hdl_bench

PRIMITIVES = hdl_bench.ROOT / "hdl" / "primitives"
FOLDERS = {"masked_add": "masked", "ascon_masked_sbox": "ascon_masked"}


@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("masked_gadgets_bench"))
@pytest.mark.parametrize(
    ("gadget", "width"),
    [
        pytest.param(gadget, width, marks=pytest.mark.xdist_group(f"{gadget}-{width}"))
        for gadget, widths in (("masked_add", (4, 64)), ("ascon_masked_sbox", (1, 64)))
        for width in widths
    ],
)
def test_gadget(gadget: str, width: int, test: str) -> None:
    sources = [PRIMITIVES / "masked" / "masked_and.sv", PRIMITIVES / FOLDERS[gadget] / f"{gadget}.sv"]
    directory = hdl_bench.simulation(gadget, sources, {"WIDTH": width})
    hdl_bench.check(directory, gadget, "masked_gadgets_bench", test, GADGET=gadget, WIDTH=width)
