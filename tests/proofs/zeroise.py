# SPDX-License-Identifier: Apache-2.0
"""Proof on the structure of the whole link: what may still depend on a secret when a zeroise is over.

Two links with the same public history and other secrets differ at the end of the wipe in nothing but what zeroise.toml
lists. Public, by declaration there, are what leaves sealed, verdicts and session ids.
"""

from __future__ import annotations

import re
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, cast

from proofs import gates, prover

HERE = Path(__file__).parent
TABLE = tomllib.loads((HERE / "zeroise.toml").read_text(encoding="utf-8"))
LISTS = tomllib.loads((prover.ROOT / "hdl" / "link" / "sources.toml").read_text(encoding="utf-8"))
SOURCES = {"sealwire_link": LISTS["sources"], "sealwire_link_axil": LISTS["sources"] + LISTS["control"]}
Place = tuple[str, int]  # name and bit
CONTROL = "hdl/link/session/session_control.sv"
#: The cycle of the orders: the pulse of clear, then the level of the wipe alone.
_LEFT = (
    "          hold: busy,\n          clear: state_q == S_CLEAR,\n          wipe: state_q inside {S_CLEAR, S_WIPE},\n"
)
_CLEAR, _WIPE = (
    prover.Mutant("", CONTROL, _LEFT, f"          hold: 1'b1,\n          clear: 1'b{clear},\n          wipe: 1'b1,\n")
    for clear in (1, 0)
)
#: The cycle after the pulse, in which the cores hear it from a register.
_CORES = prover.Mutant(
    "", "hdl/link/aead/session_aead.sv", ") u_aead (\n        .*,\n", ") u_aead (\n        .*,\n        .clear(1'b1),\n"
)


def _elaborate(top: str, suite: int, changes: list[prover.Mutant], folder: Path) -> Any:
    """The link flattened, with the changes made to its sources."""
    folder.mkdir()
    files = []
    for number, name in enumerate(SOURCES[top]):
        text = (prover.ROOT / name).read_text(encoding="utf-8")
        for change in changes:
            if change.file == name:
                text = change.planted(text)
        files.append(folder / f"{number:03}_{Path(name).name}")
        files[-1].write_text(text, encoding="utf-8")
    (module,) = gates.elaborate(top, {"SUITE": suite}, files, folder, constants=True)
    return module


def _states(module: Any, graph: gates.Graph) -> dict[Place, int]:
    """Registers and columns of memories by name; a register may have several."""
    registers = {(name, index): bit for name, index, bit in gates.named(module) if bit in graph.registers}
    return registers | {(name, 0): bit for bit, name in graph.stored.items()}


def _bits(nets: Iterable[list[gates.Bit]]) -> set[gates.Bit]:
    return {bit for bits in nets for bit in bits}


class _Step:
    """One edge of core_clk in a state of the zeroise; a register of another clock may keep what it holds."""

    def __init__(self, module: Any, cut: list[str], secrets: str) -> None:
        there = [net for net in cut if re.sub(r"\[\d+:\d+\]$", "", net) in module["netnames"]]
        graph = gates.graph(module, there, memories=True)
        self.places = _states(module, graph)
        (core,) = module["ports"]["core_clk"]["bits"]
        self.slow = {bit for bit in graph.registers if graph.clocks[bit] != core}
        self.inputs = _bits(gates.ports(module, "input", secrets).values())
        self.graph = graph

    def take(self, holding: set[Place]) -> set[Place]:
        """What may depend on a secret behind the edge, if `holding` may before it."""
        start = {self.places[place] for place in holding & self.places.keys()} | self.inputs
        after = (start & self.slow) | self.graph.entered(bit for bit in start if isinstance(bit, int)).keys()
        return {place for place, bit in self.places.items() if bit in after}


def _link(top: str) -> dict[str, Any]:
    (found,) = (link for link in TABLE["link"] if link["top"] == top)
    return cast(dict[str, Any], found)


def _changes(link: dict[str, Any], kind: str) -> list[prover.Mutant]:
    return [prover.Mutant("", **change) for change in link.get(kind, ())]


def check(top: str, suite: int, mutant: prover.Mutant | None = None) -> set[str]:
    """Whatever depends on a secret and must not: state behind the wipe, and in any cycle a counter or handshake."""
    link = _link(top)
    split, pulse = (_changes(link, kind) for kind in ("split", "pulse"))
    always = [*([mutant] if mutant else []), *split]
    public, idle = (["u_end." + net for net in TABLE[kind]] for kind in ("public", "idle"))
    public += (entering := link.get("entering", []))
    stages = [[], *([pulse] if pulse else []), [_CLEAR], [_WIPE, _CORES], [_WIPE]]
    with tempfile.TemporaryDirectory() as scratch:
        modules = [
            _elaborate(top, suite, [*always, *changes], Path(scratch) / str(number))
            for number, changes in enumerate(stages)
        ]
    before, *during = modules
    whole = gates.graph(before, public, memories=True)
    secrets = _bits(gates.ports(before, "input", link["secrets"]).values())
    secrets |= _bits(before["netnames"][net]["bits"] for net in entering)
    assert len(secrets) >= 128, "secrets are not to be found"
    reached = whole.influenced(bit for bit in secrets if isinstance(bit, int))
    plain = gates.ports(before, "output", link["outputs"])
    assert len(plain) > 12, "outputs are not to be found"
    found = {name for name, bits in plain.items() if reached.intersection(bits)}
    holding = {place for place, bit in _states(before, whole).items() if bit in reached}
    assert len(holding) > 2000, "registers that hold secrets are not to be found"
    *steps, last = [
        _Step(module, public + (idle if module is during[-1] else []), link["secrets"]) for module in during
    ]
    lost = reached & (whole.registers | set(whole.stored))
    for place, bit in _states(before, whole).items():
        if all(place in step.places for step in [*steps, last]):
            lost.discard(bit)
    assert not lost, f"{len(lost)} registers that hold secrets have no name in the wipe: {whole.names[lost.pop()]}"
    for step in steps:
        holding = step.take(holding)
    while (after := last.take(holding)) != holding:
        holding = after
    listed = re.compile("|".join(f"(?:{entry['net']})" for entry in TABLE["remains"]))
    remains = {re.sub(r"\[\d+\]$", "", name).removeprefix("u_end.") for name, _ in holding if name[0] != "$"}
    return found | {name for name in remains if not listed.fullmatch(name)}


def changes(top: str) -> list[prover.Mutant]:
    """Every change that any job makes to the sources of a link."""
    link = _link(top)
    mine = [*_changes(link, "split"), *_changes(link, "pulse")]
    return [_CLEAR, _CORES, *mine, *(mutant for one, _, mutant in jobs() if one == top and mutant)]


Job = tuple[str, int, prover.Mutant | None]  # link, suite, defect


def jobs() -> list[Job]:
    """Every suite of every link without a defect, then each defect in the first suite of its link."""
    first = {link["top"]: link["suites"][0] for link in TABLE["link"]}
    whole: list[Job] = [(link["top"], suite, None) for link in TABLE["link"] for suite in link["suites"]]
    entries = [dict(entry) for entry in TABLE["mutant"]]
    tops = [entry.pop("link", "sealwire_link") for entry in entries]
    return whole + [(top, first[top], prover.Mutant(**entry)) for top, entry in zip(tops, entries, strict=True)]


def main(names: list[str]) -> int:
    """Prove it of every link of zeroise.toml, or of those that are named, and refute the mutants."""
    chosen = [job for job in jobs() if not names or job[0] in names]
    wrong = 0
    with ProcessPoolExecutor(2) as pool:
        for (top, suite, mutant), found in prover.answers(pool, check, chosen):
            if found is None:
                wrong += 1
                continue
            wrong += bool(found) != bool(mutant)
            says = ("refuted" if found else "NOT REFUTED") if mutant else "DOES NOT HOLD" if found else "holds"
            print(
                f"zeroise, {top}, suite {suite:02x}{', ' + mutant.says if mutant else ''}: {says}",
                *sorted(found)[:12],
                flush=True,
            )
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
