# SPDX-License-Identifier: Apache-2.0
"""Behaviour of hdl/interfaces/aead_engine alone, with as few contexts as there can be several: no core has two."""

import tomllib
from pathlib import Path

import pytest
from support import hdl_bench

SOURCES = tomllib.loads((hdl_bench.ROOT / "hdl" / "interfaces" / "sources.toml").read_text(encoding="utf-8"))["sources"]
CONTEXTS = 2


@pytest.mark.parametrize("behaviour", hdl_bench.cocotb_tests("engine_behaviours"))
@pytest.mark.xdist_group("engine")
def test_engine(behaviour: str) -> None:
    parameters = {"CONTEXTS": CONTEXTS, "NONCE_BITS": 64, "TAG_BITS": 64, "STORE_BYTES": 64, "PACKET_BYTES": 32}
    sources = [*(hdl_bench.ROOT / source for source in SOURCES), Path(__file__).parent / "flat_engine.sv"]
    directory = hdl_bench.simulation("flat_engine", sources, parameters)
    hdl_bench.check(directory, "flat_engine", "engine_behaviours", behaviour)
