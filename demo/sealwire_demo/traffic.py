# SPDX-License-Identifier: Apache-2.0
"""What both kinds of traffic can do, and that of two real network stacks; the other kind plays a capture file."""

import hashlib
import random
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sealwire_lab.errors import LabError

from . import worker
from .bench import Bench
from .ends import B, Child

_MARKER_EVERY = 8192  # bytes
_MARKERS = 16  # in a row, so that some lie whole within one packet wherever the packets are cut
_WORKER_SECONDS = 120.0
_PORT = 7700


@dataclass(frozen=True)
class Pings:
    """Echo requests sent, and the round-trip time of each one answered (milliseconds of wall clock)."""

    sent: int
    round_trips_ms: list[float]


@dataclass(frozen=True)
class Transfer:
    """A file that crossed from A to B over TCP."""

    name: str
    bytes: int
    sent_sha256: str
    received_sha256: str
    seconds: float  # wall clock, from the accepted connection to its end
    error: str = ""  # why it did not arrive

    @property
    def unchanged(self) -> bool:
        """The file that arrived is the one that was sent."""
        return not self.error and self.sent_sha256 == self.received_sha256


class Traffic(Protocol):
    """Sends through the links; every call returns when the answer is in, or raises LabError after a bounded wait."""

    #: One line about where the packets come from.
    source: str
    #: Size of the file of the clean transfer, and of the one under attack.
    file_bytes: tuple[int, int]

    def ping(self, count: int, size: int) -> Pings:
        """Echo requests from A to B, with `size` bytes of payload."""

    def transfer(self, name: str, data_bytes: int) -> Transfer:
        """A file of random data with the marker in it, from A to B."""


def marked_data(rng: random.Random, size: int) -> bytes:
    """Random bytes with the marker at known places."""
    data = bytearray(rng.randbytes(size))
    run = worker.MARKER * _MARKERS
    for offset in range(0, size - len(run) + 1, _MARKER_EVERY):
        data[offset : offset + len(run)] = run
    return bytes(data)


class NamespaceTraffic:
    """Ping and TCP between the TAP interfaces of A and B: programs in the namespaces of the two ends."""

    source = "two network namespaces, a TAP interface in each"

    def __init__(self, bench: Bench, scratch: Path, rng: random.Random, file_bytes: tuple[int, int]) -> None:
        self.file_bytes = file_bytes
        self._bench = bench
        self._scratch = scratch
        self._rng = rng
        self._transfers = 0

    def ping(self, count: int, size: int) -> Pings:
        with self._worker("a", "ping", str(count), str(size)) as pinging:
            answer = pinging.answer(_WORKER_SECONDS)
        return Pings(answer["sent"], answer["round_trips_ms"])

    def transfer(self, name: str, data_bytes: int) -> Transfer:
        sent, received = self._scratch / "file-sent", self._scratch / "file-received"
        sent.write_bytes(data := marked_data(self._rng, data_bytes))
        self._transfers += 1
        port = str(_PORT + self._transfers)
        with self._worker("b", "receive", port, str(received)) as receiving:
            receiving.answer(_WORKER_SECONDS)
            with self._worker("a", "send", port, str(sent)) as sending:
                answer = receiving.answer(_WORKER_SECONDS)
                sending.answer(_WORKER_SECONDS)
        digest = hashlib.sha256(received.read_bytes()).hexdigest()
        sent.unlink()
        received.unlink()
        if answer["sha256"] != digest:
            raise LabError("the receiver's digest is not that of the file it wrote")
        return Transfer(name, answer["bytes"], hashlib.sha256(data).hexdigest(), digest, answer["seconds"])

    def _worker(self, end: str, role: str, *arguments: str) -> Child:
        """A program in the namespace of an end."""
        command = [sys.executable, "-I", worker.__file__, str(self._bench.ends[end].pid), role, B.address, *arguments]
        return Child(f"the {role} program", command)
