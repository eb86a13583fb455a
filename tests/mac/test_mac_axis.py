# SPDX-License-Identifier: Apache-2.0
"""MAC cores behind AXI4-Stream: one pytest test for each cocotb test and variant."""

import pytest
from sealwire_lab import build, cores, tops
from support import hdl_bench

BEHAVIOURS = hdl_bench.cocotb_tests("mac_axis_behaviours")
#: A core and AXIS_BITS: gathered beats, and a block a beat.
VARIANTS = [("fsks64-r3", 64, False), ("asconfarfalle-p6", 320, False), ("asconprf192-r8", 192, False),
            ("asconmac-m1", 64, False), ("asconmac-m1", 256, True), ("asconprf192-r8", 64, True),
            ("asconprf64-r1", 64, True), ("asconfarfalle-p6", 64, True)]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "width", "behaviour"),
    [
        pytest.param(
            name, width, behaviour, id=f"{name}-{width}-{behaviour}",
            marks=[pytest.mark.xdist_group(f"mac-axis-{name}-{width}"), *([pytest.mark.exhaustive] if slow else [])],
        )
        for name, width, slow in VARIANTS
        for behaviour in BEHAVIOURS
    ],
)  # fmt: skip
def test_mac_axis(name: str, width: int, behaviour: str) -> None:
    core = cores.find(name)
    top = tops.render(core, "axis", width)
    written = top.write(build.build_dir() / "tops" / str(width))
    directory = hdl_bench.simulation(top.name, [*top.sources, written], {}, ["--public-flat-rw"])
    hdl_bench.check(
        directory, top.name, "mac_axis_behaviours", behaviour, SCHEME=core.scheme, BLOCK_BYTES=core.block_bytes
    )
