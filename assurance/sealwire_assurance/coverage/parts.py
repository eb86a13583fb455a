# SPDX-License-Identifier: Apache-2.0
"""The tests that are counted, in parts that run one after the other: tests/coverage.toml.

A part that has passed is kept under a hash of what it is made from, so that a stopped run goes on where it was.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sealwire_lab import files, toolchain
from sealwire_lab.coverage import collect
from sealwire_lab.errors import LabError

#: What a part that has passed leaves beside its counts: its hash.
_PASSED = "passed"
#: What makes simulators and drives them, below the lab's package, and the program around a simulated link.
_LAB = ("build.py", "simulation.py", "harness", "coverage/collect.py")
_HOST = "demo/sealwire_demo/host"


@dataclass(frozen=True)
class Part:
    """Tests of a room, or some of them, with counts in a folder of their own."""

    name: str
    tests: tuple[str, ...]  # files or folders, as pytest takes them
    only: str = ""  # pytest's expression of names; empty for all
    bench: str = ""  # of the cocotb tests that share a simulation those to run, a regular expression; empty for all


def load(root: Path) -> list[Part]:
    """The parts in their order."""
    path = root / "tests" / "coverage.toml"
    try:
        tables = tomllib.loads(files.read(path))["part"]
        # An expression may stand on several lines.
        words = [{"only": " ".join(table.get("only", "").split()), "tests": tuple(table["tests"])} for table in tables]
        parts = [Part(**(table | more)) for table, more in zip(tables, words, strict=True)]
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise LabError(f"{path}: a [[part]] has `name`, `tests` and perhaps `only` and `bench`: {error}") from error
    for part in parts:
        if lost := [test for test in part.tests if not (root / test).exists()]:
            raise LabError(f"{path}: part {part.name} names {lost[0]}, which does not exist")
    if len({part.name for part in parts}) < len(parts):
        raise LabError(f"{path}: two parts have the same name; counts of one would replace those of the other")
    return parts


def _inputs(root: Path, part: Part) -> Iterator[Path]:
    """Files that decide what a part counts: RTL, tests and their neighbours, oracles, what makes simulators."""
    lab = collect.HERE.parent
    places = {root / name for name in ("hdl", "vectors", "tests/support", "model/sealwire_model", _HOST)}
    places |= {lab / name for name in _LAB} | {*collect.SOURCES, collect.COCOTB_MAIN}
    for test in part.tests:
        place = root / test
        places.add(place if place.is_dir() else place.parent)
    for path in sorted({file for place in places for file in ([place] if place.is_file() else place.rglob("*"))}):
        if path.is_file() and path.suffix not in (".pyc", ".md") and path != root / "hdl" / "coverage.toml":
            yield path


def state(root: Path, part: Part) -> str:
    """Names what a part is made from."""
    version = toolchain.find().verilator_version
    hashed = hashlib.sha256(repr((part, version, os.environ.get("SEALWIRE_SEED", "1"))).encode())
    for path in _inputs(root, part):
        hashed.update(path.name.encode() + b"\0" + hashlib.sha256(files.source(path)).digest())
    return hashed.hexdigest()[:16]


def waiting(root: Path, data: Path, parts: list[Part]) -> list[Part]:
    """Parts without counts, or with counts of something else than today's files."""

    def known(part: Part) -> str:
        path = data / part.name / _PASSED
        return path.read_text(encoding="utf-8").strip() if path.exists() else ""

    return [part for part in parts if known(part) != state(root, part)]


def count(root: Path, data: Path, part: Part, jobs: int) -> None:
    """Run the tests of a part; its counts are kept when all have passed."""
    folder = data / part.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    begun = state(root, part)
    command = [sys.executable, "-m", "pytest", "-q", *part.tests, *(["-k", part.only] if part.only else [])]
    parallel = ["-n", str(jobs), "--dist", "loadgroup"] if jobs > 1 else []
    environment = {**os.environ, collect.VARIABLE: str(folder.resolve())}
    if part.bench:
        environment["SEALWIRE_ONLY"] = part.bench
    status = subprocess.run([*command, *parallel], cwd=root, env=environment, stdout=sys.stderr).returncode
    if status != 0:
        raise LabError(f"the tests of part {part.name} have failed (pytest's status {status}; its words are above)")
    files.write(folder / _PASSED, begun + "\n")


def run(root: Path, data: Path, jobs: int, tell: Callable[[str], None]) -> None:
    """Run what waits, and remove counts of what is no part any more."""
    parts = load(root)
    names = {part.name for part in parts}
    for left in data.glob("*"):
        if left.name not in names:
            shutil.rmtree(left) if left.is_dir() else left.unlink()
    chosen = waiting(root, data, parts)
    tell(f"{len(parts) - len(chosen)} of {len(parts)} parts are counted already, of the same files")
    for number, part in enumerate(chosen, 1):
        tell(f"part {number} of {len(chosen)}: {part.name}")
        begin = time.monotonic()
        count(root, data, part, jobs)
        tell(f"{part.name} is counted after {time.monotonic() - begin:.0f} s")
