# SPDX-License-Identifier: Apache-2.0
"""A hub and two spokes in namespaces, each spoke on a cable of its own.

hub  seal0 10.99.0.1 -- 10.78.N.1 ==== 10.78.N.2 -- seal0 10.99.0.(N+1)  spoke N
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from lab_net import HERE, Program, binary, forget_hosts, name_host, run, wait_for

HUB_ID = "ff00"


class End:
    """One end: its namespace, its configuration and, while it runs, its process."""

    def __init__(self, folder: Path, namespace: str, name: str) -> None:
        self.namespace, self.name = namespace, name
        self.config, self.log, self.socket = (folder / f"{name}.{kind}" for kind in ("toml", "log", "sock"))
        self.process: subprocess.Popen[bytes] | None = None

    def write(self, parts: str) -> None:
        self.config.write_text(f'{parts}\n[run]\nuser = "root"\nlog-format = "json"\nstatus-socket = "{self.socket}"\n')

    def start(self) -> None:
        starts = self.said().count("gateway starts")
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                ["ip", "netns", "exec", self.namespace, str(binary()), "link", "up", str(self.config)], stderr=log
            )
        wait_for(lambda: self.said().count("gateway starts") > starts, 5, self.said)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        if self.process is None:
            return 0
        if self.process.poll() is None:
            os.kill(self.process.pid, number)
        code = self.process.wait(timeout=5)
        self.process = None
        return code

    def said(self) -> str:
        return self.log.read_text() if self.log.exists() else ""

    def status(self) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(run(str(binary()), "link", "status", "--json", str(self.config)))
        return answer

    def peers(self) -> dict[str, dict[str, Any]]:
        """Each peer's status, by its name; totals balance whenever anybody looks."""
        status = self.status()
        assert status["balances"], status
        return {peer["name"]: peer for peer in status["peers"]}

    def ip(self, *words: str) -> str:
        return run("ip", "-n", self.namespace, *words)

    def ping(self, other: str, seconds: float = 2) -> float | None:
        """Seconds until an inner address answers one of ten echo requests a second; None: it did not."""
        program = Program(self.namespace, sys.executable, str(HERE / "traffic.py"), "ping", other, str(seconds))
        try:
            answered: float | None = program.answer(timeout=seconds + 20)["answered_after"]
        finally:
            program.end()
        return answered

    def reaches(self, other: str, seconds: float = 2) -> bool:
        return self.ping(other, seconds) is not None


def grown(early: dict[Path, int], late: dict[Path, int]) -> set[Path]:
    """The threads that called for packets: all call for timers and reports, the more often the longer it takes."""
    more = {task: late[task] - count for task, count in early.items()}
    return {task for task, count in more.items() if count > max(20, max(more.values()) // 10)}


class HubNet:
    """The namespaces and their ends."""

    def __init__(self, folder: Path, carries: str, pairs: bool = False, suite: str = "omd-blake2b") -> None:
        """With `pairs`, each end has a key pair, and spoke 1 shares a key with the hub besides."""
        self.folder, self.carries, self.suite = folder, carries, suite
        self.public = {name: self.key_pair(name) for name in ("hub", "spoke1", "spoke2")} if pairs else {}
        tag = f"swh{os.getpid()}"
        self.spaces = [f"{tag}{number}" for number in range(3)]
        for space in self.spaces:
            run("ip", "netns", "add", space)
            # The kernel speaks IPv6 on every new device, unasked: tests count.
            quiet = "echo 1 | tee /proc/sys/net/ipv6/conf/*/disable_ipv6"
            run("ip", "netns", "exec", space, "sh", "-c", quiet)
            run("ip", "-n", space, "link", "set", "lo", "up")
        self.hub = End(folder, self.spaces[0], "hub")
        self.spokes = [End(folder, space, f"spoke{n}") for n, space in enumerate(self.spaces[1:], 1)]
        for number, spoke in enumerate(self.spokes, 1):
            names = (f"in{number}", "out")
            self.hub.ip("link", "add", names[0], "type", "veth", "peer", names[1], "netns", spoke.namespace)
            for end, name, last in ((self.hub, names[0], 1), (spoke, names[1], 2)):
                end.ip("addr", "add", f"10.78.{number}.{last}/24", "dev", name)
                end.ip("link", "set", name, "up")
            spoke.ip("route", "add", "default", "via", f"10.78.{number}.1")
            self.key(f"spoke{number}.key", number)
        run("ip", "netns", "exec", self.hub.namespace, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")
        self.write_hub()
        for number in (1, 2):
            self.write_spoke(number)

    def key(self, name: str, number: int) -> None:
        path = self.folder / name
        path.write_text(f"{number:02x}" * 64)
        path.chmod(0o600)

    def key_pair(self, name: str) -> str:
        """Makes a private key and gives the public one."""
        return run(str(binary()), "link", "noise-key", "--force", str(self.folder / f"{name}.noise-key")).split()[-1]

    def secrets(self, number: int, other: str) -> str:
        """Lines with what an end of spoke N's link holds of the other end and shares with it."""
        shared = f'key-file = "spoke{number}.key"\n' if number == 1 or not self.public else ""
        return shared + (f'peer-key = "{self.public[other]}"\n' if self.public else "")

    def write_hub(self) -> None:
        """The spokes have the smaller ids, so they call."""
        parts = f"""
[link]
id = "{HUB_ID}"
suite = "{self.suite}"
[trusted]
device = "seal0"
carries = "{self.carries}"
addresses = ["10.99.0.1/24"]
[untrusted]
listen = "0.0.0.0:4500"
"""
        parts += '[noise]\nkey-file = "hub.noise-key"\n' if self.public else ""
        for number in (1, 2):
            ips = f'allowed-ips = ["10.99.0.{number + 1}/32"]' if self.carries == "ip" else ""
            name = f"spoke{number}"
            parts += f'[[peer]]\nname = "{name}"\nid = "{number}"\n{self.secrets(number, name)}{ips}\n'
        self.hub.write(parts)

    def write_spoke(self, number: int, named: bool = False) -> None:
        """As an end with one peer, or with one [[peer]] that has a name."""
        head = f"""
[link]
id = "{number}"
suite = "{self.suite}"
"""
        trusted = f"""
[trusted]
device = "seal0"
carries = "{self.carries}"
addresses = ["10.99.0.{number + 1}/24"]
"""
        if named:
            peer = f'id = "{HUB_ID}"\n{self.secrets(number, "hub")}endpoint = "hub.test:4500"'
            noise = f'[noise]\nkey-file = "spoke{number}.noise-key"\n' if self.public else ""
            text = f'{head}{trusted}[untrusted]\nlisten = "0.0.0.0:4500"\n{noise}[[peer]]\n{peer}\n'
            text += 'allowed-ips = ["10.99.0.0/24"]\n' if self.carries == "ip" else ""
        else:
            shared, *pair = self.secrets(number, "hub").partition("peer-key")
            own = f'peer-id = "{HUB_ID}"\n{shared}'
            text = f'{head}{own}{trusted}[untrusted]\nlisten = "0.0.0.0:4500"\npeer = "10.78.{number}.1:4500"\n'
            if self.public:
                text += f'[noise]\nkey-file = "spoke{number}.noise-key"\n{"".join(pair)}'
        self.spokes[number - 1].write(text)

    def tasks(self) -> list[Path]:
        """The hub's threads that carry packets: the first one, which leads, and those with names."""
        assert self.hub.process is not None
        tasks = Path(f"/proc/{self.hub.process.pid}/task")
        followers = [comm.parent for comm in tasks.glob("*/comm") if comm.read_text().startswith("packets")]
        return [tasks / str(self.hub.process.pid), *followers]

    def calls(self, which: str) -> dict[Path, int]:
        """How often each thread that carries packets called `read` ("syscr") or `write` ("syscw") so far."""
        lines = {task: (task / "io").read_text().splitlines() for task in self.tasks()}
        return {task: int(dict(line.split(": ") for line in of_task)[which]) for task, of_task in lines.items()}

    def lead_to_two_threads(self) -> None:
        """Moves a spoke to other addresses until another thread receives its packets than its neighbour's."""
        for number in range(20, 50):
            writers = [self.writers(spoke) for spoke in self.spokes]
            if all(writers) and not writers[0] & writers[1]:
                return
            self.move_first(number)
        raise AssertionError(f"both spokes come to one thread from everywhere, the last time to {writers}")

    def move_first(self, number: int) -> None:
        """Moves spoke 1 to another outer address, with a packet that tells the hub so."""
        one, address = self.spokes[0], f"10.78.1.{number}"
        one.ip("addr", "flush", "dev", "out")
        one.ip("addr", "add", f"{address}/24", "dev", "out")
        one.ip("route", "replace", "default", "via", "10.78.1.1")
        assert one.reaches("10.99.0.1")
        assert self.hub.peers()["spoke1"]["peer"] == f"{address}:4500"

    def writers(self, spoke: End) -> set[Path]:
        """The threads that deliver what this spoke sends."""
        before = self.calls("syscw")
        words = (sys.executable, str(HERE / "bench_traffic.py"), "pace", "10.99.0.1", "0.5", "500")
        program = Program(spoke.namespace, *words)
        try:
            program.answer()
        finally:
            program.end()
        return grown(before, self.calls("syscw"))

    def start(self) -> None:
        for end in (self.hub, *self.spokes):
            end.start()
        self.wait_up()

    def wait_up(self) -> None:
        wait_for(lambda: all(peer["current_session"] for peer in self.hub.peers().values()), 5, self.hub.said)

    def name(self, spoke: End, address: str) -> None:
        """What the hub is called at a spoke."""
        name_host(spoke.namespace, "hub.test", address)

    def datagram(self, spoke: End, source: str, to: str) -> None:
        """One datagram under a chosen inner source address."""
        program = """
import socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind((sys.argv[1], 0))
s.sendto(b"who am I", (sys.argv[2], 7000))
"""
        run("ip", "netns", "exec", spoke.namespace, "python3", "-c", program, source, to)

    def close(self) -> None:
        for end in (self.hub, *self.spokes):
            end.stop(signal.SIGKILL)
        for space in self.spaces:
            subprocess.run(["ip", "netns", "del", space], check=False)
            forget_hosts(space)
