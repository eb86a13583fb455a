# SPDX-License-Identifier: Apache-2.0
"""MAC cores behind AXI4-Stream: one pytest test for each cocotb test and variant."""

import re
import tomllib

import hdl_bench
import pytest
from sealwire_lab import build, cores

ROOT = hdl_bench.ROOT
ADAPTER = tomllib.loads((ROOT / "hdl" / "interfaces" / "sources.toml").read_text())["mac_axis"]
BEHAVIOURS = hdl_bench.cocotb_tests("mac_axis_behaviours")
#: A core and AXIS_BITS: gathered beats, and a block a beat.
VARIANTS = [("fsks64-r3", 64, False), ("asconfarfalle-p6", 320, False), ("asconprf192-r8", 192, False),
            ("asconprf192-r8", 64, True), ("asconprf64-r1", 64, True), ("asconfarfalle-p6", 64, True)]  # fmt: skip
#: Every port of the adapter: direction, width, name.
PORT = re.compile(r"^    (input|output)\s+logic\s*(\[[^\]]+\])?\s*(\w+),?", re.MULTILINE)


def top(core: cores.Core, width: int) -> str:
    """The adapter and the core joined, as text."""
    head = (ROOT / ADAPTER[-1]).read_text().partition(");\n")[0]
    ports = [found.groups() for found in PORT.finditer(head)]
    outside = [port for port in ports if not port[2].startswith("core_")]
    inside = [port for port in ports if port[2].startswith("core_")]
    sizes = f"localparam int unsigned AXIS_BITS = {width}, DATA_BITS = {core.data_bits}, KEY_BITS = 128, TAG_BITS = 128"
    inner = f"localparam int unsigned BYTES_BITS = $clog2({core.data_bits} / 8 + 1);"
    lines = [f"module mac_axis_top #({sizes}) ("]
    lines.append(",\n".join(f"  {way} logic {size or ''} {name}" for way, size, name in outside) + ");")
    lines += [inner, *(f"  logic {size or ''} {name};" for _, size, name in inside)]
    lines.append(f"  mac_axis #(.AXIS_BITS({width}), .DATA_BITS({core.data_bits})) u_axis (.*);")
    joined = ", ".join(f".{name[5:]}({name})" for _, _, name in inside)
    rounds = core.defaults.get("ROUNDS_PER_CYCLE")
    given = f"#(.ROUNDS_PER_CYCLE({rounds})) " if rounds else ""
    lines.append(f"  {core.top} {given}u_core (.clk, .rst, .clear, {joined});\nendmodule")
    return "\n".join(lines) + "\n"


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
    written = build.build_dir() / "tops" / f"mac-{name}-{width}" / "mac_axis_top.sv"
    written.parent.mkdir(parents=True, exist_ok=True)
    written.write_text(top(core, width))
    sources = [*core.sources, *(ROOT / path for path in ADAPTER), written]
    directory = hdl_bench.simulation("mac_axis_top", sources, {})
    hdl_bench.check(
        directory, "mac_axis_top", "mac_axis_behaviours", behaviour, SCHEME=core.scheme, BLOCK_BYTES=core.block_bytes
    )
