# SPDX-License-Identifier: Apache-2.0
"""Reads what the tools wrote: Yosys' statistics, nextpnr's report and log."""

import json
import re
from pathlib import Path
from typing import Any

from ..errors import LabError
from ..results.record import CriticalPath
from .targets import Area


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


def used_of(report: dict[str, Any]) -> dict[str, int]:
    """Cells by type that nextpnr used."""
    return {name: int(entry["used"]) for name, entry in report["utilization"].items()}


def used_in_log(log: str) -> dict[str, int]:
    """What nextpnr says it needs before it places: known even when the design does not route."""
    return {name: int(used) for name, used in re.findall(r"^Info:\s+(\w+):\s+(\d+)/\s*\d+\s+\d+%", log, re.MULTILINE)}


def estimate_in_log(log: str) -> float | None:
    """The clock in MHz that nextpnr expects after placement, the slowest of several."""
    clocks = re.findall(r"^Info: Max frequency for clock .*: ([\d.]+) MHz", log, re.MULTILINE)
    return min(float(clock) for clock in clocks) if clocks else None


def placed_area(synthesised: Area, used: dict[str, int]) -> Area:
    """Area as nextpnr counts it; what it does not tell is that of the synthesis."""
    lut = used["TRELLIS_COMB"]
    return Area(
        lut, lut - synthesised.lut_memory, synthesised.lut_memory, used["TRELLIS_FF"], used["DP16KD"],
        used["MULT18X18D"], synthesised.carry,
    )  # fmt: skip
