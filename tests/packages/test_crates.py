# SPDX-License-Identifier: Apache-2.0
"""The crates as crates.io gets them: what readers look for is there, and what they are built of is inside."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PUBLISHED = ("sealwire", "sealwire-link", "sealwire-file", "sealwire-cli")


def cargo(*words: str) -> str:
    done = subprocess.run(["cargo", *words, "--offline"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def packages() -> dict[str, Any]:
    listed = json.loads(cargo("metadata", "--format-version", "1", "--no-deps"))["packages"]
    return {package["name"]: package for package in listed}


def test_only_what_is_meant_to_be_published_can_be(packages: dict[str, Any]) -> None:
    assert {name for name, package in packages.items() if package["publish"] != []} == set(PUBLISHED)


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_crate_says_what_it_is(packages: dict[str, Any], name: str) -> None:
    package = packages[name]
    assert package["license"] == "Apache-2.0"
    assert package["repository"].startswith("https://")
    assert 20 < len(package["description"]) < 250
    assert 3 <= len(package["keywords"]) <= 5
    assert all(re.fullmatch(r"[a-z][a-z0-9-]{1,19}", word) for word in package["keywords"])
    assert "cryptography" in package["categories"]
    if any(target["kind"] == ["lib"] for target in package["targets"]):
        assert package["metadata"]["docs"]["rs"]["all-features"]
    # A path alone is nothing that cargo can find on crates.io.
    assert all(need["req"] != "*" for need in package["dependencies"])


def test_the_crates_can_be_published_one_after_the_other(tmp_path: Path) -> None:
    """Everything but the upload and the build of what would be uploaded, which `make crates` does besides."""
    words = [word for name in PUBLISHED for word in ("-p", name)]
    command = ["cargo", "publish", "--dry-run", "--no-verify", "--allow-dirty", "--target-dir", str(tmp_path), *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if "download of config.json failed" in done.stderr or "Could not resolve host" in done.stderr:
        pytest.skip("the registry's index cannot be reached")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("aborting upload due to dry run") == len(PUBLISHED), done.stderr


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_crate_holds_what_it_needs(name: str) -> None:
    folder = ROOT / "crates" / name
    files = cargo("package", "--list", "--allow-dirty", "--package", name).split()
    assert {"README.md", "LICENSE", "Cargo.toml"} <= set(files)
    for file in files:
        path = folder / file
        if path.suffix != ".rs" or not path.is_file() or not file.startswith(("src/", "build.rs")):
            continue
        # Guides that run as tests are of the repository.
        text = re.sub(r"#\[cfg\(.*doctest.*\)\]\n(?:#\[doc = .*\]\n)+", "", path.read_text(encoding="utf-8"))
        for included in re.findall(r'include_(?:str|bytes)!\("([^"]+)"\)', text):
            target = (path.parent / included).resolve()
            assert target.is_relative_to(folder), f"{file} needs {included}, which the crate does not hold"
