# SPDX-License-Identifier: Apache-2.0
"""Costs of OMD and p-OMD over the grid of the p-OMD paper's figure 5: counted in simulation, timed in the library.

m = 64, 128, ... 4096 bytes of message, and for each a = 0, 64, ... m bytes of associated data that no cache holds.
Kept in results/pomd/: rtl.csv in cycles from command to result, software.csv in nanoseconds a call.
"""

from collections.abc import Callable
from pathlib import Path

from ... import cores, files
from ...cores import Core
from ...errors import LabError
from ...published import load
from ...simulation import Simulation
from . import measured

RTL, SOFTWARE = "rtl", "software"
CORES = {"omd": "omd-sha512-r1", "pomd": "pomd-sha512-r1"}
UNIT = {RTL: "cycles", SOFTWARE: "ns"}
_EXAMPLE = "pomd_figure5"
_AGAIN = "sealwire-lab plot pomd-figure5 --measure"
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


def _counted(tell: Callable[[str], None]) -> str:
    """Count both cores; returns the text of rtl.csv."""
    counted = {mode: _count(cores.find(name), tell) for mode, name in CORES.items()}
    head = (f"Simulated, seal, idle core, key loaded: {', '.join(CORES.values())}.", f"{_AGAIN} {RTL}")
    notes = {f"{mode} key set-up": f"{key_setup} cycles" for mode, (_, key_setup) in counted.items()}
    rows = [(mode, m, a, cost) for mode, (costs, _) in counted.items() for (m, a), cost in costs.items()]
    return measured.text(head, notes, ("mode", "message_bytes", "ad_bytes", UNIT[RTL]), rows)


def measure(source: str, tell: Callable[[str], None]) -> Path:
    """Make one of the files anew: count in simulation, or time the library with its example."""
    if source == RTL:
        return files.write(path_of(source), _counted(tell))
    tell(f"cargo run --release --example {_EXAMPLE}")
    return files.write(path_of(source), measured.cargo("-p", "sealwire", "--example", _EXAMPLE))


def kept(source: str) -> tuple[Grid, dict[str, str]]:
    """The kept costs, and the notes on them."""
    rows, notes = measured.kept(path_of(source), f"{_AGAIN} {source}")
    grid = {(row["mode"], int(row["message_bytes"]), int(row["ad_bytes"])): float(row[UNIT[source]]) for row in rows}
    missing = {(mode, m, a) for mode in CORES for m, a in points()} - set(grid)
    if missing:
        raise LabError(f"{path_of(source)} lacks {len(missing)} points; make it again: {_AGAIN} {source}")
    return grid, notes
