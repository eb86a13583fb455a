# SPDX-License-Identifier: Apache-2.0
"""Records of designs whose sources have changed, but not what they say.

A design is elaborated from its sources as a commit has them, and from those of today. Where Yosys reads the same
modules from both, to the byte but for places in the sources, it would make of them what it made, and the record names
today's sources.
"""

import subprocess
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from .. import cores, files, firmware, links
from ..board import boards, flow
from ..board import record as builds
from ..errors import LabError
from ..implement import designs, yosys
from ..implement.flow import revision
from ..implement.stages import Progress
from . import shipped
from .record import Record

_Read = Callable[[Path], bytes]


def _git(*words: str) -> bytes:
    done = subprocess.run(["git", "-C", str(cores.root()), *words], capture_output=True)
    if done.returncode:
        raise LabError(f"git {' '.join(words)}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def reader(commit: str) -> _Read:
    """What reads a source as the commit has it; one that the repository does not hold, as it is."""
    held = {cores.root() / name for name in _git("ls-files", "-z").decode().split("\0")}

    @cache
    def read(path: Path) -> bytes:
        if path not in held:
            return files.source(path)
        return _git("show", f"{commit}:{path.relative_to(cores.root()).as_posix()}")

    return read


def _same(
    top: str, parameters: dict[str, Any], sources: Iterable[Path], before: _Read, *flags: str, **more: bytes
) -> bool:
    """Whether both sources give the same modules.  `more` are files beside them that they read, by name."""
    names = {f"{place:03d}_{path.name}": path for place, path in enumerate(sources)}
    first, second = (
        yosys.elaborated(top, parameters, {name: read(path) for name, path in names.items()} | more, names, *flags)
        for read in (before, files.source)
    )
    return first == second


def record(kept: Record, before: _Read) -> Record | None:
    """The record with today's sources; None where they are another design than the commit's, or it is of neither."""
    core = links.designs().get(kept.core)
    if core is None or designs.current_hash(kept) is None:
        return None
    design, parameters = designs.of(core, kept.interface, kept.params)
    flags = yosys.APART if core.hierarchy else ()
    if files.sources_hash(design.sources, before) != kept.sources_sha256:
        return None
    if not _same(design.top, parameters, design.sources, before, *flags):
        return None
    return replace(kept, sources_sha256=files.sources_hash(design.sources), revision=revision(design.sources))


def board(name: str, kept: dict[str, Any], before: _Read, progress: Progress) -> dict[str, Any] | None:
    """The entry of results/boards.json, likewise."""
    made = boards.find(name)
    if builds.sources_hash(made, before) != kept["sources_sha256"]:
        return None
    sources = boards.sources(made)
    if any(before(path) != files.source(path) for path in builds.inputs(made) if path not in sources):
        return None
    plls = (flow.pll(made, module, 3600, False, progress) for module in made.plls())
    parameters = made.parameters() | {"IMAGE": f'"{flow.IMAGE}"'}
    image = {flow.IMAGE: files.source(firmware.image())}
    same = _same(made.top, parameters, [*sources, *plls], before, **image)
    return kept | {"sources_sha256": builds.sources_hash(made)} if same else None


def carry(commit: str, progress: Progress) -> tuple[list[str], list[str]]:
    """Give today's sources to shipped records, and builds of boards, whose designs are those of the commit.

    Returns which they are, and which of earlier sources are left.
    """
    before = reader(commit)
    held = shipped.read(shipped.folder() / shipped.MEASURED)
    known: dict[str, Record | None] = {}  # by the design: several targets take one
    kept: list[str] = []
    left: list[str] = []
    for place, old in enumerate(held):
        what = f"{old.variant} on {old.target}"
        if designs.current_hash(old) != old.sources_sha256:
            progress(what, 0.0, "")
            design = old.key("core", "interface", "params", "sources_sha256")
            if design not in known:
                known[design] = record(old, before)
            new = known[design]
            if new:
                held[place] = replace(old, sources_sha256=new.sources_sha256, revision=new.revision)
            (kept if new else left).append(what)
    shipped.write(held)
    built = builds.load()
    for name, entry in built.items():
        if entry["sources_sha256"] != builds.sources_hash(boards.find(name)):
            progress(name, 0.0, "")
            same = board(name, entry, before, progress)
            built[name] = same or entry
            (kept if same else left).append(name)
    builds.store(built)
    return kept, left
