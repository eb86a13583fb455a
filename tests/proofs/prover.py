# SPDX-License-Identifier: Apache-2.0
"""Proofs of proofs.toml: Yosys makes an and-inverter graph of a harness, ABC searches it for a failing assertion.

An assertion must hold for every input.  Signals that nothing drives are the solver's.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import resource
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, field
from importlib import util
from pathlib import Path
from typing import Any

from sealwire_lab import cores

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CACHE = ROOT / "build" / "proofs"
#: Times of the last complete run
RECORD = HERE / "record.json"
PAGE = ROOT / "docs" / "assurance.md"

_YOSYS = "import sys; from pyosys import libyosys as y; d = y.Design(); [y.run_pass(s, d) for s in sys.argv[1:]]"

#: Assertions that a module makes for simulation are not among those to be proved.
READ = "read_slang --allow-hierarchical-const -D SYNTHESIS"

#: What reads cannot name one assertion for each turn of a loop, so that none has a name.
LABEL = re.compile(r"\ba_\w+ :\s*(?=assert\b)")

PORTS_END = "\n);\n"

#: From what Yosys read to the graph. What nothing drives becomes the solver's.
STEPS = (
    "proc", "flatten", "setundef -undriven -anyseq", "opt_clean", "async2sync", "memory_collect", "opt_clean",
    "memory_map", "chformal -lower", "opt -full -keepdc", "setundef -undriven -anyseq", "setundef -anyseq", "dffunmap",
    "techmap", "opt -full", "dffunmap", "simplemap", "aigmap", "opt_clean", "write_aiger -zinit model.aig",
)  # fmt: skip

#: Seconds of processor that a search may take, however busy the machine is
LIMIT = 900

#: What ABC does, by engine, and how a page calls it. sat: no registers, every input. step: every state and the one
#: after it, for harnesses that keep in the first what must hold in the second. pdr: every state that can ever be
#: reached. bmc: every run of so many cycles from a reset, where pdr gives no answer within the limit.
ENGINES = {
    "sat": ("orpos; ifraig; iprove", "sat, every input"),
    "step": ("frames -i -F 2; orpos; ifraig; iprove", "sat, every step from every state"),
    "pdr": ("scorr; dc2; orpos; pdr -v", "pdr, unbounded"),
    "bmc": ("scorr; dc2; orpos; bmc3 -F 36", "bmc, 36 cycles"),
}

#: What ABC says of a proof, by engine. Its search by pdr can end with "Property proved" beside a failed check of the
#: invariant that it has found: so the check counts.
PROVED = {
    "sat": "^UNSATISFIABLE",
    "step": "^UNSATISFIABLE",
    "pdr": r"^Verification of invariant with \d+ clauses was successful",
    "bmc": "^No output asserted in 36 frames",
}


@dataclass(frozen=True)
class Mutant:
    """A defect that the proof must refute: a text of one source, which stands there once, and what replaces it."""

    says: str
    file: str
    old: str
    new: str

    def planted(self, text: str) -> str:
        """The text of the source with the defect in the place of what stands there once."""
        count = text.count(self.old)
        assert count == 1, f"{self.file} has {self.old!r} {count} times; say anew what is changed in it"
        return text.replace(self.old, self.new)


@dataclass(frozen=True)
class Proof:
    name: str
    says: str
    top: str
    engine: str
    sources: tuple[str, ...]
    mutants: tuple[Mutant, ...]
    parameters: dict[str, int] = field(default_factory=dict)
    #: Changes of the sources before any mutant is planted: widths that only take time to prove.
    smaller: tuple[Mutant, ...] = ()
    #: Sources of which the ports alone are taken: what stands here drives outputs, all others are the solver's.
    free: dict[str, str] = field(default_factory=dict)
    fast: bool = False


@dataclass(frozen=True)
class Outcome:
    holds: bool
    said: str
    seconds: float  # of processor time


def proofs() -> dict[str, Proof]:
    table = tomllib.loads((HERE / "proofs.toml").read_text(encoding="utf-8"))
    made = {}
    for entry in table["proof"]:
        mutants, smaller = (tuple(Mutant(**one) for one in entry.pop(kind, ())) for kind in ("mutants", "smaller"))
        sources = []
        for source in entry.pop("sources"):
            sources += _list(source[1:], table["sources"]) if source.startswith("@") else [source]
        proof = Proof(**entry, sources=tuple(sources), mutants=mutants, smaller=smaller)
        assert proof.name not in made, f"two proofs are called {proof.name}"
        made[proof.name] = proof
    return made


def _list(name: str, own: dict[str, list[str]]) -> list[str]:
    """The sources of a list of proofs.toml, or of hdl/cores.toml."""
    return own[name] if name in own else cores.source_list(name)


def _run(command: list[str], folder: Path) -> str:
    limited = ["prlimit", f"--cpu={LIMIT}:", *command]
    done = subprocess.run(limited, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode == -signal.SIGXCPU:
        raise RuntimeError(f"no answer within {LIMIT} s of processor")
    if done.returncode != 0:
        raise RuntimeError((done.stdout + done.stderr)[-4000:])
    return done.stdout


def _model(proof: Proof, given: list[tuple[str, str]], folder: Path, *steps: str) -> None:
    """Read the sources, and take the steps."""
    files = []
    for number, (source, text) in enumerate(given):
        files.append(folder / f"{number:03}_{Path(source).name}")
        files[-1].write_text(LABEL.sub("", text), encoding="utf-8")
    parameters = " ".join(f"-G {name}={value}" for name, value in proof.parameters.items())
    read = f"{READ} --top {proof.top} {parameters} {' '.join(map(str, files))}"
    _run([sys.executable, "-c", _YOSYS, read, f"hierarchy -top {proof.top}", *steps], folder)


def _abc(command: str, folder: Path) -> str:
    spec = util.find_spec("pyosys")
    assert spec is not None and spec.origin is not None
    return _run([str(Path(spec.origin).parent / "yosys-abc"), "-c", command], folder)


def texts(proof: Proof, mutant: Mutant | None) -> list[tuple[str, str]]:
    """The sources of a proof by name, in order, with its changes and a mutant if one is given."""
    changes = [*proof.smaller, *([mutant] if mutant else [])]
    for change in changes:
        assert change.file in proof.sources, f"{change.file} is no source of {proof.name}"
    texts = []
    for source in proof.sources:
        text = (ROOT / source).read_text(encoding="utf-8")
        for change in changes:
            if change.file == source:
                text = change.planted(text)
        if source in proof.free:
            text = text[: text.index(PORTS_END) + len(PORTS_END)] + proof.free[source] + "\nendmodule\n"
        texts.append((source, text))
    return texts


def elaborate(proof: Proof) -> None:
    """Raise an error where harness and sources do not fit together."""
    with tempfile.TemporaryDirectory() as scratch:
        _model(proof, texts(proof, None), Path(scratch))


def search(proof: Proof, mutant: Mutant | None = None) -> Outcome:
    """Whether the proof holds, with a mutant planted if one is given; an answer is kept by the sources it is for."""
    given = texts(proof, mutant)
    settings = [proof.top, proof.engine, ENGINES[proof.engine][0], proof.parameters, given]
    kept = CACHE / (hashlib.sha256(json.dumps([READ, STEPS, settings]).encode()).hexdigest() + ".json")
    if kept.exists():
        return Outcome(**json.loads(kept.read_text(encoding="utf-8")))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        _model(proof, given, folder, *STEPS)
        said = _abc("read_aiger model.aig; fold; print_stats; " + ENGINES[proof.engine][0], folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    outcome = Outcome(holds(proof, said), said, round(seconds, 1))
    CACHE.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(outcome.__dict__), encoding="utf-8")
    return outcome


def holds(proof: Proof, said: str) -> bool:
    if re.search(r"^SATISFIABLE|was asserted in frame", said, re.MULTILINE):
        return False
    if re.search(PROVED[proof.engine], said, re.MULTILINE):
        return True
    raise RuntimeError(f"{proof.name}: no answer\n{said[-3000:]}")


def _all(name: str) -> tuple[Outcome, list[Outcome]]:
    proof = proofs()[name]
    return search(proof), [search(proof, mutant) for mutant in proof.mutants]


def answers(
    pool: Executor, work: Callable[..., Any], jobs: Iterable[tuple[Any, ...]]
) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """What `work` says of each job, in order: None, with the reason printed, of one that ends with an exception."""
    for job, future in [(job, pool.submit(work, *job)) for job in jobs]:
        error = future.exception()
        if error:
            named = ", ".join(str(getattr(part, "says", part)) for part in job)
            print(f"{named}: NO ANSWER: {error!r}", flush=True)
        yield job, None if error else future.result()


def table(record: dict[str, dict[str, float]]) -> str:
    """The table of docs/assurance.md."""
    rows = [
        "| proof | what holds | engine | seconds of processor | mutants refuted, seconds |",
        "|---|---|---|---|---|",
    ]
    for proof in proofs().values():
        proof_time, mutant_time = (f"{record[proof.name][what]:.1f}" for what in ("proof", "mutants"))
        rows.append(
            f"| `{proof.name}` | {proof.says} | {ENGINES[proof.engine][1]} | {proof_time} "
            f"| {len(proof.mutants)}, {mutant_time} |"
        )
    return "\n".join(rows)


def document(record: dict[str, dict[str, float]], text: str) -> str:
    """`text`, the page, with the table of `record` between its marks."""
    begin, end = "<!-- proofs -->\n", "\n<!-- end of proofs -->"
    return text[: text.index(begin) + len(begin)] + table(record) + text[text.index(end) :]


def main(arguments: list[str]) -> int:
    """Exit status of the command."""
    parser = argparse.ArgumentParser(description="Prove everything, or what is named.")
    parser.add_argument("names", nargs="*", metavar="PROOF", help="a proof of proofs.toml")
    parser.add_argument("--record", action="store_true", help="keep the times here and in docs/assurance.md")
    chosen = parser.parse_args(arguments)
    if unknown := set(chosen.names) - set(proofs()):
        parser.error(f"no proof of proofs.toml: {', '.join(sorted(unknown))}")
    names = chosen.names or list(proofs())
    record = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    failed = False
    with ProcessPoolExecutor(2) as pool:
        for (name,), found in answers(pool, _all, [(name,) for name in names]):
            if found is None:
                failed = True
                continue
            proof, mutants = found
            survivors = [m.says for m, found in zip(proofs()[name].mutants, mutants, strict=True) if found.holds]
            failed |= not proof.holds or bool(survivors)
            print(
                f"{name}: {'holds' if proof.holds else 'DOES NOT HOLD'} ({proof.seconds} s); {len(mutants)} mutants,",
                f"not refuted: {', '.join(survivors)}" if survivors else "all refuted",
                flush=True,
            )
            spent = round(sum(found.seconds for found in mutants), 1)
            record[name] = {"proof": proof.seconds, "mutants": spent}
    if chosen.record and not failed:
        record = {name: record[name] for name in proofs() if name in record}
        RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        PAGE.write_text(document(record, PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
