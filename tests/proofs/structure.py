# SPDX-License-Identifier: Apache-2.0
"""Proofs on the structure of every core of the manifest: what cannot depend on a secret, whatever state and inputs.

time: no valid, ready, busy, count of bytes, last or context of an output depends on key, nonce, data or tag. So the
cycles of a command are those of any other with the same operations, lengths and handshakes.
axis: as time, of the core behind AXI4-Stream; the verdict on a tag, which a status tells, may decide there.
clear, rst: with the pulse, no next value of a register depends on a register that a secret reaches, or on a secret.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proofs import gates, prover
from sealwire_lab import cores, tops
from sealwire_lab.cores import Core

TABLE = tomllib.loads((Path(__file__).parent / "structure.toml").read_text(encoding="utf-8"))
SECRETS = r"key_data|cmd_nonce|ad_data|msg_data|tag_in_data"
SIGNALS = r"busy|\w+_(valid|ready|bytes|last|ctx)"
PULSES = ("clear", "rst")
#: Of the adapter: commands come on a stream of their own.
AXIS_SECRETS = r"s_axis_(key|ad|msg|tag)_tdata"
AXIS_SIGNALS = r"busy|[sm]_axis(_\w+)?_t(valid|ready|keep|last)"
#: Sizes of a core that only take time to prove.
SMALL = {"MAX_MSG_BYTES": 256}


@dataclass(frozen=True)
class Finding:
    """What depends on a secret: the output or register, and the way from the secret or from what holds it."""

    what: str
    path: list[str]


def parameters(core: Core) -> dict[str, int]:
    """The default sizes of a core."""
    sizes = core.parameters()
    return sizes | {name: value for name, value in SMALL.items() if name in sizes}


def timing(module: Any, secrets: str, signals: str, cut: Sequence[str]) -> list[Finding]:
    """The outputs called `signals` that inputs called `secrets` reach, but through nets of `cut`."""
    told = {bit for bits in gates.ports(module, "input", secrets).values() for bit in bits if isinstance(bit, int)}
    outputs = [bit for bits in gates.ports(module, "output", signals).values() for bit in bits if isinstance(bit, int)]
    assert len(told) >= 128 and len(outputs) > 4, "the module has other ports than expected"
    return [Finding(path[-1], path) for path in gates.graph(module, cut).paths(outputs, told)]


def wiping(before: Any, pulsed: dict[str, Any]) -> dict[str, list[Finding]]:
    """The registers that keep a secret over the edge of each pulse, for which there is the module while it lasts."""
    whole = gates.graph(before)
    assert not whole.memory, "a memory takes several cycles: say so in structure.toml"
    secrets = {bit for bits in gates.ports(before, "input", SECRETS).values() for bit in bits if isinstance(bit, int)}
    held = whole.influenced(secrets) & whole.registers
    holding = {(name, index): bit for name, index, bit in gates.named(before) if bit in held}
    return {pulse: _kept(holding, module) for pulse, module in pulsed.items()}


def _kept(holding: dict[tuple[str, int], gates.Bit], during: Any) -> list[Finding]:
    """The registers whose next value depends on one of those that hold a secret, by their names, or on a secret."""
    graph = gates.graph(during)
    there = {(name, index): bit for name, index, bit in gates.named(during) if (name, index) in holding}
    # A register may have further names, which the reading of a function made up.
    found = {holding[name] for name in there}
    assert len(found) > 128 and found == set(holding.values()), "registers that hold secrets are not to be found"
    sources = {*there.values(), *(bit for bits in gates.ports(during, "input", SECRETS).values() for bit in bits)}
    remains = graph.entered(bit for bit in sources if isinstance(bit, int))
    return [
        Finding(name := graph.names.get(register, "?"), [graph.names.get(source, "?"), name])
        for register, source in remains.items()
    ]


def check(name: str, mutant: prover.Mutant | None = None) -> dict[str, list[Finding]]:
    """What is found in a core: by `time`, `axis`, `clear` and `rst`; a mutant is planted first if one is given."""
    core = cores.load()[name]
    pulses = () if name in TABLE["several_cycles"]["cores"] else PULSES
    verdict = TABLE["verdict"].get(name, [])
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        module, *pulsed = gates.elaborate(
            core.top, parameters(core), _written(core.sources, folder / "core", mutant), folder, pulses
        )
        top = tops.render(core, "axis")
        sources = [*top.sources, top.write(folder)]
        (behind,) = gates.elaborate(top.name, {}, _written(sources, folder / "axis", mutant), folder)
    found = {"time": timing(module, SECRETS, SIGNALS, verdict)}
    cut = ["u_core.result_ok", *(f"u_core.{net}" for net in verdict)]
    found["axis"] = timing(behind, AXIS_SECRETS, AXIS_SIGNALS, cut)
    return found | (wiping(module, dict(zip(pulses, pulsed, strict=True))) if pulsed else {})


def _written(sources: Iterable[Path], folder: Path, mutant: prover.Mutant | None) -> list[Path]:
    """The sources in a folder, with the mutant planted if its file is among them."""
    folder.mkdir()
    files = []
    for number, source in enumerate(dict.fromkeys(sources)):
        text = source.read_text(encoding="utf-8")
        if mutant and source.as_posix().endswith(mutant.file):
            text = mutant.planted(text)
        files.append(folder / f"{number:03}_{source.name}")
        files[-1].write_text(text, encoding="utf-8")
    return files


def mutants() -> list[tuple[str, str, prover.Mutant]]:
    """The core, what must be found (`time`, `axis`, `clear` or `rst`) and the defect."""
    entries = [dict(entry) for entry in TABLE["mutant"]]
    return [(entry.pop("core"), entry.pop("finds"), prover.Mutant(**entry)) for entry in entries]


def refuted(core: str, finds: str, mutant: prover.Mutant) -> bool:
    return bool(check(core, mutant)[finds])


def main(arguments: list[str]) -> int:
    """Exit status of the command."""
    parser = argparse.ArgumentParser(description="Prove all cores, or those that are named, and refute the mutants.")
    parser.add_argument("names", nargs="*", metavar="CORE", help="a core of hdl/cores.toml")
    names = parser.parse_args(arguments).names
    if unknown := set(names) - set(cores.load()):
        parser.error(f"no core of hdl/cores.toml: {', '.join(sorted(unknown))}")
    wrong = 0
    chosen = names or list(cores.load())
    with ProcessPoolExecutor(2) as pool:
        for (name,), found in prover.answers(pool, check, [(name,) for name in chosen]):
            if found is None:
                wrong += 1
                continue
            said = ", ".join(f"{what} {'DOES NOT HOLD' if all_ else 'holds'}" for what, all_ in found.items())
            print(f"{name}: {said}", flush=True)
            for what, all_ in found.items():
                wrong += len(all_)
                for one in all_[:5]:
                    print(f"    {what}: {one.what} <- {' <- '.join(reversed(one.path))}")
        for (core, finds, mutant), done in prover.answers(pool, refuted, mutants()):
            wrong += not done
            print(f"{core}, {mutant.says}: {'refuted' if done else 'NOT REFUTED'} ({finds})", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
