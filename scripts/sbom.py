# SPDX-License-Identifier: Apache-2.0
"""The bill of materials (CycloneDX 1.6, JSON): every crate that Cargo.lock has and every package of requirements.lock.

The scope "required" marks what a program or library of the workspace can be linked from, with any features and on any
system; "excluded" what only building, testing and the tools for the hardware use.

    python scripts/sbom.py FILE
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

ROOT = Path(__file__).resolve().parent.parent


def component(kind: str, name: str, version: str, *, linked: bool, **parts: Any) -> Component:
    """A library, under the name that its registry has for it."""
    url = PackageURL(kind, name=name, version=version)
    scope = ComponentScope.REQUIRED if linked else ComponentScope.EXCLUDED
    return Component(
        name=name, version=version, type=ComponentType.LIBRARY, scope=scope, purl=url, bom_ref=str(url), **parts
    )


def linked(metadata: dict[str, Any]) -> set[str]:
    """The ids of the workspace's crates and of all that normal dependencies lead to."""
    nodes = {node["id"]: node["deps"] for node in metadata["resolve"]["nodes"]}
    found: set[str] = set()
    left = list(metadata["workspace_members"])
    while left:
        crate = left.pop()
        if crate not in found:
            found.add(crate)
            left += [dep["pkg"] for dep in nodes[crate] if any(kind["kind"] is None for kind in dep["dep_kinds"])]
    return found


def add_crates(bom: Bom) -> Iterator[Component]:
    """Adds the crates with licences, checksums and dependencies; gives the workspace's own."""
    command = ["cargo", "metadata", "--locked", "--all-features", "--format-version", "1"]
    metadata = json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
    locked = tomllib.loads((ROOT / "Cargo.lock").read_text(encoding="utf-8"))["package"]
    checksums = {(crate["name"], crate["version"]): crate.get("checksum") for crate in locked}
    in_programs = linked(metadata)
    crates = {}
    for crate in metadata["packages"]:
        checksum = checksums[crate["name"], crate["version"]]
        # Old manifests write "/" for "OR".
        licence = re.sub(r"\s*/\s*", " OR ", crate["license"])
        crates[crate["id"]] = component(
            "cargo",
            crate["name"],
            crate["version"],
            linked=crate["id"] in in_programs,
            licenses=[LicenseFactory().make_from_string(licence)],
            hashes=[HashType(alg=HashAlgorithm.SHA_256, content=checksum)] if checksum else [],
        )
        bom.components.add(crates[crate["id"]])
    for node in metadata["resolve"]["nodes"]:
        bom.register_dependency(crates[node["id"]], [crates[name] for name in node["dependencies"]])
    return (crates[name] for name in metadata["workspace_members"])


def add_packages(bom: Bom) -> Iterator[Component]:
    """Adds the Python packages, which build, test and measure; the package `sealwire` itself has no dependency."""
    locked = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    for name, version in re.findall(r"^([a-z0-9._-]+)==([^\s;]+)", locked, re.MULTILINE):
        package = component("pypi", name, version, linked=False)
        bom.components.add(package)
        yield package


def main() -> None:
    """Writes the file that the command line names."""
    [file] = sys.argv[1:]
    workspace = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]
    bom = Bom()
    bom.metadata.component = Component(
        name="Sealwire",
        version=workspace["version"],
        type=ComponentType.APPLICATION,
        bom_ref="sealwire",
        licenses=[LicenseFactory().make_from_string(workspace["license"])],
    )
    bom.register_dependency(bom.metadata.component, [*add_crates(bom), *add_packages(bom)])
    JsonV1Dot6(bom).output_to_file(file, allow_overwrite=True, indent=2)
    print(f"{file}: {len(bom.components)} components")


if __name__ == "__main__":
    main()
