# SPDX-License-Identifier: Apache-2.0
"""Packets back to back through the AXI4-Stream adapter: the cycles of the core, and few more."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from interface_top import build_top
from sealwire_lab import cores, tops
from support import hdl_bench

#: Cycles a packet of 1 and of 24 blocks, sealing and opening: what docs/interfaces.md states.
PACE = {
    "omd-blake2b-f": {"seal": {"1": 49, "24": 348}, "open": {"1": 49, "24": 348}},
    "omd-blake2b-x8": {"seal": {"1": 45, "24": 325}, "open": {"1": 48, "24": 352}},
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name.endswith("-f") else [pytest.mark.exhaustive]) for name in PACE]
)
def test_pace(name: str, tmp_path: Path) -> None:
    core = cores.find(name)
    given = tops.store_parameters(core)
    top, directory, parameters = build_top(core, "axis", 64, "k512n256tau256v2", given)
    figures = tmp_path / "figures.json"
    hdl_bench.check(
        directory,
        top.name,
        "axis_pace",
        "counts_cycles_a_packet",
        SCHEME=core.scheme,
        CONTEXTS=core.contexts,
        AD_CACHE=core.ad_cache,
        FIGURES=figures,
        **parameters,
    )
    found = json.loads(figures.read_text())
    print(found)
    for direction, cycles in PACE[name].items():
        for blocks, limit in cycles.items():
            assert found[direction][blocks] <= limit, found
