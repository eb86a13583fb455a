# SPDX-License-Identifier: Apache-2.0
"""The exported bench on a file of Verilog, as `make VERILOG=FILE` in the folder runs it.

Built with the lab's own compiled runtime and kept by content, which takes a third of the time of `make`.
"""

import subprocess
import tempfile
from pathlib import Path

from ... import build, toolchain
from . import bench
from .package import Package

#: Verilator's part for delays in SystemVerilog, which only a bench needs.
_TIMING = "verilated_timing.cpp"
_STANDARD = "c++20"  # of coroutines


def program(top: str, sources: list[Path]) -> Path:
    """The program of a bench that makes its own clock and delays."""
    source = toolchain.find().include / _TIMING
    command = [*build.compiler("-O1", _STANDARD), "-c", source, "-o", "timing.o"]
    timing = build.cached(f"timing-{build.digest([source])}", lambda scratch: build._run(command, scratch)) / "timing.o"

    def make(scratch: Path) -> None:
        flags = ("--timing", "--main", "--timescale", "1ns/1ps")
        build.program(
            scratch,
            "bench",
            top,
            sources,
            {},
            "Vtop",
            flags,
            words=[timing],
            optimise="-O0",
            standard=_STANDARD,
        )

    return build.cached(f"benches/{top}-{build.digest(['bench', top, *sources])}", make) / "bench"


def run(package: Package, verilog: Path) -> tuple[bool, str]:
    """Whether the bench of the package passes with the modules of this file, and what it prints."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path, text in bench.files(package).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        made = program(f"{package.name}_tb", [verilog, *(folder / path for path in bench.sources(package))])
        done = subprocess.run([str(made)], cwd=folder, capture_output=True, text=True)
    return done.returncode == 0 and bench.passed(done.stdout), done.stdout + done.stderr
