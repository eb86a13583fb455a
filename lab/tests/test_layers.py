# SPDX-License-Identifier: Apache-2.0
"""Who may import whom: the packages, and the parts of the lab; and the commands that packages bring to it.

And the files of all tests, which one call of pytest imports by their names alone.
"""

import ast
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from sealwire_lab import cli, cores

ROOT = cores.root()
#: The packages of this repository by folder, and those of ours that each may import.
PACKAGES = {
    "model": (),
    "lab": ("sealwire_model",),
    "demo": ("sealwire_lab", "sealwire_model"),
    "assurance": ("sealwire_lab", "sealwire_model"),
}
#: The part of the lab that stands on all others; only the command knows it.
ABOVE = "publish"


def folder(package: str) -> Path:
    return ROOT / package / f"sealwire_{package}"


def imported(path: Path, package: Path) -> set[str]:
    """Full names of what a file of a package imports, wherever in the file."""
    here = (package.name, *path.relative_to(package).parts[:-1])
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            base = ".".join(here[: len(here) - node.level + 1]) if node.level else ""
            found |= {".".join(filter(None, (base, node.module, name.name))) for name in node.names}
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
    return found


def beyond(package: Path, allowed: tuple[str, ...]) -> Iterator[str]:
    """Imports of ours that a package may not have."""
    for path in sorted(package.rglob("*.py")):
        for name in sorted(imported(path, package)):
            first = name.partition(".")[0]
            if first.startswith("sealwire") and first not in (package.name, *allowed):
                yield f"{path}: {name}"


def publishing(package: Path) -> Iterator[str]:
    """Imports of publishing by other parts of the lab."""
    for path in sorted(package.rglob("*.py")):
        if path.relative_to(package).parts[0] not in (ABOVE, "cli.py"):
            names = sorted(name for name in imported(path, package) if name.startswith(f"sealwire_lab.{ABOVE}"))
            yield from (f"{path}: {name}" for name in names)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_imports_those_alone_that_it_stands_on(package: str) -> None:
    assert list(folder(package).rglob("*.py")) and list(beyond(folder(package), PACKAGES[package])) == []


def test_measuring_knows_nothing_of_publishing() -> None:
    assert list(publishing(folder("lab"))) == []
    assert any(name.startswith(f"sealwire_lab.{ABOVE}") for name in imported(folder("lab") / "cli.py", folder("lab")))


@pytest.mark.parametrize(
    "line", ["import sealwire_demo.rules", "from sealwire_demo import rules", "def late():\n    import sealwire_demo"]
)
def test_an_import_of_a_package_above_is_found(line: str, tmp_path: Path) -> None:
    package = tmp_path / "sealwire_lab"
    (package / "sweep").mkdir(parents=True)
    (package / "sweep" / "engine.py").write_text(f"from ..results import load\n{line}\n", encoding="utf-8")
    [wrong] = beyond(package, PACKAGES["lab"])
    assert "engine.py: sealwire_demo" in wrong and not list(beyond(package, ("sealwire_demo",)))


@pytest.mark.parametrize(
    "line", ["from ..publish import tables", "from .. import publish", "from sealwire_lab.publish.tables import total"]
)
def test_an_import_of_publishing_is_found(line: str, tmp_path: Path) -> None:
    package = tmp_path / "sealwire_lab"
    (package / "sweep").mkdir(parents=True)
    (package / "sweep" / "engine.py").write_text(f"{line}\n", encoding="utf-8")
    assert len(list(publishing(package))) == 1


def test_the_command_knows_which_package_brings_what() -> None:
    brought = {}
    for package in PACKAGES:
        project = tomllib.loads((ROOT / package / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        modules = project.get("entry-points", {}).get(cli.GROUP, {})
        brought |= dict.fromkeys(modules, project["name"])
        for module in modules.values():
            assert (ROOT / package / (module.replace(".", "/") + ".py")).is_file()
    assert brought == {name: package for name, package in cli.COMMANDS.items() if isinstance(package, str)}


def test_no_two_files_of_tests_have_one_name() -> None:
    places = [ROOT / "tests", *ROOT.glob("*/tests")]
    names = Counter(path.name for place in places for path in place.rglob("test_*.py"))
    assert len(names) > 100 and [name for name, files in names.items() if files > 1] == []
