# SPDX-License-Identifier: Apache-2.0
"""The command `sealwire-lab`."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table

from . import cores, cycles, kat, lint, lwc, netlist
from .cores import PARAMETERS, Core
from .coverage import command as coverage
from .errors import LabError
from .export import command as export
from .figures import command as figures
from .implement import command as implement
from .implement import targets
from .mac import activity
from .mac import cycles as mac_cycles
from .mac import kat as mac_kat
from .mutants import command as mutants
from .report import command as report
from .results import command as results
from .results import rank, tables
from .simulation import STALLS, parameters_text
from .sweep import command as sweep
from .terminal import STDERR, Parser
from .waveforms import command as waveforms

EXAMPLES = """\
examples:
  sealwire-lab cores                                          which cores there are
  sealwire-lab kat --core omd-sha512-r1 vectors/omdsha512k512n256tau256v2.rsp
  sealwire-lab kat --core omd-blake2b-f --limit 20 --stall both --seed 7 vectors/omdblake2b*.rsp
  sealwire-lab kat --core omd-sha256-r1 --netlist ecp5 --limit 5 vectors/omdsha256k256n248tau256v2.rsp
  sealwire-lab cycles --core omd-blake2b-f                    counted in simulation, as a table
  sealwire-lab cycles --core omd-sha512-r1 --json --params KEY_BITS=128 NONCE_BITS=128 TAG_BITS=128
  sealwire-lab lint                                           Verilator and slang on every core
  sealwire-lab implement --core omd-sha512-r1 --target ecp5   area, clock and throughput by open tools
  sealwire-lab sweep --target ecp5 --seeds 5                  every core; resumable, also on a Dask cluster
  sealwire-lab results --target ecp5                          what was measured; --csv, --json, --parquet FILE
  sealwire-lab rank --by tpa                                  the best first
  sealwire-lab plot all                                       figures of the papers with our cores beside them
  sealwire-lab coverage                                       lines and toggles of the RTL that tests reached
  sealwire-lab report                                         the shipped results as a static web site
  sealwire-lab export --core omd-sha512-r1 --bus axis -o DIR  a core as a folder of its own, with bench and datasheet
  sealwire-lab mutants                                        how many planted defects the tests find; resumable
  sealwire-lab run                                            two link ends, real traffic, attacks

exit status: 0 all well, 1 a check failed, 2 the command could not be carried out
"""


def _positive(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 up")
    return value


def _assignment(text: str) -> tuple[str, int]:
    name, equals, value = text.partition("=")
    if not equals or not value.isdigit() or name not in PARAMETERS:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=NUMBER with a NAME of {', '.join(PARAMETERS)}")
    return name, int(value)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="sealwire-lab",
        description="Builds, checks and measures the Sealwire cores with open tools.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    listing = commands.add_parser("cores", help="list the cores of hdl/cores.toml")
    listing.add_argument("--json", action="store_true", help="machine-readable")
    listing.set_defaults(action=_cores)

    answers = commands.add_parser(
        "kat",
        help="run known-answer files through the RTL of a core",
        description="A record passes when seal equals, open succeeds, a flipped bit in tag, ciphertext, AD and nonce "
        "each fails, the cached AD agrees, and no rule of the port contract is broken. Key, nonce and tag sizes and "
        "the version come from the file. The last line of standard output is `N passed, N failed`.",
    )
    answers.add_argument("--core", required=True, metavar="NAME", help="as `sealwire-lab cores` lists it")
    answers.add_argument("files", nargs="+", type=Path, metavar="FILE", help=".rsp file, full or long form")
    answers.add_argument("--limit", type=_positive, metavar="N", help="only N records a file, spread evenly over it")
    answers.add_argument(
        "--stall", choices=STALLS, default="none", help="pauses of sources, sinks or both (default none)"
    )
    answers.add_argument(
        "--seed", type=int, default=1, metavar="N", help="of pauses, garbage and flipped bits (default 1)"
    )
    answers.add_argument(
        "--netlist", choices=tuple(targets.TARGETS), metavar="TARGET",
        help=f"the netlist after synthesis in place of the RTL: {', '.join(targets.TARGETS)}",
    )  # fmt: skip
    answers.add_argument("--json", action="store_true", help="one line of JSON before the last line")
    answers.set_defaults(action=_kat)

    counting = commands.add_parser("cycles", help="count the cycles of a core in simulation")
    counting.add_argument("--core", required=True, metavar="NAME", help="as `sealwire-lab cores` lists it")
    counting.add_argument("--json", action="store_true", help="machine-readable")
    counting.add_argument("--params", nargs="+", type=_assignment, default=[], metavar="NAME=N", help="another variant")
    counting.add_argument(
        "--blocks", nargs="+", type=_positive, metavar="N", help="message lengths in blocks to report"
    )
    counting.set_defaults(action=_cycles)

    switching = commands.add_parser(
        "activity",
        help="toggles a byte of a MAC core's netlist, simulated",
        description="Simulates the netlist after synthesis while it computes the tag of one message, and counts how "
        "often its nets change. A relative figure, without delays and capacitance: neither power nor energy.",
    )
    switching.add_argument("--core", required=True, metavar="NAME", help="a MAC core")
    switching.add_argument("--target", choices=tuple(targets.TARGETS), default="xc7", help="device (default xc7)")
    switching.add_argument("--bytes", type=_positive, default=1600, metavar="N", help="length of the message (1600)")
    switching.add_argument("--seed", type=int, default=1, metavar="N", help="of key and message (default 1)")
    switching.add_argument("--json", action="store_true", help="machine-readable")
    switching.set_defaults(action=_activity)

    linting = commands.add_parser("lint", help="elaborate every core and top with Verilator -Wall and slang")
    linting.set_defaults(action=_lint)

    implement.add_parser(commands)
    sweep.add_parser(commands)
    mutants.add_parser(commands)
    results.add_parser(commands)
    rank.add_parser(commands)
    tables.add_parser(commands)
    export.add_parser(commands)
    lwc.add_parser(commands)
    waveforms.add_parser(commands)
    figures.add_parser(commands)
    coverage.add_parser(commands)
    report.add_parser(commands)

    # `run` has its own options and its own help; main() hands it over before this parser looks at them.
    commands.add_parser("run", help="two link ends made of our RTL, real traffic, attacks on the wire", add_help=False)
    return parser


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
    table = Table("core", "scheme", "architecture", "beat", "contexts", "AD cache", box=None, pad_edge=False)
    for core in listed:
        cache = "yes" if core.ad_cache else "no"
        table.add_row(core.name, core.scheme, core.architecture, f"{core.data_bits} bits", str(core.contexts), cache)
    Console().print(table)
    return 0


def _kat(arguments: argparse.Namespace) -> int:
    core = cores.find(arguments.core)
    answers = mac_kat if core.kind == "mac" else kat
    files = answers.read(core, arguments.files)
    what = f"the {arguments.netlist} netlist of {core.name}" if arguments.netlist else core.name
    if core.experimental:
        what += " (experimental)"
    verdicts: list[kat.Verdict] = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=STDERR, transient=True) as progress:
        for vectors in files:
            parameters = answers.parameters_for(core, vectors)
            records = len(answers.select(vectors, arguments.limit))
            task = progress.add_task(f"{vectors.path.name} (building)", total=records)
            here = []
            cells = None
            if arguments.netlist:
                target = targets.find(arguments.netlist)

                def tell(what: str, seconds: float, _: str, task: TaskID = task, name: str = vectors.path.name) -> None:
                    progress.update(task, description=f"{name} ({what}, {seconds:.0f} s)")

                cells = netlist.make(core, parameters, target, tell)
                progress.update(task, description=f"{vectors.path.name} (building the netlist)")
            for verdict in answers.run(
                core, vectors, limit=arguments.limit, stall=arguments.stall, seed=arguments.seed, netlist=cells
            ):
                here.append(verdict)
                progress.update(task, advance=1, description=vectors.path.name)
                if not verdict.passed:
                    problems = "; ".join(verdict.problems[:4])
                    progress.console.print(f"{vectors.path}: record {verdict.count} fails: {problems}", soft_wrap=True)
            verdicts += here
            good = sum(verdict.passed for verdict in here)
            progress.remove_task(task)
            progress.console.print(
                f"{vectors.path.name}: {good} of {len(here)} pass on {what}, {parameters_text(parameters)}, "
                f"stall {arguments.stall}, seed {arguments.seed}",
                soft_wrap=True,
            )
    passed = sum(verdict.passed for verdict in verdicts)
    failed = len(verdicts) - passed
    if arguments.json:
        failures = [
            {"file": str(v.file), "count": v.count, "problems": v.problems} for v in verdicts if not v.passed
        ]  # fmt: skip
        print(
            json.dumps(
                {
                    "core": core.name,
                    "netlist": arguments.netlist,
                    "files": [str(path) for path in arguments.files],
                    "stall": arguments.stall,
                    "seed": arguments.seed,
                    "passed": passed,
                    "failed": failed,
                    "failures": failures,
                }
            )
        )
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


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
    if isinstance(figures, mac_cycles.MacCycles):
        for size, total in (figures.total_bytes or {}).items():
            table.add_row("", str(size), str(total), str((figures.packet_bytes or {})[size]))
    console.print(table)


def _cycles(arguments: argparse.Namespace) -> int:
    core = cores.find(arguments.core)
    parameters = core.parameters(**dict(arguments.params))
    with STDERR.status(f"counting the cycles of {core.name}"):
        count = mac_cycles.measure if core.kind == "mac" else cycles.measure
        figures = count(core, parameters, tuple(arguments.blocks or cycles.DEFAULT_BLOCKS))
    if arguments.json:
        print(json.dumps(figures.json(), indent=2))
    else:
        _cycles_table(core, figures)
    return 0


def _activity(arguments: argparse.Namespace) -> int:
    core, target = cores.find(arguments.core), targets.find(arguments.target)
    with STDERR.status(f"the {target.name} netlist of {core.name}") as status:

        def tell(what: str, seconds: float, _: str) -> None:
            status.update(f"{core.name}: {what}, {seconds:.0f} s")

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
    bad = 0
    for top, complaints in lint.run():
        for complaint in complaints:
            STDERR.print(f"{top}: {complaint}", soft_wrap=True, markup=False)
        bad += bool(complaints)
        print(f"{top}: {'complaints' if complaints else 'clean'} (Verilator -Wall, slang)")
    return 1 if bad else 0


def _terminated(number: int, _frame: object) -> None:
    sys.exit(128 + number)


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        if words[:1] == ["run"]:
            from . import demo

            return int(demo.main(words[1:]))
        # A stage stops the tool it runs when an exception passes; by default this signal would be none.
        signal.signal(signal.SIGTERM, _terminated)
        arguments = _parser().parse_args(words)
        status = int(arguments.action(arguments))
        sys.stdout.flush()  # here, where it is known what to do when nobody reads any more
        return status
    except LabError as error:
        STDERR.print(f"sealwire-lab: {error}", soft_wrap=True, markup=False)
        return 2
    except BrokenPipeError:  # whoever read the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE  # as of any other program
    except KeyboardInterrupt:
        STDERR.print("sealwire-lab: interrupted")
        return 130
