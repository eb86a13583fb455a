# SPDX-License-Identifier: Apache-2.0
"""A campaign: which mutants are drawn, what is known of them already, and the trials of the rest.

The draw is spread over the rooms by their size and within a room over the kinds of defects.  A seed ranks every mutant
by itself, so that a change of the sources leaves the draw of the rest as it is.
"""

import functools
import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from itertools import zip_longest
from pathlib import Path
from typing import Any

from sealwire_lab import files
from sealwire_lab.errors import LabError

from . import sites, survey, trial
from .defects import KINDS
from .plant import Workspace, digest_of
from .sites import Mutant
from .trial import Trial, Verdict

#: What tests/mutants/equivalent.toml says of a mutant that no test can find.
FIELDS = ("id", "file", "was", "becomes", "reason")
#: A room has at least so many mutants, as far as the number of mutants allows it.
LEAST = 15
#: Simulations that a mutant runs through before it survives, if there are so many.
DEPTH = 6
#: Bytes of sources from which a simulation takes minutes: its mutants come last, so that most verdicts come soon.
LARGE = 200_000


def equivalents(root: Path) -> dict[str, str]:
    """The reason of each recorded mutant, by its id."""
    path = root / "tests" / "mutants" / "equivalent.toml"
    if not path.exists():
        return {}
    entries = files.toml(path).get("mutant", [])
    for entry in entries:
        if missing := [name for name in FIELDS if not entry.get(name)]:
            raise LabError(f"{path}: mutant {entry.get('id', '(without id)')} lacks `{missing[0]}`")
    return {entry["id"]: entry["reason"] for entry in entries}


def shares(lines: Mapping[str, int], count: int, least: int) -> dict[str, int]:
    """How many of `count` each room gets: in proportion to its lines, but at least `least`."""
    wanted = {room: max(least, round(count * size / sum(lines.values()))) for room, size in lines.items()}
    while sum(wanted.values()) > count and max(wanted.values()) > least:
        wanted[max(wanted, key=lambda room: (wanted[room], room))] -= 1
    while sum(wanted.values()) < count:
        wanted[min(wanted, key=lambda room: (wanted[room] / lines[room], room))] += 1
    return wanted


def draw(mutants: Iterable[Mutant], lines: Mapping[str, int], seed: int, count: int, least: int = 15) -> list[Mutant]:
    """The mutants of seed `seed`; `lines` are those of each room.  A room with fewer places gives all it has."""
    rooms: dict[str, dict[str, list[Mutant]]] = {room: {kind: [] for kind in KINDS} for room in lines}
    for mutant in mutants:
        rooms[mutant.room][mutant.kind].append(mutant)
    drawn = []
    for room, share in shares(lines, count, least).items():
        kinds = sorted(rooms[room], key=lambda kind: _rank(seed, f"{room} {kind}"))
        ranked = [sorted(rooms[room][kind], key=lambda m: _rank(seed, m.id)) for kind in kinds]
        in_turn = [mutant for turn in zip_longest(*ranked) for mutant in turn if mutant is not None]
        drawn += in_turn[:share]
    return drawn


def _rank(seed: int, name: str) -> str:
    return hashlib.sha256(f"{seed} {name}".encode()).hexdigest()


def mixed(drawn: Sequence[Mutant]) -> list[Mutant]:
    """The given mutants, one of each room in turn: whoever looks at the first ones has seen all rooms."""
    rooms = defaultdict(list)
    for mutant in drawn:
        rooms[mutant.room].append(mutant)
    return [mutant for turn in zip_longest(*rooms.values()) for mutant in turn if mutant is not None]


@dataclass
class Campaign:
    """What is drawn, and the verdicts on it."""

    seed: int
    drawn: list[Mutant]
    places: int  # mutants there are to draw from
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)  # of those recorded as equivalent

    def of(self, status: str, recorded: bool | None = None) -> list[Mutant]:
        """The mutants with a verdict; `recorded`: only those that are, or are not, recorded as equivalent."""
        chosen = [m for m in self.drawn if m.id in self.verdicts and self.verdicts[m.id].status == status]
        return [m for m in chosen if recorded is None or (m.id in self.reasons) == recorded]

    @property
    def score(self) -> float:
        """The part found of those that are no equivalents."""
        counted = len(self.of(trial.FOUND)) + len(self.of(trial.SURVIVES, recorded=False))
        return len(self.of(trial.FOUND)) / counted if counted else 1.0


def prepare(seed: int, count: int) -> Campaign:
    """Draw the mutants, and read what earlier runs say of them."""
    space = Workspace(seed)
    every = sites.all_of(space.root)
    lines: dict[str, int] = {}
    for file, room in {mutant.file: mutant.room for mutant in every}.items():
        lines[room] = lines.get(room, 0) + len((space.root / file).read_text(encoding="utf-8").splitlines())
    drawn = draw(every, lines, seed, count, min(LEAST, count // len(lines)))
    campaign = Campaign(seed, mixed(drawn), len(every), reasons=equivalents(space.root))
    known = _written(space.shipped) | _written(space.results)
    digest = functools.cache(lambda file: digest_of(space.root / file))
    for mutant in drawn:
        line = known.get(mutant.id)
        if line and line["file_sha256"] == digest(mutant.file):
            campaign.verdicts[mutant.id] = Verdict(**{one.name: line[one.name] for one in fields(Verdict)})
    return campaign


def _written(path: Path) -> dict[str, dict[str, Any]]:
    """The last verdict on each mutant in a file, by id; trials that ended without one are left out."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {line["id"]: line for line in map(json.loads, lines) if line["status"] != trial.ERROR}


def record(campaign: Campaign) -> Path:
    """Keep the verdicts with the checkout, beside those of other seeds on files that stand unchanged."""
    space = Workspace(campaign.seed)
    known = _written(space.shipped) | _written(space.results)
    kept = []
    for line in sorted(known.values(), key=lambda line: (line["file"], line["id"])):
        path = space.root / line["file"]
        if path.exists() and digest_of(path) == line["file_sha256"]:
            kept.append(json.dumps(line) + "\n")
    space.shipped.write_text("".join(kept), encoding="utf-8")
    return space.shipped


def trials(campaign: Campaign, chosen: Sequence[Mutant], depth: int = DEPTH) -> list[Trial]:
    """Plant the drawn mutants, and find the simulations for each chosen one, of which it runs `depth` at most."""
    space = Workspace(campaign.seed)
    planted = space.write(campaign.drawn)
    known = survey.kept(space.tree, space.folder / "survey.json")
    every = (path for path in (space.root / "hdl").rglob("*") if path.is_file())
    sizes = {path.relative_to(space.root).as_posix(): path.stat().st_size for path in every}
    plans = {mutant.file: tuple(survey.plan(mutant.file, known, sizes)) for mutant in chosen}
    jobs = [Trial(campaign.seed, m, plans[m.file], depth, tuple(campaign.drawn), planted) for m in chosen]
    first = {file: sum(sizes[source] for sim in plan[:1] for source in sim.sources) for file, plan in plans.items()}
    return sorted(jobs, key=lambda job: first[job.mutant.file] > LARGE)


def go(
    campaign: Campaign,
    jobs: Sequence[Trial],
    execute: Callable[[Sequence[Any]], Iterator[tuple[Any, Any]]],
    done: Callable[[Mutant, Verdict], None],
) -> None:
    """Carry out the trials and write every verdict down as it comes."""
    space = Workspace(campaign.seed)
    with space.results.open("a", encoding="utf-8") as stream:
        for job, verdict in execute(jobs):
            campaign.verdicts[job.mutant.id] = verdict
            file = job.mutant.file
            line = asdict(verdict) | {"file": file, "file_sha256": digest_of(space.root / file)}
            stream.write(json.dumps(line) + "\n")
            stream.flush()
            done(job.mutant, verdict)


def pick(campaign: Campaign, name: str) -> Mutant:
    """A drawn mutant by its id or the beginning of it."""
    fitting = [mutant for mutant in campaign.drawn if mutant.id.startswith(name)]
    if len(fitting) != 1:
        raise LabError(f"{len(fitting)} drawn mutants have an id that begins with {name!r}; `--list` shows all ids")
    return fitting[0]
