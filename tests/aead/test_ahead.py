# SPDX-License-Identifier: Apache-2.0
"""Cores with blocks of several packets in flight: their pace, and that no packet meets another."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from functools import partial

import pytest
from sealwire_lab import cores
from sealwire_lab.simulation import OPEN, SEAL, STALLS, Outcome, Simulation
from sealwire_model.schemes import Aead, model

CORES = [core.name for core in cores.load().values() if core.kind == "aead" and core.commands > 1]
#: Share of the rate of long messages that messages of so many bytes with 8 bytes of associated data must reach
SHARES = {64: 0.4, 1536: 0.8}
PACKETS, WARM = 48, 16
KEY = bytes(range(16))
#: Around blocks and chunks; most packets have fewer blocks than the pipeline
SIZES = (0, 1, 8, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 80, 150)
Wanted = Callable[[Outcome], bool]


def reference(core: cores.Core, key: bytes = KEY) -> Aead:
    sizes = core.parameters()
    return model(core.scheme, key, sizes["TAG_BITS"] // 8, sizes["VERSION"])


def test_some_cores_take_commands_ahead() -> None:
    assert CORES == ["otr-aes128-p-p21", "otr-aes128-p-p21b"]


def pace(outcomes: list[Outcome]) -> float:
    """Cycles a packet, from result to result, once the pipeline is full."""
    edges = [outcome.result_edge for outcome in outcomes]
    assert edges == sorted(edges)
    return (edges[-1] - edges[WARM]) / (len(edges) - 1 - WARM)


@pytest.mark.parametrize("kinds", [(SEAL,), (OPEN,), (SEAL, OPEN)], ids=["seal", "open", "both"])
@pytest.mark.parametrize("size", SHARES)
@pytest.mark.parametrize("name", CORES)
def test_packets_back_to_back_keep_their_pace(name: str, size: int, kinds: tuple[int, ...]) -> None:
    core, source = cores.find(name), random.Random(1)
    with Simulation.of(core, core.parameters()) as bench:
        bench.stall("none")
        bench.key(KEY)
        for index in range(PACKETS):
            nonce, ad, msg = source.randbytes(12), source.randbytes(8), source.randbytes(size)
            if kinds[index % len(kinds)] == SEAL:
                bench.seal(nonce, ad, msg)
            else:
                bench.open(nonce, ad, *reference(core).seal(nonce, ad, msg))
        report = bench.flush()
    assert not report.violations and all(outcome.ok for outcome in report.outcomes)
    # Long messages take a cycle a block (test_contract).
    assert pace(report.outcomes) <= size / core.block_bytes / SHARES[size]


def _right(ok: bool, out: bytes, tag: bytes, got: Outcome) -> bool:
    return got.done and got.ok == ok and got.out == out and got.tag == (tag or bytes(len(got.tag)))


def _refused(begin: bytes, got: Outcome) -> bool:
    """Refused after no more output than `begin`, which is right."""
    return got.done and not got.ok and not any(got.tag) and begin.startswith(got.out)


def traffic(bench: Simulation, core: cores.Core, source: random.Random, count: int) -> list[Wanted]:
    """Packets of every kind, most of them short, each with what must become of it."""
    by_model, cache = reference(core), None
    wanted: list[Wanted] = []
    for _ in range(count):
        if source.random() < 0.05:
            key = source.randbytes(16)
            bench.key(key)
            by_model, cache = reference(core, key), None
        nonce, ad, msg = (source.randbytes(size) for size in (12, source.choice(SIZES), source.choice(SIZES)))
        given = None if source.random() < 0.3 else ad  # else from the cache
        used = given if given is not None else cache
        kind = source.choices(("seal", "open", "forged", "load", "bad", "bad AD"), (8, 8, 2, 1, 1, 1))[0]
        if kind == "load":
            bench.load_ad(nonce, ad)
            cache = ad
            wanted.append(partial(_right, True, b"", b""))
            continue
        lost = used is None  # there is no cache yet
        sealed, tag = by_model.seal(nonce, used or b"", msg)
        if kind.startswith("bad"):  # a short beat behind good ones, then two more that must not count
            op, good = source.choice((SEAL, OPEN)), source.randbytes(16 * source.choice((0, 1, 2, 3, 40)))
            string = [*(good[at : at + 16] for at in range(0, len(good), 16)), b"short", bytes(16), b"end"]
            long = good + bytes(64)
            begin = (by_model.seal if op == SEAL else partial(by_model.open, tag=tag))(nonce, used or b"", long)[0]
            if kind == "bad AD" and given is not None:
                bench.command(op, nonce, string, msg, tag if op == OPEN else None)
                begin = b""
            else:
                bench.command(op, nonce, given, string, tag if op == OPEN else None, cached=given is None)
            wanted.append(partial(_refused, b"" if lost else begin[: len(good)]))
        elif kind == "seal":
            bench.seal(nonce, given, msg)
            wanted.append(partial(_right, not lost, b"" if lost else sealed, b"" if lost else tag))
        else:
            forged = bytes([tag[0] ^ 1, *tag[1:]]) if kind == "forged" else tag
            bench.open(nonce, given, sealed, forged)
            wanted.append(partial(_right, kind == "open" and not lost, b"" if lost else msg, b""))
    return wanted


@pytest.mark.parametrize("stall", STALLS)
@pytest.mark.parametrize("name", CORES)
def test_dense_traffic_is_that_of_the_model(name: str, stall: str) -> None:
    core, seed = cores.find(name), int(os.environ["SEALWIRE_SEED"])
    with Simulation.of(core, core.parameters(), seed) as bench:
        bench.stall(stall, seed)
        bench.key(KEY)
        wanted = traffic(bench, core, random.Random(seed), 400)
        report = bench.flush()
    assert not report.violations, (seed, report.violations)
    wrong = [index for index, (one, got) in enumerate(zip(wanted, report.outcomes, strict=True)) if not one(got)]
    assert not wrong, f"seed {seed}, commands {wrong[:10]}: {report.outcomes[wrong[0]]}"


@pytest.mark.parametrize("name", CORES)
def test_the_tag_of_a_neighbour_is_no_tag(name: str) -> None:
    core, source = cores.find(name), random.Random(2)
    packets = [(source.randbytes(12), source.randbytes(8), source.randbytes(40)) for _ in range(20)]
    sealed = [reference(core).seal(*packet) for packet in packets]
    tags = [tag for _, tag in sealed]
    for at in range(0, 18, 3):
        tags[at], tags[at + 1] = tags[at + 1], tags[at]
    with Simulation.of(core, core.parameters()) as bench:
        bench.key(KEY)
        for (nonce, ad, _), (text, _), tag in zip(packets, sealed, tags, strict=True):
            bench.open(nonce, ad, text, tag)
        outcomes = bench.flush().outcomes
    assert [outcome.ok for outcome in outcomes] == [tag == good for tag, (_, good) in zip(tags, sealed, strict=True)]


@pytest.mark.parametrize("name", CORES)
def test_nothing_of_a_packet_is_left_in_the_next(name: str) -> None:
    """A packet that is sealed again and again has equal ciphertext and tag every time."""
    core = cores.find(name)
    nonce, ad, msg = bytes(12), b"a" * 40, b"m" * 70
    with Simulation.of(core, core.parameters()) as bench:
        bench.key(KEY)
        for _ in range(40):
            bench.seal(nonce, ad, msg)
        outcomes = bench.flush().outcomes
    assert {(outcome.out, outcome.tag) for outcome in outcomes} == {reference(core).seal(nonce, ad, msg)}


@pytest.mark.parametrize("how", ["clear", "rst"])
@pytest.mark.parametrize("name", CORES)
def test_clear_among_packets_leaves_no_trace(name: str, how: str) -> None:
    core = cores.find(name)
    for moment in (60, 90, 130, 170, 210, 260):
        states = []
        for secret in range(2):
            source = random.Random(secret)
            with Simulation.of(core, core.parameters()) as bench:
                bench.stall("none")
                bench.key(source.randbytes(16))
                for index in range(40):
                    strings = source.randbytes(12), source.randbytes(40), source.randbytes(60)
                    if index % 2:
                        bench.open(*strings, source.randbytes(16))
                    else:
                        bench.seal(*strings)
                bench.send(f"run {moment}")
                bench.send(how)
                bench.send("state")
                states += bench.flush().states
        assert len(states) == 2 and len(set(states)) == 1, f"{how} after {moment} cycles leaves a trace"
