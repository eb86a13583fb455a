# SPDX-License-Identifier: Apache-2.0
"""The command `sealwire-lab coverage`."""

import argparse
import os
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from sealwire_lab import cores, files, toolchain
from sealwire_lab.coverage import result
from sealwire_lab.coverage.result import Result
from sealwire_lab.errors import LabError
from sealwire_lab.terminal import option, say, show, switches, whole

from . import document, exclusions, parts, points, summary


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder of the counts (build/coverage/data)")
    switches(parser, json="machine-readable")
    switches(parser, run="run the tests of tests/coverage.toml first, those parts that are not counted yet")
    option(parser, "--jobs N", "with --run: tests at the same time (default 2)", whole, default=2)
    parser.add_argument("--missing", metavar="FOLDER", help="list what is not covered in a folder of hdl/")
    parser.add_argument("--annotate", type=Path, metavar="DIR", help="write annotated sources")
    switches(parser, record="keep the figures as the shipped ones")
    option(parser, "--ran TEXT", "with --record: what ran, where not all did", default=result.WHOLE)


def _print(found: Result) -> None:
    rows = []
    for name, room in found.everything():
        cells = [name]
        for figure in (room.lines, room.toggles):
            cells += [f"{figure.covered}/{figure.total}", f"{figure.percent:.1f}" if figure.total else "-"]
        rows.append(cells)
    show(("folder", "lines", "%", "toggles", "%"), rows, right=True)


def _unfit(top: Path, data: Path, found: Result, wrong: list[str]) -> str:
    """Why figures are not to be kept; empty if they are."""
    if wrong:
        return "an exclusion is wrong"
    waiting = parts.waiting(top, data, parts.load(top)) if found.whole else []
    names = ", ".join(part.name for part in waiting)
    return f"not counted, or of other files: {names}; run `make coverage`, or say with --ran what ran" if names else ""


def run(arguments: argparse.Namespace) -> int:
    top = cores.root()
    sources = points.load(top)
    rooms = {source.room for source in sources.values()}
    if arguments.missing and arguments.missing not in rooms:
        raise LabError(f"hdl/ has no folder {arguments.missing!r} of RTL (known: {', '.join(sorted(rooms))})")
    data = arguments.data or top / "build" / "coverage" / "data"
    if arguments.run:
        parts.run(top, data, arguments.jobs, say)
    everything = points.read(data, sources)
    entries = exclusions.load(top / "hdl" / "coverage.toml")
    counts, wrong = exclusions.apply(entries, everything, sources)
    found = Result(
        date=datetime.now(UTC).date().isoformat(), seed=int(os.environ.get("SEALWIRE_SEED", "1")),
        version=metadata.version("sealwire-lab"), simulator=f"Verilator {toolchain.find().verilator_version}",
        command=arguments.ran, sources_sha256=points.sources_hash(sources), excluded=len(everything) - len(counts),
        absent=summary.unsimulated(counts, sources), rooms=summary.rooms(counts, sources),
    )  # fmt: skip
    if arguments.missing:
        for line in summary.missing(counts, sources, arguments.missing):
            print(line)
    elif arguments.json:
        print(found.text(), end="")
    else:
        _print(found)
    if arguments.annotate:
        summary.write(arguments.annotate, counts, sources)
        say(f"{len(sources)} annotated files in {arguments.annotate}")
    complaints = list(wrong)
    if not arguments.missing:
        complaints += [f"{what} are covered; the bar is {result.BAR:g} %" for what in found.below()]
        if found.absent:
            say(f"no simulator contains {', '.join(found.absent)}; did all tests run?")
    for complaint in complaints:
        say(complaint)
    if arguments.record and (reason := _unfit(top, data, found, wrong)):
        say(f"not recorded: {reason}")
    elif arguments.record:
        page = document.page()
        text = document.updated(files.read(page), found)
        say(f"{files.write(result.path(), found.text())} and {files.write(page, text)}: written")
    return 1 if complaints or found.absent else 0
