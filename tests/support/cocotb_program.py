# SPDX-License-Identifier: Apache-2.0
"""Programs that cocotb's runner starts, on the lab's runtime and kept by content, and the runner with a time limit."""

from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from cocotb_tools import config
from cocotb_tools.runner import Verilator
from sealwire_lab import build
from sealwire_lab.coverage import collect

#: Seconds after which a simulation that does not end is killed.
LIMIT = 1800


class Bounded(Verilator):
    """A simulation that hangs fails."""

    def _get_sim_cmd_prefix(self) -> list[str]:
        return ["timeout", str(LIMIT), *super()._get_sim_cmd_prefix()]


def program(
    top: str, sources: Sequence[Path], parameters: dict[str, int], visible: Sequence[str] = ("--public-depth", "1")
) -> Path:
    """Folder with the program that cocotb's runner starts for `top` (its `build_dir`; the program has the top's name).

    What the runner's own build() does, but on the shared runtime and kept by content.  Only the ports of `top` are
    visible to tests unless `visible` says more (Verilator's options).
    """
    options = [f"{name}={value}" for name, value in sorted(parameters.items())]
    counting = collect.flags()
    libs = str(config.libs_dir)  # the program looks for cocotb's libraries there, so a checkout that moved builds anew
    parts: list[str | Path] = ["cocotb", metadata.version("cocotb"), libs, top, *options, *visible, *sources]
    name = f"{top}-{build.digest([*parts, collect.COCOTB_MAIN, *collect.SOURCES, *counting, Path(__file__)])}"

    def make(scratch: Path) -> None:
        flags = ["--vpi", "--timescale", "1ns/1ps", *visible, *counting]
        defines = [*collect.defines(counting, name), "-DVM_TRACE_FST=0"]
        words = [
            *defines, "-I", config.share_dir / "lib" / "verilator",
            f"-Wl,-rpath,{libs}", f"-L{libs}", "-lcocotbvpi_verilator",
        ]  # fmt: skip
        optimise = collect.optimise(counting)
        build.program(scratch, top, top, sources, parameters, "Vtop", flags, collect.COCOTB_MAIN, words, optimise)

    return build.cached(f"cocotb/{name}", make)
