# SPDX-License-Identifier: Apache-2.0
"""A board's console over a serial line: one command, the lines of its answer.  The commands: docs/firmware.md."""

import errno
import os
import termios
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import serial  # type: ignore[import-untyped]

from ..errors import LabError

BAUD = 115_200
#: Seconds for an answer: a provisioning erases and writes six sectors of flash, each within 400 ms.
PATIENCE = 8.0
_MOST_LINES, _LONGEST = 300, 200  # noise has 257 lines
_NOTHING = b"\x01\n"  # a line that is no command, whatever somebody left half written in front of it
_REFUSED = "error line of no command"
_BUSY = "another program has it"
_ABSENT = "is the board connected, and may you use the port (group dialout)?"


class Console(AbstractContextManager["Console"]):
    """The console at a serial port.  What the board says is given on as printable text alone."""

    def __init__(self, port: str) -> None:
        self._port = port
        with self._failing("cannot open"):
            self._line = serial.Serial(port, BAUD, timeout=0.05, write_timeout=PATIENCE, exclusive=True)

    def __exit__(self, *_: object) -> None:
        self._line.close()

    def ask(self, command: str) -> list[str]:
        """The answer's lines but the last, as `answer` gives them."""
        return list(self.answer(command))

    def answer(self, command: str) -> Iterator[str]:
        """The answer's lines but the last, as they come.  LabError when the board answers with an error or not at all.

        Nothing of the command is in what is given on, for it may hold a key.
        """
        with self._failing("cannot use"):
            self._line.reset_input_buffer()
            self._line.write(_NOTHING)
            for line in self._lines():
                if line == _REFUSED:
                    break
            self._line.write(command.encode("ascii") + b"\n")
            for line in self._lines():
                if len(line) > _LONGEST or any(len(word) > 16 and word in command for word in line.split()):
                    raise LabError(f"{self._port} gives back what is sent to it; switch its echo off")
                if line.startswith("error"):
                    raise LabError(f"the board at {self._port} says: {line.removeprefix('error').strip()}")
                if line == "ok":
                    break
                yield line

    @contextmanager
    def _failing(self, what: str) -> Iterator[None]:
        """Whatever the port does becomes a LabError that says what to do."""
        try:
            yield
        except (OSError, ValueError, termios.error) as error:
            number = getattr(error, "errno", None)
            reason = os.strerror(number) if number else "it is no serial line, or it is gone"
            hint = _BUSY if number in (errno.EAGAIN, errno.EBUSY) else _ABSENT
            raise LabError(f"{what} {self._port}: {reason}; {hint}") from error

    def _lines(self) -> Iterator[str]:
        """Lines that come whole, until the patience ends, which is an error."""
        got, count, end = bytearray(), 0, time.monotonic() + PATIENCE
        while time.monotonic() < end and count < _MOST_LINES and len(got) <= _LONGEST * _MOST_LINES:
            got += self._line.read_until(b"\n")
            if got.endswith(b"\n"):
                text = got.decode("ascii", "replace").strip()
                yield "".join(letter if letter.isprintable() else "?" for letter in text)
                got.clear()
                count += 1
        raise LabError(
            f"no answer of a board from {self._port} within {PATIENCE:g} s: "
            f"does a board run there, with its console at {BAUD} bits a second?"
        )
