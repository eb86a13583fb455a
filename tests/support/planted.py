# SPDX-License-Identifier: Apache-2.0
"""Defects that are planted into the sources of a core, so that a bench can be seen to find them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest
from sealwire_lab import cores
from sealwire_lab.cores import Core

from support import hdl_bench

#: Name of the file, old text, new text
Change = tuple[str, str, str]


@dataclass(frozen=True)
class Defect:
    """Changes of a core's sources, and the cocotb test that fails with them."""

    core: str
    says: str
    found_by: str
    changes: tuple[Change, ...]

    @property
    def name(self) -> str:
        return f"{self.core}-{self.says}"


def sources(core: Core, changes: Iterable[Change], folder: Path) -> list[Path]:
    """The sources of a core, those with changes rewritten in the folder."""
    made = list(core.sources)
    for name, old, new in changes:
        (place,) = (place for place, source in enumerate(made) if source.name == name)
        text = made[place].read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{name}: {old!r}"
        made[place] = folder / name
        made[place].write_text(text.replace(old, new), encoding="utf-8")
    return made


def assert_found(defect: Defect, bench: str, folder: Path, monkeypatch: pytest.MonkeyPatch, **settings: object) -> None:
    """The test of `bench` that the defect names fails on a core with it, which is built with everything visible."""
    core = cores.find(defect.core)
    changed = sources(core, defect.changes, folder)
    directory = hdl_bench.simulation(core.top, changed, core.parameters(), ["--public-flat-rw"])
    monkeypatch.setenv("SEALWIRE_ONLY", f"{defect.found_by}$")
    with pytest.raises(pytest.fail.Exception, match=f"^{core.top}: {defect.found_by}: "):
        hdl_bench.check(directory, core.top, bench, defect.found_by, **settings)
