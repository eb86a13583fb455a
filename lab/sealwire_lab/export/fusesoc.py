# SPDX-License-Identifier: Apache-2.0
"""The description of the folder for FuseSoC (CAPI2)."""

from __future__ import annotations

from . import bench, templates
from .package import Package

NAMESPACE = "sealwire:aead"


def core_file(package: Package, sources: list[str], answers: list[str]) -> str:
    """The .core file; `sources` are the SystemVerilog files in compile order, names are relative to the folder."""
    return templates.fill(
        "fusesoc.core",
        VLNV=f"{NAMESPACE}:{package.name}:{package.version}",
        TOP=package.name,
        CORE=package.core.name,
        BUS=package.top.bus,
        BENCH="\n".join(f"      - {name}: {{file_type: systemVerilogSource}}" for name in bench.sources(package)),
        SOURCES="\n".join(f"      - {source}" for source in sources),
        ANSWERS="\n".join(f"      - {name}: {{file_type: user, copyto: {name}}}" for name in answers),
    )
