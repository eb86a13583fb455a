# SPDX-License-Identifier: Apache-2.0
"""The one-page datasheet."""

from __future__ import annotations

from ..cycles import Cycles
from ..implement import targets
from ..implement.targets import Area
from . import bench, templates
from .package import Package

_BUSES = {"axis": "AXI4-Stream", "lwc": "the LWC hardware API"}
_EXPERIMENTAL = "\n**Experimental: a construction of our own that nobody else has examined. Not for production.**\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _ports(package: Package) -> str:
    """One row a stream: its ports differ in their last word only."""
    rows: list[str] = []
    streams: dict[str, list[str]] = {}
    comments: dict[str, str] = {}
    for port in package.top.ports:
        stem, _, last = port.name.rpartition("_")
        width = f"[{package.bits(port.width)}]" if port.width else ""
        arrow = "in" if port.direction == "input" else "out"
        if not stem:
            rows.append(f"| `{port.name}` | {arrow} | {port.comment or 'rising edge'} |")
            continue
        streams.setdefault(stem, []).append(f"{last}{width} {arrow}")
        comments[stem] = comments.get(stem) or port.comment
    rows += [f"| `{stem}_*` | {', '.join(parts)} | {_cell(comments[stem])} |" for stem, parts in streams.items()]
    return "\n".join(rows)


def _parameters(package: Package) -> str:
    return "\n".join(
        f"| `{item.name}` | {package.values[item.name]} | {item.comment} |" for item in package.top.parameters
    )


def _cycles(package: Package, cycles: Cycles | None) -> str:
    core = package.core
    command = f"`sealwire-lab cycles --core {core.name}`"
    if cycles is None:
        return f"Not counted in this export; {command} counts them."
    blocks = max(cycles.total)
    constant = cycles.total[blocks] - cycles.message * blocks
    text = (
        f"A message of n blocks of {core.block_bytes} bytes takes the core **{cycles.message:g} n + {constant:g}**"
        f" cycles from command to result, a new key {cycles.key_setup}"
    )
    if core.ad_cache:
        text += f", a block of {core.ad_block_bytes} bytes of AD {cycles.ad_block:g}"
    if core.contexts > 1:
        text += f" ({core.contexts} packets at once: {cycles.message:g} a block over all of them)"
    return text + (
        f". Counted in simulation of the core, AD cached or empty, no pauses (the lab's {command}); the adapter adds"
        " what docs/interfaces.md says."
    )


def _area(area: dict[str, Area]) -> str:
    if not area:
        return "Not measured in this export."
    rows = ["| device | LUT | flip-flops | block RAM |", "|---|---|---|---|"]
    for name, cells in area.items():
        rows.append(f"| {targets.find(name).device} | {cells.lut} | {cells.ff} | {cells.bram:g} |")
    return "\n".join(
        [
            *rows,
            "",
            "Core, adapter and stores together: `verilog/` after synthesis by Yosys, before placement. LUTs of ECP5 are"
            " LUT4 and carry cells (two each), those of UltraScale+ LUT6 and the LUTs of memories. The clock depends on"
            " the device: docs/implement.md of Sealwire has the core's after routing.",
        ]
    )


_TRY = {
    "axis": """\
make            # @SAMPLED@ of the @RECORDS@ known answers of @ANSWERS@ on the plain Verilog
make test-all   # all of them
""",
    "lwc": """\
make            # @SAMPLED@ of the @RECORDS@ known answers of @SCHEME@ on the plain Verilog
""",
}
_HOW = {
    "axis": "Every record is sealed and opened, and opened with a bit flipped in tag, ciphertext and AD, which must"
    " release nothing. Malformed packets must give their codes and release nothing; the command after each must work.",
    "lwc": "Every record is sealed and opened, and opened with a bit flipped in tag, ciphertext, AD and nonce, of which"
    " nothing but the status may come out; nor of malformed messages, and the message after each must work.",
}
_ARGUMENTS = {
    "axis": """\
| `+answers=FILE` | other answers of the same sizes, in the format of `@ANSWERS@` |
| `+every=N` | each Nth record of the file (default @EVERY@) |""",
    "lwc": "| `+answers=FOLDER` | another folder with `pdi.txt`, `sdi.txt` and `do.txt` |",
}
_GMU = (
    "\n| `gmu/` | module `LWC` and package `LWC_config`: what the test bench of the LWC hardware API looks for;"
    " the bench here runs through that module |"
)


def text(package: Package, cycles: Cycles | None, area: dict[str, Area]) -> str:
    """Markdown."""
    core = package.core
    known = {
        "ANSWERS": bench.answers_name(package),
        "RECORDS": len(package.answers.aead),
        "SAMPLED": bench.sampled(package),
        "SCHEME": package.answers.scheme,
        "EVERY": bench.every(package),
    }
    return templates.fill(
        "datasheet.md",
        TRY=templates.filled(_TRY[package.top.bus], known),
        ARGUMENTS=templates.filled(_ARGUMENTS[package.top.bus], known),
        BENCH="`, `".join(bench.sources(package)),
        GMU=_GMU if package.top.bus == "lwc" else "",
        HOW=_HOW[package.top.bus],
        TOP=package.name,
        CORE=core.name,
        SCHEME=package.answers.scheme,
        ARCHITECTURE=core.architecture,
        BUS=_BUSES[package.top.bus],
        EXPERIMENTAL=_EXPERIMENTAL if core.scheme.startswith("sivomd") else "",
        VERSION=package.version,
        DOC=core.doc,
        PORTS=_ports(package),
        PARAMETERS=_parameters(package),
        WAVEFORM=templates.fill(f"{package.top.bus}_waveform.txt").rstrip(),
        CYCLES=_cycles(package, cycles),
        AREA=_area(area),
    )
