# SPDX-License-Identifier: Apache-2.0
"""Programs that cocotb's runner starts, on the lab's runtime and kept by content, and one run of such a program."""

import contextlib
import os
import tempfile
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from xml.etree import ElementTree

from cocotb_tools import config
from cocotb_tools.runner import Verilator
from sealwire_lab import build
from sealwire_lab.coverage import collect

#: Seconds after which a simulation that does not end is killed.
LIMIT = 1800


class _Bounded(Verilator):
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
        words = [*collect.defines(counting, name), f"-Wl,-rpath,{libs}", f"-L{libs}", "-lcocotbvpi_verilator"]
        build.program(scratch, top, top, sources, parameters, "Vtop", flags, collect.COCOTB_MAIN, words)

    return build.cached(f"cocotb/{name}", make)


def run(
    directory: Path, top: str, bench: str, settings: Mapping[str, str], only: str | None = None
) -> tuple[str, dict[str, list[str] | None]]:
    """Run the cocotb tests of `bench` in one simulation, with the random seed of $SEALWIRE_SEED.

    Returns its whole output, and the problems of each test that ended; None for one that cocotb skipped.
    """
    with tempfile.TemporaryDirectory() as scratch:
        results, log = Path(scratch) / "results.xml", Path(scratch) / "log"
        with contextlib.suppress(SystemExit, RuntimeError):  # a failed assertion of the RTL ends the simulation
            _Bounded().test(
                test_module=bench,
                hdl_toplevel=top,
                hdl_toplevel_lang="verilog",
                build_dir=directory,
                test_dir=scratch,
                test_filter=only,
                seed=int(os.environ["SEALWIRE_SEED"]),
                results_xml=str(results),
                log_file=log,
                extra_env=dict(settings),
            )
        output = log.read_text(encoding="utf-8") if log.exists() else ""
        cases = list(ElementTree.parse(results).iter("testcase")) if results.exists() else []
    outcome: dict[str, list[str] | None] = {}
    for case in cases:
        bad = [*case.iter("failure"), *case.iter("error")]
        problems = [problem.get("error_msg") or problem.get("message") or problem.text or "failed" for problem in bad]
        outcome[case.get("name", "")] = None if case.find("skipped") is not None else problems
    return output, outcome
