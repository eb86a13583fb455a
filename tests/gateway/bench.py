# SPDX-License-Identifier: Apache-2.0
"""The software gateway beside WireGuard, in user space (boringtun) and in the kernel. Needs root; `make bench-link`.

    sudo .venv/bin/python tests/gateway/bench.py [--peer build/peers/bin/boringtun-cli] [--rounds 3] [--json]

Each tunnel has two namespaces of its own, joined by a veth pair (MTU 9000), and a TUN device with an MTU of 1500 at
each end; all are up at once. In turn, round after round: datagrams one by one as fast as a small sender makes them,
round trips one at a time, and one TCP stream. A size is that of the whole inner IP packet. CPU seconds are those of the
tunnel's process, user and system together, all its threads; what its write to the device does in the kernel counts
there. The kernel's WireGuard works in threads that serve others too, so its CPU time cannot be measured. `seal` is the
end where packets enter the tunnel, `open` the one where they leave it. The results are one table with a column for each
tunnel; a cell is the median of the rounds, with the least and the greatest.

The gateways have key pairs, as is the default, and their sessions come through a Noise channel; with
`--pre-shared-key` they make handshakes with one. The kernel's WireGuard is measured where the kernel has it and `wg`
(wireguard-tools) is there; otherwise one line says why not. `--suite` takes several suites with commas between, and
`--beside` another build of `sealwire`, which is then measured in turn with this one.

Then what an event costs a stream of a thousand datagrams a second from A to B, through all tunnels at the same time:
keys are renewed, as often as the tunnel itself does it in `--rekey-seconds` (WireGuard: every 120 s), end B is killed
and started anew, and end A goes to another address. Lost are the datagrams that never came; the gap is the longest time
at B between two that did, or from the last one to the end of the stream. WireGuard begins anew with a silent peer after
15 s, so a stream with an event takes longer than that (`--event-seconds`). Each begins when the tunnel carries.

Beside other work `nice -n -15` gives the measures most of the CPUs, and `--real-time 10` keeps all others from the one
of a round trip. This program itself must not run in real time: it waits for its programs' ends in the kernel, there for
tasks that then never have their turn; nor must a flood of datagrams, in which one end would never let the other run.
With `--cpu 1` a round trip has one CPU for both ends and the traffic: no wake-up pays for an interrupt of another CPU,
which costs a virtual machine more than a packet does, and the CPU time is the tunnel's own.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from bench_measures import Place, Row, events, steady
from bench_tunnels import (
    Processes,
    Tunnel,
    namespaces,
    start_boringtun,
    start_sealwire,
    start_wireguard,
    why_no_wireguard,
)
from lab_net import binary, why_not

NOT_APPLICABLE = "–"

FIGURES = {
    "datagrams": {
        "packets_per_second": ("packets/s", 0),
        "seal_gbit_per_cpu_second": ("seal Gbit/CPU-s", 2),
        "open_gbit_per_cpu_second": ("open Gbit/CPU-s", 2),
        "seal_microseconds": ("seal CPU us/packet", 2),
        "open_microseconds": ("open CPU us/packet", 2),
    },
    "TCP stream": {
        "gbit_per_second": ("Gbit/s", 2),
        "seal_gbit_per_cpu_second": ("seal Gbit/CPU-s", 2),
        "open_gbit_per_cpu_second": ("open Gbit/CPU-s", 2),
    },
    "round trips": {
        "round_trip_median_microseconds": ("median us", 1),
        "round_trip_p99_microseconds": ("p99 us", 0),
        "cpu_microseconds": ("CPU us, both ends", 1),
    },
    "events": {
        "sent": ("datagrams sent", 0),
        "lost": ("datagrams lost", 0),
        "longest_gap_milliseconds": ("longest gap, ms", 0),
    },
}
"""What is shown of each measure, with its decimals, in the order of the table."""


def table(rows: list[Row]) -> str:
    """One table in Markdown: a row for each figure, a column for each tunnel."""
    tunnels = list(dict.fromkeys(row["tunnel"] for row in rows))
    lines = [f"| measure | {' | '.join(tunnels)} |", "|---|" + "---|" * len(tunnels)]
    for what, figures in FIGURES.items():
        mine = [row for row in rows if row["measure"] == what]
        for size in dict.fromkeys(row["bytes"] for row in mine):
            label = {"datagrams": f"{what}, {size} bytes", "round trips": f"{what}, {size} bytes", "events": size}
            for key, (title, digits) in figures.items():
                cells = [f"{label.get(what, what)}: {title}"]
                for name in tunnels:
                    found = (row for row in mine if (row["bytes"], row["tunnel"]) == (size, name))
                    values = [row[key] for row in found if key in row]
                    cells.append(cell(values, digits))
                lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def cell(values: list[float], digits: int) -> str:
    if not values:
        return NOT_APPLICABLE
    median, least, most = (f"{f(values):.{digits}f}" for f in (statistics.median, min, max))
    return f"{median} ({least} to {most})" if len(values) > 1 else median


def start(options: argparse.Namespace, folder: Path, stack: ExitStack, processes: Processes) -> list[Tunnel]:
    """All tunnels, in the order of the table's columns."""
    tunnels: list[Tunnel] = []

    def spaces() -> dict[str, str]:
        return stack.enter_context(namespaces(len(tunnels)))

    for suite in options.suite.split(","):
        programs = {f"sealwire {suite}": binary()}
        if options.beside is not None:
            programs[f"sealwire {suite}, beside"] = options.beside
        for name, program in programs.items():
            own = folder / str(len(tunnels))
            own.mkdir()
            how = (suite, options.carries, not options.pre_shared_key, processes)
            tunnels.append(start_sealwire(name, program, own, spaces(), *how))
    for threads in (1, 4) if options.peer else ():
        tunnels.append(start_boringtun(options.peer, spaces(), threads, processes))
    last = spaces()
    if reason := why_no_wireguard(last["a"]):
        print(f"without the kernel's WireGuard: {reason}", file=sys.stderr)
    else:
        tunnels.append(start_wireguard(folder, last))
    return tunnels


def end(processes: Processes) -> None:
    for process in processes:
        process.terminate()  # boringtun removes its control socket then
    for process in processes:
        try:
            process.wait(timeout=3)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def machine() -> dict[str, str]:
    """What the figures depend on beside the programs."""
    lines = (line.partition(":") for line in Path("/proc/cpuinfo").read_text().splitlines())
    said = {key.strip(): value.strip() for key, _, value in lines}
    model = ", ".join(f"{key} {said[key]}" for key in ("cpu family", "model") if key in said)
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "cpu": f"{said.get('model name', os.uname().machine)} ({model}), {os.cpu_count()} of them",
        "kernel": os.uname().release,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", default="omd-blake2b", help="one or several, with commas between")
    parser.add_argument("--beside", type=Path, help="another build of sealwire, to be measured in turn with this one")
    parser.add_argument("--peer", type=Path, help="the program boringtun-cli to measure beside")
    parser.add_argument("--pre-shared-key", action="store_true", help="sealwire with it, in place of key pairs")
    parser.add_argument("--carries", choices=["ip", "ethernet"], default="ip", help="TUN or TAP (default: ip)")
    parser.add_argument("--seconds", type=float, default=2, help="of each measure of throughput")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--trips", type=int, default=2000, help="round trips in each measure of latency")
    parser.add_argument("--round-trips", action="store_true", help="round trips only; many short rounds tell most")
    parser.add_argument("--sizes", default="64,512,1500", help="bytes of the inner IP packet, with commas between")
    parser.add_argument("--events", action="store_true", help="the events only")
    parser.add_argument("--event-seconds", type=float, default=28, help="of the stream that an event disturbs")
    parser.add_argument("--rekey-seconds", type=float, default=130, help="of the stream over new keys; 0: none")
    parser.add_argument(
        "--real-time", type=int, default=0, metavar="PRIORITY", help="of round trips, beside other work"
    )
    parser.add_argument(
        "--cpu", type=int, metavar="NUMBER", help="where round trips are measured (default: everywhere)"
    )
    parser.add_argument("--json", action="store_true", help="every single measure as JSON, in place of the table")
    options = parser.parse_args()
    if reason := why_not():
        sys.exit(f"cannot measure: {reason}")
    for program in filter(None, (options.peer, options.beside)):
        if not program.exists():
            sys.exit(f"cannot measure: {program} is not there; `make bench-link` installs boringtun-cli")
    if os.sched_getscheduler(0) in (os.SCHED_FIFO, os.SCHED_RR):
        sys.exit("cannot measure in real time, where an end may never have its turn: --real-time 10, without chrt")
    began, loads = time.monotonic(), [os.getloadavg()[0]]
    with TemporaryDirectory(prefix="sealwire-") as name, ExitStack() as stack:
        processes: Processes = []
        stack.callback(end, processes)
        tunnels = start(options, Path(name), stack, processes)
        sizes = [int(size) for size in options.sizes.split(",")]
        place = Place(options.cpu, options.real_time)
        counts = (options.rounds, options.seconds, options.trips, place, options.round_trips)
        rows: list[Row] = [] if options.events else steady(tunnels, sizes, *counts)
        loads.append(os.getloadavg()[0])
        if not options.round_trips:
            rows += events(tunnels, options.rounds, options.event_seconds, options.rekey_seconds)
            loads.append(os.getloadavg()[0])
    on = "on any cpu" if options.cpu is None else f"on cpu {options.cpu}"
    about = {
        **machine(),
        "nice": os.nice(0),
        "round trips": f"{on}, {f'real time {options.real_time}' if options.real_time else 'priority as all else'}",
        "load": ", ".join(f"{load:.1f}" for load in loads),
        "took": f"{(time.monotonic() - began) / 60:.0f} minutes",
        "mode": "a pre-shared key" if options.pre_shared_key else "key pairs (Noise)",
        "carries": options.carries,
        "program": str(binary()),
        "rounds": options.rounds,
        "seconds": options.seconds,
        "trips": options.trips,
    }
    if options.json:
        print(json.dumps({**about, "measures": rows}, indent=2))
    else:
        facts = "; ".join(f"{key}: {value}" for key, value in about.items())
        print(f"{facts}.\nMedian (least to greatest) of the rounds; {NOT_APPLICABLE}: not measurable.\n\n{table(rows)}")


if __name__ == "__main__":
    main()
