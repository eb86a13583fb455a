# SPDX-License-Identifier: Apache-2.0
"""Two links in RTL on a network that does everything an attacker can: hostile_network.cpp says what must hold."""

import json
import subprocess
from pathlib import Path

import pytest
from sealwire_demo.link_build import HOST, link_program

BENCH = Path(__file__).parent / "hostile_network.cpp"
ATTACKS = (
    "loss", "silence", "late", "duplicate", "reorder", "corrupt", "truncate", "replay", "garbage", "hellos", "oversize",
    "restart",
)  # fmt: skip


def program(suite: int, lanes: int) -> Path:
    return link_program(
        "hostile-network", suite, [BENCH, HOST / "link_model.cpp"], {"LANES": lanes} if lanes > 1 else {}
    )


def survive(suite: int, seed: int, seconds: int, *attacks: str, lanes: int = 1) -> dict[str, int]:
    done = subprocess.run(
        [program(suite, lanes), str(seed), str(seconds), *attacks],
        capture_output=True,
        text=True,
        timeout=1500,
        check=False,
    )
    assert done.returncode == 0, f"suite {suite}, seed {seed}, {attacks}: {done.stdout}{done.stderr}"
    print(done.stdout)
    seen: dict[str, int] = json.loads(done.stdout.splitlines()[-1])
    assert seen["delivered"] > 100
    return seen


def test_survives_everything_at_once():
    seen = survive(2, 3, 5, "all")
    causes = (
        "short",
        "version",
        "type",
        "suite",
        "length",
        "session",
        "peer",
        "number",
        "replay",
        "auth",
        "stale",
        "foreign",
    )
    assert {cause for cause in causes if seen[f"drop_{cause}"]} == set(causes)
    assert seen["restarts"] > 0 and seen["sessions_taken"] >= 4


@pytest.mark.exhaustive
def test_survives_everything_at_once_with_two_cores_each_way():
    seen = survive(2, 3, 5, "all", lanes=2)
    assert seen["restarts"] > 0 and seen["sessions_taken"] >= 4


@pytest.mark.exhaustive
@pytest.mark.parametrize("attack", ATTACKS)
def test_survives_each_attack_alone(attack):
    survive(2, 2, 20, attack)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("suite", [1, 2])
def test_survives_for_long(suite, seed):
    survive(suite, seed, 12, *(["all"] * 4))
