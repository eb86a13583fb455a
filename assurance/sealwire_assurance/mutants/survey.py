# SPDX-License-Identifier: Apache-2.0
"""Which tests simulate which sources: asked of the tests themselves, so that it is written down nowhere else."""

import hashlib
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sealwire_lab.errors import LabError

#: Sources, tests, and what these are made with.
_MADE_OF = (
    "hdl", "tests", "model/sealwire_model", "lab/sealwire_lab", "demo/sealwire_demo", "assurance/sealwire_assurance"
)  # fmt: skip
#: Bytes of sources up to which a simulation is small: its size is no reason to leave it out.
SMALL = 80_000


@dataclass(frozen=True)
class Simulation:
    """A program that tests run, the files of hdl/ in it, and these tests in their order."""

    name: str
    sources: frozenset[str]
    tests: tuple[str, ...]

    @property
    def harness(self) -> str:
        """What drives it: the folder of the build."""
        return self.name.partition("/")[0]


def pytest(tree: Path, arguments: Sequence[str], environment: dict[str, str]) -> subprocess.Popen[str]:
    """Start pytest on a tree, in a process group of its own, with the numbers that the fast set always draws."""
    command = [sys.executable, "-m", "pytest", "-p", "sealwire_assurance.mutants.plugin", "-p", "no:cacheprovider"]
    fixed = {"SEALWIRE_ROOT": str(tree), "SEALWIRE_SEED": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.Popen(
        [*command, "-q", "--no-header", "--tb=line", *arguments],
        cwd=tree, env={**kept, **fixed, **environment}, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def kept(tree: Path, file: Path) -> list[Simulation]:
    """The survey in `file`, made anew when the tests, what they are made with, or the sources have changed."""
    state = hashlib.sha256()
    for folder in _MADE_OF:
        for path in sorted((tree / folder).resolve().rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                state.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    if file.exists():
        known = json.loads(file.read_text(encoding="utf-8"))
        if known["state"] == state.hexdigest():
            return simulations(known["lines"])
    lines = survey(tree)
    file.write_text(json.dumps({"state": state.hexdigest(), "lines": lines}), encoding="utf-8")
    return simulations(lines)


def survey(tree: Path) -> list[dict[str, Any]]:
    """What each test of `make test` would simulate, as the plugin notes it."""
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "survey"
        run = pytest(tree, ["tests", "--continue-on-collection-errors"], {"SEALWIRE_MUTANTS_SURVEY": str(file)})
        output, _ = run.communicate()
        if not file.exists():
            raise LabError(f"the tests cannot be listed: {output[-600:]}")
        return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def simulations(lines: Iterable[dict[str, object]]) -> list[Simulation]:
    """From the lines of a survey.  Of tests that share a run, one asks for the simulation; the group names the rest."""
    order: list[str] = []
    group: dict[str, tuple[str, str]] = {}
    asked: dict[str, str] = {}
    shared: dict[tuple[str, str], str] = {}
    sources: dict[str, frozenset[str]] = {}
    for line in lines:
        test = str(line["test"])
        if "group" in line:
            order.append(test)
            group[test] = (test.partition("[")[0], str(line["group"]))
        elif line["sources"]:
            name = str(line["simulation"])
            asked.setdefault(test, name)
            sources[name] = frozenset(line["sources"])  # type: ignore[call-overload]
            if group[test][1]:
                shared.setdefault(group[test], name)
    tests = defaultdict(list)
    for test in order:
        if name := asked.get(test) or shared.get(group[test], ""):
            tests[name].append(test)
    return [Simulation(name, sources[name], tuple(tests[name])) for name in sources if tests[name]]


def plan(file: str, known: Sequence[Simulation], sizes: dict[str, int]) -> list[Simulation]:
    """The simulations for a mutant of `file`, the small ones first and of those the ones with many tests.

    First those that are not much larger than the smallest one, the tests of its own room, then the whole cores around
    them.  The harnesses take turns, as each sees what another does not.  Other parameters of the same sources, and what
    is one long test, come last among those of a size.
    """
    size = {sim.name: sum(sizes[source] for source in sim.sources) for sim in known if file in sim.sources}
    if not size:
        return []
    smallest = min(size.values())
    limit = max(2 * smallest, SMALL)
    fitting = [sim for sim in known if sim.name in size]
    step = {name: int(2 * math.log2(bytes_ / smallest)) for name, bytes_ in size.items()}  # of one step: about one size
    fitting.sort(key=lambda sim: (step[sim.name], -len(sim.tests), sim.name))
    same = Counter[tuple[frozenset[str], str]]()
    place = Counter[tuple[bool, bool, str]]()
    ranked = []
    for sim in fitting:
        far = size[sim.name] > limit
        same[sim.sources, sim.harness] += 1
        late = same[sim.sources, sim.harness] > 1 or len(sim.tests) == 1
        place[far, late, sim.harness] += 1
        rank = (far, late, place[far, late, sim.harness], step[sim.name], sim.harness == "cocotb")
        ranked.append((rank, sim))
    return [sim for _, sim in sorted(ranked, key=lambda pair: pair[0])]


def spoken(name: str) -> str:
    """The name of a simulation without its digest."""
    return re.sub(r"-[0-9a-f]{16}$", "", name)
