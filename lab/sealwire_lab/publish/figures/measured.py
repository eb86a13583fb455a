# SPDX-License-Identifier: Apache-2.0
"""What figures are drawn from besides records: rows of figures under notes on the machine, kept as CSV in results/."""

import csv
import io
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ... import cores, files
from ...errors import LabError


def said(command: Sequence[str]) -> str:
    """What a command of the tool chain prints."""
    try:
        done = subprocess.run(command, cwd=cores.root(), capture_output=True, text=True)
    except FileNotFoundError as error:
        raise LabError(f"{command[0]} is not installed; `make setup` says what is needed for the library") from error
    if done.returncode != 0:
        raise LabError(f"{command[0]} failed: {(done.stderr.splitlines() or ['no message'])[-1]}")
    return done.stdout


def cargo(*words: str) -> str:
    """What a program of the workspace prints, built for release."""
    return said(("cargo", "run", "--release", "--locked", "--quiet", *words))


def text(head: Iterable[str], notes: Mapping[str, Any], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A file: lines for the reader, `# name: value` for each note, and the rows."""
    made = io.StringIO()
    for line in ("SPDX-License-Identifier: Apache-2.0", *head, *(f"{name}: {value}" for name, value in notes.items())):
        made.write(f"# {line}\n")
    csv.writer(made, lineterminator="\n").writerows([columns, *rows])
    return made.getvalue()


def kept(path: Path, again: str) -> tuple[list[dict[str, str]], dict[str, str]]:
    """The rows of a kept file, and its notes; `again` is the command that makes it."""
    lines = files.read(path, f"; make it: {again}").splitlines()
    notes = dict(line[2:].split(": ", 1) for line in lines if line.startswith("#") and ": " in line)
    return list(csv.DictReader(line for line in lines if not line.startswith("#"))), notes
