# SPDX-License-Identifier: Apache-2.0
"""The link's sources, and whole links as designs to implement: what hdl/link/sources.toml lists.

A link has the form of a core, but only the implementation on a device takes it: the other commands run cores.
"""

from pathlib import Path
from typing import Any

from . import cores, files
from .cores import Core
from .errors import LabError

KIND = "link"


def _manifest() -> Path:
    return cores.root() / "hdl" / "link" / "sources.toml"


def _table() -> dict[str, Any]:
    table = files.toml(_manifest(), "a list of sources")
    for part in ("sources", "control", "clocks"):
        if part not in table:
            raise LabError(f"{_manifest()} is not a list of sources: it has no {part}")
    return table


def sources(*, control: bool = False) -> list[Path]:
    """The link's SystemVerilog files in compile order, with those of its registers if `control`."""
    table = _table()
    return [cores.root() / name for name in table["sources"] + (table["control"] if control else [])]


def load() -> dict[str, Core]:
    """All links by name, the entries [[build]]; none where the checkout has no link."""
    if not _manifest().exists():
        return {}
    table = _table()
    listed = tuple(sources(control=True))
    return {
        entry["name"]: Core(
            name=entry["name"], kind=KIND, top=entry["top"], module="sealwire_link", scheme=entry["scheme"],
            architecture=entry["architecture"], sources=listed, defaults=entry["parameters"],
            data_bits=entry["parameters"].get("DATA_BITS", 64), clocks=table["clocks"],
            ram_rows=entry.get("ram_rows", ()),
        )
        for entry in table.get("build", [])
    }  # fmt: skip


def others() -> dict[str, Core]:
    """Designs that are no cores, by name: no harness runs them, and no ranking compares them with cores."""
    return cores.parts() | load()


def designs() -> dict[str, Core]:
    """Cores, their parts and links by name."""
    return cores.load() | others()


def find(name: str) -> Core:
    """A design by name; an unknown name is answered with the nearest ones."""
    return cores.find(name, designs())
