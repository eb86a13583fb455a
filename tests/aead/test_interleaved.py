# SPDX-License-Identifier: Apache-2.0
"""Cores that interleave packets: every context is right whatever the others do, and costs them nothing when it waits.

The oracle is the Python package `sealwire`.  Every run names its seed; SEALWIRE_SEED repeats it.
"""

from __future__ import annotations

import os
import random
from dataclasses import dataclass, replace

import pytest
from sealwire import AEAD
from sealwire_lab import cores, cycles
from sealwire_lab.simulation import OPEN, SEAL, STALLS, Outcome, Report, Simulation

CORES = [name for name, core in cores.load().items() if core.kind == "aead" and core.contexts > 1]
#: Cycles a block over all contexts, sealing and opening; none where the contract states no figure.
MESSAGE = {"omd-blake2b-x8": (12, 13), "omd-sha512-x4": (40.5, 40.5)}
LENGTHS = (0, 1, 8, 63, 64, 65, 127, 128, 129, 200, 512, 1000)
AD_LENGTHS = (0, 0, 0, 1, 16, 127, 128, 129, 256, 300)


@dataclass
class Packet:
    """A command and what must come of it."""

    ctx: int
    op: int
    nonce: bytes
    ad: bytes | None  # None: the cached one
    text: bytes
    tag: bytes | None
    ok: bool
    out: bytes
    out_tag: bytes

    def queue(self, bench: Simulation) -> None:
        bench.command(self.op, self.nonce, self.ad, self.text, self.tag, cached=self.ad is None, ctx=self.ctx)

    def judge(self, outcome: Outcome) -> str:
        """What is wrong, or nothing."""
        if not outcome.done:
            return "no result"
        if outcome.ok != self.ok:
            return f"ok = {outcome.ok}"
        if outcome.out != self.out:
            return "wrong out"
        return "" if outcome.tag == self.out_tag else "wrong tag"


class Traffic:
    """Random packets under one key."""

    def __init__(self, core: cores.Core, seed: int, **sizes: int) -> None:
        self.core, self.random, self.parameters = core, random.Random(seed), core.parameters(**sizes)
        bits = self.parameters
        name = f"k{bits['KEY_BITS']}n{bits['NONCE_BITS']}tau{bits['TAG_BITS']}v{bits['VERSION']}"
        self.key = self.random.randbytes(bits["KEY_BITS"] // 8)
        self.aead = AEAD(core.scheme + name, self.key)
        self.cached = self.random.randbytes(150)

    def packet(self, ctx: int, length: int | None = None, op: int | None = None) -> Packet:
        """One packet: sealed, opened, or opened with a wrong tag; with its own or the cached AD."""
        pick = self.random
        nonce = pick.randbytes(self.parameters["NONCE_BITS"] // 8)
        ad = None if pick.random() < 0.3 else pick.randbytes(pick.choice(AD_LENGTHS))
        text = pick.randbytes(pick.choice(LENGTHS) if length is None else length)
        sealed = self.aead.encrypt(nonce, text, self.cached if ad is None else ad)
        tag_bytes = self.parameters["TAG_BITS"] // 8
        ciphertext, tag = sealed[: len(text)], sealed[len(text) :]
        assert len(tag) == tag_bytes
        if (pick.choice((SEAL, OPEN)) if op is None else op) == SEAL:
            return Packet(ctx, SEAL, nonce, ad, text, None, True, ciphertext, tag)
        forged = pick.random() < 0.2
        if forged:
            tag = bytes([tag[0] ^ 1 << pick.randrange(8)]) + tag[1:]
        return Packet(ctx, OPEN, nonce, ad, ciphertext, tag, not forged, text, bytes(tag_bytes))

    def start(self, bench: Simulation) -> None:
        """Key and cache."""
        bench.key(self.key)
        ctx = self.random.randrange(self.core.contexts)
        bench.load_ad(bytes(self.parameters["NONCE_BITS"] // 8), self.cached, ctx)
        assert bench.flush().outcomes[0].ok


def a_seed() -> int:
    return int(os.environ["SEALWIRE_SEED"])


def check(packets: list[Packet], report: Report, seed: int) -> None:
    wrong = [
        f"packet {index}, context {packet.ctx}, op {packet.op}, {len(packet.text)} bytes: {problem}"
        for index, (packet, outcome) in enumerate(zip(packets, report.outcomes, strict=True))
        if (problem := packet.judge(outcome))
    ]
    assert not wrong and not report.violations, (seed, wrong[:10], report.violations[:5])


def sent(bench: Simulation, packets: list[Packet]) -> Report:
    for packet in packets:
        packet.queue(bench)
    return bench.flush()


@pytest.mark.parametrize("stall", STALLS)
@pytest.mark.parametrize("name", CORES)
def test_mixed_traffic_comes_out_as_the_library_says(name: str, stall: str) -> None:
    core, seed = cores.find(name), a_seed()
    traffic = Traffic(core, seed)
    with Simulation.of(core, traffic.parameters, seed) as bench:
        traffic.start(bench)
        bench.stall(stall, seed)
        for _ in range(3):
            packets = [traffic.packet(traffic.random.randrange(core.contexts)) for _ in range(120)]
            check(packets, sent(bench, packets), seed)


SIZES = [(512, 256, 512, 1)]
MORE_SIZES = [(256, 128, 128, 2), (80, 96, 32, 1), (512, 504, 512, 2)]


@pytest.mark.parametrize(
    ("key", "nonce", "tag", "version"),
    [*SIZES, *(pytest.param(*sizes, marks=pytest.mark.exhaustive) for sizes in MORE_SIZES)],
)
@pytest.mark.parametrize("name", CORES)
def test_mixed_traffic_with_other_sizes(name: str, key: int, nonce: int, tag: int, version: int) -> None:
    core, seed = cores.find(name), a_seed()
    traffic = Traffic(core, seed, KEY_BITS=key, NONCE_BITS=nonce, TAG_BITS=tag, VERSION=version)
    with Simulation.of(core, traffic.parameters, seed) as bench:
        traffic.start(bench)
        packets = [traffic.packet(index % core.contexts) for index in range(80)]
        check(packets, sent(bench, packets), seed)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("name", "contexts"), [("omd-sha512-x4", 2)])
def test_mixed_traffic_with_fewer_contexts(name: str, contexts: int) -> None:
    core, seed = replace(cores.find(name), contexts=contexts), a_seed()
    traffic = Traffic(core, seed)
    with Simulation.of(core, traffic.parameters, seed) as bench:
        traffic.start(bench)
        packets = [traffic.packet(traffic.random.randrange(contexts)) for _ in range(120)]
        check(packets, sent(bench, packets), seed)


@pytest.mark.parametrize("name", CORES)
def test_every_combination_of_contexts(name: str) -> None:
    core, seed = cores.find(name), a_seed()
    traffic = Traffic(core, seed)
    with Simulation.of(core, traffic.parameters, seed) as bench:
        traffic.start(bench)
        for used in range(1, 1 << core.contexts):
            packets = [traffic.packet(ctx) for ctx in range(core.contexts) if used >> ctx & 1]
            check(packets, sent(bench, packets), seed)


@pytest.mark.parametrize("stall", ["none", "both"])
@pytest.mark.parametrize("name", CORES)
def test_a_packet_alone_gives_what_it_gives_in_company(name: str, stall: str) -> None:
    core, seed = cores.find(name), a_seed()
    traffic = Traffic(core, seed)
    with Simulation.of(core, traffic.parameters, seed) as bench:
        traffic.start(bench)
        bench.stall(stall, seed)
        packets = [traffic.packet(index % core.contexts) for index in range(5 * core.contexts)]
        company = sent(bench, packets)
        check(packets, company, seed)
        for packet, before in zip(packets, company.outcomes, strict=True):
            alone = sent(bench, [packet]).outcomes[0]
            assert (alone.ok, alone.out, alone.tag) == (before.ok, before.out, before.tag), seed


@pytest.mark.parametrize("what", ["ad", "msg", "tag"])
@pytest.mark.parametrize("name", CORES)
def test_a_context_that_waits_for_input_costs_the_others_nothing(name: str, what: str) -> None:
    core, seed = cores.find(name), a_seed()
    spent = []
    for waiting in (False, True):
        traffic = Traffic(core, seed)
        with Simulation.of(core, traffic.parameters, seed) as bench:
            traffic.start(bench)
            if waiting:  # its string never comes
                nonce = bytes(traffic.parameters["NONCE_BITS"] // 8)
                tag = bytes(traffic.parameters["TAG_BITS"] // 8)
                ad, msg = b"x" * 100, b"y" * 100
                bench.command(
                    OPEN, nonce, None if what == "ad" else ad, None if what == "msg" else msg,
                    None if what == "tag" else tag, ctx=0,
                )  # fmt: skip
                bench.send("run 1500")
            bench.stall("none")
            packets = [traffic.packet(ctx, 4480, SEAL) for ctx in range(1, core.contexts)]
            for packet in packets:
                packet.queue(bench)
            bench.send("run 14000")
            bench.send("clear")
            report = bench.flush()
        outcomes = report.outcomes[1:] if waiting else report.outcomes
        check(packets, Report(outcomes, report.violations), seed)
        spent.append(max(o.result_edge for o in outcomes) - min(o.accept_edge for o in outcomes))
    # The turn of a context comes every `contexts` cycles: where it stands when a string comes is chance.
    # A context that did cost its share would cost the others 1/8 or 1/4.
    assert spent[1] <= spent[0] * 1.01, (seed, spent)


@pytest.mark.parametrize("name", CORES)
def test_no_ready_depends_on_a_valid_and_all_rules_hold_in_all_contexts(name: str) -> None:
    core, seed = cores.find(name), a_seed()
    with Simulation.of(core, core.parameters(), seed) as bench:
        for stall in ("none", "both"):
            traffic = Traffic(core, seed)
            traffic.start(bench)
            bench.stall(stall, seed)
            bench.send("probe 1")
            packets = [traffic.packet(traffic.random.randrange(core.contexts)) for _ in range(60)]
            check(packets, sent(bench, packets), seed)


@pytest.mark.parametrize("how", ["clear", "rst"])
@pytest.mark.parametrize("name", CORES)
def test_after_clear_nothing_of_any_context_is_left(name: str, how: str) -> None:
    core, seed = cores.find(name), a_seed()
    for before in (1, 100, 700, 1500, 5000):  # in key work, in the table, with all contexts at work, at rest
        states = []
        for secret in range(3):
            with Simulation.of(core, core.parameters()) as bench:
                bench.stall("none")
                traffic = Traffic(core, seed + secret)
                bench.key(traffic.key)
                some = traffic.random.randbytes
                for ctx in range(core.contexts):
                    if ctx % 2:
                        bench.open(some(32), some(140), some(700), some(32), ctx)
                    else:
                        bench.seal(some(32), some(140), some(700), ctx)
                bench.send(f"run {before}")
                bench.send(how)
                bench.send("state")
                report = bench.flush()
                assert not report.violations, report.violations
                states += report.states
        assert len(states) == 3 and len(set(states)) == 1, f"{how} after {before} cycles leaves a trace"


@pytest.mark.parametrize("name", MESSAGE)
def test_blocks_take_the_cycles_of_the_contract_over_all_contexts(name: str) -> None:
    core = cores.find(name)
    with Simulation.of(core, core.parameters()) as bench:
        bench.key(bytes(range(64)))
        meter = cycles._Meter(core, bench, core.parameters())
        meter.load_ad(b"session")
        for op, bar in zip((SEAL, OPEN), MESSAGE[name], strict=True):
            spent = meter.full_house(op, 128 * core.block_bytes) - meter.full_house(op, 64 * core.block_bytes)
            # The bench offers the contexts in any order: where each stands in its turn at the start is chance.
            assert spent <= bar * core.contexts * 64 + core.contexts, (op, spent / core.contexts / 64)


@pytest.mark.parametrize("name", MESSAGE)
def test_packets_are_not_counted_faster_than_their_calls_take(name: str) -> None:
    core = cores.find(name)
    with Simulation.of(core, core.parameters()) as bench:
        bench.stall("none")
        bench.key(bytes(range(64)))
        meter = cycles._Meter(core, bench, core.parameters())
        meter.load_ad(b"session")
        for op, block in zip((SEAL, OPEN), MESSAGE[name], strict=True):
            calls = 24 + 2  # the nonce's, <tau>'s, one a block
            assert min(MESSAGE[name]) * calls <= meter.steady(op, 24 * core.block_bytes) <= block * calls * 1.05
