# SPDX-License-Identifier: Apache-2.0
"""The test bench with its known answers."""

from __future__ import annotations

from . import templates
from .package import Package

#: Records that `make test` runs, spread over the file.
_SAMPLE = 60


def answers_name(package: Package) -> str:
    """Name of the file of answers in the folder."""
    return f"answers/{package.answers.path.name}"


def every(package: Package) -> int:
    """One record in so many is in the sample."""
    return -(-len(package.answers.aead) // _SAMPLE)


def sampled(package: Package) -> int:
    """How many records that makes."""
    return len(package.answers.aead[:: every(package)])


def _wires(package: Package) -> str:
    lines = []
    for port in package.top.ports:
        if port.name in ("clk", "rst", "busy", "clear"):
            continue
        bits = package.bits(port.width)
        lines.append(f"  logic {f'[{bits - 1}:0] ' if port.width else ''}{port.name};")
    return "\n".join(lines) + "\n"


def _connections(package: Package) -> str:
    wires = {"clear": "1'b0"}
    return ",\n".join(f"      .{port.name}({wires.get(port.name, port.name)})" for port in package.top.ports)


def _streams(package: Package) -> str:
    parts = []
    for port in package.top.ports:
        name = port.name.removesuffix("_tdata")
        if name == port.name:
            continue
        kind = "source" if port.direction == "input" else "sink"
        wires = "".join(f", .{wire}({name}_{wire})" for wire in ("tdata", "tkeep", "tvalid", "tready", "tlast"))
        parts.append(
            f"  axis_{kind} #(.BITS({package.bits(port.width)}), .BYTES(BYTES)) u_{name} (.clk, .rst{wires});\n"
        )
    return "".join(parts)


def axis(package: Package) -> str:
    """The bench for AXI4-Stream."""
    longest = max(len(part) for record in package.answers.aead for part in (record.ad, record.ciphertext or b""))
    return templates.fill(
        "axis_tb.sv",
        TOP=package.name,
        WIDTH=package.top.width,
        KEY_BYTES=package.values["KEY_BITS"] // 8,
        NONCE_BYTES=package.values["NONCE_BITS"] // 8,
        TAG_BYTES=package.values["TAG_BITS"] // 8,
        MAX_BYTES=longest + 16,
        WIRES=_wires(package),
        CONNECTIONS=_connections(package),
        STREAMS=_streams(package),
        ANSWERS=answers_name(package),
        EVERY=every(package),
    )


def files(package: Package) -> dict[str, str]:
    """The bench and what it reads."""
    return {
        f"bench/{package.name}_tb.sv": axis(package),
        answers_name(package): package.answers.path.read_text(encoding="ascii"),
    }
