# SPDX-License-Identifier: Apache-2.0
"""The table of coverage in docs/assurance.md, between the lines `<!-- coverage -->` and `<!-- end of coverage -->`."""

import re
from pathlib import Path

from .. import cores
from ..errors import LabError
from .result import Result
from .summary import Room

_BLOCK = re.compile(r"^<!-- coverage -->\n.*?^<!-- end of coverage -->$", re.MULTILINE | re.DOTALL)


def path() -> Path:
    """The document."""
    return cores.root() / "docs" / "assurance.md"


def _row(name: str, room: Room) -> str:
    cells = []
    for figure in (room.lines, room.toggles):
        cells += [f"{figure.covered} of {figure.total}", f"{figure.percent:.1f}"] if figure.total else ["none", ""]
    return f"| {name} | {' | '.join(cells)} |"


def table(result: Result) -> str:
    """The table, with a line that says what was measured."""
    rows = [_row(name, room) for name, room in result.everything()]
    head = ["| folder | lines | % | toggles | % |", "|---|---|---|---|---|"]
    conditions = f"{result.simulator}, seed {result.seed}, version {result.version}"
    said = f"Measured on {result.date} ({conditions}) by {result.command}."
    if result.absent:
        said += f" No simulator contained {', '.join(f'`{name}`' for name in result.absent)}."
    return "\n".join([*head, *rows, "", said]) + "\n"


def updated(text: str, result: Result) -> str:
    """The document's text with the table of a result."""
    block = f"<!-- coverage -->\n{table(result)}<!-- end of coverage -->"
    changed, count = _BLOCK.subn(lambda _: block, text)
    if count != 1:
        raise LabError(f"{path()} has {count} tables of coverage; it needs one, between the two comments")
    return changed
