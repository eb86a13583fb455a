# SPDX-License-Identifier: Apache-2.0
"""Counts the cycles of a core in simulation (never derived), as the port contract defines them.

Edges after the one that accepts `cmd`, up to and including the one that raises `result_valid`; key loaded, core idle,
sources always valid, sinks always ready, full blocks, AD cached (empty for a core without a cache).  A core that takes
AD and message in step is counted a second time with as much AD as message.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from fractions import Fraction

from .cores import Core
from .errors import LabError
from .simulation import OPEN, SEAL, Outcome, Simulation

DEFAULT_BLOCKS = (1, 2, 3, 4, 8, 16, 24, 32, 50, 64, 100, 150)
_AD = bytes(range(32))  # as long as the link's session context
_PACKETS = 12  # for the steady rate back to back; the first third is warm-up
_INTERLEAVED = 64


@dataclass(frozen=True)
class Cycles:
    """All figures are clock cycles, the larger of seal and open.  `total` and `packet` go by the number of blocks.

    `total_with_ad` (as much AD as message) and `ad_ratio` (the largest, to `total`) are None where AD goes first.
    """

    core: str
    params: dict[str, int]
    contexts: int
    key_setup: int
    ad_block: float
    setup: int
    message: float
    tag: float
    total: dict[int, int]
    packet: dict[int, float]
    total_with_ad: dict[int, int] | None = None
    ad_ratio: float | None = None

    def json(self) -> dict[str, object]:
        """The fields that the contract names, in its order; then those that only some cores have."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def _plain(value: Fraction) -> float:
    return int(value) if value.denominator == 1 else round(float(value), 4)


class _Meter:
    def __init__(self, core: Core, bench: Simulation, parameters: dict[str, int]) -> None:
        self.core, self.bench = core, bench
        self.nonce = bytes(i ^ 0x5A for i in range(parameters["NONCE_BITS"] // 8))
        self.sealed: dict[tuple[int, bool], tuple[bytes, bytes]] = {}  # ciphertext and tag of what was sealed
        self.block = core.block_bytes
        self.ad = None if core.ad_cache else b""

    def _finish(self) -> list[Outcome]:
        report = self.bench.flush()
        if report.violations or any(not outcome.done for outcome in report.outcomes):
            problem = report.violations[0] if report.violations else "a command gave no result"
            raise LabError(f"{self.core.name} breaks the port contract while cycles are counted: {problem}")
        return report.outcomes

    def queue(self, op: int, blocks: int, ctx: int = 0, with_ad: bool = False) -> None:
        text = bytes(i * 31 & 255 for i in range(blocks * self.block))
        ad = bytes(reversed(text)) if with_ad else self.ad
        if op == SEAL:
            self.bench.seal(self.nonce, ad, text, ctx)
        else:  # what is right: a core may be done with a forgery earlier
            if (blocks, with_ad) not in self.sealed:
                self.single(SEAL, blocks, with_ad)
            self.bench.open(self.nonce, ad, *self.sealed[blocks, with_ad], ctx)

    def single(self, op: int, blocks: int, with_ad: bool = False) -> tuple[int, int]:
        """(total, setup) of one message in an idle core; `with_ad`: with as much AD."""
        self.queue(op, blocks, with_ad=with_ad)
        outcome = self._finish()[0]
        if op == SEAL:
            self.sealed[blocks, with_ad] = outcome.out, outcome.tag
        elif not outcome.ok:
            raise LabError(f"{self.core.name} refuses what it sealed itself")
        return outcome.result_edge - outcome.accept_edge, outcome.out_edge - outcome.accept_edge

    def load_ad(self, ad: bytes) -> int:
        self.bench.load_ad(self.nonce, ad)
        outcome = self._finish()[0]
        return outcome.result_edge - outcome.accept_edge

    def full_house(self, op: int, blocks: int) -> int:
        """First cmd to last result with one packet in every context."""
        self.bench.stall("none")  # the same order of contexts every time
        for ctx in range(self.core.contexts):
            self.queue(op, blocks, ctx)
        outcomes = self._finish()
        return max(o.result_edge for o in outcomes) - min(o.accept_edge for o in outcomes)

    def steady(self, op: int, blocks: int) -> Fraction:
        """Cycles a packet when every context always has the next packet waiting."""
        count = _PACKETS * self.core.contexts
        for i in range(count):
            self.queue(op, blocks, i % self.core.contexts)
        results = sorted(outcome.result_edge for outcome in self._finish())
        # From the last result of a round of contexts to the last one of all: results come in bursts, one from each.
        warm = _PACKETS // 3 * self.core.contexts - 1
        return Fraction(results[-1] - results[warm], count - 1 - warm)


def measure(core: Core, parameters: dict[str, int], blocks: tuple[int, ...] = DEFAULT_BLOCKS) -> Cycles:
    """Count the cycles of one variant of a core."""
    wanted = sorted({*blocks, 50, 150})
    with Simulation.of(core, parameters) as bench:
        bench.stall("none")
        bench.key(bytes(i & 255 for i in range(parameters["KEY_BITS"] // 8)))
        key_setup = bench.flush().key_setup[0]
        meter = _Meter(core, bench, parameters)
        ad_block = Fraction(0)
        if core.ad_cache:
            full = core.ad_block_bytes
            ad_block = Fraction(meter.load_ad(bytes(150 * full)) - meter.load_ad(bytes(50 * full)), 100)
            meter.load_ad(_AD)
        single = {(op, n): meter.single(op, n) for op in (SEAL, OPEN) for n in wanted}
        total = {n: max(single[SEAL, n][0], single[OPEN, n][0]) for n in wanted}
        if core.contexts == 1:
            message = max(Fraction(single[op, 150][0] - single[op, 50][0], 100) for op in (SEAL, OPEN))
        else:
            n = _INTERLEAVED
            message = max(
                Fraction(meter.full_house(op, 2 * n) - meter.full_house(op, n), core.contexts * n)
                for op in (SEAL, OPEN)
            )
        setup = max(single[op, 150][1] for op in (SEAL, OPEN))
        # Of one message alone: an interleaved core needs its latency a block here, not its share of the throughput.
        alone = max(Fraction(single[op, 150][0] - single[op, 50][0], 100) for op in (SEAL, OPEN))
        packet = {n: _plain(max(meter.steady(op, n) for op in (SEAL, OPEN))) for n in sorted(blocks)}
        with_ad = ratio = None
        if core.ad_with_msg:
            with_ad = {n: max(meter.single(op, n, with_ad=True)[0] for op in (SEAL, OPEN)) for n in sorted(blocks)}
            ratio = _plain(max(Fraction(with_ad[n], total[n]) for n in with_ad))
    return Cycles(
        core.name, parameters, core.contexts, key_setup, _plain(ad_block), setup, _plain(message),
        _plain(total[150] - setup - 150 * alone), {n: total[n] for n in sorted(blocks)}, packet, with_ad, ratio,
    )  # fmt: skip
