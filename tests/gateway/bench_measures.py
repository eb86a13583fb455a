# SPDX-License-Identifier: Apache-2.0
"""What bench.py measures of a tunnel."""

from __future__ import annotations

import math
import os
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from bench_tunnels import Tunnel

HEADERS = 20 + 8
"""IPv4 and UDP headers inside a packet, in bytes."""

Row = dict[str, Any]


def datagrams(tunnel: Tunnel, size: int, seconds: float) -> Row:
    """One datagram a system call, as fast as the sender can. Nobody reads them, so that only the tunnel works at B."""
    sink = tunnel.program("b", "sink", tunnel.inner["b"])
    assert sink.line() == "ready"
    before = [tunnel.cpu(place) for place in "ab"]
    taken = tunnel.taken()
    sender = tunnel.program("a", "flood", tunnel.inner["b"], str(size - HEADERS), str(seconds))
    took = sender.answer()["seconds"]
    sender.end()
    time.sleep(0.3)
    taken = tunnel.taken() - taken
    sink.tell("")
    delivered = sink.answer()["delivered"]
    sink.end()
    cpu = [tunnel.cpu(place) - early for place, early in zip("ab", before, strict=True)]
    bits = size * 8
    return {
        "seal_gbit_per_cpu_second": taken * bits / cpu[0] / 1e9,
        "open_gbit_per_cpu_second": delivered * bits / cpu[1] / 1e9,
        "seal_microseconds": cpu[0] / taken * 1e6,
        "open_microseconds": cpu[1] / delivered * 1e6,
        "packets_per_second": delivered / took,
        "delivered_of_taken": delivered / taken,
    }


def round_trips(tunnel: Tunnel, size: int, count: int, cpu: int | None) -> Row:
    """One datagram there and back, then the next; on this CPU, if it is named."""
    everywhere = os.sched_getaffinity(0)
    tunnel.stay_on(everywhere if cpu is None else {cpu})
    before = sum(tunnel.cpu(place) for place in "ab")
    echo = tunnel.program("b", "echo", tunnel.inner["b"], cpu=cpu)
    assert echo.line() == "ready"
    asking = tunnel.program("a", "ask", tunnel.inner["b"], str(size - HEADERS), str(count), cpu=cpu)
    times = sorted(asking.answer(timeout=count + 120)["microseconds"])
    asking.end()
    echo.end()
    cpu_seconds = sum(tunnel.cpu(place) for place in "ab") - before
    tunnel.stay_on(everywhere)
    if not times:
        raise RuntimeError(f"{tunnel.name}: no datagram came back")
    return {
        "cpu_microseconds": cpu_seconds / len(times) * 1e6,
        "round_trip_median_microseconds": statistics.median(times),
        "round_trip_p99_microseconds": times[int(len(times) * 0.99)],
    }


def stream(tunnel: Tunnel, seconds: float) -> Row:
    """One TCP connection from A to B."""
    taking = tunnel.program("b", "take", tunnel.inner["b"])
    assert taking.line() == "ready"
    before = [tunnel.cpu(place) for place in "ab"]
    giving = tunnel.program("a", "give", tunnel.inner["b"], str(seconds))
    took = giving.answer(timeout=seconds + 60)["seconds"]
    bits = taking.answer()["bytes"] * 8
    giving.end()
    taking.end()
    cpu = [tunnel.cpu(place) - early for place, early in zip("ab", before, strict=True)]
    return {
        "seal_gbit_per_cpu_second": bits / cpu[0] / 1e9,
        "open_gbit_per_cpu_second": bits / cpu[1] / 1e9,
        "gbit_per_second": bits / took / 1e9,
    }


def disturbed(tunnel: Tunnel, seconds: float, event: Callable[[Tunnel], None] | None) -> Row:
    """A stream from A to B, and what became of it. The event comes after a quarter of the time."""
    taking = tunnel.program("b", "count", "0.0.0.0")
    assert taking.line() == "ready"
    giving = tunnel.program("a", "pace", tunnel.inner["b"], str(seconds), "1000")
    if event is not None:
        time.sleep(seconds / 4)
        event(tunnel)
    gave = giving.answer(timeout=seconds + 60)
    giving.end()
    time.sleep(0.5)
    taking.tell("")
    came = taking.answer()
    taking.end()
    # A stream that has not come back when it ends has a gap to its end, which would have grown.
    gap = max(came["longest_gap"], gave["ended"] - (came["last"] or gave["began"]))
    return {"sent": gave["sent"], "lost": gave["sent"] - came["received"], "longest_gap_milliseconds": gap * 1e3}


def restart(tunnel: Tunnel) -> None:
    tunnel.restart()


def move(tunnel: Tunnel) -> None:
    tunnel.move()


EVENTS: dict[str, Callable[[Tunnel], None]] = {"restart of the other end": restart, "move": move}


def events(tunnels: list[Tunnel], rounds: int, seconds: float, rekey_seconds: float) -> list[Row]:
    """Every event, then one long stream. All tunnels at once, so that a disturbance meets all of them alike."""
    orders = [(number, what, seconds, event) for number in range(rounds) for what, event in EVENTS.items()]
    orders += [(0, f"rekey, {rekey_seconds:.0f} s", rekey_seconds, None)] if rekey_seconds else []
    rows: list[Row] = []
    with ThreadPoolExecutor(len(tunnels)) as pool:
        for number, what, length, event in orders:
            print(f"round {number + 1} of {rounds}: {what}, {length:.0f} s, all tunnels", file=sys.stderr)
            streams = [pool.submit(disturbed, tunnel, length, event) for tunnel in tunnels]
            for tunnel, stream in zip(tunnels, streams, strict=True):
                about = {"tunnel": tunnel.name, "measure": "events", "bytes": what, "round": number}
                rows.append({**about, **stream.result()})
    return rows


def steady(
    tunnels: list[Tunnel], sizes: list[int], rounds: int, seconds: float, trips: int, cpu: int | None, trips_only: bool
) -> list[Row]:
    """Every measure of every tunnel in turn, round after round, so that a disturbance meets all of them alike."""
    measures: list[tuple[str, int | None, Callable[[Tunnel], Row]]] = []
    for each in sizes:
        measures.append(("datagrams", each, partial(datagrams, size=each, seconds=seconds)))
        measures.append(("round trips", each, partial(round_trips, size=each, count=trips, cpu=cpu)))
    measures.append(("TCP stream", None, partial(stream, seconds=seconds)))
    measures = [one for one in measures if not trips_only or one[0] == "round trips"]
    rows: list[Row] = []
    for number in range(rounds):
        for what, size, take in measures:
            for tunnel in tunnels if number % 2 == 0 else reversed(tunnels):
                print(f"round {number + 1} of {rounds}: {what} {size or ''} {tunnel.name}", file=sys.stderr)
                taken = {key: value for key, value in take(tunnel).items() if not math.isnan(value)}
                rows.append({"tunnel": tunnel.name, "measure": what, "bytes": size, "round": number, **taken})
    return rows
