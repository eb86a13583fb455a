# SPDX-License-Identifier: Apache-2.0
"""The command `sealwire-lab implement`."""

import argparse
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

from .. import links
from ..cores import Band
from ..errors import LabError
from ..results.record import BARE, PACKET_BYTES, Record
from ..terminal import assignment, core_option, dash, duration, natural, option, progress, say, show, switches, whole
from . import designs, flow, targets
from .designs import DEFAULT_FREQ, DEFAULT_TIMEOUT, Request
from .stages import OK

#: nextpnr's analytic placers for the ECP5
PLACERS = ("static", "heap")


def tool_options(parser: argparse.ArgumentParser) -> None:
    """How the tools are run, for one design and for many."""
    parser.add_argument("--seeds", type=whole, default=1, metavar="N", help="placements to try (default 1)")
    parser.add_argument("--seed", type=natural, default=1, metavar="S", help="the first placement seed (default 1)")
    aim, limit = f"what the placer aims at (default {DEFAULT_FREQ})", f"seconds for each run ({DEFAULT_TIMEOUT:g})"
    parser.add_argument("--freq", type=duration, default=DEFAULT_FREQ, metavar="MHZ", help=aim)
    parser.add_argument("--timeout", type=duration, default=DEFAULT_TIMEOUT, metavar="S", help=f"{limit} of a tool")
    switches(parser, no_cycles="area and clock only")


def ram_rows(text: str) -> list[Band]:
    """Rows of block RAM as a user writes them; those with a plus between them give their places in turn."""
    bands = [[natural(row) for row in band.split("+")] for band in text.split(",")] if text != "none" else []
    return [band if len(band) > 1 else band[0] for band in bands]


def options(parser: argparse.ArgumentParser) -> None:
    core_option(parser)
    parser.add_argument("--target", required=True, metavar="NAME", help=", ".join(targets.TARGETS))
    option(parser, "--interface NAME", "bare (default), or behind an adapter: axis-WIDTH, lwc-WIDTH", default=BARE)
    tool_options(parser)
    for form, kind, meaning in (
        ("--param NAME=N", assignment, "another variant; repeatable"),
        ("--synth OPTION", str, "more for the Yosys synth command, as --synth=-nobram; repeatable"),
        ("--place OPTION", str, "more for nextpnr, as --place=--router --place=router2; repeatable"),
    ):
        option(parser, form, meaning, kind, action="append", default=[])
    option(parser, "--placer NAME", f"nextpnr's: {' or '.join(PLACERS)} (default: the core's, static if it has none)",
           choices=PLACERS)  # fmt: skip
    option(parser, "--ram-rows Y,Y", "rows where block RAMs stand in the order of their names, Y+Y for two in turn, or "
           "none: where the placer puts them (default: the core's)", ram_rows)  # fmt: skip
    switches(
        parser, no_route="synthesis only: area, no clock", scan="a flip-flop at every port, not counted",
        force="run the tools even if the result is known",
        json="the record, machine-readable",
    )  # fmt: skip
    option(parser, "--keep DIR", "copy netlist, reports and logs of the tools to a new DIR", Path)


def _rows(record: Record) -> Iterator[tuple[str, str]]:
    """Figures of a record as people read them; those that it lacks are left out where another says so."""
    memory = f" ({record.lut_memory} of them memory)" if record.lut_memory else ""
    if record.gate_equivalents is not None:
        yield "gate equivalents", dash(record.gate_equivalents)
    else:
        yield "LUT", dash(record.lut) + memory
    yield "flip-flops", dash(record.ff)
    if record.gate_equivalents is None:
        yield "block RAM", dash(record.bram)
        yield "carry cells", dash(record.carry)
    elif record.fmax_mhz is not None:
        yield "clock, without wires", dash(record.fmax_mhz, " MHz")
    if record.fmax_mhz_by_seed:
        count = len(record.fmax_mhz_by_seed)
        more = f" (best of {count} seeds; median {record.fmax_mhz_median:g})" if count > 1 else ""
        yield "clock", dash(record.fmax_mhz, " MHz") + more
    for name, clock in (record.fmax_mhz_by_clock or {}).items():
        yield name, dash(clock, " MHz")
    if record.fmax_mhz_estimated is not None:
        yield "clock, before routing", dash(record.fmax_mhz_estimated, " MHz")
    if record.cycles:
        yield "cycles: setup, message, tag", ", ".join(str(record.cycles[k]) for k in ("setup", "message", "tag"))
    if record.gbit_s is not None:
        yield "throughput, long messages", dash(record.gbit_s, " Gbit/s")
        figures = record.json()
        for size in PACKET_BYTES:
            speed, new_key = (f"{figures[f'gbit_s_{size}{end}']:g}" for end in ("", "_new_key"))
            latency = f"latency {figures[f'latency_ns_{size}']:g} ns"
            yield f"messages of {size} bytes", f"{speed} Gbit/s, a new key each {new_key}, {latency}"
        if record.mbit_s_per_lut is not None:
            yield "throughput per LUT", dash(record.mbit_s_per_lut, " Mbit/s")
    if record.pj_bit is not None:
        yield "energy, 1536 bytes", dash(record.pj_bit, " pJ a bit, simulated")


def _print(record: Record) -> None:
    print(f"{record.variant} on {record.device} ({record.stage})")
    show(("figure", "value"), _rows(record))
    path = record.critical_path
    if path:
        spent = f"{path.delay_ns:g} ns ({path.logic_ns:g} logic, {path.routing_ns:g} routing)"
        print(f"slowest path: {path.start} to {path.end}, {spent}")
    for note in record.notes or ():
        print(f"note: {note}")


def run(arguments: argparse.Namespace) -> int:
    core = links.find(arguments.core)
    request = Request(
        core, targets.find(arguments.target), core.parameters(**dict(arguments.param)),
        seeds=tuple(range(arguments.seed, arguments.seed + arguments.seeds)),
        synth_options=tuple(arguments.synth), placer=arguments.placer, ram_rows=arguments.ram_rows,
        place_options=tuple(arguments.place), scan=arguments.scan,
        freq=arguments.freq, timeout=arguments.timeout, force=arguments.force, route=not arguments.no_route,
        count_cycles=not arguments.no_cycles, interface=designs.named(core, arguments.interface),
        files=arguments.keep is not None,
    )  # fmt: skip
    if arguments.keep is not None and arguments.keep.exists():
        raise LabError(f"--keep {arguments.keep} exists already; name a new folder")
    with progress() as tell:
        result = flow.implement(request, tell)
    record = result.record
    if result.stored:
        say("answered from the store (--force runs the tools again)")
    if result.complaint:
        say(f"sealwire-lab: {result.complaint}")
    if arguments.keep is not None:
        try:
            for folder in result.folders:
                shutil.copytree(folder, arguments.keep / folder.name, dirs_exist_ok=True)
        except (OSError, shutil.Error) as error:
            raise LabError(f"cannot copy the tools' files to {arguments.keep}: {error}") from error
    if arguments.json:
        print(json.dumps(record.json(), indent=2))
    elif record.ff is not None:
        _print(record)
    for seed, reason in (record.failed_seeds or {}).items():
        if record.status == OK:
            say(f"sealwire-lab: seed {seed} left out: {reason}")
    if record.status != OK:
        say(f"sealwire-lab: {core.name} on {record.target}: {record.reason}")
        return 1
    return 0
