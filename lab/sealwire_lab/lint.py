# SPDX-License-Identifier: Apache-2.0
"""Elaborates every core with two front ends, Verilator (-Wall) and slang, and fails on any warning."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pyslang

from . import cores, toolchain
from .cores import Core


def _verilator(core: Core) -> list[str]:
    tools = toolchain.find()
    command = [tools.verilator, "--lint-only", "-Wall", "--top-module", core.top, *core.sources]
    done = subprocess.run([str(part) for part in command], env=tools.environment(), capture_output=True, text=True)
    return [line for line in done.stderr.splitlines() if line.startswith(("%Warning", "%Error"))]


def _slang(core: Core) -> list[str]:
    driver = pyslang.driver.Driver()
    driver.addStandardArgs()
    arguments = ["slang", "--quiet", "--top", core.top, "-Weverything", *map(str, core.sources)]
    if not driver.parseCommandLine(" ".join(arguments), pyslang.driver.CommandLineOptions()):
        return ["slang does not take its arguments"]
    if not driver.processOptions() or not driver.parseAllSources():
        return ["slang cannot parse the sources"]
    compilation = driver.createCompilation()
    driver.reportCompilation(compilation, True)
    return [] if driver.reportDiagnostics(True) else ["slang reports the errors above"]


def run() -> Iterator[tuple[Core, list[str]]]:
    """Each core with its complaints."""
    for core in cores.load().values():
        missing = [f"{path} does not exist" for path in core.sources if not Path(path).exists()]
        yield core, missing or _verilator(core) + _slang(core)
