# SPDX-License-Identifier: Apache-2.0
"""Records what the ports of a core carry while a short message is sealed and opened, or its tag computed and verified.

results/waveforms/NAME.json holds, for each operation, the edges of the clock in runs of equal ones: how often, and then
busy and three bits for each channel (valid, ready, and what the channel says beside: `MARK`).
"""

import argparse
import json
import tempfile
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from ... import cores, files
from ...cores import Core
from ...errors import LabError
from ...simulation import Outcome, Simulation
from ...terminal import STDERR

PROBE = Path(__file__).parent / "probe.sv"
#: Channels in the order of the columns, and what the third bit of each means.
MARK = {"key": "", "cmd": "op", "ad": "last", "msg": "last", "tag_in": "", "out": "last", "result": "ok"}
#: These have a bit for each context; the message is sent in context 0.
_BY_CONTEXT = ("cmd_ready", "ad_ready", "msg_ready", "tag_in_ready")
#: Channels that a MAC core lacks.
_OF_AEAD = ("ad", "out")
#: What is done with the message by kinds of cores.
OPERATIONS = {"aead": ("seal", "open"), "mac": ("compute", "verify")}
#: Lengths in bytes: neither fills its block, the message has two.
_AD = 13


#: What a flip-flop sees at a rising edge of the clock: `busy` and for each channel three bits, the last where valid.
Edge = dict[str, str]


@dataclass(frozen=True)
class Waveform:
    """One core's record.  `runs` go by operation: (number of edges, columns)."""

    core: str
    params: dict[str, int]
    message_bytes: int
    ad_bytes: int
    sources_sha256: str
    command: str
    runs: dict[str, list[tuple[int, str]]]

    @property
    def channels(self) -> list[str]:
        """The channels that the core has."""
        return [name for name in MARK if name not in _OF_AEAD or self.runs.keys() == {*OPERATIONS["aead"]}]

    def edges(self, operation: str) -> list[Edge]:
        """Every edge of one operation."""
        runs = [(count, line.split()) for count, line in self.runs[operation]]
        return [edge for count, bits in runs for edge in [dict(zip(("busy", *MARK), bits, strict=True))] * count]

    def text(self) -> str:
        """The shipped form."""
        head = {name: value for name, value in self.__dict__.items() if name != "runs"}
        lines = [json.dumps(head, indent=1)[:-2] + ","]
        for operation, runs in self.runs.items():
            rows = ",\n".join(f"  {json.dumps(run)}" for run in runs)
            lines.append(f' "{operation}": [\n{rows}\n ]{"," if operation != [*self.runs][-1] else ""}')
        return "\n".join([*lines, "}"]) + "\n"


def _runs(lines: list[str]) -> list[tuple[int, str]]:
    """Runs of equal lines, what is not valid left out: idle channels carry random bits in this bench."""
    normal = (
        " ".join(word if word[0] == "1" else f"{word[:2]}0"[: len(word)] for word in line.split()) for line in lines
    )
    return [(len(list(group)), line) for line, group in groupby(normal)]


def measure(core: Core) -> Waveform:
    """Simulate a key, and what is done with a message of one block and a quarter."""
    parameters = core.parameters()
    message = core.block_bytes * 5 // 4
    aead = core.kind == "aead"
    with tempfile.TemporaryDirectory() as scratch:
        bind = Path(scratch) / f"bind_{core.top}.sv"
        ports = ["clk", "busy", *(f"{name}_{end}" for name in MARK for end in ("valid", "ready"))]
        ports += [f"{name}_{mark}" for name, mark in MARK.items() if mark]
        listed = (f".{name}({_signal(name, aead)})" for name in ports)
        bind.write_text(f"bind {core.top} wave_probe u_wave_probe ({', '.join(listed)});\n", encoding="utf-8")
        seen = Path(scratch) / "wave.txt"
        probed = replace(core, sources=(*core.sources, PROBE, bind))
        with Simulation.of(probed, parameters, plusargs=[f"+wave={seen}"]) as bench:
            nonce, ad = bytes(range(parameters.get("NONCE_BITS", 0) // 8)), bytes(_AD)
            bench.stall("none")
            bench.key(bytes(parameters["KEY_BITS"] // 8))
            if aead:
                bench.seal(nonce, ad, bytes(message))
            else:
                bench.compute(bytes(message))
            first = _good(core, bench.flush().outcomes)
            lines = files.read(seen).splitlines()
            if aead:
                bench.open(nonce, ad, first.out, first.tag)
            else:
                bench.verify(bytes(message), first.tag)
            _good(core, bench.flush().outcomes)
            both = files.read(seen).splitlines()
    loaded = next(number for number, line in enumerate(lines) if line.split()[1].startswith("11"))
    runs = dict(zip(OPERATIONS[core.kind], (_runs(lines[loaded:]), _runs(both[len(lines) :])), strict=True))
    command = f"sealwire-lab waveforms --core {core.name}"
    return Waveform(core.name, parameters, message, _AD if aead else 0, files.sources_hash(core.sources), command, runs)


def _signal(port: str, aead: bool) -> str:
    """What of the core a port of the probe sees; what a MAC core lacks is never there."""
    if aead:
        return f"{port}[0]" if port in _BY_CONTEXT else port
    if port == "cmd_op":
        return "{1'b0, cmd_verify}"
    return "1'b0" if port.startswith(tuple(f"{name}_" for name in _OF_AEAD)) else port


def _good(core: Core, outcomes: list[Outcome]) -> Outcome:
    if len(outcomes) != 1 or not (outcomes[0].done and outcomes[0].ok):
        raise LabError(f"{core.name} does not take the short message of its waveform")
    return outcomes[0]


def path_of(name: str) -> Path:
    """Where the waveform of a core is kept."""
    return cores.root() / "results" / "waveforms" / f"{name}.json"


def load(name: str) -> Waveform | None:
    """The kept waveform of a core, or None."""
    path = path_of(name)
    if not path.exists():
        return None
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
        operations = OPERATIONS["mac" if "compute" in table else "aead"]
        runs = {operation: [(int(n), str(line)) for n, line in table.pop(operation)] for operation in operations}
        return Waveform(**table, runs=runs)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise LabError(f"{path} is not a waveform ({error}); make it again: sealwire-lab waveforms") from error


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--core", action="append", metavar="NAME", help="only this one, made anew; repeatable")


def run(arguments: argparse.Namespace) -> int:
    known = cores.load().values()
    wanted = [cores.find(name) for name in arguments.core] if arguments.core else list(known)
    made = 0
    for core in wanted:
        kept = load(core.name) if not arguments.core else None
        if kept and kept.sources_sha256 == files.sources_hash(core.sources):
            continue
        with STDERR.status(f"simulating {core.name}"):
            text = measure(core).text()
        made += 1
        print(f"{core.name}: {files.write(path_of(core.name), text)}")
    same = len(wanted) - made
    print(f"{made} made" + (f"; {same} up to date, which --core NAME makes anew all the same" if same else ""))
    return 0
