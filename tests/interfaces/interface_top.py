# SPDX-License-Identifier: Apache-2.0
"""Builds the top of a core on a bus for a parameter set."""

from __future__ import annotations

from pathlib import Path

import pytest
from sealwire_lab import build, cores, tops
from sealwire_lab.cores import Core
from sealwire_lab.tops import Top
from support import hdl_bench

VECTORS = hdl_bench.ROOT / "vectors"


def vector_file(core: str, sizes: str) -> Path:
    """Known answers of a core for a parameter set (k...n...tau...v..., or v... of the usual sizes)."""
    return VECTORS / f"{cores.find(core).scheme}{sizes}.rsp"


Variant = tuple[str, str, int, list[str]]  # core, parameter set, width of the bus, behaviours


def variants(bus: str, fast: list[Variant], slow: list[Variant]) -> list[object]:
    """A test for each behaviour of each variant; one simulation runs all of a variant, which the fourth value names."""
    found = []
    for exhaustive, variant in [(False, variant) for variant in fast] + [(True, variant) for variant in slow]:
        core, sizes, width, behaviours = variant
        name = f"{core}-{sizes}-{width}"
        marks = [pytest.mark.xdist_group(f"{bus}-{name}"), *([pytest.mark.exhaustive] if exhaustive else [])]
        only = "(" + "|".join(behaviours) + ")$"
        for behaviour in behaviours:
            found.append(pytest.param(core, sizes, width, only, behaviour, id=f"{name}-{behaviour}", marks=marks))
    return found


def build_top(core: Core, bus: str, width: int, sizes: str, given: dict[str, int]) -> tuple[Top, Path, dict[str, int]]:
    """The top, the folder of its simulation with everything visible, and all parameters that were set."""
    top = tops.render(core, bus, width)
    scheme = core.parameters_of_scheme(f"{core.scheme}{sizes}")
    assert scheme is not None
    usual = {name: core.parameters()[name] for name in ("KEY_BITS", "NONCE_BITS", "TAG_BITS", "VERSION")}
    parameters = {**usual, **given, **scheme}
    sources = [*top.sources, top.write(build.build_dir() / "tops" / str(width))]
    directory = hdl_bench.simulation(top.name, sources, parameters, ["--public-flat-rw"])
    return top, directory, parameters
