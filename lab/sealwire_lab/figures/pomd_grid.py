# SPDX-License-Identifier: Apache-2.0
"""Costs of OMD and p-OMD over the grid of the p-OMD paper's figure 5: counted in simulation, timed in the library.

m = 64, 128, ... 4096 bytes of message, and for each a = 0, 64, ... m bytes of associated data that no cache holds.
Kept in results/pomd/: rtl.csv in cycles from command to result, software.csv in nanoseconds a call.
"""

from __future__ import annotations

import csv
import io
import subprocess
from collections.abc import Callable
from pathlib import Path

from .. import cores
from ..cores import Core
from ..errors import LabError
from ..published import load
from ..simulation import Simulation

RTL, SOFTWARE = "rtl", "software"
CORES = {"omd": "omd-sha512-r1", "pomd": "pomd-sha512-r1"}
_EXAMPLE = "pomd_figure5"
_UNIT = {RTL: "cycles", SOFTWARE: "ns"}
#: (mode, message bytes, AD bytes) -> cost
Grid = dict[tuple[str, int, int], float]


def points() -> list[tuple[int, int]]:
    """(message bytes, AD bytes) of the figure."""
    paper = load("pomd")
    step, longest = paper["grid_bytes"], paper["longest_bytes"]
    return [(m, a) for m in range(step, longest + 1, step) for a in range(0, m + 1, step)]


def path_of(source: str) -> Path:
    """Where the costs are kept."""
    return cores.root() / "results" / "pomd" / f"{source}.csv"


def _count(core: Core, tell: Callable[[str], None]) -> tuple[dict[tuple[int, int], int], int]:
    """Cycles of each point, and of a key's set-up."""
    parameters = core.parameters()
    found = {}
    wanted = points()
    with Simulation.of(core, parameters) as bench:
        bench.stall("none")
        bench.key(bytes(parameters["KEY_BITS"] // 8))
        key_setup = bench.flush().key_setup[0]
        for done, (m, a) in enumerate(wanted):
            if done % 100 == 0:
                tell(f"{core.name}: {done} of {len(wanted)}")
            bench.seal(bytes(parameters["NONCE_BITS"] // 8), bytes(a), bytes(m))
            report = bench.flush()
            if report.violations or not report.outcomes[0].ok:
                raise LabError(f"{core.name} breaks the port contract while cycles are counted")
            found[m, a] = report.outcomes[0].result_edge - report.outcomes[0].accept_edge
    return found, key_setup


def count(tell: Callable[[str], None]) -> str:
    """Count both cores; returns the text of rtl.csv."""
    text = io.StringIO()
    text.write("# SPDX-License-Identifier: Apache-2.0\n")
    text.write(f"# Simulated, seal, idle core, key loaded: {', '.join(CORES.values())}.\n")
    text.write("# sealwire-lab plot pomd-figure5 --measure rtl\n")
    counted = {mode: _count(cores.find(name), tell) for mode, name in CORES.items()}
    for mode, (_, key_setup) in counted.items():
        text.write(f"# {mode} key set-up: {key_setup} cycles\n")
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(("mode", "message_bytes", "ad_bytes", _UNIT[RTL]))
    for mode, (costs, _) in counted.items():
        rows.writerows((mode, m, a, cost) for (m, a), cost in costs.items())
    return text.getvalue()


def time(tell: Callable[[str], None]) -> str:
    """Time the library with a release build of its example; returns the text of software.csv."""
    tell(f"cargo run --release --example {_EXAMPLE}")
    command = ["cargo", "run", "--release", "--locked", "--quiet", "-p", "sealwire", "--example", _EXAMPLE]
    try:
        done = subprocess.run(command, cwd=cores.root(), capture_output=True, text=True)
    except FileNotFoundError as error:
        raise LabError("cargo is not installed; `make setup` says what is needed for the library") from error
    if done.returncode != 0:
        raise LabError(f"the example {_EXAMPLE} failed: {(done.stderr.splitlines() or ['no message'])[-1]}")
    return done.stdout


def measure(source: str, tell: Callable[[str], None]) -> Path:
    """Make one of the files anew."""
    text = count(tell) if source == RTL else time(tell)
    path = path_of(source)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise LabError(f"cannot write {path}: {error.strerror}") from error
    return path


def kept(source: str) -> tuple[Grid, dict[str, str]]:
    """The kept costs, and what the head of the file says: lines `# name: value`."""
    path = path_of(source)
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise LabError(
            f"cannot read {path}: {error.strerror}; make it: sealwire-lab plot pomd-figure5 --measure {source}"
        ) from error
    head = [line.removeprefix("# ") for line in lines if line.startswith("#")]
    notes = dict(line.split(": ", 1) for line in head if ": " in line)
    table = csv.DictReader(line for line in lines if not line.startswith("#"))
    grid = {(row["mode"], int(row["message_bytes"]), int(row["ad_bytes"])): float(row[_UNIT[source]]) for row in table}
    missing = {(mode, m, a) for mode in CORES for m, a in points()} - set(grid)
    if missing:
        raise LabError(f"{path} lacks {len(missing)} points; make it again: sealwire-lab plot pomd-figure5 --measure")
    return grid, notes
