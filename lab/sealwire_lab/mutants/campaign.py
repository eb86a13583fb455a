# SPDX-License-Identifier: Apache-2.0
"""A campaign: which mutants are drawn, what is known of them already, and the trials of the rest."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from ..errors import LabError
from . import draw, equivalent, sites, survey, trial
from .sites import Mutant
from .trial import Trial, Verdict
from .workspace import Workspace, digest_of

#: A room has at least so many mutants, as far as the number of mutants allows it.
LEAST = 15
#: Simulations that a mutant runs through before it survives, if there are so many.
DEPTH = 6


#: Bytes of sources from which a simulation takes minutes: its mutants come last, so that most verdicts come soon.
LARGE = 200_000


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
    drawn = draw.draw(every, lines, seed, count, min(LEAST, count // len(lines)))
    campaign = Campaign(seed, draw.mixed(drawn), len(every), reasons=equivalent.load(space.root))
    digests = {mutant.id: digest_of(space.root / mutant.file) for mutant in drawn}
    if space.results.exists():
        for text in space.results.read_text(encoding="utf-8").splitlines():
            line = json.loads(text)
            if digests.get(line["id"]) == line.pop("file_sha256") and line["status"] != trial.ERROR:
                campaign.verdicts[line["id"]] = Verdict(**line)
    return campaign


def trials(campaign: Campaign, chosen: Sequence[Mutant], depth: int = DEPTH) -> list[Trial]:
    """Plant the drawn mutants, and find the simulations for each chosen one, `depth` at most."""
    space = Workspace(campaign.seed)
    planted = space.write(campaign.drawn)
    known = survey.kept(space.tree, space.folder / "survey.json")
    sizes = {
        path.relative_to(space.root).as_posix(): path.stat().st_size for path in (space.root / "hdl").rglob("*.sv")
    }
    plans = {mutant.file: tuple(survey.plan(mutant.file, known, sizes, depth)) for mutant in chosen}
    jobs = [Trial(campaign.seed, m, plans[m.file], tuple(campaign.drawn), planted) for m in chosen]
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
            line = asdict(verdict) | {"file_sha256": digest_of(space.root / job.mutant.file)}
            stream.write(json.dumps(line) + "\n")
            stream.flush()
            done(job.mutant, verdict)


def pick(campaign: Campaign, name: str) -> Mutant:
    """A drawn mutant by its id or the beginning of it."""
    fitting = [mutant for mutant in campaign.drawn if mutant.id.startswith(name)]
    if len(fitting) != 1:
        raise LabError(f"{len(fitting)} drawn mutants have an id that begins with {name!r}; `--list` shows all ids")
    return fitting[0]
