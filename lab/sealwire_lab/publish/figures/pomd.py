# SPDX-License-Identifier: Apache-2.0
"""Figure 5 of the p-OMD paper: four plots, once from the library's time and once from counted cycles of the cores.

Relative complexity is cost for each byte of message and associated data.  The costs are those of the paper's grid:
m = 64, 128, ... 4096 bytes of message, and for each a = 0, 64, ... m bytes of associated data that no cache holds.
Kept in results/pomd/: rtl.csv in cycles from command to result, software.csv in nanoseconds a call.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import altair as alt

from ... import cores, files, published
from ...cores import Core
from ...errors import LabError
from ...results import Record
from ...simulation import Simulation
from . import measured, panel
from .drawing import Figure, texts
from .panel import Axis, Line
from .style import Theme

RTL, SOFTWARE = "rtl", "software"
CORES = {"omd": "omd-sha512-r1", "pomd": "pomd-sha512-r1"}
UNIT = {RTL: "cycles", SOFTWARE: "ns"}
_EXAMPLE = "pomd_figure5"
_AGAIN = "sealwire-lab plot pomd-figure5 --measure"
#: (mode, message bytes, AD bytes) -> cost
Grid = dict[tuple[str, int, int], float]
_HEIGHT = 220
_NAME = {"omd": "OMD", "pomd": "p-OMD"}
_BYTES = Axis("message, bytes", (0, 4096), (0, 1024, 2048, 3072, 4096), log=False)


def points() -> list[tuple[int, int]]:
    """(message bytes, AD bytes) of the figure."""
    paper = published.load("pomd")
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


def _width(theme: Theme) -> int:
    return 190 if theme.narrow else 330


def _lines(title: str, across: str, unit: str, drawn: Sequence[Line], theme: Theme) -> panel.Layers:
    up = Axis(unit, (0, max(y for line in drawn for _, y in line.points) * 1.05), log=False)
    bytes_ = Axis(across, _BYTES.domain, _BYTES.ticks, log=False)
    return panel.lines(title, bytes_, up, drawn, theme, (_width(theme), _HEIGHT))


def _heat(title: str, unit: str, grid: Grid, theme: Theme) -> alt.Chart:
    # Every second length: the eye sees no difference, the file is small.
    step = 2 * published.load("pomd")["grid_bytes"]
    rows = [
        {"m": m - step, "m2": m, "a": a - step, "a2": a, "v": round(cost / (m + a), 4)}
        for (mode, m, a), cost in grid.items()
        if mode == "pomd" and a and m % step == a % step == 0
    ]
    assert _BYTES.domain
    scale, axis = _BYTES.scale(_BYTES.domain), _BYTES.drawn("d", grid=False)
    chart: alt.Chart = (
        panel.canvas(rows, (_width(theme), _HEIGHT), title)
        .mark_rect(strokeWidth=0.7)
        .encode(
            alt.X("m:Q", title=_BYTES.title, scale=scale, axis=axis), alt.X2("m2"),
            alt.Y("a:Q", title="AD, bytes", scale=scale, axis=axis), alt.Y2("a2"),
            alt.Color(
                "v:Q", title=unit, scale=alt.Scale(range=list(theme.ramp), type="log"),
                legend=alt.Legend(format=".2f", gradientLength=_HEIGHT - 40, tickCount=4),
            ),
        )
    )  # fmt: skip
    return chart


def _summary(grid: Grid, longest: int) -> str:
    with_ad = {mode: grid[mode, longest, longest] for mode in _NAME}
    ratio = {mode: with_ad[mode] / grid[mode, longest, 0] for mode in _NAME}
    return (
        f"With as much associated data as message ({longest} bytes) p-OMD costs {ratio['pomd']:.3f} x the same message "
        f"without, OMD {ratio['omd']:.3f} x; p-OMD {1 - with_ad['pomd'] / with_ad['omd']:.0%} less than OMD."
    )


def figure(source: str, _: Sequence[Record], theme: Theme) -> Figure:
    """The plots from counted cycles (`rtl`), or from the library's time (`software`)."""
    name = f"pomd-figure5-{source}"
    grid, notes = kept(source)
    evidence = texts()[name]["evidence"].format(
        cpu=notes.get("cpu", "unknown CPU"), method=notes.get("method", "method unknown"),
        cores=" and ".join(CORES.values()),
    )  # fmt: skip
    paper = published.load("pomd")
    longest, step = paper["longest_bytes"], paper["grid_bytes"]
    sizes = range(step, longest + 1, step)
    unit = UNIT[source]

    def each(cost: Callable[[str, int], float], more: str = "") -> list[Line]:
        return [Line(f"{_NAME[mode]}{more}", theme.hues[mode], [(x, cost(mode, x)) for x in sizes]) for mode in _NAME]

    without = Line("OMD, no AD", theme.hues["omd"], [(m, grid["omd", m, 0] / m) for m in sizes], panel.DASHED)
    before = paper["precomputation_cycles"]
    after = {mode: notes.get(f"{mode} key set-up", "not measured") for mode in _NAME}
    key_setup = (
        f"Once a key, not in the plots: OMD {after['omd']}, p-OMD {after['pomd']} (published, tables for 2^63 blocks: "
        f"{before['omd']} and {before['pomd']} cycles)."
    )
    summary = _summary(grid, longest)
    both = f"{unit} a byte of message and AD"
    at_longest = each(lambda mode, a: grid[mode, longest, a] / (longest + a))
    as_long = each(lambda mode, m: grid[mode, m, m] / (2 * m))
    price = [*each(lambda mode, m: grid[mode, m, m] / m, ", AD = m"), without]
    top = [
        _lines(f"Message of {longest} bytes", "AD, bytes", both, at_longest, theme),
        _lines("AD as long as the message", "message, bytes", both, as_long, theme),
    ]
    bottom = [
        _heat("p-OMD, any lengths", f"{unit} a byte", grid, theme),
        _lines("The price of associated data", "message, bytes", f"{unit} a byte of message", price, theme),
    ]
    chart = alt.vconcat(
        panel.beside(top, theme), panel.beside(bottom, theme).resolve_scale(color="independent"),
        spacing=26,
    ).resolve_scale(color="independent")  # fmt: skip
    words = {"evidence": evidence, "summary": summary, "key_setup": key_setup}
    return panel.figure(name, chart, [*words.values()], theme, alternative=summary, **words)
