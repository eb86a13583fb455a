# SPDX-License-Identifier: Apache-2.0
"""The tunnels that bench.py measures, each between two namespaces of its own, which a veth pair joins."""

from __future__ import annotations

import base64
import json
import math
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from lab_net import HERE, Gateway, Program, noise_keys, run, wait_for

OUTER = {"a": "10.77.1.1", "b": "10.77.1.2"}
"""The addresses of the ends outside the tunnel."""

PARK = "10.77.1.7"
"""Where end A goes when it moves."""

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

    def program(self, place: str, *arguments: str, runs_by: tuple[str, ...] = ()) -> Program:
        return Program(self.spaces[place], *runs_by, sys.executable, str(HERE / "bench_traffic.py"), *arguments)

    def threads(self) -> Iterator[int]:
        """Of both ends."""
        for pid in self.pids.values():
            yield from (int(task.name) for task in Path(f"/proc/{pid}/task").iterdir())

    def move(self, address: str) -> None:
        """End A has this address from here on, and no other."""
        command = ("ip", "-n", self.spaces["a"], "addr")
        present = json.loads(run(*command[:3], "-j", "-4", "addr", "show", "dev", "out"))[0]["addr_info"][0]["local"]
        # With the first address of a network the kernel takes away the others.
        run(*command, "del", f"{present}/24", "dev", "out")
        run(*command, "add", f"{address}/24", "dev", "out")


@contextmanager
def namespaces(number: int) -> Iterator[dict[str, str]]:
    """A pair for one tunnel: what happens to the address of an end there happens to no other tunnel."""
    spaces = {place: f"swm{os.getpid()}-{number}{place}" for place in "ab"}
    try:
        for space in spaces.values():
            run("ip", "netns", "add", space)
        run("ip", "-n", spaces["a"], "link", "add", "out", "type", "veth", "peer", "out", "netns", spaces["b"])
        for place, address in OUTER.items():
            run("ip", "-n", spaces[place], "addr", "add", f"{address}/24", "dev", "out")
            run("ip", "-n", spaces[place], "link", "set", "out", "mtu", "9000", "up")
        yield spaces
    finally:
        for space in spaces.values():
            subprocess.run(["ip", "netns", "del", space], check=False)


def start_sealwire(
    name: str,
    program: Path,
    folder: Path,
    spaces: dict[str, str],
    suite: str,
    carries: str,
    has_pairs: bool,
    processes: Processes,
) -> Tunnel:
    gateways = {place: Gateway(folder, spaces[place], place) for place in "ab"}
    if has_pairs:
        public = noise_keys(folder, "a", "b")
        gateways["a"].peer_key, gateways["b"].peer_key = public["b"], public["a"]
    else:
        key = folder / "link.key"
        run(str(program), "link", "keygen", "--suite", suite, str(key))
    outer = {"a": f'listen = "0.0.0.0:4500"\npeer = "{OUTER["b"]}:4500"', "b": 'listen = "0.0.0.0:4500"'}
    for place in "ba":
        gateway = gateways[place]
        gateway.program = program
        gateway.write(suite=suite, trusted=f'carries = "{carries}"\nmtu = 1500', untrusted=outer[place])
        try:
            gateway.start()
        finally:
            processes += [gateway.process] if gateway.process else []
    wait_for(lambda: all(gateway.is_up() for gateway in gateways.values()), 5)
    inner = {place: gateway.inner for place, gateway in gateways.items()}
    tunnel = Tunnel(name, spaces, inner, {"a": "seal0", "b": "seal0"})
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
    inner = {"a": "10.98.0.1", "b": "10.98.0.2"}
    # The control sockets lie in one folder for all namespaces, so the devices need different names.
    devices = {place: f"sw{os.getpid()}{threads}{place}" for place in "ab"}
    port = 4600
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
                "endpoint": f"{OUTER[other]}:{port}",
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
    outer = {place: f"{address}:4700" for place, address in OUTER.items()}
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
