# SPDX-License-Identifier: Apache-2.0
"""The software gateway beside WireGuard, in user space (boringtun) and in the kernel. Needs root; `make bench-link`.

    sudo .venv/bin/python tests/gateway/bench.py [--peer build/peers/bin/boringtun-cli] [--rounds 3] [--json]

Two namespaces joined by a veth pair (MTU 9000), all tunnels up between them, each over a TUN device with an MTU of
1500. In turn, round after round: datagrams one by one as fast as a small sender makes them, round trips one at a time,
and one TCP stream. A size is that of the whole inner IP packet. CPU seconds are those of the tunnel's process, user
and system together, all its threads; what its write to the device does in the kernel counts there. The kernel's
WireGuard works in threads that serve others too, so its CPU time cannot be measured. `seal` is the end where packets
enter the tunnel, `open` the one where they leave it. The results are one table with a column for each tunnel; a cell is
the median of the rounds, with the least and the greatest.

The gateways have key pairs, as is the default, and their sessions come through a Noise channel; with
`--pre-shared-key` they make handshakes with one. The kernel's WireGuard is measured where the kernel has it and `wg`
(wireguard-tools) is there; otherwise one line says why not.

Then what an event costs a stream of a thousand datagrams a second from A to B: end B is killed and started anew, end
A goes to another address, and, as often as the tunnel itself does it in `--rekey-seconds`, keys are renewed (WireGuard:
every 120 s). Lost are the datagrams that never came; the gap is the longest time at B between two that did.
"""

from __future__ import annotations

import argparse
import base64
import json
import math
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lab_net import HERE, KEY, Gateway, Program, binary, noise_keys, run, wait_for, why_not

HEADERS = 20 + 8
"""IPv4 and UDP headers inside a packet, in bytes."""

# Private and public keys of two WireGuard ends, made for this program; they protect nothing.
WIREGUARD_KEYS = {
    "a": (
        "286b1c6549e38584c3bd4192e27f50a071d85a1666dcf4839b1f2c3388040a5f",
        "525326cd0fbd582b528e51a759ff0f4ab63d91e7d49dde54f5d7d6762bb5bf21",
    ),
    "b": (
        "08b1b313355b41addd7eaab9719981a89488d9a0cf0481fb0da5524c1f184b47",
        "42bad5e711839b48a9c6218690f4f3bd2a8c0ead0e3a4fe9433f56d11c862f4e",
    ),
}

NOT_APPLICABLE = "–"

Row = dict[str, Any]
Processes = list[subprocess.Popen[bytes]]


class Tunnel:
    """A process at each end, or the kernel's own work there, and the inner addresses that it joins."""

    def __init__(self, name: str, spaces: dict[str, str], inner: dict[str, str], devices: dict[str, str]) -> None:
        self.name, self.spaces, self.inner, self.devices = name, spaces, inner, devices
        self.pids: dict[str, int] = {}
        self.restart: Callable[[], None] = lambda: None
        """Kills end B and starts it anew, with nothing but its configuration."""

    def cpu(self, place: str) -> float:
        """CPU seconds of all threads so far; not a number where the tunnel has no process."""
        if not self.pids:
            return math.nan
        tasks = Path(f"/proc/{self.pids[place]}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9

    def taken(self) -> int:
        """Packets that end A took from its device."""
        command = ("ip", "-n", self.spaces["a"], "-s", "-j", "link", "show", "dev", self.devices["a"])
        return int(json.loads(run(*command))[0]["stats64"]["tx"]["packets"])

    def program(self, place: str, *arguments: str) -> Program:
        return Program(self.spaces[place], sys.executable, str(HERE / "bench_traffic.py"), *arguments)


def start_sealwire(
    folder: Path, spaces: dict[str, str], suite: str, carries: str, has_pairs: bool, processes: Processes
) -> Tunnel:
    gateways = {place: Gateway(folder, spaces[place], place) for place in "ab"}
    if has_pairs:
        public = noise_keys(folder, "a", "b")
        gateways["a"].peer_key, gateways["b"].peer_key = public["b"], public["a"]
    else:
        key = folder / "link.key"
        key.write_text(KEY if suite != "omd-sha256" else KEY[:64])
        key.chmod(0o600)
    outer = {"a": 'listen = "0.0.0.0:4500"\npeer = "10.77.1.2:4500"', "b": 'listen = "0.0.0.0:4500"'}
    for place in "ba":
        gateway = gateways[place]
        gateway.write(suite=suite, trusted=f'carries = "{carries}"\nmtu = 1500', untrusted=outer[place])
        try:
            gateway.start()
        finally:
            processes += [gateway.process] if gateway.process else []
    wait_for(lambda: all(gateway.is_up() for gateway in gateways.values()), 5)
    tunnel = Tunnel(
        f"sealwire {suite}",
        spaces,
        {place: gateway.inner for place, gateway in gateways.items()},
        {"a": "seal0", "b": "seal0"},
    )
    tunnel.pids = {place: gateway.pid for place, gateway in gateways.items()}

    def restart() -> None:
        gateway = gateways["b"]
        gateway.stop(signal.SIGKILL)
        gateway.start()
        assert gateway.process is not None
        processes.append(gateway.process)
        tunnel.pids["b"] = gateway.pid

    tunnel.restart = restart
    return tunnel


def start_boringtun(program: Path, spaces: dict[str, str], threads: int, processes: Processes) -> Tunnel:
    inner = {"a": f"10.98.{threads}.1", "b": f"10.98.{threads}.2"}
    # The control sockets lie in one folder for all namespaces, so the devices need different names.
    devices = {place: f"sw{os.getpid()}{threads}{place}" for place in "ab"}
    port = 4600 + threads
    outer = {"a": f"10.77.1.1:{port}", "b": f"10.77.1.2:{port}"}
    version = run(str(program), "--version").split()[-1]
    tunnel = Tunnel(f"boringtun {version}, {threads} thread{'s' if threads > 1 else ''}", spaces, inner, devices)

    def start(place: str) -> None:
        command = ("ip", "netns", "exec", spaces[place], str(program), "-f", "--disable-drop-privileges")
        process = subprocess.Popen(
            [*command, "-t", str(threads), devices[place]], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        processes.append(process)
        tunnel.pids[place] = process.pid

    def set_up(place: str, other: str) -> None:
        path = Path(f"/var/run/wireguard/{devices[place]}.sock")
        wait_for(path.exists, 5)
        configure(
            path,
            {
                "private_key": WIREGUARD_KEYS[place][0],
                "listen_port": port,
                "public_key": WIREGUARD_KEYS[other][1],
                "endpoint": outer[other],
                "allowed_ip": f"{inner[other]}/32",
            },
        )
        run("ip", "-n", spaces[place], "addr", "add", f"{inner[place]}/24", "dev", devices[place])
        run("ip", "-n", spaces[place], "link", "set", devices[place], "mtu", "1500", "up")

    def restart() -> None:
        old = next(process for process in processes if process.pid == tunnel.pids["b"])
        old.kill()
        old.wait()
        Path(f"/var/run/wireguard/{devices['b']}.sock").unlink(missing_ok=True)
        start("b")
        set_up("b", "a")

    for place in "ab":
        start(place)
    for place, other in ("ab", "ba"):
        set_up(place, other)
    tunnel.restart = restart
    return tunnel


def why_no_wireguard(space: str) -> str | None:
    """What stands in the way of the kernel's WireGuard in a namespace, or None."""
    try:
        run("ip", "-n", space, "link", "add", "probe0", "type", "wireguard")
    except AssertionError as error:
        return f"the kernel has none: {' '.join(str(error).split())}"
    run("ip", "-n", space, "link", "del", "probe0")
    return None if shutil.which("wg") else "there is no `wg` here (package wireguard-tools)"


def start_wireguard(folder: Path, spaces: dict[str, str]) -> Tunnel:
    """The kernel's."""
    inner = {"a": "10.97.0.1", "b": "10.97.0.2"}
    outer = {"a": "10.77.1.1:4700", "b": "10.77.1.2:4700"}
    tunnel = Tunnel(f"WireGuard of Linux {os.uname().release}", spaces, inner, {"a": "wg0", "b": "wg0"})

    def set_up(place: str, other: str) -> None:
        private, public = WIREGUARD_KEYS[place][0], WIREGUARD_KEYS[other][1]
        secret = folder / f"{place}.wireguard-key"
        secret.touch(mode=0o600)
        secret.write_text(base64_of(private))
        run("ip", "-n", spaces[place], "link", "add", "wg0", "type", "wireguard")
        own = ("listen-port", outer[place].split(":")[1], "private-key", str(secret))
        peer = ("peer", base64_of(public), "endpoint", outer[other], "allowed-ips", f"{inner[other]}/32")
        run("ip", "netns", "exec", spaces[place], "wg", "set", "wg0", *own, *peer)
        run("ip", "-n", spaces[place], "addr", "add", f"{inner[place]}/24", "dev", "wg0")
        run("ip", "-n", spaces[place], "link", "set", "wg0", "mtu", "1500", "up")

    def restart() -> None:
        run("ip", "-n", spaces["b"], "link", "del", "wg0")
        set_up("b", "a")

    for place, other in ("ab", "ba"):
        set_up(place, other)
    tunnel.restart = restart
    return tunnel


def base64_of(digits: str) -> str:
    """A key as `wg` writes it."""
    return base64.b64encode(bytes.fromhex(digits)).decode()


def configure(path: Path, settings: dict[str, object]) -> None:
    """Speaks WireGuard's cross-platform control protocol."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as control:
        control.connect(str(path))
        lines = "".join(f"{key}={value}\n" for key, value in settings.items())
        control.sendall(f"set=1\n{lines}\n".encode())
        answer = control.recv(4096).decode()
    assert "errno=0" in answer, f"boringtun refused its settings: {answer}"


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


def round_trips(tunnel: Tunnel, size: int, count: int) -> Row:
    """One datagram there and back, then the next."""
    before = sum(tunnel.cpu(place) for place in "ab")
    echo = tunnel.program("b", "echo", tunnel.inner["b"])
    assert echo.line() == "ready"
    asking = tunnel.program("a", "ask", tunnel.inner["b"], str(size - HEADERS), str(count))
    times = sorted(asking.answer(timeout=120)["microseconds"])
    asking.end()
    echo.end()
    cpu = sum(tunnel.cpu(place) for place in "ab") - before
    return {
        "cpu_microseconds": cpu / len(times) * 1e6,
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
    sent = giving.answer(timeout=seconds + 60)["sent"]
    giving.end()
    time.sleep(0.5)
    taking.tell("")
    came = taking.answer()
    taking.end()
    return {"sent": sent, "lost": sent - came["received"], "longest_gap_milliseconds": came["longest_gap"] * 1e3}


def restart(tunnel: Tunnel) -> None:
    tunnel.restart()


def move(tunnel: Tunnel) -> None:
    """End A has another address from here on."""
    command = ("ip", "-n", tunnel.spaces["a"])
    present = json.loads(run(*command, "-j", "-4", "addr", "show", "dev", "out"))[0]["addr_info"][0]["local"]
    other = "10.77.1.1" if present != "10.77.1.1" else "10.77.1.7"
    # With the first address of a network the kernel takes away the others.
    run(*command, "addr", "del", f"{present}/24", "dev", "out")
    run(*command, "addr", "add", f"{other}/24", "dev", "out")


EVENTS: dict[str, Callable[[Tunnel], None]] = {"restart of the other end": restart, "move": move}


def disturb(tunnels: list[Tunnel], rounds: int, rekey_seconds: float) -> list[Row]:
    """Every event at every tunnel in turn, then one long stream through each."""
    rows: list[Row] = []
    for number in range(rounds):
        for what, event in EVENTS.items():
            for tunnel in tunnels:
                print(f"round {number + 1} of {rounds}: {what} {tunnel.name}", file=sys.stderr)
                row = disturbed(tunnel, 6, event)
                rows.append({"tunnel": tunnel.name, "measure": "events", "bytes": what, "round": number, **row})
    for tunnel in tunnels if rekey_seconds else ():
        print(f"{rekey_seconds:.0f} s with new keys: {tunnel.name}", file=sys.stderr)
        row = disturbed(tunnel, rekey_seconds, None)
        what = f"rekey, {rekey_seconds:.0f} s"
        rows.append({"tunnel": tunnel.name, "measure": "events", "bytes": what, "round": 0, **row})
    return rows


@contextmanager
def namespaces() -> Iterator[dict[str, str]]:
    spaces = {place: f"swm{os.getpid()}{place}" for place in "ab"}
    try:
        for space in spaces.values():
            run("ip", "netns", "add", space)
        run("ip", "-n", spaces["a"], "link", "add", "out", "type", "veth", "peer", "out", "netns", spaces["b"])
        for place, address in (("a", "10.77.1.1/24"), ("b", "10.77.1.2/24")):
            run("ip", "-n", spaces[place], "addr", "add", address, "dev", "out")
            run("ip", "-n", spaces[place], "link", "set", "out", "mtu", "9000", "up")
        yield spaces
    finally:
        for space in spaces.values():
            subprocess.run(["ip", "netns", "del", space], check=False)


def measure(
    tunnels: list[Tunnel], sizes: list[int], rounds: int, seconds: float, trips: int, trips_only: bool
) -> list[Row]:
    """Every measure of every tunnel in turn, round after round, so that a disturbance meets all of them alike."""
    measures: list[tuple[str, int | None, Callable[[Tunnel], Row]]] = []
    for each in sizes:
        measures.append(("datagrams", each, partial(datagrams, size=each, seconds=seconds)))
        measures.append(("round trips", each, partial(round_trips, size=each, count=trips)))
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
        "round_trip_median_microseconds": ("median us", 0),
        "round_trip_p99_microseconds": ("p99 us", 0),
        "cpu_microseconds": ("CPU us, both ends", 0),
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", default="omd-blake2b")
    parser.add_argument("--peer", type=Path, help="the program boringtun-cli to measure beside")
    parser.add_argument("--pre-shared-key", action="store_true", help="sealwire with it, in place of key pairs")
    parser.add_argument("--carries", choices=["ip", "ethernet"], default="ip", help="TUN or TAP (default: ip)")
    parser.add_argument("--seconds", type=float, default=2, help="of each measure of throughput")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--trips", type=int, default=2000, help="round trips in each measure of latency")
    parser.add_argument("--round-trips", action="store_true", help="round trips only; many short rounds tell most")
    parser.add_argument("--sizes", default="64,512,1500", help="bytes of the inner IP packet, with commas between")
    parser.add_argument("--events", action="store_true", help="the events only")
    parser.add_argument("--rekey-seconds", type=float, default=130, help="of the stream over new keys; 0: none")
    parser.add_argument("--json", action="store_true", help="every single measure as JSON, in place of the table")
    options = parser.parse_args()
    if reason := why_not():
        sys.exit(f"cannot measure: {reason}")
    if options.peer is not None and not options.peer.exists():
        sys.exit(f"cannot measure: {options.peer} is not there; `make bench-link` installs it")
    with TemporaryDirectory(prefix="sealwire-") as name, namespaces() as spaces:
        processes: Processes = []
        try:
            folder, has_pairs = Path(name), not options.pre_shared_key
            tunnels = [start_sealwire(folder, spaces, options.suite, options.carries, has_pairs, processes)]
            for threads in (1, 4) if options.peer else ():
                tunnels.append(start_boringtun(options.peer, spaces, threads, processes))
            if reason := why_no_wireguard(spaces["a"]):
                print(f"without the kernel's WireGuard: {reason}", file=sys.stderr)
            else:
                tunnels.append(start_wireguard(folder, spaces))
            sizes = [int(size) for size in options.sizes.split(",")]
            counts = (options.rounds, options.seconds, options.trips, options.round_trips)
            rows = [] if options.events else measure(tunnels, sizes, *counts)
            rows += [] if options.round_trips else disturb(tunnels, options.rounds, options.rekey_seconds)
        finally:
            for process in processes:
                process.terminate()  # boringtun removes its control socket then
            for process in processes:
                try:
                    process.wait(timeout=3)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
    mode = "a pre-shared key" if options.pre_shared_key else "key pairs (Noise)"
    about = {
        "mode": mode,
        "program": str(binary()),
        "cpus": os.cpu_count(),
        "load": os.getloadavg()[0],
        "kernel": os.uname().release,
    }
    if options.json:
        print(json.dumps({**about, "seconds": options.seconds, "measures": rows}, indent=2))
    else:
        about = {**about, "rounds": options.rounds, "seconds": options.seconds}
        facts = ", ".join(f"{key} {value}" for key, value in about.items() if key != "mode")
        print(f"Sealwire with {mode}, {options.suite}, over {options.carries}; {facts}.")
        print(f"Median (least to greatest) of the rounds; {NOT_APPLICABLE}: not measurable.\n\n{table(rows)}")


if __name__ == "__main__":
    main()
