# SPDX-License-Identifier: Apache-2.0
"""The two ends: one host process each, what it is told and asked; and any process that answers in JSON."""

import contextlib
import json
import os
import select
import socket
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from sealwire_lab.errors import LabError

_ANSWER_SECONDS = 20.0
_START_SECONDS = 90.0  # a board boots


class Child:
    """A process that answers in JSON objects, one a line, within a time or not at all; killed when its context ends.

    `name` begins what is said of it.
    """

    def __init__(self, name: str, command: Sequence[str], fds: tuple[int, ...] = (), told: bool = False) -> None:
        self.name = name
        stdin = subprocess.PIPE if told else subprocess.DEVNULL
        # In a group of its own: Ctrl-C is for the job, which ends its children in its own order.
        self.process = subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, pass_fds=fds, process_group=0)
        self._pending = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop(1)

    def stop(self, patience: float) -> int:
        """Ends it, gently if it can be. Returns its exit status."""
        with contextlib.suppress(OSError):
            if self.process.stdin:
                self.process.stdin.close()
        try:
            return self.process.wait(timeout=patience)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()
        finally:
            assert self.process.stdout
            self.process.stdout.close()

    def tell(self, line: str) -> None:
        """A line for it to read."""
        assert self.process.stdin
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError as error:
            raise LabError(f"{self.name} has died") from error

    def answer(self, seconds: float) -> dict[str, Any]:
        """Its next answer. LabError when that is an error, or there is none."""
        assert self.process.stdout
        handle, deadline = self.process.stdout.fileno(), time.monotonic() + seconds
        while b"\n" not in self._pending:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([handle], [], [], left)[0]:
                raise LabError(f"{self.name} has not answered for {seconds:.0f} s")
            data = os.read(handle, 65536)
            if not data:
                raise LabError(f"{self.name} ended by itself (exit status {self.process.wait()})")
            self._pending += data
        line, self._pending = self._pending.split(b"\n", 1)
        try:
            answer: dict[str, Any] = json.loads(line)
        except ValueError as error:  # an assertion of the RTL speaks through the simulator
            raise LabError(f"{self.name}: {line.decode(errors='replace')}") from error
        if "error" in answer:
            raise LabError(f"{self.name}: {answer['error']}")
        return answer


class NoNamespaceError(LabError):
    """This user or machine may not make network namespaces or TAP interfaces."""


@dataclass(frozen=True)
class End:
    """Names and addresses of one end."""

    name: str
    link_id: str  # 8 bytes, hexadecimal
    outer_mac: str  # on the wire
    tap_mac: str  # inside, never on the wire
    address: str

    @property
    def id_bytes(self) -> bytes:
        return bytes.fromhex(self.link_id)

    @property
    def tap_mac_bytes(self) -> bytes:
        return bytes.fromhex(self.tap_mac)


A = End("a", "0000000000000001", "02000000aa01", "02a11ce00001", "10.77.0.1")
B = End("b", "0000000000000002", "02000000bb02", "02b0b0000002", "10.77.0.2")
ENDS = {"a": A, "b": B}
INITIATOR = "a"  # has the smaller id
PSK_BYTES = 64  # suites 01 and 02

#: The trusted side of an end: a TAP interface with this MTU in a namespace of its own, or a socket that plays one.
Trusted = int | socket.socket


class LinkEnd:
    """One running process, simulation or gateway: a link between a trusted side and the wire."""

    def __init__(
        self, program: Sequence[str], end: End, peer: End, wire: socket.socket, out: Path, trusted: Trusted
    ) -> None:
        """Starts it.  Raises NoNamespaceError where a namespace of its own is wanted and not allowed."""
        self.end = end
        self.trusted_in = out / f"trusted-{end.name}-in.pcap"
        self.trusted_out = out / f"trusted-{end.name}-out.pcap"
        command = [
            *(*program, "--wire-fd", str(wire.fileno())),
            *("--mac", end.outer_mac, "--peer-mac", peer.outer_mac, "--id", end.link_id, "--peer-id", peer.link_id),
            *("--pcap-in", str(self.trusted_in), "--pcap-out", str(self.trusted_out)),
        ]
        fds = [wire.fileno()]
        if isinstance(trusted, int):
            command += ["--tap", "sealwire0", "--address", end.address, "--tap-mac", end.tap_mac, "--mtu", str(trusted)]
        else:
            command += ["--trusted-fd", str(trusted.fileno())]
            fds.append(trusted.fileno())
        self.child = Child(f"end {end.name.upper()}", command, tuple(fds), told=True)
        try:
            self._answer("ready", _START_SECONDS)
        except LabError as error:
            self.stop()
            if any(word in str(error) for word in ("namespace", "/dev/net/tun", "TAP", "/proc/self")):
                raise NoNamespaceError(str(error)) from error
            raise

    @property
    def pid(self) -> int:
        return self.child.process.pid

    def load_key(self, psk: bytes) -> None:
        """Hands the pre-shared key over through the pipe: it is on no command line, and in no file but a gateway's."""
        self.child.tell(psk.hex())
        self._answer("key", _START_SECONDS)

    def stats(self) -> dict[str, Any]:
        self.child.tell("stats")
        return self._answer("counters")

    def hold(self) -> None:
        """No more frames from the trusted side."""
        self.child.tell("hold")

    def start_trace(self) -> None:
        self.child.tell("trace on")

    def stop_trace(self) -> list[tuple[str, int, int]]:
        """Events since `start_trace`: what, simulated picoseconds, core cycles."""
        self.child.tell("trace off")
        return [(what, ps, cycle) for what, ps, cycle in self._answer("events")["events"]]

    def stop(self) -> int:
        """Ends the process. Returns its exit status."""
        return self.child.stop(3)

    def _answer(self, key: str, seconds: float = _ANSWER_SECONDS) -> dict[str, Any]:
        answer = self.child.answer(seconds)
        if key not in answer:
            raise LabError(f"{self.child.name} answered out of turn: {str(answer)[:200]}")
        return answer
