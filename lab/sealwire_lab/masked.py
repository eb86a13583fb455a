# SPDX-License-Identifier: Apache-2.0
"""Descriptions of masked modules (docs/probing.md): their sources, and what their ports carry."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import files
from .errors import LabError, one_of

_KEYS = {"top", "sources", "clock", "random", "public", "secrets", "parameters", "uniform"}


@dataclass(frozen=True)
class Masked:
    """A masked module: its sources and what its ports carry."""

    top: str
    sources: tuple[Path, ...]
    parameters: Mapping[str, int]
    ports: Mapping[str, Any]


def _texts(path: Path, table: Mapping[str, Any], key: str) -> list[str]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise LabError(f"{path}: {key} is {value!r}, which is no list of names")
    return value


def load(path: Path) -> Masked:
    """Read a description."""
    table = files.toml(path, "TOML")
    for key in table:
        one_of(f"key of {path.name}", key, sorted(_KEYS))
    if not isinstance(table.get("top"), str):
        raise LabError(f"{path} has no top, the name of the masked module")
    secrets = table.get("secrets")
    if not isinstance(secrets, dict) or not secrets:
        raise LabError(f"{path} has no table [secrets], which gives each secret's shares")
    ports = {
        "clock": table.get("clock", "clk"),
        "random": _texts(path, table, "random"),
        "public": _texts(path, table, "public"),
        "uniform": _texts(path, table, "uniform"),
        "secrets": {name: _texts(path, secrets, name) for name in secrets},
    }
    if not isinstance(ports["clock"], str):
        raise LabError(f"{path}: clock is {ports['clock']!r}, which is no name of a port")
    parameters = table.get("parameters", {})
    if not isinstance(parameters, dict) or not all(type(value) in (int, bool) for value in parameters.values()):
        raise LabError(f"{path}: parameters is {parameters!r}, which is no table of whole numbers")
    sources = tuple(path.parent / name for name in _texts(path, table, "sources"))
    return Masked(table["top"], sources, parameters, ports)
