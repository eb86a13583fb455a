# SPDX-License-Identifier: Apache-2.0
"""Goodput of the software gateway per second of its CPU time, at several frame sizes. Needs root.

    cargo build --release -p sealwire-cli
    sudo .venv/bin/python tests/gateway/measure.py [--suite omd-blake2b] [--seconds 5] [--sizes 64,512,1500]

Two namespaces joined by a veth pair, a gateway in each, UDP datagrams from A to B as fast as a small sender makes them.
A size is that of the whole inner Ethernet frame without its check sequence. CPU seconds are those of the gateway
processes, user and system together (/proc/PID/stat); goodput counts the bytes of the frames that were delivered.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent))

from lab_net import KEY, Gateway, binary, run, wait_for, why_not

HEADERS = 14 + 20 + 8
"""Ethernet, IPv4 and UDP headers inside a frame, in bytes."""

SENDER = """
import socket, sys, time
host, size, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.connect((host, 7000))
data = bytes(size)
end = time.monotonic() + seconds
while time.monotonic() < end:
    for _ in range(64):
        try:
            s.send(data)
        except OSError:
            time.sleep(0.0002)
"""


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", default="omd-blake2b")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--sizes", default="64,512,1500")
    options = parser.parse_args()
    if reason := why_not():
        sys.exit(f"cannot measure: {reason}")
    spaces = {place: f"swm{os.getpid()}{place}" for place in "ab"}
    with TemporaryDirectory(prefix="sealwire-") as name:
        folder = Path(name)
        gateways = [Gateway(folder, spaces[place], place) for place in "ab"]
        try:
            for space in spaces.values():
                run("ip", "netns", "add", space)
            run("ip", "-n", spaces["a"], "link", "add", "out", "type", "veth", "peer", "out", "netns", spaces["b"])
            for place, address in (("a", "10.77.1.1/16"), ("b", "10.77.2.2/16")):
                run("ip", "-n", spaces[place], "addr", "add", address, "dev", "out")
                run("ip", "-n", spaces[place], "link", "set", "out", "mtu", "9000", "up")
            key = folder / "link.key"
            key.write_text(KEY if options.suite != "omd-sha256" else KEY[:64])
            key.chmod(0o600)
            for gateway in reversed(gateways):
                gateway.write(suite=options.suite)
                text = gateway.config.read_text().replace('"10.77.1.2:4500"', '"10.77.2.2:4500"')
                gateway.config.write_text(text.replace("[untrusted]", "path-mtu = 9000\n[untrusted]"))
                gateway.start()
            wait_for(lambda: all(gateway.is_up() for gateway in gateways), 5)
            measure(gateways, options.suite, options.seconds, [int(size) for size in options.sizes.split(",")])
        finally:
            for gateway in gateways:
                if gateway.process is not None:
                    gateway.process.kill()
            for space in spaces.values():
                subprocess.run(["ip", "netns", "del", space], check=False)


def measure(gateways: list[Gateway], suite: str, seconds: float, sizes: list[int]) -> None:
    a, b = gateways
    print(f"{suite}, {binary()}, {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}")
    columns = (
        "frame",
        "frames/s",
        "delivered",
        "Gbit/s",
        "sealing us",
        "opening us",
        "Gbit/CPU-s seal",
        "open",
        "both ends",
        "link's drops",
    )
    print("".join(f"{column:>16}" for column in columns))
    for size in sizes:
        before = [(gateway.counters(), cpu_seconds(gateway.pid)) for gateway in gateways]
        began = time.monotonic()
        command = [sys.executable, "-c", SENDER, b.inner, str(size - HEADERS), str(seconds)]
        subprocess.run(["ip", "netns", "exec", a.namespace, *command], check=True)
        took = time.monotonic() - began
        time.sleep(1.2)
        after = [(gateway.counters(), cpu_seconds(gateway.pid)) for gateway in gateways]
        sealed = after[0][0]["sealed"] - before[0][0]["sealed"]
        delivered = after[1][0]["delivered"] - before[1][0]["delivered"]
        cpu = [late[1] - early[1] for early, late in zip(before, after, strict=True)]
        # What the gateways themselves refused; the rest of what is missing never reached the receiving one.
        refused = [[sum(c["untrusted_drops"].values()), c["undelivered"]] for c in (before[1][0], after[1][0])]
        drops = sum(refused[1]) - sum(refused[0])
        bits = delivered * size * 8
        row = (
            size,
            f"{sealed / took:.0f}",
            f"{100 * delivered / sealed:.1f} %",
            f"{bits / took / 1e9:.3f}",
            f"{cpu[0] / sealed * 1e6:.2f}",
            f"{cpu[1] / delivered * 1e6:.2f}",
            f"{sealed * size * 8 / cpu[0] / 1e9:.3f}",
            f"{bits / cpu[1] / 1e9:.3f}",
            f"{bits / sum(cpu) / 1e9:.3f}",
            drops,
        )
        print("".join(f"{value:>16}" for value in row))


if __name__ == "__main__":
    main()
