# SPDX-License-Identifier: Apache-2.0
"""Reads what the tools wrote (Yosys' statistics, nextpnr's report and log), and what follows from clock and cycles."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..cycles import Cycles
from ..errors import LabError
from ..results.record import PACKET_BYTES, CriticalPath
from .targets import Area


def cells_of(stat: Path) -> dict[str, int]:
    """Numbers of cells by type from the file that Yosys' `stat -json` wrote."""
    table = json.loads(stat.read_text(encoding="utf-8"))
    return {str(name): int(number) for name, number in sorted(table["design"]["num_cells_by_type"].items())}


def clocks_of(report: dict[str, Any]) -> dict[str, float]:
    """Clocks in MHz from nextpnr's report, each by the port that it comes from."""
    names = {name: name.removeprefix("$glbnet$").partition("$")[0] for name in report["fmax"]}
    clocks = {names[name]: round(float(clock["achieved"]), 2) for name, clock in report["fmax"].items()}
    if not clocks:
        raise LabError("nextpnr reports no clock: there is no path between two flip-flops")
    if len(clocks) != len(names):
        raise LabError(f"nextpnr reports two clocks of one port: {', '.join(names)}")
    return dict(sorted(clocks.items()))


def fmax_of(report: dict[str, Any]) -> float:
    """Clock in MHz from nextpnr's report; a core has one clock, of several the slowest counts."""
    return min(clocks_of(report).values())


def _clock(edge: str) -> str:
    """The clock of an edge, as nextpnr names edges: `posedge core_clk`."""
    return edge.split()[-1]


def critical_path_of(report: dict[str, Any]) -> CriticalPath | None:
    """The slowest path between edges of one clock from nextpnr's report."""
    paths = [
        entry["path"]
        for entry in report["critical_paths"]
        if entry["path"]
        and "<async>" not in (entry["from"], entry["to"])
        and _clock(entry["from"]) == _clock(entry["to"])
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


def used_in_log(log: str) -> dict[str, int]:
    """What nextpnr says it needs before it places: known even when the design does not route."""
    return {name: int(used) for name, used in re.findall(r"^Info:\s+(\w+):\s+(\d+)/\s*\d+\s+\d+%", log, re.MULTILINE)}


def estimate_in_log(log: str) -> float | None:
    """The clock in MHz that nextpnr expects after placement, the slowest of several."""
    clocks = re.findall(r"^Info: Max frequency for clock .*: ([\d.]+) MHz", log, re.MULTILINE)
    return min(float(clock) for clock in clocks) if clocks else None


def placed_area(synthesised: Area, used: dict[str, int]) -> Area:
    """Area as nextpnr counts it; what it does not tell is that of the synthesis."""
    lut, ff, bram, dsp = (used[name] for name in ("TRELLIS_COMB", "TRELLIS_FF", "DP16KD", "MULT18X18D"))
    return replace(synthesised, lut=lut, lut_logic=lut - (synthesised.lut_memory or 0), ff=ff, bram=bram, dsp=dsp)


def blocks_of_packets(block_bytes: int) -> list[int]:
    """Numbers of blocks of the messages that a record has figures for."""
    return [-(-size // block_bytes) for size in PACKET_BYTES]


def speeds(
    cycles: Cycles, block_bytes: int, lut: int | None, fmax_mhz: float, fmax_mhz_median: float
) -> dict[str, float]:
    """The fields of a record that are throughput (Gbit/s), latency (ns) and throughput per LUT (Mbit/s).

    A packet under the key of the one before takes packet(n): the next ones are waiting.  Under a new key it takes key
    set-up and total(n), because a key is taken only with nothing in flight, and never less than packet(n): total(n)
    ends with the edge that raises the result, which is still to be taken.  Associated data is not counted.
    """
    gbit_s = block_bytes * 8 / cycles.message * fmax_mhz / 1000
    found = {
        "gbit_s": gbit_s,
        "gbit_s_median": gbit_s * fmax_mhz_median / fmax_mhz,
    }
    if lut is not None:
        found["mbit_s_per_lut"] = gbit_s * 1000 / lut
    for size, blocks in zip(PACKET_BYTES, blocks_of_packets(block_bytes), strict=True):
        # Counted at that length in bytes, or for as many whole blocks.
        total = cycles.total_bytes[size] if cycles.total_bytes else cycles.total[blocks]
        packet = cycles.packet_bytes[size] if cycles.packet_bytes else cycles.packet[blocks]
        found[f"gbit_s_{size}"] = size * 8 / packet * fmax_mhz / 1000
        found[f"gbit_s_{size}_new_key"] = size * 8 / max(packet, cycles.key_setup + total) * fmax_mhz / 1000
        found[f"latency_ns_{size}"] = total / fmax_mhz * 1000
    return {name: round(value, 1 if name.startswith("latency") else 4) for name, value in found.items()}
