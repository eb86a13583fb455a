# SPDX-License-Identifier: Apache-2.0
"""The main job with something wrong at its end: `python sabotage.py KIND`, then the options of `sealwire-lab run`."""

import os
import signal
import sys
import threading

from sealwire_demo import job
from sealwire_demo.bench import Bench
from sealwire_demo.ends import LinkEnd
from sealwire_demo.job import Course
from sealwire_demo.traffic import Transfer
from sealwire_demo.wire import Wire
from sealwire_demo.worker import MARKER
from sealwire_lab import cli


def _leak(bench: Bench, _: Course) -> None:
    """A frame on the wire as if a broken link had sent it in the clear."""
    bench.wire._capture.write(bytes(14) + MARKER * 4)


def _forge(bench: Bench, _: Course) -> None:
    """A frame on the trusted side that never crossed the link."""
    bench.ends["b"].child.tell("forge")


def _replay(bench: Bench, _: Course) -> None:
    """The counters look as if a replayed packet had been let through and the next one lost: totals still balance."""
    accepted = bench.receivers["b"].accepted
    accepted[-1] = accepted[0]


def _count(_: Bench, course: Course) -> None:
    """A drop too many."""
    course.final["b"]["counters"]["drop_auth"] += 1


def _hash(_: Bench, course: Course) -> None:
    """Another file than the one that was sent."""
    good = course.transfers[0]
    course.transfers[0] = Transfer(good.name, good.bytes, good.sent_sha256, "0" * 64, good.seconds)


def _stall() -> None:
    """End A stands still from its first packet on, for longer than a gateway remembers what it answered."""
    load_key, receive = LinkEnd.load_key, Wire._receive
    pids: list[int] = []

    def load_and_note(end: LinkEnd, psk: bytes) -> None:
        if end.end.name == "a":
            pids.append(end.pid)
        load_key(end, psk)

    def receive_and_stall(wire: Wire, sender: str) -> None:
        if sender == "a" and pids:
            pid = pids.pop()
            os.kill(pid, signal.SIGSTOP)
            threading.Timer(10.5, os.kill, (pid, signal.SIGCONT)).start()
        receive(wire, sender)

    LinkEnd.load_key, Wire._receive = load_and_note, receive_and_stall  # type: ignore[method-assign]


#: By name: what is done before both ends are told to take no more frames, and what is done to what was seen.
BEFORE = {"leak": _leak, "forge": _forge}
AFTER = {"replay": _replay, "count": _count, "hash": _hash}


def main(kind: str, options: list[str]) -> int:
    if kind == "stall":
        _stall()
    ping, run = job._ping, job.run
    benches: list[Bench] = []

    def run_and_spoil(bench: Bench, *more: object) -> Course:
        benches.append(bench)
        course = run(bench, *more)
        if kind in AFTER:
            AFTER[kind](bench, course)
        return course

    def ping_and_spoil(traffic: object, count: int) -> object:
        done = ping(traffic, count)
        if kind in BEFORE and count != job.PINGS:  # the last one
            BEFORE[kind](benches[0], Course())
        return done

    job.run, job._ping = run_and_spoil, ping_and_spoil
    return cli.main(["run", *options])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
