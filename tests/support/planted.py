# SPDX-License-Identifier: Apache-2.0
"""Defects that are planted into the sources of a core, so that a bench can be seen to find them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from sealwire_lab import cores

from support import hdl_bench


@dataclass(frozen=True)
class Defect:
    """Changes of a core's sources, and the cocotb test that fails with them."""

    core: str
    says: str
    found_by: str
    changes: tuple[tuple[str, str, str], ...]  # name of the file, old text, new text

    @property
    def name(self) -> str:
        return f"{self.core}-{self.says}"


def assert_found(defect: Defect, bench: str, folder: Path, monkeypatch: pytest.MonkeyPatch, **settings: object) -> None:
    """The test of `bench` that the defect names fails on a core with it, which is built with everything visible."""
    core = cores.find(defect.core)
    sources = list(core.sources)
    for name, old, new in defect.changes:
        (place,) = (place for place, source in enumerate(sources) if source.name == name)
        text = sources[place].read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{name}: {old!r}"
        sources[place] = folder / name
        sources[place].write_text(text.replace(old, new), encoding="utf-8")
    directory = hdl_bench.simulation(core.top, sources, core.parameters(), ["--public-flat-rw"])
    monkeypatch.setenv("SEALWIRE_ONLY", f"{defect.found_by}$")
    with pytest.raises(pytest.fail.Exception, match=f"^{core.top}: {defect.found_by}: "):
        hdl_bench.check(directory, core.top, bench, defect.found_by, **settings)
