# SPDX-License-Identifier: Apache-2.0
"""Behaviour of the MAC cores on the port contract, watched by the lab's harness in every cycle."""

import json
import os
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from sealwire_lab import cores, cycles, named_top
from sealwire_lab.cli import main
from sealwire_lab.simulation import STALLS, Outcome, Simulation
from sealwire_model import macs
from sealwire_model.answers import parse

ROOT = Path(__file__).parents[2]
#: Cycles for 1600 and 16640 bytes at one round a cycle; others divide, but for the odd rounds of a long call.
CYCLES = {
    "fsks64": (516, 5028), "fsks128": (504, 5016), "asconprf192": (552, 5568), "asconprf64": (1224, 12504),
    "asconfarfalle": (58, 434), "asconmacv13": (1312, 13062),
}  # fmt: skip
ODD = {"asconprf192-r8": (70, 697)}
ALL = [core for core in cores.load().values() if core.kind == "mac"]
MACS = [pytest.param(core, id=core.name, marks=pytest.mark.xdist_group(core.name)) for core in ALL]
each = pytest.mark.parametrize("core", MACS)


def sizes(core: cores.Core) -> list[int]:
    """Around the borders of the first two blocks."""
    block = core.block_bytes
    return [0, 1, block - 1, block, block + 1, 2 * block - 1, 2 * block, 2 * block + 1]


def bench(core: cores.Core, seed: int = 1, **parameters: int) -> Simulation:
    return Simulation.of(core, {**core.parameters(), **parameters}, seed)


@pytest.mark.parametrize("stall", STALLS)
@each
def test_tags_are_those_of_the_model_and_no_rule_is_broken(core: cores.Core, stall: str) -> None:
    seed = int(os.environ["SEALWIRE_SEED"])
    source = random.Random(seed)
    with bench(core, seed) as core_bench:
        core_bench.stall(stall, seed)
        core_bench.send("probe 1")  # no ready may depend on another channel's valid
        expected = []
        for index, size in enumerate([*sizes(core), *(source.randrange(5 * core.block_bytes) for _ in range(4))]):
            if index % 3 == 0:  # keys change, and are used again
                key = source.randbytes(16)
                core_bench.key(key)
            text = source.randbytes(size)
            tag = macs.tag(core.scheme, key, text)
            core_bench.compute(text)
            core_bench.verify(text, tag)
            core_bench.verify(text, bytes([*tag[:-1], tag[-1] ^ 0x80]))
            core_bench.compute(text)
            expected += [(True, tag), (True, bytes(16)), (False, bytes(16)), (True, tag)]
        report = core_bench.flush()
    assert not report.violations, (seed, report.violations)
    assert [(outcome.ok, outcome.tag) for outcome in report.outcomes] == expected, seed


@each
def test_every_bit_of_tag_message_and_key_counts(core: cores.Core) -> None:
    source = random.Random(1)
    key, text = source.randbytes(16), source.randbytes(core.block_bytes + 3)
    tag = macs.tag(core.scheme, key, text)

    def flips(string: bytes) -> list[bytes]:
        return [
            bytes(b ^ (1 << i % 8 if j == i // 8 else 0) for j, b in enumerate(string)) for i in range(8 * len(string))
        ]

    with bench(core) as core_bench:
        core_bench.key(key)
        core_bench.verify(text, tag)
        for wrong in flips(tag):
            core_bench.verify(text, wrong)
        for wrong in flips(text):
            core_bench.verify(wrong, tag)
        for wrong in flips(key):
            core_bench.key(wrong)
            core_bench.verify(text, tag)
        first, *rest = core_bench.flush().outcomes
    assert first.ok
    assert [place for place, outcome in enumerate(rest) if outcome.ok or not outcome.done] == []


@each
def test_lengths_of_the_same_bytes_have_different_tags(core: cores.Core) -> None:
    tags = []
    with bench(core) as core_bench:
        core_bench.key(bytes(16))
        for size in range(2 * core.block_bytes + 2):
            core_bench.compute(bytes(size))
        tags = [outcome.tag for outcome in core_bench.flush().outcomes]
    assert len(set(tags)) == len(tags)


@each
def test_a_malformed_message_is_taken_to_its_end_and_refused(core: cores.Core) -> None:
    full, key = bytes(core.block_bytes), bytes(range(16))
    short, none = full[:-1], b""
    tag = macs.tag(core.scheme, key, full + full)
    with bench(core) as core_bench:
        core_bench.key(key)
        for beats in ((short, full), (none, full), (full, none), (full, short, full), (none, none), (full, none, full)):
            core_bench.compute(beats)
            core_bench.verify(beats, tag)
        core_bench.compute((full, full))
        core_bench.verify((full, full), tag)
        *bad, computed, verified = core_bench.flush().outcomes
    assert_refused_with_tag_0(bad)
    assert computed.ok and computed.tag == tag and verified.ok


@each
def test_a_beat_with_more_bytes_than_the_port_has_is_refused(core: cores.Core) -> None:
    full, key = bytes(core.block_bytes), bytes(range(16))
    most = (1 << core.block_bytes.bit_length()) - 1  # that `bytes` can say
    tag = macs.tag(core.scheme, key, full)
    with bench(core) as core_bench:
        core_bench.key(key)
        for size in (core.block_bytes + 1, most):
            over = bytes(size)
            for beats in ((over,), (full, over), (over, full), (full, over, full), (over, b""), (over, bytes(1))):
                core_bench.compute(beats)
                core_bench.verify(beats, tag)
                core_bench.verify(full, tag)  # the core goes on
        outcomes = core_bench.flush().outcomes
    assert_refused_with_tag_0([outcome for at, outcome in enumerate(outcomes) if at % 3 < 2])
    assert all(outcome.ok for outcome in outcomes[2::3])


def assert_refused_with_tag_0(outcomes: list[Outcome]) -> None:
    assert all(outcome.done and not outcome.ok and outcome.tag == bytes(16) for outcome in outcomes)


def after_clear(
    core_bench: Simulation, core: cores.Core, how: str, moment: int, secret: int, text: bytes, key: bytes
) -> set[str]:
    """The state when the core was cleared so many cycles after it was given secrets; it works afterwards."""
    tag = macs.tag(core.scheme, key, text)
    source = random.Random(secret)
    core_bench.send("clear")
    core_bench.key(source.randbytes(16))
    core_bench.verify(source.randbytes(len(text)), source.randbytes(16))
    core_bench.compute(source.randbytes(len(text)))
    core_bench.send(f"run {moment}")
    core_bench.send(how)
    core_bench.send("state")
    core_bench.key(key)
    core_bench.compute(text)
    core_bench.verify(text, tag)
    report = core_bench.flush()
    assert not report.violations, (moment, report.violations)
    assert [outcome.ok for outcome in report.outcomes[-2:]] == [True, True], moment
    assert report.outcomes[-2].tag == tag
    return set(report.states)


@pytest.mark.parametrize("how", ["clear", "rst"])
@each
def test_clear_at_any_moment_leaves_no_trace_and_a_working_core(core: cores.Core, how: str) -> None:
    text, key = bytes(range(2 * core.block_bytes)), bytes(range(16))
    # Every cycle from the key to a verdict and beyond, for unrolled cores; where there are many, a part of them and
    # those around the verdict.
    with bench(core) as core_bench:
        core_bench.stall("none")
        core_bench.key(key)
        core_bench.verify(text, macs.tag(core.scheme, key, text))
        end = core_bench.flush().outcomes[0].result_edge + 6
        step = 1 if end < 40 else 3 if end < 90 else 7
        moments = sorted({*range(1, end, step), *range(end - 12, end)})
        states: set[str] = set()
        for moment in moments if core.shares == 1 else ():
            for secret in range(3):
                states |= after_clear(core_bench, core, how, moment, secret, text, key)
                assert len(states) == 1, f"{how} after {moment} cycles leaves a trace"
    # The seed that waits at the port, and how far the generators' start had come, are no secrets of the life before.
    for moment in moments if core.shares > 1 else ():
        states = set()
        for secret in range(3):
            with bench(core) as core_bench:
                core_bench.stall("none")
                states |= after_clear(core_bench, core, how, moment, secret, text, key)
        assert len(states) == 1, f"{how} after {moment} cycles leaves a trace"


def test_a_core_that_is_open_in_the_cycle_of_clear_is_seen(tmp_path: Path) -> None:
    # These cores clear in the cycle of the pulse, so that the rule of the clearing time can be broken in it alone.
    core = cores.find("asconprf64-r1")
    (ctrl,) = (source for source in core.sources if source.name == "sponge_ctrl.sv")
    open_ctrl = tmp_path / ctrl.name
    open_ctrl.write_text(re.sub(r" (&& !|\|\| )clear;", ";", ctrl.read_text()))
    broken = replace(core, sources=tuple(open_ctrl if source is ctrl else source for source in core.sources))
    seen = set()
    with bench(broken) as core_bench:
        core_bench.stall("none")
        for moment in range(60):
            core_bench.key(bytes(16))
            core_bench.verify(b"", bytes(16))
            core_bench.send(f"run {moment}")
            core_bench.send("clear")
            seen |= {violation.split(": ", 1)[1] for violation in core_bench.flush().violations}
    readys = {f"clear: {name}_ready while clearing" for name in ("key", "cmd", "msg", "tag_in")}
    assert seen == readys | {"clear: busy low in the cycle of the pulse"}


def test_a_state_before_clear_does_tell_the_secrets() -> None:
    states = []
    for secret in range(2):
        with bench(ALL[0]) as core_bench:
            core_bench.key(random.Random(secret).randbytes(16))
            core_bench.wait()
            core_bench.send("state")
            states += core_bench.flush().states
    assert states[0] != states[1]


@each
def test_at_rest_nothing_of_a_message_is_left(core: cores.Core) -> None:
    states = []
    for secret in range(2):
        source = random.Random(secret)
        with bench(core) as core_bench:
            core_bench.stall("none")
            core_bench.key(bytes(16))
            core_bench.verify(source.randbytes(100), source.randbytes(16))  # the same cycles, whatever the bytes
            core_bench.wait()
            if core.shares > 1:
                core_bench.send("run 8")  # what compared the tag in shares runs empty
            core_bench.send("state")
            states += core_bench.flush().states
    assert states[0] == states[1]


@each
def test_cycles_are_exactly_those_that_the_structure_needs(core: cores.Core) -> None:
    figures = cycles.measure(core, core.parameters(), (1, 2))
    rounds = core.defaults.get("ROUNDS_PER_CYCLE", 1)
    wanted = ODD.get(core.name) or tuple(count // rounds for count in CYCLES[core.scheme])
    assert figures.total_bytes is not None
    assert (figures.total_bytes[1600], figures.total_bytes[16640]) == wanted
    assert figures.key_setup == (12 if core.scheme == "asconfarfalle" else 0)


@pytest.mark.parametrize("scheme", CYCLES)
def test_the_other_byte_order_is_that_of_the_model(scheme: str) -> None:
    core = next(core for core in ALL if core.scheme == scheme)
    source = random.Random(5)
    key = source.randbytes(16)
    with bench(core, BYTES_LE=0) as core_bench:
        core_bench.key(key)
        texts = [source.randbytes(size) for size in sizes(core)]
        for text in texts:
            core_bench.compute(text)
        report = core_bench.flush()
    assert [o.tag for o in report.outcomes] == [macs.tag(scheme, key, text, little=False) for text in texts]


@pytest.mark.parametrize("little", [1, pytest.param(0, marks=pytest.mark.exhaustive)])
def test_the_skeleton_gives_the_published_answers_of_the_standard_mac(little: int) -> None:
    vectors = parse(ROOT / "vectors" / ("asconmacv13.rsp" if little else "asconmacv12.rsp"))
    model = cores.find("fsks128-r2")
    top = ROOT / "tests" / "mac" / "standard_mac.sv"
    core = replace(model, name="standard-mac", top="standard_mac", data_bits=256, sources=(*model.sources[:-1], top))
    with bench(core, BYTES_LE=little) as core_bench:
        records = vectors.mac[::13]
        for record in records:
            core_bench.key(record.key)
            core_bench.compute(record.message)
        report = core_bench.flush()
    assert [outcome.tag for outcome in report.outcomes] == [record.tag for record in records]


@pytest.mark.parametrize(
    ("scheme", "rate", "rounds"),
    [
        ("asconmaca", 320, 8),
        *(pytest.param(*kind, marks=pytest.mark.exhaustive) for kind in (("asconprf64", 64, 6), ("fsks128", 320, 12))),
    ],
)
def test_the_core_in_shares_is_any_sponge_of_one_squeeze(scheme: str, rate: int, rounds: int, tmp_path: Path) -> None:
    model = cores.find("asconmac-m1")
    parameters = {**model.parameters(), "DATA_BITS": rate}
    text = named_top.render(
        model.contract, "other_sponge", model.module, {"ROUNDS_A": 12, "ROUNDS_B": rounds}, parameters, {}, scheme
    )
    top = tmp_path / "other_sponge.sv"
    top.write_text(text)
    core = replace(
        model, name="other-sponge", top=top.stem, scheme=scheme, data_bits=rate, block_bytes=rate // 8,
        sources=(*model.sources[:-1], top),
    )  # fmt: skip
    source = random.Random(3)
    expected = []
    with bench(core) as core_bench:
        for size in sizes(core):
            key, text_bytes = source.randbytes(16), source.randbytes(size)
            core_bench.key(key)
            core_bench.compute(text_bytes)
            tag = macs.tag(scheme, key, text_bytes)
            core_bench.verify(text_bytes, tag)
            expected += [(True, tag), (True, bytes(16))]
        report = core_bench.flush()
    assert not report.violations
    assert [(outcome.ok, outcome.tag) for outcome in report.outcomes] == expected


def test_a_wrong_answer_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head, first, second, *_ = (ROOT / "vectors" / "fsks128.rsp").read_text().split("\n\n")
    path = tmp_path / "fsks128.rsp"
    path.write_text("\n\n".join([head, first, second.replace("Tag = ", "Tag = 00", 1)[:-2]]) + "\n")
    assert main(["kat", "--core", "fsks128-r2", str(path)]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines()[-1] == "1 passed, 1 failed"
    assert "tag differs" in err


@pytest.mark.exhaustive
def test_activity_is_counted_over_the_cycles_of_the_message(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["activity", "--core", "asconprf64-r1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["cycles"] == CYCLES["asconprf64"][0]
    # Half of the state, of its columns and of what it takes next change every cycle; the rest of the core does less.
    assert 1.5 < found["toggles"] / (found["cycles"] * 320) < 1.9
