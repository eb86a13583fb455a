# SPDX-License-Identifier: Apache-2.0
"""The figures that ship: results/coverage.json, and their table in docs/assurance.md between two comments."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from .. import cores, files
from ..errors import LabError
from ..terminal import markdown
from .points import Source
from .summary import Figure, Room

#: Percent of lines, and of toggles, that tests reach at least.
BAR = 95.0
#: What runs all tests that the bar is for.
WHOLE = "`make coverage`"
#: The table in the document, with the comments around it.
_BLOCK = re.compile(r"^<!-- coverage -->\n.*?^<!-- end of coverage -->$", re.MULTILINE | re.DOTALL)


def path() -> Path:
    """Where the figures are kept."""
    return cores.root() / "results" / "coverage.json"


def sources_hash(design: Mapping[str, Source]) -> str:
    """Names the design that was measured."""
    state = hashlib.sha256()
    for name in sorted(design):
        state.update("\0".join((name, *design[name].text, "")).encode())
    return state.hexdigest()[:16]


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


def page() -> Path:
    """The document."""
    return cores.root() / "docs" / "assurance.md"


def table(result: Result) -> str:
    """The table, with a line that says what was measured."""
    rows = []
    for name, room in result.everything():
        rows.append([name])
        for figure in (room.lines, room.toggles):
            counted = [f"{figure.covered} of {figure.total}", f"{figure.percent:.1f}"]
            rows[-1] += counted if figure.total else ["none", ""]
    conditions = f"{result.simulator}, seed {result.seed}, version {result.version}"
    said = f"Measured on {result.date} ({conditions}) by {result.command}."
    if result.absent:
        said += f" No simulator contained {', '.join(f'`{name}`' for name in result.absent)}."
    return f"{markdown(('folder', 'lines', '%', 'toggles', '%'), rows)}\n{said}\n"


def updated(text: str, result: Result) -> str:
    """The document's text with the table of a result."""
    block = f"<!-- coverage -->\n{table(result)}<!-- end of coverage -->"
    changed, count = _BLOCK.subn(lambda _: block, text)
    if count != 1:
        raise LabError(f"{page()} has {count} tables of coverage; it needs one, between the two comments")
    return changed
