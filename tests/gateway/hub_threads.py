# SPDX-License-Identifier: Apache-2.0
"""What a second thread gives a hub, on a machine whose cores are not the hub's alone.

As root: `python tests/gateway/hub_threads.py [--suite otr-aes128-p] [--size 1400] [--rate 10000] [--rounds 5]`. It
takes the command of $SEALWIRE, or the newest build.

Two spokes send datagrams to the hub, so many a second each; the hub receives, opens and delivers them, with one thread
and with two in turn. Counted is the hub's own processor time, to which sender, receiver and other work on the machine
add nothing: what a packet takes in all, and what it takes in the busier thread. Where each thread has a core of its
own, the busier one says how many packets pass, so the last column is the gain that two cores would give. A thread that
waits for the lock sleeps, which is no processor time: the share of packets that came says whether one fell behind.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

from hub_net import HubNet
from lab_net import HERE, Program

HEADERS = 20 + 8


def times(net: HubNet) -> dict[Path, float]:
    """Processor time of each thread so far, in microseconds."""
    return {task: int((task / "schedstat").read_text().split()[0]) / 1e3 for task in net.tasks()}


def measure(threads: int, options: argparse.Namespace) -> tuple[float, float, float]:
    """Microseconds a packet in all threads and in the busiest, and the share of packets that came."""
    with tempfile.TemporaryDirectory(prefix="sealwire-") as name:
        net = HubNet(Path(name), "ip")
        try:
            for end in (net.hub, *net.spokes):
                text = end.config.read_text().replace("omd-blake2b", options.suite)
                end.config.write_text(text.replace("[run]", f"[run]\nthreads = {threads}") if end is net.hub else text)
            net.start()
            if threads > 1:
                net.lead_to_two_threads()
            traffic = (sys.executable, str(HERE / "bench_traffic.py"))
            sink = Program(net.hub.namespace, *traffic, "sink", "10.99.0.1")
            assert sink.line() == "ready"
            before = times(net)
            words = ("flood", "10.99.0.1", str(options.size - HEADERS), str(options.seconds), str(options.rate))
            floods = [Program(spoke.namespace, *traffic, *words) for spoke in net.spokes]
            seconds = [flood.answer()["seconds"] for flood in floods]
            time.sleep(0.3)
            took = [late - before[task] for task, late in times(net).items()]
            sink.tell("")
            delivered = sink.answer()["delivered"]
            return sum(took) / delivered, max(took) / delivered, delivered / (options.rate * sum(seconds))
        finally:
            net.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", default="otr-aes128-p")
    parser.add_argument("--size", type=int, default=1400, help="bytes of the inner IP packet")
    parser.add_argument("--rate", type=float, default=10_000, help="packets a second of each spoke")
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    rows: dict[int, list[tuple[float, float, float]]] = {1: [], 2: []}
    for number in range(options.rounds):
        for threads in sorted(rows, reverse=number % 2 == 1):
            rows[threads].append(measure(threads, options))
    medians = {threads: [statistics.median(column) for column in zip(*of, strict=True)] for threads, of in rows.items()}
    print(f"{options.suite}, {options.size} bytes, {options.rate:.0f} packets a second of each spoke")
    print("| threads | CPU us/packet | of the busier thread | packets that came | gain |\n|---|---|---|---|---|")
    for threads, (total, busiest, came) in medians.items():
        print(f"| {threads} | {total:.2f} | {busiest:.2f} | {came:.2f} | {medians[1][1] / busiest:.2f} |")


if __name__ == "__main__":
    main()
