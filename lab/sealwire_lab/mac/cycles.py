# SPDX-License-Identifier: Apache-2.0
"""Counts the cycles of a MAC core in simulation, as the port contract defines them.

Edges after the one that accepts `cmd`, up to and including the one that raises `result_valid`; key loaded, core idle,
sources always valid, sink always ready.  A message of n blocks is n full blocks: the block of padding that follows is
part of its tag.  The larger of compute and verify counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ..cores import Core
from ..cycles import DEFAULT_BLOCKS, Cycles, _plain
from ..errors import LabError
from ..results.record import PACKET_BYTES
from ..simulation import Outcome
from .simulation import COMPUTE, VERIFY, MacSimulation

_PACKETS = 12  # for the steady rate back to back; the first third is warm-up
#: Message lengths in bytes that are counted beside whole blocks: those of records, and those of the Ascon-MAC slides.
SIZES = (*PACKET_BYTES, 1600, 16640)


@dataclass(frozen=True)
class MacCycles(Cycles):
    """`total_bytes` and `packet_bytes` go by the length in bytes: a last block may be partial."""

    total_bytes: dict[int, int] | None = None
    packet_bytes: dict[int, float] | None = None


@dataclass
class _Meter:
    core: Core
    bench: MacSimulation

    def __post_init__(self) -> None:
        self.tags: dict[int, bytes] = {}

    def _finish(self) -> list[Outcome]:
        report = self.bench.flush()
        bad = [outcome for outcome in report.outcomes if not (outcome.done and outcome.ok)]
        if report.violations or bad:
            problem = report.violations[0] if report.violations else "a command gave no good result"
            raise LabError(f"{self.core.name} breaks the port contract while cycles are counted: {problem}")
        return report.outcomes

    def queue(self, op: int, size: int) -> None:
        text = bytes(i * 31 & 255 for i in range(size))
        if op == COMPUTE:
            self.bench.compute(text)
        else:
            if size not in self.tags:
                self.single(COMPUTE, size)
            self.bench.verify(text, self.tags[size])

    def single(self, op: int, size: int) -> int:
        """Of one message in an idle core."""
        self.queue(op, size)
        outcome = self._finish()[0]
        if op == COMPUTE:
            self.tags[size] = outcome.tag
        return outcome.result_edge - outcome.accept_edge

    def total(self, size: int) -> int:
        return max(self.single(op, size) for op in (COMPUTE, VERIFY))

    def steady(self, op: int, size: int) -> Fraction:
        """Cycles a message when the next one always waits."""
        for _ in range(_PACKETS):
            self.queue(op, size)
        results = [outcome.result_edge for outcome in self._finish()]
        warm = _PACKETS // 3 - 1
        return Fraction(results[-1] - results[warm], _PACKETS - 1 - warm)


def measure(core: Core, parameters: dict[str, int], blocks: tuple[int, ...] = DEFAULT_BLOCKS) -> MacCycles:
    """Count the cycles of one variant of a core."""
    with MacSimulation.of(core, parameters) as bench:
        bench.stall("none")
        bench.key(bytes(range(parameters["KEY_BITS"] // 8)))
        key_setup = bench.flush().key_setup[0]
        meter = _Meter(core, bench)

        def steady(size: int) -> float:
            return _plain(max(meter.steady(op, size) for op in (COMPUTE, VERIFY)))

        size = core.block_bytes
        total = {n: meter.total(n * size) for n in sorted({*blocks, 50, 150})}
        message = Fraction(total[150] - total[50], 100)
        return MacCycles(
            core.name, parameters, 1, key_setup, 0, 0, _plain(message), _plain(total[150] - 150 * message),
            {n: total[n] for n in sorted(blocks)}, {n: steady(n * size) for n in sorted(blocks)},
            total_bytes={n: meter.total(n) for n in SIZES}, packet_bytes={n: steady(n) for n in SIZES},
        )  # fmt: skip
