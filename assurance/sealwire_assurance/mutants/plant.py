# SPDX-License-Identifier: Apache-2.0
"""Plants mutants: many in one file, of which one is chosen when a simulation starts, and the tree of such files.

The environment variable SEALWIRE_MUTANT holds the id of the one that is to act; without it a file does what the
original does.  So one build serves every mutant of its sources.
"""

import difflib
import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from sealwire_lab import cores, files

from .sites import PORT, STATEMENT, Mutant

VARIABLE = "SEALWIRE_MUTANT"

_HEAD = """\
`ifndef SEALWIRE_MUTANTS
`define SEALWIRE_MUTANTS
package sealwire_mutants;
`ifdef VERILATOR
  int unsigned chosen = $c32("(std::getenv(\\"SEALWIRE_MUTANT\\")"
                             " ? std::strtoul(std::getenv(\\"SEALWIRE_MUTANT\\"), nullptr, 16) : 0)");
`else
  int unsigned chosen = 0;
`endif
endpackage
`endif
""".replace('"\n                             "', "")  # one string: the language does not join two


def _asked(mutant: Mutant) -> str:
    return f"(sealwire_mutants::chosen == 32'h{mutant.id})"


def _site(mutants: Sequence[Mutant], original: str) -> str:
    """One place with all its mutants; `original` may hold places within."""
    if mutants[0].form == STATEMENT:
        return f"begin if (!({' || '.join(map(_asked, mutants))})) {original} end"
    text = f"({original})"
    for mutant in mutants:
        text = f"({_asked(mutant)} ? ({mutant.becomes}) : {text})"
    return f"{original}({text})" if mutants[0].form == PORT else text


def _render(source: bytes, start: int, end: int, mutants: Sequence[Mutant]) -> str:
    """The text from `start` to `end`, with mutants that lie in it, sorted by place and the longer first."""
    text, at, index = "", start, 0
    while index < len(mutants):
        first = mutants[index]
        here = [m for m in mutants[index:] if (m.start, m.end, m.form) == (first.start, first.end, first.form)]
        inside = [m for m in mutants[index + len(here) :] if m.end <= first.end]
        text += source[at : first.start].decode() + _site(here, _render(source, first.start, first.end, inside))
        at = first.end
        index += len(here) + len(inside)
    return text + source[at:end].decode()


def instrumented(source: bytes, mutants: Iterable[Mutant]) -> str:
    """A file with all these mutants of it."""
    ordered = sorted(mutants, key=lambda m: (m.start, -m.end, m.form != STATEMENT, m.id))
    return _HEAD + _render(source, 0, len(source), ordered)


def diff(root: Path, mutant: Mutant) -> Iterator[str]:
    """The defect, as someone would have written it, as a difference of two files, line by line."""
    source = (root / mutant.file).read_bytes()
    becomes = {STATEMENT: ";", PORT: f"{mutant.was}({mutant.becomes})"}.get(mutant.form, f"({mutant.becomes})")
    mutated = source[: mutant.start] + becomes.encode() + source[mutant.end :]
    before, after = (text.decode().splitlines(keepends=True) for text in (source, mutated))
    return difflib.unified_diff(before, after, f"a/{mutant.file}", f"b/{mutant.file}")


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
                texts[file] = instrumented(texts[file], mutants).encode()
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
