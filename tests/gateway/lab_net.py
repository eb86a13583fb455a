# SPDX-License-Identifier: Apache-2.0
"""Three namespaces in a row: A with a gateway, the man in the middle, B with a gateway.

A  seal0 10.99.0.1 -- gateway 10.77.1.1 ==== 10.77.1.2 relay 10.77.2.1 ==== 10.77.2.2 gateway -- seal0 10.99.0.2  B
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
KEY = "".join(f"{i:02x}" for i in range(64))


def binary() -> Path:
    """The command to test: $SEALWIRE, or the build that is there."""
    if chosen := os.environ.get("SEALWIRE"):
        return Path(chosen)
    builds = [ROOT / "target" / profile / "sealwire" for profile in ("release", "debug")]
    there = [build for build in builds if build.exists()]
    return max(there, key=lambda build: build.stat().st_mtime) if there else builds[0]


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"
    return done.stdout


def name_host(namespace: str, host: str, address: str) -> None:
    """What a host is called in a namespace. Written in place: a running program sees this very file."""
    folder = Path("/etc/netns") / namespace
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "hosts").open("w") as hosts:
        hosts.write(f"127.0.0.1 localhost\n{address} {host}\n")


def forget_hosts(namespace: str) -> None:
    shutil.rmtree(Path("/etc/netns") / namespace, ignore_errors=True)


def why_not() -> str | None:
    """What stands in the way of namespaces here, or None."""
    if os.geteuid() != 0:
        return "namespaces with network devices need root"
    try:
        probe = f"swp{os.getpid()}"
        run("ip", "netns", "add", probe)
        try:
            run("ip", "-n", probe, "tuntap", "add", "dev", "probe0", "mode", "tap")
        finally:
            run("ip", "netns", "del", probe)
    except (AssertionError, FileNotFoundError) as error:
        return f"no namespaces with TAP devices here: {error}"
    return None if binary().exists() else f"{binary()} is not built: cargo build -p sealwire-cli"


def noise_keys(folder: Path, *names: str) -> dict[str, str]:
    """A key pair for the Noise channel of each name, in NAME.noise-key; gives the public keys."""
    public = {}
    for name in names:
        key = folder / f"{name}.noise-key"
        public[name] = run(str(binary()), "link", "noise-key", str(key)).split()[-1]
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
        assert len(public[name]) == 64 and f"\n{public[name]}" not in key.read_text()
    return public


def noise_section(own: str, peer: str, name: str, peer_key: str) -> str:
    """What a configuration says of the Noise channel between two addresses, with the key of this name."""
    return f'[noise]\nlisten = "{own}"\npeer = "{peer}"\nkey-file = "{name}.noise-key"\npeer-key = "{peer_key}"\n'


class Program:
    """A program in a namespace that speaks JSON lines."""

    def __init__(self, namespace: str, *command: str) -> None:
        self.process = subprocess.Popen(
            ["ip", "netns", "exec", namespace, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def tell(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def answer(self, timeout: float = 30) -> dict[str, Any]:
        out, _ = self.process.communicate(timeout=timeout)
        assert self.process.returncode == 0, out
        answer: dict[str, Any] = json.loads(out.strip().splitlines()[-1])
        return answer

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()


class Gateway:
    """One end: its configuration and, while it runs, its process."""

    def __init__(self, folder: Path, namespace: str, name: str) -> None:
        self.folder, self.namespace, self.name = folder, namespace, name
        self.inner, self.other = ("10.99.0.1", "10.99.0.2") if name == "a" else ("10.99.0.2", "10.99.0.1")
        self.config = folder / f"{name}.toml"
        self.log = folder / f"{name}.log"
        self.socket = folder / f"{name}.sock"
        self.process: subprocess.Popen[bytes] | None = None

    version: int | None = None
    """Of the wire format; None: the configuration does not name it."""
    keep_alive: str | None = None
    """Likewise."""
    suite = "omd-blake2b"
    peer_key: str | None = None
    """The other end's public key, for an end with a key pair in place of the pre-shared key."""
    is_direct = False
    """The other end is reached without the relay."""
    program: Path | None = None
    """The command; None: that of binary()."""

    def write(
        self,
        key: str = "link.key",
        rekey: str = "",
        run: str = "",
        suite: str | None = None,
        untrusted: str | None = None,
        trusted: str = "",
        offload: bool = True,
        noise: str = "",
    ) -> None:
        """Writes the configuration; `untrusted` replaces UDP to the peer, and `noise` the pre-shared key."""
        # Root stays only where the configuration says so.
        user = "" if "user =" in run else 'user = "root"'
        number, peer = ("1", 'peer = "10.77.1.2:4500"') if self.name == "a" else ("2", "")
        mine = {"1": "2", "2": "1"}
        listen, direct = "10.77.1.1:4500", "10.77.2.2:4500"
        if self.name == "b":
            listen, direct = direct, listen
        if self.is_direct:
            peer = f'peer = "{direct}"'
        if self.peer_key is not None and not noise:
            noise = f'[noise]\nkey-file = "{self.name}.noise-key"\npeer-key = "{self.peer_key}"\n'
        if untrusted is None:
            untrusted = f'listen = "{listen}"\n{peer}\noffload = {str(offload).lower()}'
        self.config.write_text(f"""
[link]
id = "{number}"
peer-id = "{mine[number]}"
suite = "{suite or self.suite}"
{"" if self.version is None else f"version = {self.version}"}
{"" if self.keep_alive is None else f'keep-alive = "{self.keep_alive}"'}
{"" if noise else f'key-file = "{key}"'}
[trusted]
device = "seal0"
{trusted}
[untrusted]
{untrusted}
[rekey]
{rekey}
[run]
status-socket = "{self.socket}"
log-format = "json"
{user}
{run}
{noise}""")

    def start(self) -> None:
        starts = self.said().count("gateway starts")
        command = [str(self.program or binary()), "link", "up", str(self.config)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(["ip", "netns", "exec", self.namespace, *command], stderr=log)
        wait_for(lambda: self.said().count("gateway starts") > starts, 5, self.said)
        if "addresses =" not in self.config.read_text():
            run("ip", "-n", self.namespace, "addr", "replace", f"{self.inner}/24", "dev", "seal0")

    def said(self) -> str:
        return self.log.read_text() if self.log.exists() else ""

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def memory(self) -> int:
        """Resident memory in KiB."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])

    def send_signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        if self.process is None:
            return 0
        if self.process.poll() is None:
            self.send_signal(number)
        code = self.process.wait(timeout=5)
        self.process = None
        return code

    def status(self) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(run(str(binary()), "link", "status", "--json", str(self.config)))
        return answer

    def counters(self) -> dict[str, Any]:
        counters: dict[str, Any] = self.status()["counters"]
        return counters

    def is_up(self) -> bool:
        return bool(self.status()["up"])

    def check_balance(self) -> dict[str, Any]:
        """Every packet is counted once, under what became of it."""
        c = self.counters()
        drops = sum(c["untrusted_drops"].values())
        assert c["untrusted_in"] == c["delivered"] + c["keep_alives_in"] + c["handshakes_in"] + drops, c
        assert c["trusted_in"] == c["sealed"] + sum(c["trusted_drops"].values()), c
        assert c["untrusted_out"] == c["sealed"] + c["keep_alives_out"] + c["handshakes_out"], c
        return c


class Net:
    """The namespaces, the relay and both gateways."""

    def __init__(self, folder: Path) -> None:
        tag = f"sw{os.getpid()}"
        self.spaces = {place: f"{tag}{place}" for place in "amb"}
        for space in self.spaces.values():
            run("ip", "netns", "add", space)
            run("ip", "-n", space, "link", "set", "lo", "up")
        self.join("a", "10.77.1.1", "10.77.1.2", "1")
        self.join("b", "10.77.2.2", "10.77.2.1", "2")
        self.relay = Program(
            self.spaces["m"],
            sys.executable,
            str(HERE / "relay.py"),
            "10.77.1.2:4500",
            "10.77.2.1:4501",
            "10.77.2.2:4500",
        )
        self.public: dict[str, str] = {}
        """Public keys of both ends and a stranger, where ends have key pairs."""
        self.a = Gateway(folder, self.spaces["a"], "a")
        self.b = Gateway(folder, self.spaces["b"], "b")
        for name in ("link.key", "other.key"):
            key = folder / name
            key.write_text(KEY if name == "link.key" else KEY[::-1])
            key.chmod(0o600)

    def use_key_pairs(self) -> None:
        """For what is written from here on. The relay carries no channel, so the ends must be joined directly."""
        self.public = noise_keys(self.a.folder, "a", "b", "stranger")
        self.a.peer_key, self.b.peer_key = self.public["b"], self.public["a"]

    def join(self, place: str, outer: str, middle: str, number: str) -> None:
        space, names = self.spaces[place], (f"out{number}", f"mid{number}")
        run("ip", "-n", space, "link", "add", names[0], "type", "veth", "peer", names[1], "netns", self.spaces["m"])
        for where, name, address in ((space, names[0], outer), (self.spaces["m"], names[1], middle)):
            run("ip", "-n", where, "addr", "add", f"{address}/24", "dev", name)
            run("ip", "-n", where, "link", "set", name, "up")

    def start(self, **options: Any) -> None:
        for gateway in (self.b, self.a):
            gateway.write(**options)
            gateway.start()
        self.wait_up()

    def start_ethernet(self, seconds: float = 3, relayed: bool = False, **options: Any) -> dict[str, str]:
        """Both ends on one Ethernet segment, or with the relay between. Gives the cards' addresses by namespace."""
        macs = self.relay_cards() if relayed else self.bridge()
        self.b.write(untrusted='device = "out2"', **options)
        self.a.write(untrusted=f'device = "out1"\npeer-mac = "{macs["b"]}"', **options)
        for gateway in (self.b, self.a):
            gateway.start()
        self.wait_up(seconds)
        return macs

    def bridge(self) -> dict[str, str]:
        """Makes one Ethernet segment of both, bridged in the middle. Gives the cards' addresses by namespace."""
        space = self.spaces["m"]
        run("ip", "-n", space, "link", "add", "br0", "type", "bridge")
        for port in ("mid1", "mid2"):
            run("ip", "-n", space, "link", "set", port, "master", "br0")
        run("ip", "-n", space, "link", "set", "br0", "up")
        return self.name_cards()

    def relay_cards(self) -> dict[str, str]:
        """Makes the relay carry Ethernet between both ends. Gives the cards' addresses by namespace."""
        macs = self.name_cards()
        headers = [(macs[to] + macs[of]).replace(":", "") + "88b5" for to, of in ("ab", "ba")]
        self.attack(cards=list(zip(("mid1", "mid2"), headers, strict=True)))
        return macs

    def name_cards(self) -> dict[str, str]:
        """Gives both ends' cards the addresses of their ends, and tells them by namespace."""
        macs = {"a": "02:00:5e:10:00:01", "b": "02:00:5e:10:00:02"}
        for place, card in (("a", "out1"), ("b", "out2")):
            run("ip", "-n", self.spaces[place], "link", "set", card, "address", macs[place])
        return macs

    def wait_up(self, seconds: float = 3) -> None:
        wait_for(lambda: self.a.is_up() and self.b.is_up(), seconds, lambda: self.a.said() + self.b.said())

    def attack(self, **how: Any) -> dict[str, Any]:
        self.relay.tell(json.dumps(how))
        answer: dict[str, Any] = json.loads(self.relay.line())
        return answer

    def traffic(self, at: Gateway, *command: str) -> Program:
        program = Program(at.namespace, sys.executable, str(HERE / "traffic.py"), *command)
        if command[0].endswith("receive"):
            assert program.line() == "ready"
        return program

    def ping(self, at: Gateway, seconds: float = 10) -> float | None:
        """Seconds until the other end's inner address answers; None: it did not."""
        program = self.traffic(at, "ping", at.other, str(seconds))
        try:
            answered: float | None = program.answer(timeout=seconds + 20)["answered_after"]
        finally:
            program.end()
        return answered

    def datagrams(
        self, count: int, pause: float, seconds: float, size: int = 200, back: bool = False
    ) -> dict[str, Any]:
        """Sends datagrams from A to B, or back, and gives what came, with what was sent.

        It ends when all have come, or none for so many seconds: a simulated end on a busy machine takes its time.
        """
        near, far = (self.b, self.a) if back else (self.a, self.b)
        receiver = self.traffic(far, "udp-receive", far.inner, "7000", str(seconds), str(count))
        sender = self.traffic(near, "udp-send", far.inner, "7000", str(count), str(pause), str(size))
        try:
            sent = sender.answer()
            received: dict[str, Any] = json.loads(receiver.line())
        finally:
            sender.end()
            receiver.end()
        return {**sent, **received}

    def lossless(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Both ends' counters, once each end has delivered all that the other one sealed.

        The kernels send frames of their own now and then, which may be between the ends while they are asked.
        """

        def arrived() -> bool:
            a, b = self.a.counters(), self.b.counters()
            return bool(a["sealed"] == b["delivered"] and b["sealed"] == a["delivered"])

        wait_for(arrived, 3, lambda: self.a.said() + self.b.said())
        return self.a.check_balance(), self.b.check_balance()

    def close(self) -> None:
        for gateway in (self.a, self.b):
            gateway.stop(signal.SIGKILL)
        self.relay.end()
        for space in self.spaces.values():
            subprocess.run(["ip", "netns", "del", space], check=False)


def wait_for(what: Any, seconds: float, explain: Any = lambda: "") -> float:
    """Waits until `what()` is true and says how long it took."""
    began = time.monotonic()
    while not what():
        if time.monotonic() - began > seconds:
            raise AssertionError(f"not within {seconds} s: {explain()}")
        time.sleep(0.02)
    return time.monotonic() - began


def assert_traffic_resumed(times: list[float], stopped: float, ended: float, within: float = 2) -> None:
    """From `within` s after an attack stopped until the sender ended, packets came without a pause of a second."""
    moments = [stopped, *(moment for moment in times if stopped < moment < ended), ended]
    silences = [later - earlier for earlier, later in pairwise(moments) if later > stopped + within]
    assert max(silences) < 1, f"silent for {max(silences):.2f} s after the attack"
