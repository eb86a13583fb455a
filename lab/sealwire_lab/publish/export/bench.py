# SPDX-License-Identifier: Apache-2.0
"""The test bench with its known answers, and running it on a file of Verilog."""

import re
import subprocess
import tempfile
from pathlib import Path

from sealwire_model import lwc_malformed

from ... import build, lwc, toolchain
from .package import Package
from .templates import fill

#: Records that `make` runs, spread over the file; the LWC files hold just these.
_SAMPLE = 60
#: Verilator's part for delays in SystemVerilog, which only a bench needs.
_TIMING = "verilated_timing.cpp"
_STANDARD = "c++20"  # of coroutines


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


def passed(output: str) -> bool:
    """Whether the bench says that it ran something and that all of it passed."""
    lines = [line for line in output.splitlines() if line.endswith(" failed")]
    return len(lines) == 1 and lines[0].endswith(" passed, 0 failed") and not lines[0].startswith("0 ")


def _answers(package: Package) -> str:
    """The known answers; what the core's tag has beyond them is written out."""
    tag_bytes = package.values["TAG_BITS"] // 8
    sealed = iter([record.sealed(tag_bytes) or b"" for record in package.answers.aead])
    text = package.answers.path.read_text(encoding="ascii")
    return re.sub(r"^CT = .*$", lambda _: f"CT = {next(sealed).hex().upper()}", text, flags=re.MULTILINE)


def _lwc(package: Package) -> dict[str, str]:
    """The answers as files of the API, and what the test bench of its development package takes as it is."""
    with tempfile.TemporaryDirectory() as name:
        directory, width = Path(name), package.values["W"]
        good = list(lwc.cases(package.core, package.answers, sampled(package)))
        lwc.write([*good, *lwc_malformed.cases(good, width)], directory, width)
        answers = {f"answers/{path.name}": path.read_text(encoding="ascii") for path in sorted(directory.iterdir())}
    return answers | {f"gmu/{name}": fill(name, p=package) for name in ("LWC.v", "LWC_config.vhd")}


def files(package: Package) -> dict[str, str]:
    """The bench and what it reads."""
    name = sources(package)[-1]
    if package.top.bus == "lwc":
        return {name: fill("lwc_tb.sv", p=package), **_lwc(package)}
    sizes = {size: package.values[f"{size}_BITS"] // 8 for size in ("KEY", "NONCE", "TAG", "AXIS")}
    strings = (len(part) for record in package.answers.aead for part in (record.ad, record.sealed(sizes["TAG"]) or b""))
    longest = max(*strings, sizes["KEY"], 8 + sizes["NONCE"], 2 * sizes["AXIS"] + sizes["TAG"])
    answers = answers_name(package)
    bench = fill("axis_tb.sv", p=package, sizes=sizes, longest=longest, answers=answers, every=every(package))
    return {name: bench, answers: _answers(package)}


def program(top: str, sources: list[Path]) -> Path:
    """The program of a bench that makes its own clock and delays."""
    source = toolchain.find().include / _TIMING
    command = [*build.compiler("-O1", _STANDARD), "-c", source, "-o", "timing.o"]
    timing = build.cached(f"timing-{build.digest([source])}", lambda scratch: build._run(command, scratch)) / "timing.o"

    def make(scratch: Path) -> None:
        flags = ("--timing", "--main", "--timescale", "1ns/1ps")
        build.program(
            scratch, "bench", top, sources, {}, "Vtop", flags, words=[timing], optimise="-O0", standard=_STANDARD
        )

    return build.cached(f"benches/{top}-{build.digest(['bench', top, *sources])}", make) / "bench"


def run(package: Package, verilog: Path) -> tuple[bool, str]:
    """Whether the bench passes on a file of Verilog, as `make VERILOG=FILE` in the folder runs it, and what it prints.

    Built with the lab's own compiled runtime and kept by content, which takes a third of the time of `make`.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path, text in files(package).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        made = program(f"{package.name}_tb", [verilog, *(folder / path for path in sources(package))])
        done = subprocess.run([str(made)], cwd=folder, capture_output=True, text=True)
    return done.returncode == 0 and passed(done.stdout), done.stdout + done.stderr
