# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of a mutant, one simulation after the other, until a test fails; what a worker does.

Before a simulation serves any mutant, its tests pass without one.  That shows that the planted sources do what the
original ones do, and how long each test takes: a test that takes much longer with a mutant has found it.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sealwire_lab import files

from . import plant, survey
from .plant import Workspace
from .plugin import stop
from .sites import Mutant
from .survey import Simulation

FOUND, SURVIVES, ERROR = "found", "survives", "error"
#: A test is too late after this many times its usual seconds, and these seconds.
FACTOR, GRACE = 5.0, 20.0
#: Seconds for the tests of one simulation without a mutant, builds included.
PATIENCE = 3600.0


@dataclass(frozen=True)
class Trial:
    """A mutant, the simulations to run, and all mutants of the campaign that it is built with."""

    seed: int
    mutant: Mutant
    simulations: tuple[Simulation, ...]
    depth: int  # simulations to run at most
    drawn: tuple[Mutant, ...]
    planted: str  # the name of what the tree then holds


@dataclass
class Verdict:
    """What came of a trial: `by` is the test that failed, `why` its last line."""

    id: str
    status: str
    by: str = ""
    why: str = ""
    seconds: float = 0.0
    simulations: list[str] = field(default_factory=list)


@dataclass
class _Run:
    """One pytest process: what its log says of each test."""

    lines: list[dict[str, Any]]
    status: int
    output: str

    @property
    def failed(self) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["outcome"] not in ("passed", "skipped")]


def _pytest(tree: Path, tests: Sequence[str], options: Sequence[str], env: dict[str, str], patience: float) -> _Run:
    with tempfile.TemporaryDirectory() as scratch:
        log = Path(scratch) / "log"
        names = Path(scratch) / "tests"
        names.write_text("\n".join(tests), encoding="utf-8")
        process = survey.pytest(tree, [*options, f"@{names}"], {"SEALWIRE_MUTANTS_LOG": str(log), **env})
        try:
            output, _ = process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            output = f"not done after {patience:.0f} s"
        finally:
            if process.poll() is None:
                stop(process.pid)
                process.wait()
        text = log.read_text(encoding="utf-8") if log.exists() else ""
    return _Run([json.loads(line) for line in text.splitlines()], process.returncode, output)


def unmutated(space: Workspace, simulation: Simulation) -> dict[str, Any]:
    """Build a simulation and run its tests without a mutant, once.

    Returns `tests`, those that passed, the cheap ones first, `limits`, the seconds of each, and `failed`.
    """
    file = space.folder / "unmutated" / simulation.name.replace("/", "-")
    with files.locked(file.with_suffix(".lock")):
        if file.exists():
            known: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
            if known["asked"] == list(simulation.tests):
                return known
        run = _pytest(space.tree, simulation.tests, [], {plant.VARIABLE: ""}, PATIENCE)
        together: dict[str, list[dict[str, Any]]] = defaultdict(list)  # tests that share a run have one price
        for line in run.lines:
            if line["outcome"] == "passed":
                together[line["test"].partition("[")[0]].append(line)
        price = {name: sum(line["seconds"] for line in lines) for name, lines in together.items()}
        known = {
            "asked": list(simulation.tests),
            "tests": [line["test"] for name in sorted(price, key=lambda n: price[n]) for line in together[name]],
            "limits": {line["test"]: FACTOR * price[name] + GRACE for name in price for line in together[name]},
            "seconds": sum(price.values()),
            "failed": [f"{line['test']}: {line.get('why', '')}" for line in run.failed]
            or ([] if run.status == 0 else [run.output[-500:]]),
        }
        file.write_text(json.dumps(known), encoding="utf-8")
        return known


def holds(build: Path, mutant: Mutant) -> bool:
    """Whether a built simulation has the place of a mutant: a source may be given and its module not be used.

    The program compares what is chosen with the mutant's number, which therefore stands in it.
    """
    number = int(mutant.id, 16).to_bytes(4, sys.byteorder)
    return any(number in path.read_bytes() for path in build.iterdir() if path.is_file())


def run(trial: Trial) -> Verdict:
    """Carry out a trial."""
    space = Workspace(trial.seed)
    verdict = Verdict(trial.mutant.id, SURVIVES)
    if space.write(trial.drawn) != trial.planted:
        return error(trial, "a worker has other sources in hdl/; give all the same checkout")
    since = time.monotonic()
    for simulation in trial.simulations:
        if len(verdict.simulations) == trial.depth:
            break
        base = unmutated(space, simulation)
        if not base["tests"] or not holds(space.tree / "build" / "lab" / simulation.name, trial.mutant):
            continue
        verdict.simulations.append(simulation.name)
        with tempfile.TemporaryDirectory() as scratch:
            limits = Path(scratch) / "limits"
            limits.write_text(json.dumps(base["limits"]), encoding="utf-8")
            env = {plant.VARIABLE: trial.mutant.id, "SEALWIRE_MUTANTS_LIMITS": str(limits)}
            done = _pytest(space.tree, base["tests"], ["-x"], env, FACTOR * base["seconds"] + 10 * GRACE)
        if done.failed:
            first = done.failed[0]
            verdict.status, verdict.by = FOUND, first["test"]
            verdict.why = first.get("why") or first["outcome"]
            break
        if done.status != 0:
            return error(trial, f"pytest ends with status {done.status} on {simulation.name}: {done.output[-500:]}")
    if not verdict.simulations:
        return error(trial, f"no test of `make test` simulates {trial.mutant.file}")
    verdict.seconds = round(time.monotonic() - since, 1)
    return verdict


def error(trial: Trial, why: str) -> Verdict:
    """The verdict on a trial that says nothing of the mutant."""
    return Verdict(trial.mutant.id, ERROR, why=why)
