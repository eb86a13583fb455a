# SPDX-License-Identifier: Apache-2.0
"""What bench.py measures of a tunnel."""

from __future__ import annotations

import math
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from bench_tunnels import OUTER, PARK, Tunnel

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


@dataclass
class Place:
    """Where, and before what else, round trips are measured."""

    cpu: int | None = None
    """None: on any."""
    priority: int = 0
    """Of real time; 0: that of this program."""

    def words(self) -> tuple[str, ...]:
        """What starts a program there."""
        words: tuple[str, ...] = ("chrt", "-f", str(self.priority)) if self.priority else ()
        return words if self.cpu is None else (*words, "taskset", "-c", str(self.cpu))

    @contextmanager
    def hold(self, tunnel: Tunnel) -> Iterator[None]:
        """Has the tunnel's ends there."""
        everywhere, policy, usual = os.sched_getaffinity(0), os.sched_getscheduler(0), os.sched_getparam(0)
        here = everywhere if self.cpu is None else {self.cpu}
        for thread in tunnel.threads():
            os.sched_setaffinity(thread, here)
            if self.priority:
                os.sched_setscheduler(thread, os.SCHED_FIFO, os.sched_param(self.priority))
        try:
            yield
        finally:
            for thread in tunnel.threads():
                os.sched_setaffinity(thread, everywhere)
                os.sched_setscheduler(thread, policy, usual)


def round_trips(tunnel: Tunnel, size: int, count: int, place: Place) -> Row:
    """One datagram there and back, then the next."""
    runs_by = place.words()
    with place.hold(tunnel):
        before = sum(tunnel.cpu(place) for place in "ab")
        echo = tunnel.program("b", "echo", tunnel.inner["b"], runs_by=runs_by)
        assert echo.line() == "ready"
        asking = tunnel.program("a", "ask", tunnel.inner["b"], str(size - HEADERS), str(count), runs_by=runs_by)
        answer = asking.answer(timeout=count + 120)
        asking.end()
        echo.end()
        cpu_seconds = sum(tunnel.cpu(place) for place in "ab") - before
    times = sorted(answer["microseconds"])
    if not times:
        raise RuntimeError(f"{tunnel.name}: no datagram came back")
    return {
        "cpu_microseconds": cpu_seconds / answer["sent"] * 1e6,
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
    reach(tunnel)
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


def reach(tunnel: Tunnel) -> None:
    """Waits until the tunnel carries: an event before may have left it without a session."""
    echo = tunnel.program("b", "echo", "0.0.0.0")
    assert echo.line() == "ready"
    asking = tunnel.program("a", "reach", tunnel.inner["b"], "60")
    answered = asking.answer(timeout=70)["answered"]
    asking.end()
    echo.end()
    if not answered:
        print(f"{tunnel.name} does not carry before the next event", file=sys.stderr)


def restart(tunnel: Tunnel) -> None:
    tunnel.restart()


def move(tunnel: Tunnel) -> None:
    tunnel.move(PARK)


EVENTS: dict[str, Callable[[Tunnel], None]] = {"restart of the other end": restart, "move": move}


def events(tunnels: list[Tunnel], rounds: int, seconds: float, rekey_seconds: float) -> list[Row]:
    """One long stream, then every event. All tunnels at once, so that a disturbance meets all of them alike."""
    orders: list[tuple[int, str, float, Callable[[Tunnel], None] | None]] = []
    orders += [(0, "new keys", rekey_seconds, None)] if rekey_seconds else []
    orders += [(number, what, seconds, event) for number in range(rounds) for what, event in EVENTS.items()]
    rows: list[Row] = []
    with ThreadPoolExecutor(len(tunnels)) as pool:
        for number, what, length, event in orders:
            turn = "once" if event is None else f"round {number + 1} of {rounds}"
            print(f"{turn}: {what}, a stream of {length:.0f} s through all tunnels", file=sys.stderr)
            streams = [pool.submit(disturbed, tunnel, length, event) for tunnel in tunnels]
            for tunnel, stream in zip(tunnels, streams, strict=True):
                about = {"tunnel": tunnel.name, "measure": "events", "bytes": what, "round": number}
                rows.append({**about, **stream.result()})
            for tunnel in tunnels if event is move else ():
                tunnel.move(OUTER["a"])
    return rows


def steady(
    tunnels: list[Tunnel], sizes: list[int], rounds: int, seconds: float, trips: int, place: Place, trips_only: bool
) -> list[Row]:
    """Every measure of every tunnel in turn, round after round, so that a disturbance meets all of them alike."""
    measures: list[tuple[str, int | None, Callable[[Tunnel], Row]]] = []
    for each in sizes:
        measures.append(("datagrams", each, partial(datagrams, size=each, seconds=seconds)))
        measures.append(("round trips", each, partial(round_trips, size=each, count=trips, place=place)))
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
