# SPDX-License-Identifier: Apache-2.0
"""Counts the cycles of a core in simulation (never derived), as the port contract defines them.

Edges after the one that accepts `cmd`, up to and including the one that raises `result_valid`; key loaded, core idle,
sources always valid, sinks always ready, full blocks, AD cached (empty for a core without a cache).  A core that takes
AD and message in step is counted a second time with as much AD as message.  Of a MAC a message of n blocks is n full
blocks: the block of padding that follows is part of its tag; it is counted at lengths in bytes too.
"""

from dataclasses import asdict, dataclass
from fractions import Fraction

from .cores import Core
from .errors import LabError
from .results.record import PACKET_BYTES
from .simulation import OPEN, SEAL, Outcome, Simulation

DEFAULT_BLOCKS = (1, 2, 3, 4, 8, 16, 24, 32, 50, 64, 100, 150)
#: Lengths in bytes at which a MAC is counted: those of records, and those of the Ascon-MAC slides.
SIZES = (*PACKET_BYTES, 1600, 16640)
_AD = bytes(range(32))  # as long as the link's session context
_PACKETS = 12  # for the steady rate back to back; the first third is warm-up
_INTERLEAVED = 64


@dataclass(frozen=True)
class Cycles:
    """All figures are clock cycles, the larger of both directions.  `total` and `packet` go by the number of blocks.

    `total_with_ad` (as much AD as message) and `ad_ratio` (the largest, to `total`) are None where AD goes first;
    `total_bytes` and `packet_bytes` are those of a MAC by the length in bytes, where a last block may be partial.
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
    total_bytes: dict[int, int] | None = None
    packet_bytes: dict[int, float] | None = None

    def json(self) -> dict[str, object]:
        """The fields that the contract names, in its order; then those that only some cores have."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def _plain(value: Fraction) -> float:
    return int(value) if value.denominator == 1 else round(float(value), 4)


class _Meter:
    """Sizes are bytes of message.  SEAL and OPEN are compute and verify of a MAC."""

    def __init__(self, core: Core, bench: Simulation, parameters: dict[str, int]) -> None:
        self.core, self.bench = core, bench
        self.aead = core.kind == "aead"
        self.nonce = bytes(i ^ 0x5A for i in range(parameters["NONCE_BITS"] // 8)) if self.aead else b""
        self.sealed: dict[tuple[int, bool], tuple[bytes, bytes]] = {}  # ciphertext and tag of what was sealed
        self.ad = None if core.ad_cache else b""

    def _finish(self) -> list[Outcome]:
        report = self.bench.flush()
        if report.violations or not all(outcome.done and outcome.ok for outcome in report.outcomes):
            problem = report.violations[0] if report.violations else "a command gave no good result"
            raise LabError(f"{self.core.name} breaks the port contract while cycles are counted: {problem}")
        return report.outcomes

    def queue(self, op: int, size: int, ctx: int = 0, with_ad: bool = False) -> None:
        text = bytes(i * 31 & 255 for i in range(size))
        ad = bytes(reversed(text)) if with_ad else self.ad
        if (
            op == OPEN and (size, with_ad) not in self.sealed
        ):  # what is right: a core may be done with a forgery earlier
            self.single(SEAL, size, with_ad)
        if not self.aead:
            self.bench.command(op, msg=text, tag=self.sealed[size, with_ad][1] if op == OPEN else None)
        elif op == SEAL:
            self.bench.seal(self.nonce, ad, text, ctx)
        else:
            self.bench.open(self.nonce, ad, *self.sealed[size, with_ad], ctx)

    def single(self, op: int, size: int, with_ad: bool = False) -> tuple[int, int]:
        """(total, setup) of one message in an idle core; `with_ad`: with as much AD."""
        self.queue(op, size, with_ad=with_ad)
        outcome = self._finish()[0]
        if op == SEAL:
            self.sealed[size, with_ad] = outcome.out, outcome.tag
        return outcome.result_edge - outcome.accept_edge, outcome.out_edge - outcome.accept_edge

    def total(self, size: int, with_ad: bool = False) -> int:
        """The larger of both directions."""
        return max(self.single(op, size, with_ad)[0] for op in (SEAL, OPEN))

    def load_ad(self, ad: bytes) -> int:
        self.bench.load_ad(self.nonce, ad)
        outcome = self._finish()[0]
        return outcome.result_edge - outcome.accept_edge

    def full_house(self, op: int, size: int) -> int:
        """First cmd to last result with one packet in every context."""
        self.bench.stall("none")  # the same order of contexts every time
        for ctx in range(self.core.contexts):
            self.queue(op, size, ctx)
        outcomes = self._finish()
        return max(o.result_edge for o in outcomes) - min(o.accept_edge for o in outcomes)

    def steady(self, op: int, size: int) -> Fraction:
        """Cycles a packet when every context always has the next packet waiting."""
        count = _PACKETS * self.core.contexts
        for i in range(count):
            self.queue(op, size, i % self.core.contexts)
        results = sorted(outcome.result_edge for outcome in self._finish())
        # From the last result of a round of contexts to the last one of all: results come in bursts, one from each.
        warm = _PACKETS // 3 * self.core.contexts - 1
        return Fraction(results[-1] - results[warm], count - 1 - warm)

    def packet(self, size: int) -> float:
        """The larger of both directions."""
        return _plain(max(self.steady(op, size) for op in (SEAL, OPEN)))


def measure(core: Core, parameters: dict[str, int], blocks: tuple[int, ...] = DEFAULT_BLOCKS) -> Cycles:
    """Count the cycles of one variant of a core."""
    block, counted = core.block_bytes, sorted(blocks)
    aead = core.kind == "aead"
    with Simulation.of(core, parameters) as bench:
        bench.stall("none")
        bench.key(bytes(i & 255 for i in range(parameters["KEY_BITS"] // 8)))
        key_setup = bench.flush().key_setup[0]
        meter = _Meter(core, bench, parameters)
        ad_block = Fraction(0)
        if aead and core.ad_cache:
            full = core.ad_block_bytes
            ad_block = Fraction(meter.load_ad(bytes(150 * full)) - meter.load_ad(bytes(50 * full)), 100)
            meter.load_ad(_AD)
        single = {(op, n): meter.single(op, n * block) for op in (SEAL, OPEN) for n in sorted({*blocks, 50, 150})}
        total = {n: max(single[SEAL, n][0], single[OPEN, n][0]) for _, n in single}
        # Of one message alone: an interleaved core needs its latency a block for it, not its share of the throughput.
        alone = message = max(Fraction(single[op, 150][0] - single[op, 50][0], 100) for op in (SEAL, OPEN))
        if core.contexts > 1:
            size = _INTERLEAVED * block
            more = max(meter.full_house(op, 2 * size) - meter.full_house(op, size) for op in (SEAL, OPEN))
            message = Fraction(more, core.contexts * _INTERLEAVED)
        setup = max(single[op, 150][1] for op in (SEAL, OPEN)) if aead else 0
        packet = {n: meter.packet(n * block) for n in counted}
        with_ad = ratio = None
        if core.ad_with_msg:
            with_ad = {n: meter.total(n * block, with_ad=True) for n in counted}
            ratio = _plain(max(Fraction(with_ad[n], total[n]) for n in with_ad))
        return Cycles(
            core.name, parameters, core.contexts, key_setup, _plain(ad_block), setup, _plain(message),
            _plain(total[150] - setup - 150 * alone), {n: total[n] for n in counted}, packet, with_ad, ratio,
            None if aead else {n: meter.total(n) for n in SIZES}, None if aead else {n: meter.packet(n) for n in SIZES},
        )  # fmt: skip
