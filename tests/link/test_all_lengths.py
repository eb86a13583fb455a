# SPDX-License-Identifier: Apache-2.0
"""Every frame length from 14 to 9600 bytes through two links, both ways, under random back-pressure (C++)."""

import os
import subprocess
from pathlib import Path

import pytest
from sealwire_demo.link_build import link_program

BENCH = Path(__file__).parent / "all_lengths.cpp"
SHORTEST, LONGEST = 14, 9600
#: Parts of equal work for each suite, so that none runs for minutes.
PARTS = {1: 12, 2: 4}


def program(suite: int) -> Path:
    return link_program("all-lengths", suite, [BENCH], {"DROP_WHEN_FULL": 0})


def cross(suite: int, first: int, last: int) -> None:
    seed = int(os.environ["SEALWIRE_SEED"])
    print(f"seed {seed} (repeat with SEALWIRE_SEED={seed})")
    done = subprocess.run(
        [program(suite), str(first), str(last), str(seed), "30"],
        capture_output=True,
        text=True,
        timeout=1500,
        check=False,
    )
    assert done.returncode == 0, f"seed {seed}: {done.stdout}{done.stderr}"
    assert done.stdout.splitlines()[-1].startswith(f"{last - first + 1} lengths from {first} to {last} bytes crossed")
    print(done.stdout)


def edges(parts: int) -> list[int]:
    """Bounds of parts of about equal sums of lengths."""
    return [SHORTEST + round((LONGEST + 1 - SHORTEST) * (part / parts) ** 0.5) for part in range(parts + 1)]


@pytest.mark.exhaustive
@pytest.mark.parametrize(("suite", "part"), [(suite, part) for suite, parts in PARTS.items() for part in range(parts)])
def test_every_length_crosses_unchanged_under_back_pressure(suite: int, part: int) -> None:
    bounds = edges(PARTS[suite])
    cross(suite, bounds[part], bounds[part + 1] - 1)
