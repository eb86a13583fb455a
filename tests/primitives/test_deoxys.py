# SPDX-License-Identifier: Apache-2.0
"""Deoxys-BC by itself: either size of key, version and number of stages, one direction and both."""

from pathlib import Path

import pytest
from support import hdl_bench

PRIMITIVES = Path(__file__).parents[2] / "hdl" / "primitives"
SOURCES = [
    *(PRIMITIVES / "aes" / f"{name}.sv" for name in ("aes_pkg", "aes_inverse_pkg")),
    PRIMITIVES / "round_flights.sv",
    *(PRIMITIVES / "deoxys" / f"{name}.sv" for name in ("deoxys_pkg", "deoxys_inverse_pkg", "deoxys_bc")),
]


@pytest.mark.xdist_group("deoxys")
@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("tweakable_bench"))
@pytest.mark.parametrize(
    ("key_bits", "version", "stages", "both"), [(128, 143, 1, 1), (256, 141, 2, 1), (128, 143, 2, 0)]
)
def test_deoxys_bc(key_bits: int, version: int, stages: int, both: int, test: str) -> None:
    sizes = {"KEY_BITS": key_bits, "VERSION": version, "STAGES": stages, "BOTH": both}
    directory = hdl_bench.simulation("deoxys_bc", SOURCES, sizes, ["--public-flat-rw"])
    given = {f"SEALWIRE_{name}": value for name, value in sizes.items()}
    hdl_bench.check(directory, "deoxys_bc", "tweakable_bench", test, **given)


@pytest.mark.xdist_group("deoxys")
@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("deoxys_pipe_bench"))
@pytest.mark.parametrize("version", [143, 141])
def test_unrolled_deoxys_bc(version: int, test: str) -> None:
    names = ("aes/aes_pkg", "aes/aes_sbox_rom", "aes/aes_round_rom", "deoxys/deoxys_pkg", "deoxys/deoxys_bc_pipe")
    sources = [PRIMITIVES / f"{name}.sv" for name in names]
    directory = hdl_bench.simulation("deoxys_bc_pipe", sources, {"VERSION": version}, ["--public-flat-rw"])
    hdl_bench.check(directory, "deoxys_bc_pipe", "deoxys_pipe_bench", test, SEALWIRE_VERSION=version)
