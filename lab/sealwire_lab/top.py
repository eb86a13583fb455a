# SPDX-License-Identifier: Apache-2.0
"""A top, a core joined to an adapter, as data and as text; `tops` makes them."""

from dataclasses import dataclass
from pathlib import Path

from . import files
from .cores import Core
from .ports import Port


@dataclass(frozen=True)
class Parameter:
    """A parameter of a top: a whole number."""

    name: str
    default: int
    comment: str


@dataclass(frozen=True)
class Top:
    """A core behind an adapter: the text of its module, and what the module looks like from outside."""

    name: str
    bus: str
    core: Core
    width: int
    parameters: tuple[Parameter, ...]
    ports: tuple[Port, ...]
    sources: tuple[Path, ...]  # of core and adapter in compile order, without the top itself
    text: str

    def write(self, directory: Path) -> Path:
        """Put the module into `directory`, in a file of its name; the file is left alone if it says the same."""
        path = directory / f"{self.name}.sv"
        if not path.exists() or path.read_text(encoding="utf-8") != self.text:
            files.write(path, self.text)
        return path
