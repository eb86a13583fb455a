# SPDX-License-Identifier: Apache-2.0
"""Records of designs whose sources have changed, but not what they say.

A design is elaborated from its sources as a commit has them, and from those of today. Where Yosys reads the same
modules from both, to the byte but for places in the sources, it would make of them what it made, and the record names
today's sources.
"""

import io
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from .. import cores, files, firmware, links
from ..board import boards, flow, line_rate
from ..board import record as builds
from ..errors import LabError
from ..implement import designs, yosys
from ..implement.flow import revision
from ..implement.stages import Progress
from . import shipped
from .record import Record

#: What a board's processor runs, as the tree of this environment has it
_IMAGE = "from sealwire_lab import firmware; print(firmware.image().read_text(), end='')"


def _output(what: str, *command: str, **environment: str) -> bytes:
    done = subprocess.run(command, capture_output=True, env=os.environ | environment)
    if done.returncode:
        raise LabError(f"{what}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


class Before:
    """The sources as a commit has them, below a folder."""

    def __init__(self, commit: str, folder: Path) -> None:
        git = ("git", "-C", str(cores.root()))
        listed = _output("git", *git, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
        self._held = {cores.root() / name for name in listed.decode().split("\0")}
        self._folder = folder
        tree = _output(f"git has no {commit}", *git, "archive", "--format=zip", commit)
        with zipfile.ZipFile(io.BytesIO(tree)) as archive:
            archive.extractall(folder)

    def _place(self, path: Path) -> Path:
        return self._folder / path.relative_to(cores.root()) if path in self._held else path

    def those(self, paths: Iterable[Path]) -> list[Path]:
        """Without those that came after the commit."""
        return [path for path in paths if self._place(path).exists()]

    def read(self, path: Path) -> bytes:
        """A source; one that the repository does not hold is as it is."""
        return files.source(self._place(path))

    def hash(self, paths: Iterable[Path]) -> str:
        return files.sources_hash(self.those(paths), self.read)

    def image(self) -> bytes:
        """Of the boards' firmware."""
        return _output("the firmware", sys.executable, "-c", _IMAGE, SEALWIRE_ROOT=str(self._folder))


def _same(
    top: str, parameters: dict[str, Any], sources: Sequence[Path], before: Before, *flags: str, **more: bytes
) -> bool:
    """Whether both sources give the same modules.  `more` are files beside them that they read, by name."""

    def elaborated(paths: Iterable[Path], read: Callable[[Path], bytes]) -> str:
        names = yosys.named(paths)
        return yosys.elaborated(
            top, parameters, {name: read(path) for name, path in names.items()} | more, names, *flags
        )

    return elaborated(before.those(sources), before.read) == elaborated(sources, files.source)


def record(kept: Record, before: Before) -> Record | None:
    """The record with today's sources; None where they are another design than the commit's, or it is of neither."""
    core, today = links.designs().get(kept.core), designs.current_hash(kept)
    if core is None or today is None:
        return None
    design, parameters = designs.of(core, kept.interface, kept.params)
    flags = yosys.APART if core.hierarchy else ()
    if before.hash(design.sources) != kept.sources_sha256:
        return None
    if not _same(design.top, parameters, design.sources, before, *flags):
        return None
    return replace(kept, sources_sha256=today, revision=revision(design.sources))


def _same_board(made: boards.Board, before: Before, progress: Progress) -> bool:
    """Whether a build would be made of the same modules, image and settings."""
    image = files.source(firmware.image())
    settings = (made.pins, made.folder / "board.toml")
    if before.image() != image or any(before.read(path) != files.source(path) for path in settings):
        return False
    plls = (flow.pll(made, module, 3600, False, progress) for module in made.plls())
    parameters = made.parameters() | {"IMAGE": f'"{flow.IMAGE}"'}
    sources = [*boards.sources(made), *plls]
    return _same(made.top, parameters, sources, before, **{flow.IMAGE: image})


def board(name: str, kept: dict[str, Any], before: Before, progress: Progress) -> dict[str, Any] | None:
    """The entry of results/boards.json, likewise."""
    made = boards.find(name)
    if before.hash(builds.inputs(made)) != kept["sources_sha256"] or not _same_board(made, before, progress):
        return None
    return kept | {"sources_sha256": builds.sources_hash(made)}


def rate(name: str, kept: dict[str, Any], before: Before, progress: Progress) -> dict[str, Any] | None:
    """The entry of results/line-rate.json, likewise: what a simulation alone has must be as it was, to the byte."""
    made = boards.find(name)
    models = set(line_rate.inputs(made)) - set(builds.inputs(made))
    if before.hash(line_rate.inputs(made)) != kept["sources_sha256"]:
        return None
    if any(before.read(path) != files.source(path) for path in models) or not _same_board(made, before, progress):
        return None
    return kept | {"sources_sha256": line_rate.sources_hash(made)}


def carry(commit: str, progress: Progress) -> tuple[list[str], list[str]]:
    """Give today's sources to shipped records, and builds of boards, whose designs are those of the commit.

    Returns which they are, and which of earlier sources are left.
    """
    with tempfile.TemporaryDirectory() as folder:
        return _carry(Before(commit, Path(folder)), progress)


def _carry(before: Before, progress: Progress) -> tuple[list[str], list[str]]:
    held = shipped.read(shipped.folder() / shipped.MEASURED)
    known: dict[str, Record | None] = {}  # by the design: several targets take one
    kept: list[str] = []
    left: list[str] = []
    for place, old in enumerate(held):
        what = f"{old.variant} on {old.target}"
        if not designs.current(old):
            progress(what, 0.0, "")
            design = old.key("core", "interface", "params", "sources_sha256")
            if design not in known:
                known[design] = record(old, before)
            new = known[design]
            if new:
                held[place] = replace(old, sources_sha256=new.sources_sha256, revision=new.revision)
            (kept if new else left).append(what)
    shipped.write(held)
    for what, kind, of in (("", builds, board), (", line rate", line_rate, rate)):
        entries = kind.load()
        for name, entry in entries.items():
            if entry["sources_sha256"] != kind.sources_hash(boards.find(name)):
                progress(name + what, 0.0, "")
                same = of(name, entry, before, progress)
                entries[name] = same or entry
                (kept if same else left).append(name + what)
        kind.store(entries)
    return kept, left
