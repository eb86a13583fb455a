# SPDX-License-Identifier: Apache-2.0
"""The figures that ship: results/coverage.json."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from .. import cores, files
from ..errors import LabError

#: Percent of lines, and of toggles, that tests reach at least.
BAR = 95.0
#: What runs all tests that the bar is for.
WHOLE = "`make coverage`"


def path() -> Path:
    """Where the figures are kept."""
    return cores.root() / "results" / "coverage.json"


@dataclass(frozen=True)
class Figure:
    """How many points are covered, and how many there are."""

    covered: int = 0
    total: int = 0

    def __add__(self, other: Figure) -> Figure:
        return Figure(self.covered + other.covered, self.total + other.total)

    @property
    def percent(self) -> float:
        """Rounded down to a tenth, so that 100 is all; nothing at all is 100."""
        return self.covered * 1000 // self.total / 10 if self.total else 100.0


@dataclass(frozen=True)
class Room:
    """Figures of a folder of hdl/."""

    lines: Figure = Figure()
    toggles: Figure = Figure()

    def __add__(self, other: Room) -> Room:
        return Room(self.lines + other.lines, self.toggles + other.toggles)


@dataclass(frozen=True)
class Result:
    """One measurement."""

    date: str
    seed: int
    version: str
    simulator: str
    command: str
    sources_sha256: str
    excluded: int  # points that hdl/coverage.toml leaves out
    absent: list[str]  # files that no simulator contained
    rooms: dict[str, Room]

    @property
    def total(self) -> Room:
        """Over all rooms."""
        return sum(self.rooms.values(), Room())

    def everything(self) -> list[tuple[str, Room]]:
        """Rows of a table: every folder, then all together."""
        return [*((f"hdl/{name}", room) for name, room in self.rooms.items()), ("all", self.total)]

    @property
    def whole(self) -> bool:
        """Whether all tests ran; a part of them can miss the bar."""
        return self.command == WHOLE

    def below(self) -> list[str]:
        """What misses the bar."""
        sums = self.total
        figures = {"lines": sums.lines, "toggles": sums.toggles}
        return [f"{figure.percent} % of {name}" for name, figure in figures.items() if figure.percent < BAR]

    def text(self) -> str:
        """The shipped form."""
        sums = self.total
        return json.dumps(asdict(self) | {"total": asdict(sums)}, indent=1) + "\n"


def parse(text: str) -> Result:
    """A measurement from its shipped form, whose total must be the sum of its rooms."""
    try:
        fields = json.loads(text)
        stated = fields.pop("total")
        fields["rooms"] = {
            name: Room(Figure(**figures["lines"]), Figure(**figures["toggles"]))
            for name, figures in fields["rooms"].items()
        }
        made = Result(**fields)
        if asdict(made.total) != stated:
            raise ValueError("the total is not the sum of its rooms")
    except (ValueError, KeyError, TypeError) as error:
        raise LabError(
            f"results/coverage.json holds no figures of coverage ({error}); run `make coverage ARGS=--record`"
        ) from error
    return made


def load() -> Result:
    """The shipped measurement."""
    return parse(files.read(path(), "; run `make coverage ARGS=--record`"))
