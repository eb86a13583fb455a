# SPDX-License-Identifier: Apache-2.0
"""The subcommands of `sealwire-lab` that look at one core: cores, kat, cycles, activity, lint."""

import argparse
import json
import os
import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from sealwire_model.answers import VectorFile

from . import activity, cores, cycles, kat, lint, netlist
from .cores import PARAMETERS, Core
from .errors import LabError
from .implement import targets
from .simulation import STALLS, parameters_text
from .terminal import STDERR, assignment, core_option, progress, say, show, subcommand, switches, whole


def add_parser(commands: Any) -> None:
    """Register the subcommands with the parser of `sealwire-lab`."""
    listing = subcommand(commands, "cores", _cores)
    answers = subcommand(commands, "kat", _kat)
    counting = subcommand(commands, "cycles", _cycles)
    switching = subcommand(commands, "activity", _activity)
    subcommand(commands, "lint", _lint)
    for parser in (answers, counting, switching):
        core_option(parser)
    for parser in (listing, counting, switching):
        switches(parser, json="machine-readable")
    switches(answers, json="one line of JSON before the last line")
    answers.add_argument(
        "files", nargs="*", type=Path, metavar="FILE", help=".rsp file, full or long form; at least one"
    )
    answers.add_argument("--limit", type=whole, metavar="N", help="only N records a file, spread evenly over it")
    answers.add_argument("--stall", choices=STALLS, default="none", help="pauses of sources, sinks or both (none)")
    answers.add_argument("--seed", type=int, default=1, metavar="N", help="of pauses, garbage and flipped bits (1)")
    answers.add_argument(
        "--sharings", type=whole, default=1, metavar="N", help="of a key that comes in shares, for each record (1)"
    )
    answers.add_argument(
        "--netlist", choices=tuple(targets.TARGETS), help="the netlist after synthesis in place of the RTL"
    )
    form = f"NAME=NUMBER with a NAME of {', '.join(PARAMETERS)}"
    parameter = partial(assignment, form=form, left="|".join(PARAMETERS))
    counting.add_argument("--params", nargs="+", type=parameter, default=[], metavar="NAME=N", help="another variant")
    counting.add_argument("--blocks", nargs="+", type=whole, metavar="N", help="message lengths in blocks to report")
    switching.add_argument("--target", choices=tuple(targets.TARGETS), default="xc7", help="device (default xc7)")
    switching.add_argument("--bytes", type=whole, default=1600, metavar="N", help="length of the message (1600)")
    switching.add_argument("--seed", type=int, default=1, metavar="N", help="of key and message (default 1)")


def _cores(arguments: argparse.Namespace) -> int:
    listed = cores.load().values()
    if arguments.json:
        fields = (
            "name", "kind", "family", "scheme", "architecture", "experimental", "top", "data_bits", "contexts",
            "ad_cache", "ad_with_msg", "block_bytes", "ad_block_bytes", "doc",
        )  # fmt: skip
        top = cores.root()
        entries = [
            {name: getattr(core, name) for name in fields}
            | {
                "parameters": core.parameters(),
                "sources": [path.relative_to(top).as_posix() for path in core.sources],
                "vectors": [path.relative_to(top).as_posix() for path in core.vectors()],
            }
            for core in listed
        ]
        print(json.dumps(entries, indent=2))
        return 0
    heads = ("core", "scheme", "architecture", "beat", "contexts", "AD cache")
    caches = {True: "yes", False: "no"}
    rows = [(c.name, c.scheme, c.architecture, f"{c.data_bits} bits", c.contexts, caches[c.ad_cache]) for c in listed]
    show(heads, rows)
    return 0


def _file(core: Core, vectors: VectorFile, arguments: argparse.Namespace, progress: Progress) -> list[kat.Verdict]:
    """One file of answers, with a bar on a terminal."""
    name, parameters = vectors.path.name, kat.parameters_for(core, vectors)
    records = len(vectors.aead or vectors.mac)
    task = progress.add_task(f"{name} (building)", total=min(arguments.limit or records, records))
    cells = None
    if arguments.netlist:

        def tell(what: str, seconds: float, _: str) -> None:
            progress.update(task, description=f"{name} ({what}, {seconds:.0f} s)")

        cells = netlist.make(core, parameters, targets.find(arguments.netlist), tell)
        progress.update(task, description=f"{name} (building the netlist)")
    verdicts = []
    settings = {"limit": arguments.limit, "stall": arguments.stall, "seed": arguments.seed}
    for verdict in kat.run(core, vectors, **settings, sharings=arguments.sharings, netlist=cells):
        verdicts.append(verdict)
        progress.update(task, advance=1, description=name)
        if not verdict.passed:
            say(f"{vectors.path}: record {verdict.count} fails: {'; '.join(verdict.problems[:4])}")
    progress.remove_task(task)
    what = f"the {arguments.netlist} netlist of {core.name}" if arguments.netlist else core.name
    say(
        f"{name}: {sum(verdict.passed for verdict in verdicts)} of {len(verdicts)} pass on {what}"
        f"{' (experimental)' if core.experimental else ''}, {parameters_text(parameters)}, "
        f"stall {arguments.stall}, seed {arguments.seed}"
        f"{f', {arguments.sharings} sharings of each key' if arguments.sharings > 1 else ''}"
    )
    return verdicts


def _kat(arguments: argparse.Namespace) -> int:
    core = cores.find(arguments.core)
    if not arguments.files:
        example = os.path.relpath(core.vectors()[0])
        raise LabError(f"no FILE with known answers; for example: sealwire-lab kat --core {core.name} {example}")
    files = kat.read(core, arguments.files)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=STDERR, transient=True) as progress:
        verdicts = [verdict for vectors in files for verdict in _file(core, vectors, arguments, progress)]
    bad = [verdict for verdict in verdicts if not verdict.passed]
    summary = {
        "core": core.name, "netlist": arguments.netlist, "files": [str(path) for path in arguments.files],
        "stall": arguments.stall, "seed": arguments.seed, "passed": len(verdicts) - len(bad), "failed": len(bad),
        "failures": [{"file": str(v.file), "count": v.count, "problems": v.problems} for v in bad],
    }  # fmt: skip
    if arguments.json:
        print(json.dumps(summary))
    print(f"{summary['passed']} passed, {len(bad)} failed")
    return 1 if bad else 0


def _cycles_table(core: Core, figures: cycles.Cycles) -> None:
    console = Console()
    console.print(f"{figures.core}: {core.architecture}; {parameters_text(figures.params)}", soft_wrap=True)
    table = Table("figure", "cycles", title="counted in simulation", title_justify="left")
    table.add_row("key set-up", str(figures.key_setup))
    if core.kind == "aead":
        table.add_row(f"AD block ({core.ad_block_bytes} bytes)", str(figures.ad_block) if core.ad_cache else "-")
        table.add_row("set-up to the first out beat", str(figures.setup))
    table.add_row(f"message, a block of {core.block_bytes} bytes", str(figures.message))
    table.add_row("tag", str(figures.tag))
    console.print(table)
    with_ad = figures.total_with_ad
    extra = ["total with as much AD", "ratio"] if with_ad else []
    table = Table("blocks", "bytes", "total (alone)", "packet (back to back)", *extra)
    for blocks, total in figures.total.items():
        row = [str(blocks), str(blocks * core.block_bytes), str(total), str(figures.packet[blocks])]
        table.add_row(*row, *([str(with_ad[blocks]), f"{with_ad[blocks] / total:.4f}"] if with_ad else []))
    for size, total in (figures.total_bytes or {}).items():
        table.add_row("", str(size), str(total), str((figures.packet_bytes or {})[size]))
    console.print(table)


def _cycles(arguments: argparse.Namespace) -> int:
    core = cores.find(arguments.core)
    parameters = core.parameters(**dict(arguments.params))
    with STDERR.status(f"counting the cycles of {core.name}"):
        figures = cycles.measure(core, parameters, tuple(arguments.blocks or cycles.DEFAULT_BLOCKS))
    if arguments.json:
        print(json.dumps(figures.json(), indent=2))
    else:
        _cycles_table(core, figures)
    return 0


def _activity(arguments: argparse.Namespace) -> int:
    core, target = cores.find(arguments.core), targets.find(arguments.target)
    with progress() as tell:
        found = activity.measure(core, target, arguments.bytes, arguments.seed, tell)
    if arguments.json:
        print(json.dumps(asdict(found) | {"toggles_per_byte": round(found.toggles_per_byte, 2)}))
    else:
        print(
            f"{core.name} on {target.name}, {found.message_bytes} bytes: {found.toggles_per_byte:.1f} toggles a byte "
            f"({found.toggles} toggles of {found.nets} nets in {found.cycles} cycles; simulated, without delays)"
        )
    return 0


def _lint(_: argparse.Namespace) -> int:
    found: dict[str, list[str]] = {}  # tops by complaint
    for top, complaints in lint.run():
        for complaint in complaints:
            say(f"{top}: {complaint}")
            found.setdefault(complaint, []).append(top)
        print(f"{top}: {'complaints' if complaints else 'clean'} (Verilator -Wall, slang)")
    sys.stdout.flush()  # what was wrong stands last
    for complaint, tops in found.items():
        say(f"{', '.join(tops[:3])}{f' and {len(tops) - 3} more' if len(tops) > 3 else ''}: {complaint}")
    say(f"{len(found)} complaints" if found else "no complaint")
    return 1 if found else 0
