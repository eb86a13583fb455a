# SPDX-License-Identifier: Apache-2.0
"""A process that answers in JSON objects, one a line, within a time or not at all."""

import contextlib
import json
import os
import select
import subprocess
import time
from collections.abc import Sequence
from typing import Any, Self

from ..errors import LabError


class Child:
    """Killed when its context ends. `name` begins what is said of it."""

    def __init__(self, name: str, command: Sequence[str], fds: tuple[int, ...] = (), told: bool = False) -> None:
        self.name = name
        stdin = subprocess.PIPE if told else subprocess.DEVNULL
        self.process = subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, pass_fds=fds)
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
