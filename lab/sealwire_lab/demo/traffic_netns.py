# SPDX-License-Identifier: Apache-2.0
"""Traffic of two real network stacks: programs in the namespaces of the two ends."""

import contextlib
import json
import os
import random
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

from ..errors import LabError
from . import worker
from .bench import Bench
from .ends import B
from .traffic import Pings, Transfer, marked_data, sha256

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
        with _Worker(self._bench.ends["a"].pid, "ping", B.address, str(count), str(size)) as pinging:
            answer = pinging.answer()
        return Pings(answer["sent"], answer["round_trips_ms"])

    def transfer(self, name: str, data_bytes: int) -> Transfer:
        sent, received = self._scratch / "file-sent", self._scratch / "file-received"
        sent.write_bytes(data := marked_data(self._rng, data_bytes))
        self._transfers += 1
        port = str(_PORT + self._transfers)
        with _Worker(self._bench.ends["b"].pid, "receive", B.address, port, str(received)) as receiving:
            receiving.answer()
            with _Worker(self._bench.ends["a"].pid, "send", B.address, port, str(sent)) as sending:
                answer = receiving.answer()
                sending.answer()
        digest = sha256(received.read_bytes())
        sent.unlink()
        received.unlink()
        if answer["sha256"] != digest:
            raise LabError("the receiver's digest is not that of the file it wrote")
        return Transfer(name, answer["bytes"], sha256(data), digest, answer["seconds"])


class _Worker:
    """A program in a namespace; killed when its context ends."""

    def __init__(self, pid: int, role: str, *arguments: str) -> None:
        self._role = role
        self._lines = self._read()
        self._process = subprocess.Popen(
            [sys.executable, "-I", worker.__file__, str(pid), role, *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=1)
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def answer(self) -> dict[str, Any]:
        line = next(self._lines, None)
        if line is None:
            raise LabError(f"the {self._role} program ended early (exit status {self._process.wait()})")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise LabError(str(answer["error"]))
        return answer

    def _read(self) -> Iterator[bytes]:
        assert self._process.stdout is not None
        handle = self._process.stdout.fileno()
        deadline = time.monotonic() + _WORKER_SECONDS
        pending = b""
        while True:
            while b"\n" in pending:
                line, pending = pending.split(b"\n", 1)
                yield line
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([handle], [], [], left)[0]:
                raise LabError(f"the {self._role} program has not answered for {_WORKER_SECONDS:.0f} s")
            data = os.read(handle, 65536)
            if not data:
                return
            pending += data
