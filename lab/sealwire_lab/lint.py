# SPDX-License-Identifier: Apache-2.0
"""Elaborates every public top with two front ends, Verilator (-Wall) and slang; any warning is a complaint.

Tops are the cores of the manifest, the link, port and link of the boards, those around the boards' processor, the
adapters around one core of each shape, every module of hdl/lib (which others may use on their own), and every masked
module of hdl/ that tests/probing describes.
"""

import os
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyslang

from . import build, cores, firmware, links, masked, toolchain
from . import tops as tops_of_cores
from .board import boards

#: Warnings of Verilator that say nothing about a module elaborated on its own.
_QUIET = ("-Wno-DECLFILENAME",)
#: The time scale of what states none, beside a package that states this one.
_TIME_SCALE = "1ns/1ps"
#: Which unused fields of bundles are no complaint.
_BUNDLES = Path(__file__).with_name("lint.vlt")


def _verilator(*words: object) -> list[str]:
    tools = toolchain.find()
    command = [tools.verilator, "--lint-only", *words]
    done = subprocess.run([str(part) for part in command], env=tools.environment(), capture_output=True, text=True)
    lines = [line for line in done.stderr.splitlines() if line.startswith(("%Warning", "%Error"))]
    return lines or ([f"Verilator ends with status {done.returncode}"] if done.returncode else [])


def verilator(top: str, sources: Sequence[Path]) -> list[str]:
    """Complaints of `verilator --lint-only -Wall`."""
    return _verilator("-Wall", *_QUIET, "--timescale", _TIME_SCALE, _BUNDLES, "--top-module", top, *sources)


def plain(top: str, sources: Sequence[Path]) -> list[str]:
    """Complaints of Verilator on plain Verilog (IEEE 1364-2005) with its default warnings."""
    return _verilator("-Wno-fatal", "--language", "1364-2005", "--top-module", top, *sources)


def slang(top: str, sources: Sequence[Path]) -> list[str]:
    """Complaints of slang with its default warnings, all of them."""
    options = pyslang.ast.CompilationOptions()
    options.topModules = {top}
    options.defaultTimeScale = pyslang.TimeScale.fromString(_TIME_SCALE)
    compilation = pyslang.ast.Compilation(pyslang.Bag([options]))
    manager = pyslang.SourceManager()
    for path in sources:
        compilation.addSyntaxTree(pyslang.syntax.SyntaxTree.fromFile(str(path), manager))
    engine = pyslang.DiagnosticEngine(manager)
    engine.setWarningOptions(["none", "default"])
    client = pyslang.TextDiagnosticClient()
    engine.addClient(client)
    engine.setMappingsFromPragmas()  # `pragma diagnostic` of a source
    for diagnostic in compilation.getAllDiagnostics():
        engine.issue(diagnostic)
    lines = client.getString().splitlines()
    return [line for line in lines if (": error: " in line or ": warning: " in line) and "picorv32.v" not in line]


def tops() -> Iterator[tuple[str, list[Path]]]:
    """Every public top with its sources in compile order."""
    unlike = {core.top: core for core in cores.load().values()}  # unrollings share their top
    for core in unlike.values():
        yield core.top, list(core.sources)
    hdl = cores.root() / "hdl"
    yield "sealwire_link", links.sources()
    yield "sealwire_link_axil", links.sources(control=True)
    yield "board_port", [*boards.cell_models(), *boards.listed("port")]
    yield "board_link", [*boards.cell_models(), *boards.link_sources()]
    shapes: set[tuple[object, ...]] = set()
    for core in cores.load().values():
        shape = (core.data_bits, core.contexts, core.ad_with_msg, tuple(core.parameters()))
        if (core.kind, shape) not in shapes:  # the join differs in these alone
            shapes.add((core.kind, shape))
            for bus in tops_of_cores.WIDTHS if core.kind == "aead" else ("axis",):
                top = tops_of_cores.render(core, bus)
                yield top.name, [*top.sources, top.write(build.build_dir() / "tops")]
    library = sorted(
        (hdl / "lib").glob("*/*.sv"), key=lambda path: (not path.stem.endswith("_pkg"), path.parent.name, path.name)
    )
    for path in library:
        if not path.stem.endswith("_pkg"):
            used = [other for other in library if not other.stem.endswith("_pkg") or other.stem in path.read_text()]
            yield path.stem, used
    for path in firmware.own():
        yield path.stem, firmware.rtl()
    for path in sorted((cores.root() / "tests" / "probing").glob("*.toml")):
        sources = [source.resolve() for source in masked.load(path).sources]
        if sources[-1].is_relative_to(hdl):
            yield sources[-1].stem, sources


def _complaints(listed: tuple[str, list[Path]]) -> tuple[str, list[str]]:
    top, sources = listed
    missing = [f"{path} does not exist" for path in sources if not path.exists()]
    return top, missing or verilator(top, sources) + slang(top, sources)


def run() -> Iterator[tuple[str, list[str]]]:
    """Each top with its complaints, as many at a time as there are processors."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(_complaints, list(tops()))
