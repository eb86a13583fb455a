# SPDX-License-Identifier: Apache-2.0
"""Every frame length from 14 to 9600 bytes through two links, both ways, under random back-pressure (C++)."""

import os
import random
import subprocess
import tomllib
from pathlib import Path

import pytest
from sealwire_lab import build, cores, toolchain

BENCH = Path(__file__).parent / "all_lengths.cpp"
SHORTEST, LONGEST = 14, 9600
#: Parts of equal work for each suite, so that none runs for minutes.
PARTS = {1: 12, 2: 4}


def program(suite: int) -> Path:
    manifest = cores.root() / "hdl" / "link" / "sources.toml"
    sources = [cores.root() / name for name in tomllib.loads(manifest.read_text(encoding="utf-8"))["sources"]]
    tools = toolchain.find()

    def make(scratch: Path) -> None:
        library = build.runtime()
        archive = build.verilate(
            scratch, "sealwire_link", sources, {"SUITE": suite, "DROP_WHEN_FULL": 0}, "Vsealwire_link"
        )
        flags = ["-O2", *build._CXXFLAGS, "-I", tools.include, "-I", "obj"]
        build._run([tools.cxx, *flags, BENCH, archive, library, "-pthread", "-o", "all_lengths"], scratch)

    return build.cached(f"simulations/all-lengths-{build.digest([str(suite), BENCH, *sources])}", make) / "all_lengths"


def cross(suite: int, first: int, last: int) -> None:
    seed = int(os.environ.get("SEALWIRE_SEED", random.getrandbits(31)))
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
