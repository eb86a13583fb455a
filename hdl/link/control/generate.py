# SPDX-License-Identifier: Apache-2.0
"""Generates everything that follows from the register description (sealwire_link_regs.rdl).

    generate.py                 writes generated/: the AXI4-Lite block, its package, the C header, the Python module
    generate.py --html FOLDER   writes the HTML page to FOLDER
    generate.py --check         only says (exit status 1) which files of generated/ are stale

The files are the same on every machine: the generators are pinned in requirements.lock.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from peakrdl_cheader.exporter import CHeaderExporter
from peakrdl_html import HTMLExporter
from peakrdl_regblock import RegblockExporter
from peakrdl_regblock.cpuif.axi4lite import AXI4Lite_Cpuif_flattened
from peakrdl_regblock.udps import ALL_UDPS
from systemrdl import RDLCompiler
from systemrdl.node import AddressableNode, AddrmapNode, RegfileNode, RegNode

HERE = Path(__file__).parent
NAME = "sealwire_link_regs"
DESCRIPTION = HERE / f"{NAME}.rdl"
GENERATED = HERE / "generated"
ADDRESS_BITS = 12

#: The style of the generator is not ours. Each waiver says what it lets pass.
VERILOG_HEAD = """\
// SPDX-License-Identifier: Apache-2.0
// Generated from {rdl} by generate.py; do not edit.
// Unused: protection bits, low address bits, write data of what is read-only; sizes for users of the package.
// Each process drives its own members of a common structure. A queue of one bit is shifted.
`pragma diagnostic ignore="-Wshift-count-overflow"
// verilator lint_off UNUSEDSIGNAL
// verilator lint_off UNUSEDPARAM
// verilator lint_off MULTIDRIVEN
// verilator lint_off GENUNNAMED

"""
VERILOG_TAIL = """
// verilator lint_on UNUSEDSIGNAL
// verilator lint_on UNUSEDPARAM
// verilator lint_on MULTIDRIVEN
// verilator lint_on GENUNNAMED
"""
HEADER_HEAD = """\
/* SPDX-License-Identifier: Apache-2.0 */
/* Generated from {rdl} by generate.py; do not edit. Guide: docs/control.md. */

"""


def compile_description() -> AddrmapNode:
    compiler = RDLCompiler()
    for udp in ALL_UDPS:
        compiler.register_udp(udp)
    compiler.compile_file(str(DESCRIPTION))
    return compiler.elaborate().top


def access(register: RegNode) -> str:
    reads, writes = register.has_sw_readable, register.has_sw_writable
    return ("r" if reads else "") + ("w" if writes else "")


def python_module(top: AddrmapNode) -> str:
    lines = [
        "# SPDX-License-Identifier: Apache-2.0",
        f'"""Registers of a Sealwire link. Generated from {DESCRIPTION.name} by generate.py; do not edit."""',
        "",
        "from dataclasses import dataclass, field",
        "",
        "",
        "@dataclass(frozen=True)",
        "class Register:",
        '    """One register or an array of equal ones: byte address of the first, bits, number, access (r, w, rw)."""',
        "",
        "    address: int",
        "    bits: int",
        "    count: int",
        "    access: str",
        "    fields: dict[str, tuple[int, int]] = field(default_factory=dict)  # name: (lowest bit, bits)",
        "    resets: dict[str, int] = field(default_factory=dict)  # of fields that have a value after reset",
        "",
        "",
        f"SIZE = {1 << ADDRESS_BITS:#x}  # bytes of address space",
        "",
        "REGISTERS = {",
    ]

    def describe(node: AddressableNode, prefix: str) -> None:
        for child in node.children(unroll=False):
            if isinstance(child, RegfileNode):
                describe(child, f"{prefix}{child.inst_name}.")
            elif isinstance(child, RegNode):
                bits = child.get_property("regwidth")
                fields = ", ".join(f'"{part.inst_name}": ({part.low}, {part.width})' for part in child.fields())
                resets = ", ".join(
                    f'"{part.inst_name}": {part.get_property("reset"):#x}'
                    for part in child.fields()
                    if part.get_property("reset") is not None
                )
                lines.append(
                    f'    "{prefix}{child.inst_name}": Register({child.raw_absolute_address:#05x}, {bits}, '
                    f'{child.n_elements if child.is_array else 1}, "{access(child)}", {{{fields}}}, {{{resets}}}),'
                )

    describe(top, "")
    lines += ["}", ""]
    return "\n".join(lines)


def write(folder: Path) -> None:
    top = compile_description()
    RegblockExporter().export(
        top,
        str(folder),
        cpuif_cls=AXI4Lite_Cpuif_flattened,
        address_width=ADDRESS_BITS,
        retime_read_fanin=True,
        err_if_bad_addr=True,
        reuse_hwif_typedefs=False,
    )
    for name in (f"{NAME}_pkg.sv", f"{NAME}.sv"):
        body = (folder / name).read_text(encoding="utf-8").rstrip() + "\n"
        (folder / name).write_text(VERILOG_HEAD.format(rdl=DESCRIPTION.name) + body + VERILOG_TAIL, encoding="utf-8")
    header = folder / f"{NAME}.h"
    CHeaderExporter().export(top, str(header), reuse_typedefs=False)
    header.write_text(HEADER_HEAD.format(rdl=DESCRIPTION.name) + header.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / f"{NAME}.py").write_text(python_module(top), encoding="utf-8")


def stale() -> list[str]:
    """Names of the files of generated/ that the description no longer gives."""
    with tempfile.TemporaryDirectory() as scratch:
        write(Path(scratch))
        fresh = {path.name: path.read_bytes() for path in Path(scratch).iterdir()}
    kept = {path.name: path.read_bytes() for path in GENERATED.iterdir() if path.is_file()}
    return sorted(name for name in fresh.keys() | kept.keys() if fresh.get(name) != kept.get(name))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--html", type=Path, metavar="FOLDER")
    chosen = parser.parse_args()
    if chosen.check:
        for name in (names := stale()):
            print(f"{GENERATED / name} is stale: run {Path(__file__).name}", file=sys.stderr)
        return 1 if names else 0
    if chosen.html:
        HTMLExporter().export(compile_description(), str(chosen.html))
        return 0
    GENERATED.mkdir(exist_ok=True)
    write(GENERATED)
    return 0


if __name__ == "__main__":
    sys.exit(main())
