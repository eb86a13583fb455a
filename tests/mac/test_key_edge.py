# SPDX-License-Identifier: Apache-2.0
"""MAC cores that are offered a key and a command at once: one core for each control machine in the fast set."""

import pytest
from sealwire_lab import cores
from support import hdl_bench
from test_mac import ALL

FAST = ("fsks64-r3", "asconfarfalle-p6", "asconmac-m1")


@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("key_edge_bench"))
@pytest.mark.parametrize(
    "core",
    [pytest.param(core, id=core.name, marks=[] if core.name in FAST else [pytest.mark.exhaustive]) for core in ALL],
)
def test_key_edge(core: cores.Core, test: str) -> None:
    directory = hdl_bench.simulation(core.top, core.sources, core.parameters())
    hdl_bench.check(directory, core.top, "key_edge_bench", test, SCHEME=core.scheme)
