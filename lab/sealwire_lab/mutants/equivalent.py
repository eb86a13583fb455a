# SPDX-License-Identifier: Apache-2.0
"""Mutants that do what the original does, so that no test can find them: tests/mutants/equivalent.toml."""

import tomllib
from pathlib import Path

from ..errors import LabError

FIELDS = ("id", "file", "was", "becomes", "reason")


def load(root: Path) -> dict[str, str]:
    """The reason of each recorded mutant, by its id."""
    path = root / "tests" / "mutants" / "equivalent.toml"
    if not path.exists():
        return {}
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get("mutant", [])
    for entry in entries:
        if missing := [name for name in FIELDS if not entry.get(name)]:
            raise LabError(f"{path}: mutant {entry.get('id', '(without id)')} lacks `{missing[0]}`")
    return {entry["id"]: entry["reason"] for entry in entries}
