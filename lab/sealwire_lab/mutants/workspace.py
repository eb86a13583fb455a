# SPDX-License-Identifier: Apache-2.0
"""The folder of a campaign: a tree whose hdl/ holds the drawn mutants and whose other entries are the checkout's."""

import hashlib
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from .. import cores, files
from . import plant
from .sites import Mutant


def digest_of(path: Path) -> str:
    """Short name for the content of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


class Workspace:
    """build/mutants/<seed> below the top of the checkout."""

    def __init__(self, seed: int) -> None:
        self.root = cores.root()
        self.folder = self.root / "build" / "mutants" / str(seed)
        self.tree = self.folder / "tree"
        self.results = self.folder / "results.jsonl"
        #: What `--record` keeps of any seed, with the checkout.
        self.shipped = self.root / "tests" / "mutants" / "verdicts.jsonl"

    def write(self, drawn: Sequence[Mutant]) -> str:
        """Make the tree hold these mutants, and no others; returns a name for what is in its hdl/."""
        with files.locked(self.folder / "lock"):
            texts = {
                path.relative_to(self.root).as_posix(): path.read_bytes()
                for path in sorted((self.root / "hdl").rglob("*"))
                if path.is_file()
            }
            for file in {mutant.file for mutant in drawn}:
                mutants = [mutant for mutant in drawn if mutant.file == file]
                texts[file] = plant.instrumented(texts[file], mutants).encode()
            digest = hashlib.sha256(
                b"".join(name.encode() + hashlib.sha256(text).digest() for name, text in texts.items())
            ).hexdigest()[:16]
            stamp = self.folder / "stamp.json"
            if not stamp.exists() or json.loads(stamp.read_text(encoding="utf-8")) != digest:
                shutil.rmtree(self.tree / "hdl", ignore_errors=True)
                shutil.rmtree(self.folder / "unmutated", ignore_errors=True)
                for name, text in texts.items():
                    (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
                    (self.tree / name).write_bytes(text)
                stamp.write_text(json.dumps(digest), encoding="utf-8")
            (self.tree / "build").mkdir(exist_ok=True)
            for entry in self.root.iterdir():
                here = self.tree / entry.name
                if entry.name not in ("hdl", "build", ".git") and not here.is_symlink():
                    here.symlink_to(entry)
        return digest
