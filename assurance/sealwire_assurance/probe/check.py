# SPDX-License-Identifier: Apache-2.0
"""From the description of a masked module to the verdicts: Yosys makes the netlist, a Rust program decides."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pyslang.syntax import SyntaxKind, SyntaxTree
from sealwire_lab import cores, files
from sealwire_lab.errors import LabError, one_of
from sealwire_lab.implement import stages, yosys
from sealwire_lab.implement.targets import DEVICES, Target
from sealwire_lab.masked import Masked, load

#: The RTL as gates of two inputs and registers: no pass that restructures logic runs.
_RTL = "hierarchy -check; proc; flatten -noscopeinfo; opt_clean; simplemap; techmap; simplemap; opt_clean"
_CRATE = "sealwire-probe"
_LIMIT_SECONDS = 1800.0
#: Variables that an enumeration may have by default: of a probe, and of a pair, of which there are many.
LIMIT, PAIR_LIMIT = 34, 20
#: The most variables of an enumeration, and the most cycles that a probe sees.
MOST, CYCLES = 60, 16
#: Told how many probes are decided, and how many there are.
Decided = Callable[[int, int], None]


def _nodes(root: Any, kind: SyntaxKind) -> list[Any]:
    found: list[Any] = []
    root.visit(lambda node: found.append(node) if getattr(node, "kind", None) == kind else None)
    return found


def _parameters(text: str, top: str) -> list[str]:
    """Names of a module's parameters in its source: slang takes no notice of a value for another one."""
    modules = _nodes(SyntaxTree.fromText(text).root, SyntaxKind.ModuleDeclaration)
    whole = (module for module in modules if module.header.name.valueText == top)
    declared = (node for module in whole for node in _nodes(module, SyntaxKind.ParameterDeclaration))
    return [
        part.name.valueText for node in declared if node.keyword.valueText == "parameter"
        for part in _nodes(node, SyntaxKind.Declarator)
    ]  # fmt: skip


def netlist(masked: Masked, parameters: Mapping[str, int], target: Target | None, progress: stages.Progress) -> Path:
    """The module in gates of Yosys, or in a target's cells; from the store if it was made before."""
    sources = {name: files.source(path).decode() for name, path in yosys.named(masked.sources).items()}
    known = [name for text in sources.values() for name in _parameters(text, masked.top)]
    values = {name: int(value) for name, value in {**masked.parameters, **parameters}.items()}
    for name in values:
        one_of(f"parameter of {masked.top}", name, known)
    passes = f"{target.synth} -top {masked.top}" if target else _RTL
    where = target.name if target else "rtl"
    failure = f"{masked.top} could not be synthesised: {{reason}} (log in {{folder}})"
    place = f"probe/{masked.top}-{where}"
    script = f"{yosys.elaboration(masked.top, values, sources)}\n{passes}\nwrite_json netlist.json"
    return (
        yosys.passes(f"netlist ({where})", place, sources, script, progress, _LIMIT_SECONDS, failure) / "netlist.json"
    )


@cache
def program(name: str = _CRATE) -> Path:
    """One of the checking programs, compiled if its sources changed; asked for once in a process."""
    cargo = shutil.which("cargo")
    if cargo is None:
        raise LabError("cargo is not installed; the checking program is Rust (https://rustup.rs)")
    words = [cargo, "build", "--release", "--locked", "--quiet", "-p", _CRATE]
    done = subprocess.run(words, cwd=cores.root(), capture_output=True, text=True)
    if done.returncode:
        raise LabError(f"the checking program could not be compiled: {(done.stderr.splitlines() or ['no message'])[0]}")
    return Path(os.environ.get("CARGO_TARGET_DIR", cores.root() / "target")) / "release" / name


def answer(name: str, netlist: Path, about: Mapping[str, object], done: Decided) -> dict[str, Any]:
    """What a checking program makes of a netlist and a description."""
    with tempfile.TemporaryDirectory() as scratch:
        description = Path(scratch) / "about.json"
        description.write_text(json.dumps(about), encoding="utf-8")
        words = [program(name), netlist, description]
        # Into a file: a pipe that nobody reads while the lines of progress are read would stop a long result.
        verdicts = Path(scratch) / "verdicts.json"
        with (
            verdicts.open("wb") as out,
            subprocess.Popen(words, stdout=out, stderr=subprocess.PIPE, text=True) as child,
        ):
            assert child.stderr
            error = ""
            try:
                for line in child.stderr:
                    first, _, rest = line.strip().partition(" ")
                    if first.isdigit() and rest.isdigit():
                        done(int(first), int(rest))
                    else:
                        error = error or line.strip()
            except BaseException:
                child.kill()
                raise
        if child.returncode:
            raise LabError(f"{about['top']}: {error.removeprefix('error: ') or f'status {child.returncode}'}")
        result: dict[str, Any] = json.loads(verdicts.read_bytes())
    return result


def check(
    path: Path,
    where: str,
    progress: stages.Progress,
    decided: Decided,
    *,
    parameters: Mapping[str, int] | None = None,
    hold: Sequence[str] = (),
    same: Sequence[Sequence[str]] = (),
    bypass: Sequence[str] = (),
    limit: int | None = None,
    cycles: int = 2,
    order: int = 1,
    first: bool = False,
) -> dict[str, Any]:
    """Check a description on `rtl` or a target's netlist; defects may be planted.

    The verdicts are numbers of probes, and which leak or are undecided. Of `order` 2, `pairs` are numbers of pairs of
    probes too, with the first leaks by name; `first` ends with the first of them.
    """
    masked = load(path)
    one_of("netlist", where, ("rtl", *DEVICES))
    made = netlist(masked, parameters or {}, DEVICES.get(where), progress)
    limits = {"limit": LIMIT if limit is None else limit, "pair_limit": PAIR_LIMIT if limit is None else limit}
    asked = {**limits, "cycles": cycles, "order": order, "first": first}
    about = {**masked.ports, "top": masked.top, "hold": hold, "same": same, "bypass": bypass, **asked}
    return {"top": masked.top, "netlist": where, **answer(_CRATE, made, about, decided)}
