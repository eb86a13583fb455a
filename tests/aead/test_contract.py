# SPDX-License-Identifier: Apache-2.0
"""Rules of the port contract on the real cores, watched by the lab's harness in every cycle."""

import json
import os
import random

import pytest
from sealwire_lab import cores, cycles
from sealwire_lab.cli import main
from sealwire_lab.simulation import OPEN, STALLS, Report, Simulation

#: Most cycles a message block, and most cycles beside the blocks
BARS = {
    "omd-sha512-r1": (81, 170),
    "omd-blake2b-f": (13, 36),
    "omd-sha512-r2": (41, 90),
    "pomd-sha256-r1": (65, 140),
    "pomd-sha512-r1": (81, 170),
    "pomd-blake2b-f": (13, 36),
    "omd-blake2b-h": (25, 60),
    "omd-sha256-r1": (65, 140),
    "sivomdp-sha512-r1": (129.5, 170),
    "sivomds-sha512-r1": (129.5, 170),
    "otr-aes128-p-r1": (10, 45),
    "otr-aes128-s-r1": (10, 45),
    "otr-aes256-p-r1": (14, 53),
    "otr-aes128-p-p2": (10, 114),
    "otr-aes128-p-p3": (10, 141),
    "otr-aes128-p-p4": (10.1, 181),  # 10 in the long run, in bursts of which 50 and 150 blocks end at different points
    "otr-aes128-p-p21": (1, 104),
    "otr-aes128-p-p21b": (1, 104),
    "otr-aes128-p-m1": (22, 414),
    "ascon-aead128-r1": (8, 31),
    "ascon-aead128-r2": (4, 19),
    "ascon-aead128-r4": (2, 12),
    "ascon-aead128-m1": (8, 71),
    "ocb-aes128-r1": (10, 48),
    "ocb-aes128-p2": (10, 78),
    "ocb-aes128-p3": (10.1, 109),  # 30 cycles every three blocks: 10, which a hundred blocks do not show
    "ocb-aes128-p4": (10, 138),
    "ocb-aes128-p21b": (1, 81),
    "deoxysii-128-r1": (28, 40),
    "deoxysii-128-p2": (28, 87),
    "deoxysii-128-p29": (2, 107),
    "deoxysi-128-r1": (14, 31),
    "deoxysi-128-p2": (14, 59),
    "scream10-r1": (20, 39),
    "scream10-p2": (20, 79),
    "scream12-r1": (24, 43),
    "scream12-p2": (24, 91),
    "colm-aes128-r1": (20, 52),
    "colm-aes128-p2": (20.1, 89),  # 60 cycles every three blocks: 20, which a hundred blocks do not show
    "copa-aes128-r1": (20, 56),
    "copa-aes128-p2": (20.1, 93),  # 60 cycles every three blocks, as in colm-aes128-p2
    "aegis128l-r1": (1, 23),
    "minalpher-r1": (36, 68),
    "minalpher-p2": (36, 126),
    "gcm-aes128-r1": (10, 41),
    "gcm-aes128-p2": (10, 61),
}
CORES = list(BARS)


def test_every_core_has_bars() -> None:  # interleaved cores have theirs in test_interleaved.py
    known = {core.name for core in cores.load().values() if core.kind == "aead" and core.contexts == 1}
    assert set(CORES) == known, (
        f'BARS: add a line "NAME": (cycles a message block, cycles beside the blocks) for each of '
        f"{sorted(known - set(CORES))}, the most that you allow it (`sealwire-lab cycles --core NAME` counts them); "
        f"remove {sorted(set(CORES) - known)}"
    )


def talk(bench: Simulation, source: random.Random, core: cores.Core, commands: int) -> Report:
    """Random commands of every kind, back to back, with key changes in between."""
    sizes = core.parameters()
    for index in range(commands):
        if index % 7 == 0:
            bench.key(source.randbytes(sizes["KEY_BITS"] // 8))
        nonce = source.randbytes(sizes["NONCE_BITS"] // 8)
        ad, msg = source.randbytes(source.choice((0, 1, 128, 200))), source.randbytes(source.choice((0, 9, 64, 130)))
        kind = source.randrange(5)
        if kind == 0:
            bench.load_ad(nonce, ad)
        elif kind == 1:
            bench.seal(nonce, None, msg)
        elif kind == 2:
            bench.open(nonce, ad, msg, source.randbytes(sizes["TAG_BITS"] // 8))
        else:
            bench.seal(nonce, ad, msg)
    return bench.flush()


@pytest.mark.parametrize("stall", STALLS)
@pytest.mark.parametrize("name", CORES)
def test_no_rule_is_broken_in_random_traffic(name: str, stall: str) -> None:
    core, seed = cores.find(name), int(os.environ["SEALWIRE_SEED"])
    with Simulation.of(core, core.parameters(), seed) as bench:
        bench.stall(stall, seed)
        bench.send("probe 1")  # no ready may depend on another channel's valid
        report = talk(bench, random.Random(seed), core, 60)
    assert not report.violations, (seed, report.violations)
    assert all(outcome.done for outcome in report.outcomes), seed


@pytest.mark.parametrize("name", CORES)
def test_every_bit_of_nonce_ad_ciphertext_and_tag_counts(name: str) -> None:
    core, source = cores.find(name), random.Random(1)
    sizes = core.parameters()
    with Simulation.of(core, sizes) as bench:
        bench.key(source.randbytes(sizes["KEY_BITS"] // 8))
        nonce, ad, msg = source.randbytes(sizes["NONCE_BITS"] // 8), source.randbytes(31), source.randbytes(97)
        bench.seal(nonce, ad, msg)
        sealed = bench.flush().outcomes[0]
        good = [nonce, ad, sealed.out, sealed.tag]
        bench.open(*good)
        places = [(which, bit) for which, string in enumerate(good) for bit in range(8 * len(string))]
        for which, bit in places:
            strings = [bytearray(string) for string in good]
            strings[which][bit // 8] ^= 1 << bit % 8
            bench.open(*map(bytes, strings))
        first, *forged = bench.flush().outcomes
    assert first.ok and first.out == msg
    accepted = [place for place, outcome in zip(places, forged, strict=True) if outcome.ok or not outcome.done]
    assert not accepted, f"(string, bit) that do not count: {accepted}"


@pytest.mark.parametrize("how", ["clear", "rst"])
@pytest.mark.parametrize("name", CORES)
def test_after_clear_the_whole_state_is_the_same_whatever_the_secrets_were(name: str, how: str) -> None:
    core = cores.find(name)
    sizes = core.parameters()
    key, nonce, tag = (sizes[f"{which}_BITS"] // 8 for which in ("KEY", "NONCE", "TAG"))
    moments = [1, 50, 90, 200, 333]  # in key work, in AD, in the message, at rest
    if "MAX_MSG_BYTES" in sizes:
        moments += [500, 700, 900, 1100, 1300]  # in both passes and between them
    for cycles_before in moments:
        states = []
        for secret in range(3):
            source = random.Random(secret)
            with Simulation.of(core, core.parameters()) as bench:
                bench.stall("none")
                bench.key(source.randbytes(key))
                bench.load_ad(bytes(nonce), source.randbytes(40))
                bench.wait()
                bench.seal(source.randbytes(nonce), None, source.randbytes(100))
                bench.open(source.randbytes(nonce), source.randbytes(200), source.randbytes(300), source.randbytes(tag))
                bench.send(f"run {cycles_before}")
                bench.send(how)
                bench.send("state")
                report = bench.flush()
                assert not report.violations
                states += report.states
        assert len(states) == 3 and len(set(states)) == 1, f"{how} after {cycles_before} cycles leaves a trace"


@pytest.mark.parametrize("how", ["clear", "rst"])
@pytest.mark.parametrize("name", CORES)
def test_clear_wipes_the_computed_tag_while_it_waits_for_the_other(name: str, how: str) -> None:
    core = cores.find(name)
    sizes = core.parameters()
    states = []
    for secret in range(3):
        source = random.Random(secret)
        key, nonce = (source.randbytes(sizes[f"{which}_BITS"] // 8) for which in ("KEY", "NONCE"))
        with Simulation.of(core, sizes) as bench:
            bench.stall("none")
            bench.key(key)
            bench.command(OPEN, nonce, source.randbytes(30), source.randbytes(50))  # its tag never comes
            bench.send("run 900")
            bench.send(how)
            bench.send("state")
            states += bench.flush().states
    assert len(states) == 3 and len(set(states)) == 1, f"{how} leaves a trace"


@pytest.mark.parametrize("how", ["clear", "rst"])
@pytest.mark.parametrize("name", [name for name in CORES if "MAX_MSG_BYTES" not in cores.find(name).parameters()])
def test_after_clear_a_good_opening_looks_like_a_forged_one(name: str, how: str) -> None:
    core, source = cores.find(name), random.Random(1)
    sizes = core.parameters()
    key, nonce = (source.randbytes(sizes[f"{which}_BITS"] // 8) for which in ("KEY", "NONCE"))
    with Simulation.of(core, sizes) as bench:
        bench.key(key)
        bench.seal(nonce, b"", bytes(50))
        sealed = bench.flush().outcomes[0]
    verdicts, states = [], []
    for tag in (sealed.tag, bytes([sealed.tag[0] ^ 1]) + sealed.tag[1:]):
        with Simulation.of(core, sizes) as bench:
            bench.stall("none")
            bench.key(key)
            bench.open(nonce, b"", sealed.out, tag)
            bench.wait()
            bench.send("run 900")
            bench.send(how)
            bench.send("run 3")  # assertions look at the last cycle's values
            bench.send("state")
            report = bench.flush()
            verdicts.append(report.outcomes[0].ok)
            states += report.states
    assert verdicts == [True, False] and len(set(states)) == 1, f"{how} leaves a trace"


@pytest.mark.parametrize("how", ["clear", pytest.param("rst", marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("name", CORES)
def test_after_clear_in_any_cycle_a_core_works_like_a_new_one(name: str, how: str) -> None:
    """What was under way when the pulse came shows nowhere, whether `out` was taken or not."""
    core, source = cores.find(name), random.Random(1)
    sizes = core.parameters()
    key, nonce, tag = (source.randbytes(sizes[f"{which}_BITS"] // 8) for which in ("KEY", "NONCE", "TAG"))
    before, after = source.randbytes(300), source.randbytes(40)
    with Simulation.of(core, sizes) as bench:

        def begin() -> int:
            bench.key(key)
            return bench.load_ad(nonce, b"session") if core.ad_cache else bench.seal(nonce, b"", b"")

        begin()
        wanted = bench.seal(nonce, b"", after)
        work = []
        for cycle in range(240):
            bench.stall("backpressure" if cycle % 3 == 0 else "none", cycle)
            begin()
            bench.wait()
            bench.seal(nonce, b"", before)
            bench.open(nonce, b"", before, tag)
            bench.send(f"run {cycle}")
            bench.send(how)
            work += [begin(), bench.seal(nonce, b"", after)]
            bench.wait()
        report = bench.flush()
    assert not report.violations
    assert all(report.outcomes[index].ok for index in work)
    good = report.outcomes[wanted]
    assert good.ok and all(report.outcomes[index].tag == good.tag for index in work[1::2])
    assert all(report.outcomes[index].out == good.out for index in work[1::2])


@pytest.mark.parametrize(
    "name", ["deoxysii-128-r1", "deoxysii-128-p2", "gcm-aes128-p2", "otr-aes128-p-p2", "otr-aes128-p-p4"]
)
def test_after_clear_in_any_cycle_of_an_opening_a_core_works_like_a_new_one(name: str) -> None:
    """Where the tag is taken, compared and told, and where a second command follows."""
    core, source = cores.find(name), random.Random(1)
    key, nonce = (source.randbytes(core.parameters()[f"{which}_BITS"] // 8) for which in ("KEY", "NONCE"))
    texts = [b"", source.randbytes(5), source.randbytes(33)]
    with Simulation.of(core, core.parameters()) as bench:
        bench.key(key)
        numbers = [bench.seal(nonce, b"ad", text) for text in texts]
        outcomes = bench.flush().outcomes
    sealed = [outcomes[number] for number in numbers]
    with Simulation.of(core, core.parameters()) as bench:
        work = []
        for cycle in range(240):
            bench.stall("backpressure" if cycle % 4 == 0 else "none", cycle)
            bench.key(key)
            bench.wait()
            tag = sealed[cycle % 3].tag
            bench.open(nonce, b"ad", sealed[cycle % 3].out, tag if cycle % 2 else bytes([tag[0] ^ 1]) + tag[1:])
            bench.open(nonce, b"ad", sealed[1].out, sealed[1].tag)
            bench.send(f"run {cycle}")
            bench.send("clear")
            bench.key(key)
            for made, text in zip(sealed, texts, strict=True):
                work.append((bench.open(nonce, b"ad", made.out, bytes(len(tag))), None))
                work.append((bench.open(nonce, b"ad", made.out, made.tag), text))
            bench.wait()
        report = bench.flush()
    assert not report.violations
    for number, text in work:
        told = report.outcomes[number]
        assert told.ok == (text is not None) and (text is None or told.out == text)


@pytest.mark.parametrize("name", ["otr-aes128-p-p21", "otr-aes128-p-p21b", "ocb-aes128-p21b", "deoxysii-128-p29"])
def test_a_slow_sink_fills_the_output_memory_and_loses_nothing(name: str) -> None:
    """Sixty-four blocks are room for these cores; sources give a block a cycle."""
    core, source = cores.find(name), random.Random(1)
    msgs = [source.randbytes(size) for size in (16 * 70, 16 * 71, 16 * 300 + 1, 16 * 301 - 1)]
    key, nonce = source.randbytes(16), source.randbytes(core.parameters()["NONCE_BITS"] // 8)
    with Simulation.of(core, core.parameters()) as bench:
        bench.key(key)
        for msg in msgs:
            bench.seal(nonce, b"", msg)
        sealed = bench.flush().outcomes
        bench.stall("backpressure")
        for msg, good in zip(msgs, sealed, strict=True):
            bench.seal(nonce, b"", msg)
            bench.open(nonce, b"", good.out, good.tag)
        report = bench.flush()
    assert not report.violations and all(outcome.ok for outcome in report.outcomes)
    assert [outcome.out for outcome in report.outcomes[::2]] == [outcome.out for outcome in sealed]
    assert [outcome.tag for outcome in report.outcomes[::2]] == [outcome.tag for outcome in sealed]
    assert [outcome.out for outcome in report.outcomes[1::2]] == msgs


def test_a_state_before_clear_does_tell_the_secrets() -> None:
    core = cores.find(CORES[1])
    states = []
    for secret in range(2):
        with Simulation.of(core, core.parameters()) as bench:
            bench.key(random.Random(secret).randbytes(64))
            bench.wait()
            bench.send("state")
            states += bench.flush().states
    assert states[0] != states[1]


@pytest.mark.parametrize("name", CORES)
def test_cycles_stay_within_the_bar(name: str) -> None:
    core, (message, constant) = cores.find(name), BARS[name]
    figures = cycles.measure(core, core.parameters(), (1, 2, 150))
    assert figures.message <= message
    assert all(total <= message * blocks + constant for blocks, total in figures.total.items())
    assert figures.setup + figures.message * 150 + figures.tag == pytest.approx(figures.total[150])


def test_cycles_are_printed_with_the_fields_of_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cycles", "--core", CORES[1], "--json", "--blocks", "1", "2"]) == 0
    figures = json.loads(capsys.readouterr().out)
    fields = ["core", "params", "contexts", "key_setup", "ad_block", "setup", "message", "tag", "total", "packet"]
    assert list(figures) == fields
    assert list(figures["total"]) == list(figures["packet"]) == ["1", "2"]
