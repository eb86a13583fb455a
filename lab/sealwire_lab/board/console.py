# SPDX-License-Identifier: Apache-2.0
"""A board's console over a serial line: one command, the lines of its answer.  The commands: docs/firmware.md."""

import os
import time
from contextlib import AbstractContextManager

import serial  # type: ignore[import-untyped]

from ..errors import LabError

BAUD = 115_200
#: Seconds for an answer: a provisioning erases and writes six sectors of flash, each within 400 ms.
PATIENCE = 8.0
_NOTHING = b"\x01\n"  # a line that is no command, whatever somebody left half written in front of it
_REFUSED = "error line of no command"


class Console(AbstractContextManager["Console"]):
    """The console at a serial port."""

    def __init__(self, port: str) -> None:
        self._port = port
        try:
            self._line = serial.serial_for_url(port, BAUD, timeout=0.05, write_timeout=PATIENCE, exclusive=True)
        except (OSError, ValueError) as error:
            hint = "is the board connected, and may you use the port (group dialout)?"
            number = getattr(error, "errno", None)
            raise LabError(f"cannot open {port}: {os.strerror(number) if number else error}; {hint}") from error

    def __exit__(self, *_: object) -> None:
        self._line.close()

    def ask(self, command: str) -> list[str]:
        """The answer's lines but the last.  LabError when the board answers with an error or not at all."""
        try:
            self._line.reset_input_buffer()
            self._line.write(_NOTHING)
            while self._next() != _REFUSED:
                pass
            self._line.write(command.encode("ascii") + b"\n")
            lines = [self._next()]
            while lines[-1] != "ok":
                if lines[-1].startswith("error"):
                    raise LabError(f"the board at {self._port} says: {lines[-1].removeprefix('error').strip()}")
                lines.append(self._next())
        except serial.SerialException as error:
            raise LabError(f"{self._port} failed: {error}") from error
        return lines[:-1]

    def _next(self) -> str:
        """The next line that comes whole."""
        got, end = bytearray(), time.monotonic() + PATIENCE
        while not got.endswith(b"\n"):
            if time.monotonic() > end:
                raise LabError(
                    f"no answer from {self._port} within {PATIENCE:g} s: "
                    f"does a board run there, with its console at {BAUD} bits a second?"
                )
            got += self._line.read_until(b"\n")
        return got.decode("ascii", "replace").strip()
