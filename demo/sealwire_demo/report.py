# SPDX-License-Identifier: Apache-2.0
"""The table at the end, and the same as JSON."""

import statistics
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from textwrap import indent
from typing import Any

from rich.console import Console
from rich.table import Table
from sealwire_model.onlooker import carries_frame

from .bench import Bench
from .checks import SENDER_DROP, Check
from .job import Course
from .pcap import read_frames
from .probes import PROBE_BYTES, cycles_per_block
from .rules import CAUSES
from .worker import MARKER

CORE_MHZ = 100.0


def _sample(bench: Bench) -> dict[str, str]:
    """The first frame with the marker that went in at A, and the packet that carried it."""
    entered = read_frames(bench.ends["a"].trusted_in)
    made = [frame for frame in bench.wire.traffic["a"].frames if carries_frame(frame)]
    inside, outside = next((pair for pair in zip(entered, made, strict=False) if MARKER in pair[0]), (b"", b""))
    return {"inside": inside.hex(), "outside": outside.hex()}


def to_json(
    setting: dict[str, Any], bench: Bench, course: Course, checks: list[Check], files: dict[str, Path]
) -> dict[str, Any]:
    """Everything that the table shows, and the raw counters; `setting` says how the job was run."""
    milliseconds = [ms for pings in course.pings for ms in pings.round_trips_ms]
    ends = {}
    for name, stats in course.final.items():
        counters = stats["counters"]
        ends[name] = {
            "counters": counters,
            "drops": {cause: counters[f"drop_{cause}"] for cause in CAUSES},
            "sender_drops": {
                name.removeprefix(SENDER_DROP): count
                for name, count in counters.items()
                if name.startswith(SENDER_DROP)
            },
            "core_cycles": stats["core_cycles"],
            "simulation_khz": stats["core_cycles"] / stats["simulating_seconds"] / 1e3
            if stats["simulating_seconds"]
            else 0,
            "wire_packets": bench.wire.traffic[name].packets,
            "wire_bytes": bench.wire.traffic[name].size,
            "attacks": dict(bench.wire.traffic[name].attacks),
        }
    return {
        **setting,
        "passed": all(check.passed for check in checks),
        "goodput_kbit_s": [round(t.bytes * 8 / t.seconds / 1e3, 1) if t.seconds else 0.0 for t in course.transfers],
        "file_bytes": [transfer.bytes for transfer in course.transfers],
        "round_trip_ms": {
            "min": round(min(milliseconds, default=0.0), 3),
            "median": round(statistics.median(milliseconds), 3) if milliseconds else 0.0,
            "max": round(max(milliseconds, default=0.0), 3),
        },
        **_own_time(course),
        "sample": _sample(bench),
        "ends": ends,
        "checks": [asdict(check) for check in checks],
        "files": {what: str(path) for what, path in files.items()},
    }


def _own_time(course: Course) -> dict[str, Any]:
    """Figures in the links' own time, where both ends have one."""
    if not course.trips:
        return {}
    seal, open_ = cycles_per_block(course.trips)
    before, after = course.stages["before file"], course.stages["peace"]
    file_cycles = max(after[end]["core_cycles"] - before[end]["core_cycles"] for end in after)
    return {
        "goodput_link_mbit_s":
            round(course.transfers[0].bytes * 8 / (file_cycles / CORE_MHZ), 1) if file_cycles else 0.0,
        "round_trip_link_us": {
            str(size): round(sum(life.microseconds for life in trip), 3)
            for size, trip in zip(PROBE_BYTES, course.trips, strict=True)
        },
        "cycles_per_block": {"seal": seal, "open": open_},
    }  # fmt: skip


def _grid(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", header_style="bold", expand=False)
    table.add_column(columns[0])
    for column in columns[1:]:
        table.add_column(column, justify="right")
    return table


#: Rows of the first table: what, counters of packets and bytes, and whether the receiver counts them.
_WAY = (
    ("into the trusted side", "trusted_in", "trusted_in_bytes", False),
    ("sealed", "sealed", "sealed_bytes", False),
    ("on the wire, keep-alives and handshake included", "wire_packets", "wire_bytes", False),
    ("arrived after the attacker", "untrusted_in", "untrusted_in_bytes", True),
    ("delivered", "delivered", "delivered_bytes", True),
    ("keep-alives received", "keepalives_in", "", True),
    ("handshake messages accepted", "handshakes_in", "", True),
)


def _figures_table(report: dict[str, Any]) -> Table:
    table = _grid("Figures", "", "value")
    peace, attacked = report["goodput_kbit_s"]
    sizes = report["file_bytes"]
    ms, per_block = report["round_trip_ms"], report.get("cycles_per_block")
    speeds = [f"{end['simulation_khz']:,.0f}" for end in report["ends"].values() if end["simulation_khz"]]
    rows = {
        f"goodput, {sizes[0]:,} bytes in peace (wall clock)": f"{peace:,.0f} kbit/s",
        f"goodput, {sizes[1]:,} bytes under attack (wall clock)": f"{attacked:,.0f} kbit/s",
        "round-trip time (wall clock; min / median / max)":
            f"{ms['min']:.1f} / {ms['median']:.1f} / {ms['max']:.1f} ms",
        "simulation speed, core clock, each end": f"{' / '.join(speeds)} kHz",
    }  # fmt: skip
    if per_block:
        rows |= {
            f"goodput in the links' own time (simulated; assumes a core clock of {CORE_MHZ:.0f} MHz)":
                f"{report['goodput_link_mbit_s']:,.0f} Mbit/s",
            **{
                f"round-trip time in the links' own time, {int(size) + 42}-byte frames (simulated)": f"{us:.2f} µs"
                for size, us in report["round_trip_link_us"].items()
            },
            "core cycles per 64-byte block, seal / open (simulated)":
                f"{per_block['seal']:.1f} / {per_block['open']:.1f}",
        }  # fmt: skip
    for row in rows.items():
        table.add_row(*row)
    return table


def _tables(report: dict[str, Any]) -> Iterator[Table]:
    """All but the table of checks."""
    ends = [report["ends"][end] for end in ("a", "b")]
    table = _grid("Packets and bytes each way", "", "A → B", "", "B → A", "")
    table.add_row("", "packets", "bytes", "packets", "bytes", style="dim")
    for title, packets, size, at_receiver in _WAY:
        values = [end["counters"] | end for end in (ends[::-1] if at_receiver else ends)]
        table.add_row(
            title,
            *(f"{each[name]:,}" if name in each else "–" * bool(name) for each in values for name in (packets, size)),
        )
    yield table
    yield _figures_table(report)
    table = _grid("What the attacker did to packets", "deed", "A → B", "B → A")
    for deed in dict.fromkeys(deed for end in ends for deed in end["attacks"]):
        table.add_row(deed, *(str(end["attacks"].get(deed, 0)) for end in ends))
    yield table
    table = _grid("Drops by cause (all of them the attacker's work)", "cause", "at A", "at B")
    drops = [end["drops"] | {f"trusted side: {name}": n for name, n in end["sender_drops"].items()} for end in ends]
    for cause in dict.fromkeys(cause for each in drops for cause in each):
        table.add_row(cause.replace("_", " "), *(str(each.get(cause, "–")) for each in drops))
    yield table


def _show_sample(console: Console, sample: dict[str, str]) -> None:
    from scapy.utils import hexdump  # here: scapy takes a while to load

    console.print("[bold]The first ping, its first 64 bytes, as seen[/]")
    for place, side in (("at A's trusted side", "inside"), ("on the wire", "outside")):
        console.print(f"  {place}")
        shown = hexdump(bytes.fromhex(sample[side])[:64], dump=True) or ""
        console.print(indent(shown, "    "), markup=False)
    console.print()


def show(console: Console, report: dict[str, Any]) -> None:
    """Prints the table."""
    console.print()
    _show_sample(console, report["sample"])
    for table in _tables(report):
        console.print(table)
        console.print()
    table = _grid("Checks", "check", "")
    table.add_column("what was seen", justify="left")
    for check in report["checks"]:
        verdict = "[green]ok[/]" if check["passed"] else "[bold red]FAILED[/]"
        table.add_row(check["name"], verdict, check["detail"])
    console.print(table)
