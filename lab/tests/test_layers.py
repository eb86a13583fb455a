# SPDX-License-Identifier: Apache-2.0
"""The parts of the lab: measuring knows neither the demonstration nor publishing, and these two not each other.

And the files of all tests, which one call of pytest imports by their names alone.
"""

import ast
from collections import Counter
from pathlib import Path

import sealwire_lab
from sealwire_lab import cores

PACKAGE = Path(sealwire_lab.__file__).parent
#: Parts that stand on the measuring one; only the command joins all.
ABOVE = ("demo", "publish")


def imported(path: Path) -> set[str]:
    """First words of the modules of the package that a file imports, wherever in the file."""
    here = path.relative_to(PACKAGE).parts[:-1]
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = (*here[: len(here) - node.level + 1], *(node.module or "").split("."))
            found |= {(*base, name.name)[0] or name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sealwire_lab."):
            found.add(str(node.module).split(".")[1])
    return found


def test_imports_lead_from_demonstration_and_publishing_to_measuring_alone() -> None:
    wrong = []
    for path in sorted(PACKAGE.rglob("*.py")):
        part = path.relative_to(PACKAGE).parts[0]
        if part != "cli.py":
            wrong += [f"{path}: {name}" for name in imported(path) if name in ABOVE and name != part]
    assert not wrong
    assert imported(PACKAGE / "cli.py") >= set(ABOVE)


def test_relative_imports_are_followed_to_their_part() -> None:
    at = PACKAGE / "publish" / "figures" / "command.py"
    assert "publish" in imported(at) and "terminal" in imported(at) and "demo" not in imported(at)


def test_no_two_files_of_tests_have_one_name() -> None:
    places = (cores.root() / place for place in ("tests", "lab/tests", "python/tests"))
    names = Counter(path.name for place in places for path in place.rglob("test_*.py"))
    assert len(names) > 100 and [name for name, files in names.items() if files > 1] == []
