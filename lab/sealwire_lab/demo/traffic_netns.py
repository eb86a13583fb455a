# SPDX-License-Identifier: Apache-2.0
"""Traffic of two real network stacks: programs in the namespaces of the two ends."""

import hashlib
import random
import sys
from pathlib import Path

from ..errors import LabError
from . import worker
from .bench import Bench
from .child import Child
from .ends import B
from .traffic import Pings, Transfer, marked_data

_WORKER_SECONDS = 120.0
_PORT = 7700


class NamespaceTraffic:
    """Ping and TCP between the TAP interfaces of A and B."""

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
