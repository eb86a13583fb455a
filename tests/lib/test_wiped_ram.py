# SPDX-License-Identifier: Apache-2.0
"""Behaviour of hdl/lib/memory/wiped_ram as one bank and as four, read at once and a cycle late."""

import pytest
from support import hdl_bench

ONE, FOUR = {"DEPTH": 16, "WIPE_CYCLES": 64}, {"DEPTH": 64, "WIPE_CYCLES": 16}
BANKS = {
    "one_bank": ONE,
    "four_banks": FOUR,
    "one_bank_late": ONE | {"READ_LATE": 1},
    "four_banks_late": FOUR | {"READ_LATE": 1},
}


@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("wiped_ram_bench"))
@pytest.mark.parametrize("banks", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in BANKS])
def test_wiped_ram(banks: str, test: str) -> None:
    parameters = {"WIDTH": 37, **BANKS[banks]}
    source = hdl_bench.library("wiped_ram")
    directory = hdl_bench.simulation("wiped_ram", [source], parameters)
    hdl_bench.check(directory, "wiped_ram", "wiped_ram_bench", test, **parameters)
