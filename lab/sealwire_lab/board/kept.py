# SPDX-License-Identifier: Apache-2.0
"""Files of results/ with an entry for each board, which names the sources that it is of."""

import json
from pathlib import Path
from typing import Any

from .. import files


def load(path: Path) -> dict[str, Any]:
    """The entries by the board's name."""
    return json.loads(files.read(path)) if path.exists() else {}


def store(path: Path, entries: dict[str, Any]) -> None:
    """Put entries into a file, in the place of those of the same names."""
    files.write(path, json.dumps(dict(sorted((load(path) | entries).items())), indent=1) + "\n")


def label(name: str, entry: dict[str, Any], sources_hash: str) -> str:
    """What a table calls a board whose sources of today have this hash."""
    return f"`{name}`" + ("" if entry["sources_sha256"] == sources_hash else " (earlier sources)")
