# SPDX-License-Identifier: Apache-2.0
"""Whole links as designs to implement: the entries [[build]] of hdl/link/sources.toml, in the form of cores.

A link is no core: nothing but the implementation on a device takes one.
"""

import tomllib
from typing import Any

from . import cores, files
from .cores import Core
from .errors import unknown

KIND = "link"


def load() -> dict[str, Core]:
    """All links by name; none where the checkout has no link."""
    path = cores.root() / "hdl" / "link" / "sources.toml"
    if not path.exists():
        return {}
    table: dict[str, Any] = tomllib.loads(files.read(path))
    sources = tuple(cores.root() / name for name in table["sources"] + table["control"])
    return {
        entry["name"]: Core(
            name=entry["name"], kind=KIND, top=entry["top"], scheme=entry["scheme"],
            architecture=entry["architecture"], sources=sources, defaults=entry["parameters"],
        )
        for entry in table.get("build", [])
    }  # fmt: skip


def designs() -> dict[str, Core]:
    """Cores and links by name."""
    return cores.load() | load()


def find(name: str) -> Core:
    """A core or link by name; an unknown name is answered with the nearest ones."""
    known = designs()
    if name not in known:
        raise unknown("core", name, known)
    return known[name]
