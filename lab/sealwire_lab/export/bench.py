# SPDX-License-Identifier: Apache-2.0
"""The test bench with its known answers."""

from __future__ import annotations

import tempfile
from pathlib import Path

from .. import lwc, lwc_malformed
from . import templates
from .package import Package

#: Records that `make` runs, spread over the file; the LWC files hold just these.
_SAMPLE = 60


def answers_name(package: Package) -> str:
    """Where the answers are in the folder: a file, for LWC a folder of three."""
    return f"answers/{package.answers.path.name}" if package.top.bus == "axis" else "answers"


def every(package: Package) -> int:
    """One record in so many is in the sample."""
    return -(-len(package.answers.aead) // _SAMPLE)


def sampled(package: Package) -> int:
    """How many records that makes."""
    return len(package.answers.aead[:: every(package)])


def sources(package: Package) -> list[str]:
    """What a simulator compiles besides the core."""
    return [*(["gmu/LWC.v"] if package.top.bus == "lwc" else []), f"bench/{package.name}_tb.sv"]


def _wires(package: Package) -> str:
    lines = []
    for port in package.top.ports:
        if port.name not in ("clk", "rst", "clear"):
            width = f"[{package.bits(port.width) - 1}:0] " if port.width else ""
            lines.append(f"  logic {width}{port.name};")
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


def _axis(package: Package) -> str:
    key, nonce, tag = (package.values[f"{name}_BITS"] // 8 for name in ("KEY", "NONCE", "TAG"))
    beat = package.values["AXIS_BITS"] // 8
    strings = (len(part) for record in package.answers.aead for part in (record.ad, record.ciphertext or b""))
    longest = max(*strings, key, 8 + nonce, 2 * beat + tag)
    return templates.fill(
        "axis_tb.sv",
        TOP=package.name,
        KEY_BYTES=key,
        NONCE_BYTES=nonce,
        TAG_BYTES=tag,
        BEAT=beat,
        MAX_BYTES=longest + 16,
        WIRES=_wires(package),
        CONNECTIONS=_connections(package),
        STREAMS=_streams(package),
        ANSWERS=answers_name(package),
        EVERY=every(package),
    )


def _lwc(package: Package) -> str:
    return templates.fill(
        "lwc_tb.sv",
        TOP=package.name,
        WIDTH=package.values["W"],
        KEY_WIDTH=package.values["SW"],
        WIRES=_wires(package),
        CONNECTIONS=_connections(package),
    )


def _gmu(package: Package) -> dict[str, str]:
    """What the test bench of the API's development package takes as it is."""
    width, key_width = package.values["W"], package.values["SW"]
    wrapper = templates.fill(
        "LWC.v", TOP=package.name, PDI=width - 1, SDI=key_width - 1, CONNECTIONS=_connections(package)
    )
    return {"gmu/LWC.v": wrapper, "gmu/LWC_config.vhd": templates.fill("LWC_config.vhd", W=width, SW=key_width)}


def _lwc_answers(package: Package) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        width = package.values["W"]
        good = list(lwc.cases(package.core, package.answers, sampled(package)))
        lwc.write([*good, *lwc_malformed.cases(good, width)], directory, width)
        return {f"answers/{path.name}": path.read_text(encoding="ascii") for path in sorted(directory.iterdir())}


_TEST_ALL = """\
test-all: $(RUN) ## every answer
	$(RUN) +every=1

"""


def passed(output: str) -> bool:
    """Whether the bench says that it ran something and that all of it passed."""
    lines = [line for line in output.splitlines() if line.endswith(" failed")]
    return len(lines) == 1 and lines[0].endswith(" passed, 0 failed") and not lines[0].startswith("0 ")


def makefile(package: Package) -> str:
    """The commands of the folder."""
    return templates.fill(
        "Makefile",
        TOP=package.name,
        BENCH=" ".join(sources(package)),
        ALL=_TEST_ALL if package.top.bus == "axis" else "",
    )


def files(package: Package) -> dict[str, str]:
    """The bench and what it reads."""
    name = sources(package)[-1]
    if package.top.bus == "lwc":
        return {name: _lwc(package), **_gmu(package), **_lwc_answers(package)}
    return {name: _axis(package), answers_name(package): package.answers.path.read_text(encoding="ascii")}
