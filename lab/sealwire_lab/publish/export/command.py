# SPDX-License-Identifier: Apache-2.0
"""The command `sealwire-lab export`."""

import argparse
import json
import os
import subprocess
import tempfile
from dataclasses import asdict
from pathlib import Path

from ... import cores, files, lint, toolchain, tops
from ...cores import Core
from ...errors import LabError
from ...implement import flow
from ...implement.designs import DEFAULT_TIMEOUT
from ...implement.stages import Progress
from ...terminal import assignment, core_option, option, progress, say, switches, whole
from . import bench, folder, package, project, verilog


def options(parser: argparse.ArgumentParser) -> None:
    widths = "; ".join(f"{bus}: {', '.join(map(str, sorted(known)))}" for bus, known in tops.WIDTHS.items())
    core_option(parser)
    parser.add_argument("--bus", metavar="BUS", help=f"{', '.join(tops.WIDTHS)}; with --flow it may be left out")
    parser.add_argument(
        "--flow", choices=tuple(project.FLOWS), help="a project for this tool instead: sources, constraints, script"
    )
    parser.add_argument("--part", metavar="NAME", help=f"device of --flow (default {project.DEFAULT_PART})")
    parser.add_argument("--period", type=float, metavar="NS", help=f"clock of --flow ({project.DEFAULT_PERIOD_NS:g})")
    parser.add_argument("--width", type=whole, metavar="W", help=f"bits of the data ports ({widths})")
    option(parser, "--param NAME=N", "another value; repeatable", assignment, action="append", default=[])
    option(parser, "-o --output DIR", "a new or empty folder", Path, required=True)
    switches(
        parser,
        force="write into a folder that is not empty",
        no_measure="no cycles and area on the datasheet (much faster)",
        check="run the exported bench afterwards",
        json="a summary, machine-readable",
    )


def _lint(made: package.Package, text: str) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch) / f"{made.name}.v"
        source.write_text(text, encoding="utf-8")
        complaints = lint.plain(made.name, [source])
    for line in complaints:
        if line.startswith("%Error"):
            raise LabError(f"Verilator does not take the plain Verilog: {line}")
    if complaints:
        say(f"Verilator warns of the plain Verilog: {complaints[0]}")


def _check(made: package.Package, text: str, directory: Path, tell: Progress) -> bool:
    """The command of the datasheet, with the lab's Verilator, and the same bench on the Verilog after a synthesis.

    What fails says so on standard error.
    """
    tell("the exported bench (make)", 0.0, "")
    tools = toolchain.find()
    command = ["make", "-C", str(directory), f"VERILATOR={tools.verilator}", f"CXX={tools.cxx}"]
    done = subprocess.run(
        command, env={**os.environ, **tools.environment()}, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    passed, output = done.returncode == 0 and bench.passed(done.stdout), done.stdout + done.stderr
    if passed:
        said = next(line for line in done.stdout.splitlines() if line.endswith(" failed"))
        say(f"the exported bench: {said}")
        tell("the exported bench after synthesis", 0.0, "")
        passed, output = bench.run(made, verilog.synthesised(made.name, text, tell, DEFAULT_TIMEOUT))
    say("the exported bench passes after a synthesis too" if passed else "\n".join(output.splitlines()[-15:]))
    return passed


def _project(arguments: argparse.Namespace, core: Core) -> int:
    """`--flow`: a project for a vendor's tool."""
    if arguments.check or arguments.no_measure:
        raise LabError(
            "--check and --no-measure belong to --bus without --flow: a project has no bench and no datasheet"
        )
    period = project.DEFAULT_PERIOD_NS if arguments.period is None else arguments.period
    part = arguments.part or project.DEFAULT_PART
    made = project.gather(core, arguments.bus, arguments.width, dict(arguments.param), part, period)
    folder.check_place(arguments.output, arguments.force)
    texts = project.files(made, arguments.flow)
    files.write_all(arguments.output, texts)
    if arguments.json:
        summary = {
            "core": core.name, "flow": arguments.flow, "top": made.top, "part": part, "period_ns": period,
            "params": made.parameters, "folder": str(arguments.output), "files": list(texts),
        }  # fmt: skip
        print(json.dumps(summary, indent=2))
    else:
        print(
            f"{made.top} for {arguments.flow}: {len(texts)} files in {arguments.output}; how to run it: README.md there"
        )
    return 0


def run(arguments: argparse.Namespace) -> int:
    core = cores.find(arguments.core)
    if arguments.flow:
        return _project(arguments, core)
    if arguments.part or arguments.period is not None:
        raise LabError("--part and --period belong to --flow")
    if arguments.bus is None:
        raise LabError(
            f"name a bus (--bus {' or '.join(tops.WIDTHS)}), or a tool (--flow {' or '.join(project.FLOWS)})"
        )
    made = package.gather(core, arguments.bus, arguments.width, dict(arguments.param))
    folder.check_place(arguments.output, arguments.force)
    checked = None
    with progress() as tell:
        text = verilog.make(made.top, tell, DEFAULT_TIMEOUT)
        figures = None
        if not arguments.no_measure:
            areas = {name: verilog.area(made.name, text, name, tell, DEFAULT_TIMEOUT) for name in verilog.TARGETS}
            parameters = core.parameters(**{name: made.values[name] for name in core.defaults if name in made.values})
            figures = flow.count_cycles(core, parameters, tell), areas
        texts = folder.contents(made, text, figures)
        tell("the plain Verilog in Verilator", 0.0, "")
        _lint(made, text)
        files.write_all(arguments.output, texts)
        if arguments.check:
            checked = _check(made, text, arguments.output, tell)
    if arguments.json:
        summary = {
            "core": core.name, "bus": made.top.bus, "width": made.top.width, "top": made.name, "version": made.version,
            "params": made.values, "folder": str(arguments.output), "files": list(texts),
            "answers": {
                "file": bench.answers_name(made), "records": len(made.answers.aead), "sampled": bench.sampled(made)
            },
            "cycles": figures[0].json() if figures else None,
            "area": {name: asdict(cells) for name, cells in figures[1].items()} if figures else None,
            "checked": checked,
        }  # fmt: skip
        print(json.dumps(summary, indent=2))
    else:
        print(f"{made.name}: {len(texts)} files in {arguments.output}; next: cd {arguments.output} && make")
    if checked is False:
        say(f"sealwire-lab: the bench of {made.name} fails")
        return 1
    return 0
