# SPDX-License-Identifier: Apache-2.0
"""The bill of materials against the lock files, which are read here without Cargo."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("sbom") / "sealwire.cdx.json"
    subprocess.run([sys.executable, ROOT / "scripts/sbom.py", file], check=True)
    return file.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def components(text: str) -> dict[str, dict[str, Any]]:
    return {unquote(component["purl"]): component for component in json.loads(text)["components"]}


def test_keeps_to_the_format(text: str) -> None:
    validator = JsonStrictValidator(SchemaVersion.V1_6)
    assert validator.validate_str(text) is None
    assert validator.validate_str(text.replace('"library"', '"shelf"', 1)) is not None


def test_has_every_locked_crate_with_its_checksum_and_a_licence(components: dict[str, dict[str, Any]]) -> None:
    locked = tomllib.loads((ROOT / "Cargo.lock").read_text(encoding="utf-8"))["package"]
    expected = {f"pkg:cargo/{crate['name']}@{crate['version']}": crate.get("checksum") for crate in locked}
    found = {purl: crate for purl, crate in components.items() if purl.startswith("pkg:cargo/")}
    assert sorted(found) == sorted(expected)
    for purl, crate in found.items():
        hashes = [entry["content"] for entry in crate.get("hashes", [])]
        assert hashes == [checksum for checksum in [expected[purl]] if checksum], purl
        assert crate["licenses"], purl


def test_has_every_locked_package(components: dict[str, dict[str, Any]]) -> None:
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    pins = [line.split()[0].split("==") for line in lines if line[:1].isalnum()]
    expected = [f"pkg:pypi/{name}@{version}" for name, version in pins]
    assert expected
    assert sorted(purl for purl in components if purl.startswith("pkg:pypi/")) == sorted(expected)


def test_tells_what_programs_are_made_of_from_what_tests_use(components: dict[str, dict[str, Any]]) -> None:
    scopes = {purl.split("/")[1].split("@")[0]: component["scope"] for purl, component in components.items()}
    names = ["sealwire", "subtle", "zeroize", "proptest", "cbindgen", "pytest"]
    assert [scopes[name] for name in names] == ["required"] * 3 + ["excluded"] * 3


def test_knows_what_depends_on_what(text: str) -> None:
    depends = {entry["ref"]: entry.get("dependsOn", []) for entry in json.loads(text)["dependencies"]}
    [library] = [ref for ref in depends if ref.startswith("pkg:cargo/sealwire@")]
    assert library in depends["sealwire"]
    assert {ref.split("@")[0] for ref in depends[library]} >= {"pkg:cargo/aes", "pkg:cargo/zeroize", "pkg:cargo/sha2"}
