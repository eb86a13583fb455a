# SPDX-License-Identifier: Apache-2.0
"""Runs Yosys: the synthesis of a design for a target, and scripts on texts; what they make is kept below build/."""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import metadata
from pathlib import Path

from .. import cores, files, toolchain
from ..errors import LabError
from . import designs, stages
from .designs import Request
from .stages import OK, Outcome, Progress

#: Goes into the names of what the tools made.  Changed when the same inputs would be run in another way.
METHOD = 1
NETLIST, STAT = "netlist.json", "stat.json"
#: File and line of a cell or wire
_PLACE = re.compile(rb'\s*"src": "[^"]*",?')
_ATTRIBUTE = re.compile(rb"^ *attribute \\src .*\n", re.MULTILINE)
#: Of standard cells: what the timing analyser reads.
CELLS, _CONSTRAINTS = "netlist.v", "constraints.txt"
#: Of what Yosys says about a memory that nothing in a library can be.
_MEMORY = "t:$mem_v2"
#: Of cores whose marked modules are synthesised on their own: for the reader, and after the synthesis.
APART = ("--best-effort-hierarchy",)
_JOINED = ("setattr -mod -unset keep_hierarchy *", "flatten -noscopeinfo")
#: One command a line of the file given; as a script of Yosys it would number its names otherwise.
_RUN_YOSYS = (
    "import sys; from pyosys import libyosys as y; d = y.Design(); [y.run_pass(c, d) for c in open(sys.argv[1])]"
)
NO_YOSYS = "pyosys (Yosys with slang) is not installed; run `make setup`"


def store() -> Path:
    """Where results are kept: build/implement below the top of the checkout."""
    return cores.root() / "build" / "implement"


def netlist_hash(netlist: Path) -> str:
    """Names what a netlist is, wherever in its sources that stands: a comment more places nothing anew."""
    return hashlib.sha256(_PLACE.sub(b"", files.source(netlist))).hexdigest()


def hashed(*parts: object) -> str:
    """A name for all that goes into a result."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


@cache
def version() -> str:
    """Version of pyosys.  Raises LabError when it is not installed."""
    toolchain.package("pyosys", NO_YOSYS)
    return metadata.version("pyosys")


def command(scratch: Path, script: Sequence[str]) -> list[str]:
    """Put a script of Yosys' commands into the folder; returns the command that runs it there."""
    (scratch / "script.ys").write_text("\n".join(script) + "\n", encoding="utf-8")
    return [sys.executable, "-c", _RUN_YOSYS, "script.ys"]


def passes(
    what: str, place: str, sources: dict[str, str], script: str, progress: Progress, limit: float, failure: str
) -> Path:
    """Run a script of Yosys on texts by their file names; kept in the store by what goes in, as area/NAME.

    Returns the folder; `failure` is what LabError says, with {reason} and {folder}.
    """
    lines = script.splitlines()

    def prepare(scratch: Path) -> Sequence[str]:
        for file, text in sources.items():
            (scratch / file).write_text(text, encoding="utf-8")
        return command(scratch, lines)

    folder = store() / f"{place}-{hashed(sources, *lines, version())[:16]}"
    done = stages.run(what, folder, prepare, limit=limit, force=False, progress=progress)
    if done.status != OK:
        raise LabError(failure.format(reason=done.reason, folder=done.folder))
    return done.folder


def named(sources: Iterable[Path]) -> dict[str, Path]:
    """Sources by plain names, in compile order.

    What Yosys makes then says the same on every machine, and no path needs quotes.
    """
    return {f"{index:02d}_{path.name}": path for index, path in enumerate(sources)}


def elaboration(top: str, parameters: Mapping[str, int | str], names: Iterable[str], *flags: str) -> str:
    """The command that reads a design from the files of these names."""
    values = (f"-G {name}={value}" for name, value in sorted(parameters.items()))
    return " ".join(["read_slang -D SYNTHESIS", *flags, f"--top {top}", *values, *names])


def elaborated(
    top: str, parameters: Mapping[str, int | str], texts: Mapping[str, bytes], read: Iterable[str], *flags: str
) -> str:
    """Names the modules that a synthesis would begin with, wherever in the sources they stand.

    `read` are those of the texts, by their file names, that are sources, in compile order.
    """
    with tempfile.TemporaryDirectory() as place:
        scratch = Path(place)
        for name, text in texts.items():
            (scratch / name).write_bytes(text)
        run = command(scratch, [elaboration(top, parameters, read, *flags), "write_rtlil design.il"])
        done = subprocess.run(run, cwd=scratch, capture_output=True, text=True, errors="replace")
        if done.returncode:
            raise LabError(f"{top} cannot be elaborated: {(done.stderr or done.stdout).strip()[-300:]}")
        return hashlib.sha256(_ATTRIBUTE.sub(b"", (scratch / "design.il").read_bytes())).hexdigest()


def synthesise(request: Request, progress: Progress) -> Outcome:
    """Synthesise the core, or answer from the store; the folder holds NETLIST and STAT, of standard cells CELLS too."""
    core, parameters = designs.of(request.core, request.interface, request.parameters)
    target = request.target
    synth = " ".join((target.synth, *request.synth_options, "-top", core.top))
    yosys = version()
    apart, joined = (APART, _JOINED) if core.hierarchy else ((), ())
    library, counted = target.library, "stat -json"
    more: list[str] = []
    if library:
        library.check()
        joined = (*joined, *(line.format(file=library.file) for line in library.mapping))
        counted += f" -liberty {library.file}"
        more = [library.constraints, hashlib.sha256(library.file.read_bytes()).hexdigest()]

    def prepare(scratch: Path) -> Sequence[str]:
        names = named(core.sources)
        for name, path in names.items():
            shutil.copyfile(path, scratch / name)
        script = [
            elaboration(core.top, parameters, names, *apart),
            synth,
            *joined,
            "check -assert -noinit",
            f"tee -q -o {STAT} {counted}",
            f"write_json {NETLIST}",
        ]
        if library:
            (scratch / _CONSTRAINTS).write_text(library.constraints, encoding="utf-8")
            script.append(f"write_verilog -noattr {CELLS}")
        return command(scratch, script)

    sources = files.sources_hash(core.sources)
    key = hashed(METHOD, synth, core.top, parameters, sources, yosys, *apart, *joined, *more)
    folder = store() / "synthesis" / f"{core.name}-{target.name}-{key[:16]}"
    made = stages.run(
        f"synthesis for {target.name}", folder, prepare,
        limit=request.timeout, force=request.force, progress=progress,
    )  # fmt: skip
    if library and _MEMORY in made.reason:
        made = replace(
            made, reason=f"{core.name} has a larger memory than flip-flops can be, and {target.name} has none"
        )
    return made
