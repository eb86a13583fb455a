# SPDX-License-Identifier: Apache-2.0
"""Elaborates every public top with two front ends, Verilator (-Wall) and slang; any warning is a complaint.

Tops are the cores of the manifest, the link, the adapters with a core in them and alone, and every module of hdl/common
(which others may use on their own).
"""

from __future__ import annotations

import subprocess
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pyslang

from . import cores, toolchain

#: Warnings of Verilator that say nothing about a module elaborated on its own.
_QUIET = ("-Wno-DECLFILENAME",)


def verilator(top: str, sources: Sequence[Path]) -> list[str]:
    """Complaints of `verilator --lint-only -Wall`."""
    tools = toolchain.find()
    command = [tools.verilator, "--lint-only", "-Wall", *_QUIET, "--top-module", top, *sources]
    done = subprocess.run([str(part) for part in command], env=tools.environment(), capture_output=True, text=True)
    lines = [line for line in done.stderr.splitlines() if line.startswith(("%Warning", "%Error"))]
    return lines or ([f"Verilator ends with status {done.returncode}"] if done.returncode else [])


def slang(top: str, sources: Sequence[Path]) -> list[str]:
    """Complaints of slang with its default warnings, all of them."""
    options = pyslang.ast.CompilationOptions()
    options.topModules = {top}
    compilation = pyslang.ast.Compilation(pyslang.Bag([options]))
    manager = pyslang.SourceManager()
    for path in sources:
        compilation.addSyntaxTree(pyslang.syntax.SyntaxTree.fromFile(str(path), manager))
    engine = pyslang.DiagnosticEngine(manager)
    engine.setWarningOptions(["none", "default"])
    client = pyslang.TextDiagnosticClient()
    engine.addClient(client)
    for diagnostic in compilation.getAllDiagnostics():
        engine.issue(diagnostic)
    return [line for line in client.getString().splitlines() if ": error: " in line or ": warning: " in line]


def _packages_first(files: Iterable[Path]) -> list[Path]:
    return sorted(files, key=lambda path: (not path.stem.endswith("_pkg"), path.parent.name, path.name))


def tops() -> Iterator[tuple[str, list[Path]]]:
    """Every public top with its sources in compile order."""
    for core in cores.load().values():
        yield core.top, list(core.sources)
    hdl = cores.root() / "hdl"
    link = tomllib.loads((hdl / "link" / "sources.toml").read_text())["sources"]
    yield "sealwire_link", [cores.root() / path for path in link]
    interfaces = tomllib.loads((hdl / "interfaces" / "sources.toml").read_text())
    adapter = [cores.root() / path for path in interfaces["sources"]]
    yield adapter[-1].stem, adapter
    for top, core in interfaces["tops"].items():
        yield top, [*cores.find(core).sources, *adapter, hdl / "interfaces" / f"{top}.sv"]
    common = _packages_first((hdl / "common").glob("*.sv"))
    for path in common:
        if not path.stem.endswith("_pkg"):
            used = [other for other in common if not other.stem.endswith("_pkg") or other.stem in path.read_text()]
            yield path.stem, used


def run() -> Iterator[tuple[str, list[str]]]:
    """Each top with its complaints."""
    for top, sources in tops():
        missing = [f"{path} does not exist" for path in sources if not path.exists()]
        yield top, missing or verilator(top, sources) + slang(top, sources)
