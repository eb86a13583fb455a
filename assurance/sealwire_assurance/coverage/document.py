# SPDX-License-Identifier: Apache-2.0
"""The table of the figures that ship: in docs/assurance.md, between two comments."""

import re
from pathlib import Path

from sealwire_lab import cores
from sealwire_lab.coverage.result import Result
from sealwire_lab.errors import LabError
from sealwire_lab.terminal import markdown

#: The table in the document, with the comments around it.
_BLOCK = re.compile(r"^<!-- coverage -->\n.*?^<!-- end of coverage -->$", re.MULTILINE | re.DOTALL)


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
