# SPDX-License-Identifier: Apache-2.0
"""Area of a core and of its tops: `python -m sealwire_lab.tops_area CORE [BUS ...]`, synthesised for UltraScale+.

Synthesis alone, nothing placed; what an adapter costs is the difference.  Default parameters of core and tops.
"""

from __future__ import annotations

import dataclasses
import json
import sys

from . import build, cores, tops
from .implement import flow, targets
from .implement.stages import Progress


def _quiet(_what: str, _seconds: float, _line: str) -> None:
    """Progress that nobody reads."""


def main(words: list[str]) -> None:
    """One line of JSON for the core, and one for each bus."""
    core, target = cores.find(words[0]), targets.find("xcup")
    made = [(core.name, core, core.parameters())]
    for bus in words[1:] or list(tops.WIDTHS):
        top = tops.render(core, bus)
        sources = (*top.sources, top.write(build.build_dir() / "tops"))
        made.append((top.name, dataclasses.replace(core, name=top.name, top=top.name, sources=sources), {}))
    progress: Progress = _quiet
    for name, entry, parameters in made:
        done = flow.synthesise(flow.Request(entry, target, parameters), progress)
        area = target.area(flow.cells_of(done.folder / flow.STAT))
        print(json.dumps({"top": name, "target": target.name, "lut": area.lut, "ff": area.ff, "bram": area.bram}))


if __name__ == "__main__":
    main(sys.argv[1:])
