# SPDX-License-Identifier: Apache-2.0
"""Builds the top of a core on a bus for a parameter set."""

from __future__ import annotations

import re
from pathlib import Path

import hdl_bench
from sealwire_lab import build, cores, tops
from sealwire_lab.cores import Core
from sealwire_lab.tops import Top

VECTORS = hdl_bench.ROOT / "vectors"


def vector_file(core: str, sizes: str) -> Path:
    """Known answers of a core for a parameter set (k...n...tau...v...)."""
    return VECTORS / f"{cores.find(core).scheme}{sizes}.rsp"


def build_top(core: Core, bus: str, width: int, sizes: str, given: dict[str, int]) -> tuple[Top, Path, dict[str, int]]:
    """The top, the folder of its simulation with everything visible, and all parameters that were set."""
    top = tops.render(core, bus, width)
    match = re.fullmatch(r"k(\d+)n(\d+)tau(\d+)(?:v(\d))?", sizes)
    assert match
    scheme = {
        name: int(value)
        for name, value in zip(("KEY_BITS", "NONCE_BITS", "TAG_BITS", "VERSION"), match.groups(), strict=True)
        if value is not None
    }
    parameters = {"VERSION": core.parameters()["VERSION"], **given, **scheme}
    sources = [*top.sources, top.write(build.build_dir() / "tops" / str(width))]
    directory = hdl_bench.simulation(top.name, sources, parameters, ["--public-flat-rw"])
    return top, directory, parameters
