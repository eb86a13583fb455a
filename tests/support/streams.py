# SPDX-License-Identifier: Apache-2.0
"""Source and sink of valid/ready channels for cocotb, with random stalls; junk is driven wherever nothing is valid."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import cocotb
from cocotb.triggers import Event, RisingEdge

from support.raw_port import Port

Beat = tuple[int, ...]


def rate(probability: float) -> Callable[[], bool]:
    """True with this probability, at each call anew; 1.0 is always."""
    if probability >= 1.0:
        return lambda: True
    return lambda: random.random() < probability


class Source:
    """Drives beats (one value a field) on `<prefix>_<field>` with `<prefix>_valid` and `<prefix>_ready`."""

    def __init__(self, dut: Any, prefix: str, clock: Any, fields: Sequence[str], offer: Callable[[], bool]) -> None:
        self.clock, self.offer = clock, offer
        self.valid = Port(getattr(dut, f"{prefix}_valid"))
        self.ready = Port(getattr(dut, f"{prefix}_ready"))
        self.fields = [Port(getattr(dut, f"{prefix}_{field}")) for field in fields]
        self.queue: deque[Beat] = deque()
        self.taken = 0
        self.idle = Event()
        self.valid.put(0)
        self.task = cocotb.start_soon(self._run())

    def send(self, items: Iterable[Beat]) -> None:
        self.queue.extend(items)
        self.idle.clear()

    def reset(self) -> None:
        """Forget what waits; call while the module is in reset."""
        self.queue.clear()
        self.valid.put(0)
        self._offered = False

    def _junk(self) -> None:
        for field in self.fields:
            field.put(random.getrandbits(field.bits))

    async def _run(self) -> None:
        edge = RisingEdge(self.clock)
        self._offered = False
        while True:
            await edge
            if self._offered and self.ready.get():
                self.queue.popleft()
                self.taken += 1
                self._offered = False
            if self._offered:
                continue
            if self.queue and self.offer():
                for field, value in zip(self.fields, self.queue[0], strict=True):
                    field.put(value)
                self.valid.put(1)
                self._offered = True
            else:
                if not self.queue:
                    self.idle.set()
                self.valid.put(0)
                self._junk()


class Sink:
    """Takes beats from `<prefix>_<field>` and checks that an offered beat holds still until it is taken."""

    def __init__(self, dut: Any, prefix: str, clock: Any, fields: Sequence[str], accept: Callable[[], bool]) -> None:
        self.clock, self.accept = clock, accept
        self.valid = Port(getattr(dut, f"{prefix}_valid"))
        self.ready = Port(getattr(dut, f"{prefix}_ready"))
        self.fields = [Port(getattr(dut, f"{prefix}_{field}")) for field in fields]
        self.beats: list[Beat] = []
        self.in_reset = False
        self.ready.put(0)
        self.task = cocotb.start_soon(self._run())

    def packets(self, width: int = 8) -> list[bytes]:
        """Whole packets taken so far; fields must be (data, bytes, last)."""
        found, now = [], b""
        for data, count, last in self.beats:
            assert last or count == width, "a short beat that is not the last"
            assert data >> (8 * count) == 0 or count == width, "bytes beyond the count are not zero"
            now += data.to_bytes(width, "little")[:count]
            if last:
                found.append(now)
                now = b""
        return found

    async def _run(self) -> None:
        edge = RisingEdge(self.clock)
        willing = 0
        waiting: Beat | None = None
        while True:
            await edge
            if self.in_reset:
                waiting = None
            elif self.valid.get():
                beat = tuple(field.get() for field in self.fields)
                assert waiting is None or waiting == beat, "an offered beat changed before it was taken"
                if willing:
                    self.beats.append(beat)
                waiting = None if willing else beat
            else:
                assert waiting is None, "an offered beat was withdrawn"
            willing = int(self.accept())
            self.ready.put(willing)
