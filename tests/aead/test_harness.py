# SPDX-License-Identifier: Apache-2.0
"""The harness must see what is wrong: a toy core with one defect at a time, each reported under its rule."""

from pathlib import Path

import pytest
from sealwire_lab.cores import Core
from sealwire_lab.simulation import Report, Simulation

TOY = Core(
    name="toy",
    kind="aead",
    top="toy_core",
    scheme="toy",
    sources=(Path(__file__).parent / "toy_core.sv",),
    defaults={"KEY_BITS": 128, "NONCE_BITS": 128, "TAG_BITS": 128, "VERSION": 1},
)
KEY, NONCE = bytes(range(16)), bytes(range(16, 32))
MESSAGE = b"some message that is longer than a beat"

#: What each defect of toy_core.sv must be reported as.
DEFECTS = {
    1: "hold: out changed before it was taken",
    2: "unused: unused bytes of out are not zero",
    3: "order: result before out_last",
    4: "hold: out changed before it was taken",
    5: "out: out on load AD",
    6: "order: ad beat taken before its command",
    7: "ready: msg_ready depends on tag_in_valid",
    8: "stuck: no transfer for 20000 cycles",
    10: "tag: result_tag not 0 without seal",
    12: "key: key taken while a command is in flight",
    13: "key: cmd_ready without a key",
    14: "ready: msg_ready fell before it took a beat",
    15: "bytes: out beat before the last is not full",
    16: "clear: busy for more than 1024 cycles",
    17: "clear: key_ready while clearing",  # in the cycle of the pulse alone
    18: "clear: busy low in the cycle of the pulse",
    19: "clear: key_ready while clearing",  # after it alone
}


def converse(defect: int, stall: str, key: bytes = KEY) -> tuple[list[Report], str]:
    """Every kind of command, then clear; the reports, and the state that is left."""
    with Simulation.of(TOY, TOY.parameters(), plusargs=[f"+defect={defect}"]) as bench:
        bench.stall(stall)
        bench.send("probe 1")
        bench.key(key)
        bench.seal(NONCE, b"hello", MESSAGE)
        bench.load_ad(NONCE, b"hello")
        bench.seal(NONCE, None, MESSAGE)
        first = bench.flush()
        sealed = first.outcomes[0]
        bench.open(NONCE, b"hello", sealed.out, sealed.tag)
        bench.open(NONCE, None, sealed.out, sealed.tag)
        bench.open(NONCE, b"hellO", sealed.out, sealed.tag)
        bench.key(bytes(reversed(key)))
        bench.seal(NONCE, b"", b"")
        bench.wait()
        bench.send("clear")
        bench.send("state")
        second = bench.flush()
    return [first, second], second.states[-1]


@pytest.mark.parametrize("stall", ["none", "idle", "backpressure", "both"])
def test_a_core_without_defect_is_not_blamed(stall: str) -> None:
    (first, second), _ = converse(0, stall)
    assert first.violations == second.violations == []
    assert [outcome.ok for outcome in first.outcomes + second.outcomes] == [True, True, True, True, True, False, True]
    assert first.outcomes[0].out == first.outcomes[2].out and second.outcomes[0].out == MESSAGE


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_broken_rule_is_reported(defect: int) -> None:
    reports, _ = converse(defect, "both")
    violations = [violation for report in reports for violation in report.violations]
    assert any(DEFECTS[defect] in violation for violation in violations), violations


def test_an_accepted_forgery_is_seen() -> None:
    assert converse(9, "none")[0][1].outcomes[2].ok


def test_what_clear_leaves_behind_is_seen() -> None:
    assert converse(0, "none")[1] == converse(0, "none", key=bytes(reversed(range(3, 19))))[1]
    assert converse(11, "none")[1] != converse(11, "none", key=bytes(reversed(range(3, 19))))[1]


def test_a_run_is_repeatable_by_its_seed() -> None:
    def edges(seed: int) -> list[int]:
        with Simulation.of(TOY, TOY.parameters()) as bench:
            bench.stall("both", seed)
            bench.key(KEY)
            bench.seal(NONCE, b"hello", MESSAGE)
            return [outcome.result_edge for outcome in bench.flush().outcomes]

    assert edges(7) == edges(7)
    assert len({edges(seed)[0] for seed in range(8)}) > 1
