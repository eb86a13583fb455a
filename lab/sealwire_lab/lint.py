# SPDX-License-Identifier: Apache-2.0
"""`sealwire-lab lint`: every core and both suites of the link through Verilator -Wall and slang, without a warning."""

from __future__ import annotations

import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pyslang import driver

from . import cores, toolchain

#: Sizes beside the defaults: the smallest published set, where ports and padding differ most.
_SMALL = {"KEY_BITS": 128, "NONCE_BITS": 128, "TAG_BITS": 128, "VERSION": 1}


@dataclass(frozen=True)
class Design:
    """A top module to be linted: its sources in compile order and its parameters."""

    top: str
    sources: tuple[Path, ...]
    parameters: dict[str, int]

    def __str__(self) -> str:
        return f"{self.top} {' '.join(f'{name}={value}' for name, value in self.parameters.items())}"


def designs() -> Iterator[Design]:
    """Every core in its default and its smallest sizes, and the link with each suite."""
    for core in cores.load().values():
        for sizes in ({}, _SMALL):
            yield Design(core.top, core.sources, core.parameters(**sizes))
    root = cores.root()
    table = tomllib.loads((root / "hdl/link/sources.toml").read_text(encoding="utf-8"))
    for suite in (1, 2):
        yield Design("sealwire_link", tuple(root / name for name in table["sources"]), {"SUITE": suite})


def verilator_complaints(design: Design) -> str:
    """What `verilator --lint-only -Wall` says of the design; empty when it is clean."""
    tools = toolchain.find()
    parameters = [f"-G{name}={value}" for name, value in design.parameters.items()]
    command = [tools.verilator, "--lint-only", "-Wall", "--no-timing", "--top-module", design.top, *parameters]
    done = subprocess.run([*command, *design.sources], env=tools.environment(), capture_output=True, text=True)
    return done.stderr if done.returncode else ""


def slang_accepts(design: Design) -> bool:
    """Whether slang elaborates the design without error or warning; slang itself prints what it finds."""
    slang = driver.Driver()
    slang.addStandardArgs()
    parameters = "".join(f" -G {name}={value}" for name, value in design.parameters.items())
    sources = " ".join(str(path) for path in design.sources)
    slang.parseCommandLine(f"slang -Wextra -Werror --top {design.top}{parameters} {sources}")
    return bool(slang.processOptions() and slang.parseAllSources() and slang.runFullCompilation(True))


def run() -> int:
    """Lint everything; 0 when all is clean."""
    failed = 0
    for design in designs():
        complaints = verilator_complaints(design)
        accepted = slang_accepts(design)
        print(f"{'ok    ' if accepted and not complaints else 'FAILED'} {design}")
        if complaints:
            print(complaints)
        failed += bool(complaints) or not accepted
    return 1 if failed else 0
