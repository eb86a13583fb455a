# SPDX-License-Identifier: Apache-2.0
"""The firmware, compiled for the host, behind a pseudo-terminal."""

import contextlib
import os
import select
import threading
import tty
from collections.abc import Callable

import host


class Line:
    """A board at the other end of a serial line; what it would do is done as bytes come."""

    def __init__(self) -> None:
        self.board = host.Host()
        self.board.boot()
        self._near, far = os.openpty()
        tty.setraw(far)
        os.set_blocking(self._near, False)
        self.port, self._far = os.ttyname(far), far
        #: What comes back in place of the board's answer, from what was sent and from that answer.
        self.garbles: Callable[[bytes, bytes], bytes] = lambda sent, said: said
        #: Whoever uses the board beside the line holds it.
        self.lock = threading.Lock()
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._carry)
        self._thread.start()

    def _carry(self) -> None:
        while not self._ends.is_set():
            if select.select([self._near], [], [], 0.02)[0]:
                sent = os.read(self._near, 512)
                with self.lock:
                    self.board.bytes(sent)
                    said = self.board.output().encode()
                self._say(self.garbles(sent, said))

    def _say(self, said: bytes) -> None:
        """What nobody reads any more is dropped when the line ends: a buffer of it holds a few thousand bytes."""
        while said and not self._ends.is_set():
            if select.select([], [self._near], [], 0.02)[1]:
                with contextlib.suppress(BlockingIOError):
                    said = said[os.write(self._near, said) :]

    def hang_up(self) -> None:
        """The board's side of the line is gone."""
        self._ends.set()
        self._thread.join()
        if self._near >= 0:
            os.close(self._near)
        self._near = -1

    def close(self) -> None:
        self.hang_up()
        os.close(self._far)
