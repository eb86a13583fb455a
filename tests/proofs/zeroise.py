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
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from proofs import gates, prover

HERE = Path(__file__).parent
TABLE = tomllib.loads((HERE / "zeroise.toml").read_text(encoding="utf-8"))
SOURCES = tomllib.loads((prover.ROOT / "hdl" / "link" / "sources.toml").read_text(encoding="utf-8"))["sources"]
Place = tuple[str, int]  # name and bit
CONTROL = "hdl/link/session/session_control.sv"
#: The cycle of the orders: the pulse of the cores' clear, then the level of the wipe alone.
_LEFT = (
    "          hold: busy,\n          clear: state_q == S_CLEAR,\n          wipe: state_q inside {S_CLEAR, S_WIPE},\n"
)
_CLEAR, _WIPE = (
    prover.Mutant("", CONTROL, _LEFT, f"          hold: 1'b1,\n          clear: 1'b{clear},\n          wipe: 1'b1,\n")
    for clear in (1, 0)
)


def _elaborate(suite: int, changes: list[prover.Mutant], folder: Path) -> Any:
    """The link flattened, with the changes made to its sources."""
    folder.mkdir()
    files = []
    for number, name in enumerate(SOURCES):
        text = (prover.ROOT / name).read_text(encoding="utf-8")
        for change in changes:
            if change.file == name:
                assert text.count(change.old) == 1, f"{name} has {change.old!r} {text.count(change.old)} times"
                text = text.replace(change.old, change.new)
        files.append(folder / f"{number:03}_{Path(name).name}")
        files[-1].write_text(text, encoding="utf-8")
    (module,) = gates.elaborate("sealwire_link", {"SUITE": suite}, files, folder, constants=True)
    return module


def _states(module: Any, graph: gates.Graph) -> dict[Place, int]:
    """Registers and columns of memories by name; a register may have several."""
    registers = {(name, index): bit for name, index, bit in gates.named(module) if bit in graph.registers}
    return registers | {(name, 0): bit for bit, name in graph.stored.items()}


class _Step:
    """One edge of core_clk in a state of the zeroise; a register of another clock may keep what it holds."""

    def __init__(self, module: Any, cut: list[str]) -> None:
        there = [net for net in cut if re.sub(r"\[\d+:\d+\]$", "", net) in module["netnames"]]
        graph = gates.graph(module, there, memories=True)
        self.places = _states(module, graph)
        (core,) = module["ports"]["core_clk"]["bits"]
        self.slow = {bit for bit in graph.registers if graph.clocks[bit] != core}
        self.inputs = {bit for bits in gates.ports(module, "input", TABLE["secrets"]).values() for bit in bits}
        self.states = graph.registers | set(graph.stored)
        self.users: dict[int, list[int]] = {}
        for bit, needed in graph.needs.items():
            for one in needed:
                self.users.setdefault(one, []).append(bit)

    def take(self, holding: set[Place]) -> set[Place]:
        """What may depend on a secret behind the edge, if `holding` may before it."""
        start = {self.places[place] for place in holding & self.places.keys()} | self.inputs
        after = start & self.slow
        seen, waiting = set(start), [bit for bit in start if isinstance(bit, int)]
        for bit in waiting:
            for other in self.users.get(bit, ()):
                if other in self.states:
                    after.add(other)
                elif other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return {place for place, bit in self.places.items() if bit in after}


def check(suite: int, mutant: prover.Mutant | None = None) -> set[str]:
    """Whatever depends on a secret and must not: state behind the wipe, and in any cycle a counter or handshake."""
    planted = [mutant] if mutant else []
    public, idle = (["u_end." + net for net in TABLE[kind]] for kind in ("public", "idle"))
    with tempfile.TemporaryDirectory() as scratch:
        before, clear, wipe = (
            _elaborate(suite, [*planted, *changes], Path(scratch) / str(number))
            for number, changes in enumerate(([], [_CLEAR], [_WIPE]))
        )
    whole = gates.graph(before, public, memories=True)
    secrets = {bit for bits in gates.ports(before, "input", TABLE["secrets"]).values() for bit in bits}
    assert len(secrets) > 500, "secrets are not to be found"
    reached = whole.influenced(bit for bit in secrets if isinstance(bit, int))
    plain = gates.ports(before, "output", TABLE["outputs"])
    assert len(plain) > 40, "outputs are not to be found"
    found = {name for name, bits in plain.items() if reached.intersection(bits)}
    holding = {place for place, bit in _states(before, whole).items() if bit in reached}
    assert len(holding) > 2000, "registers that hold secrets are not to be found"
    last = _Step(wipe, public + idle)
    first = _Step(clear, public)
    lost = reached & (whole.registers | set(whole.stored))
    for place, bit in _states(before, whole).items():
        if place in last.places and place in first.places:
            lost.discard(bit)
    assert not lost, f"{len(lost)} registers that hold secrets have no name in the wipe: {whole.names[lost.pop()]}"
    holding = first.take(holding)
    while (after := last.take(holding)) != holding:
        holding = after
    listed = re.compile("|".join(f"(?:{entry['net']})" for entry in TABLE["remains"]))
    remains = {re.sub(r"\[\d+\]$", "", name).removeprefix("u_end.") for name, _ in holding if name[0] != "$"}
    return found | {name for name in remains if not listed.fullmatch(name)}


def mutants() -> list[prover.Mutant]:
    return [prover.Mutant(**entry) for entry in TABLE["mutant"]]


def main() -> int:
    """Prove it of the suites of zeroise.toml, and refute the mutants with the first of them."""
    jobs = [(suite, None) for suite in TABLE["suites"]] + [(TABLE["suites"][0], mutant) for mutant in mutants()]
    wrong = 0
    with ProcessPoolExecutor(2) as pool:
        for (suite, mutant), found in zip(jobs, pool.map(check, *zip(*jobs, strict=True)), strict=True):
            wrong += bool(found) != bool(mutant)
            says = ("refuted" if found else "NOT REFUTED") if mutant else "DOES NOT HOLD" if found else "holds"
            print(
                f"zeroise, suite {suite:02x}{', ' + mutant.says if mutant else ''}: {says}",
                *sorted(found)[:12],
                flush=True,
            )
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
