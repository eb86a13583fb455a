# SPDX-License-Identifier: Apache-2.0
"""Talks to the harness of MAC cores; the protocol is that of the harness of AEAD cores."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from .. import build, toolchain
from ..cores import Core
from ..coverage import collect
from ..simulation import Simulation, _hex

HARNESS = Path(__file__).parent / "harness"
COMPUTE, VERIFY = 0, 1


def program(core: Core, parameters: dict[str, int], netlist: build.Netlist | None = None) -> Path:
    """The program that runs a MAC core under its harness; `netlist` takes the RTL's place."""
    tools = toolchain.find()
    files = list(netlist.sources if netlist else core.sources)
    included = list(netlist.included if netlist else ())
    harness = [*sorted(HARNESS.iterdir()), *sorted(build.HARNESS.glob("*.hpp")), *collect.SOURCES]
    options = [f"{name}={value}" for name, value in sorted(parameters.items())]
    counting = () if netlist else collect.flags()
    parts: list[str | Path] = [core.top, *options, *files, *included, *harness, *counting]
    name = f"{netlist.name if netlist else core.top}-{build.digest(parts)}"

    def make(scratch: Path) -> None:
        library = build.runtime()
        flags = [*collect.savable(counting), *counting, "-fno-lift-expr"]
        flags += dict.fromkeys(f"-I{path.parent}" for path in included)
        given = {} if netlist else parameters
        optimise = "-O0" if netlist else collect.optimise(counting)
        archive = build.verilate(scratch, core.top, files, given, "Vcore", flags, optimise)
        build._run(
            [
                tools.cxx, "-O1", *build._CXXFLAGS, *collect.defines(counting, name),
                *(f"-D{option}" for option in options), "-I", tools.include, "-I", "obj", "-I", build.HARNESS,
                HARNESS / "mac_harness.cpp", archive, library, "-pthread", "-o", "simulation",
            ],
            scratch,
        )  # fmt: skip
        shutil.rmtree(scratch / "obj")

    return build.cached(f"simulations/{name}", make) / "simulation"


class MacSimulation(Simulation):
    """One simulated MAC core.  Use as a context manager; commands queue up and run at `flush`."""

    @classmethod
    def of(
        cls,
        core: Core,
        parameters: dict[str, int],
        seed: int = 1,
        plusargs: Sequence[str] = (),
        netlist: build.Netlist | None = None,
    ) -> MacSimulation:
        """Build (or find) the simulation of a core and start it."""
        return cls(program(core, parameters, netlist), seed, plusargs)

    def __enter__(self) -> MacSimulation:
        return self

    def _queue(self, op: int, msg: str, tag: bytes | None) -> int:
        self.send(f"tx {self._queued} {op} {msg} {_hex(tag)}")
        self._queued += 1
        return self._queued - 1

    def compute(self, msg: bytes) -> int:
        """Queue the computation of a tag; returns its place in the next report."""
        return self._queue(COMPUTE, _hex(msg), None)

    def verify(self, msg: bytes, tag: bytes) -> int:
        """Queue a verification."""
        return self._queue(VERIFY, _hex(msg), tag)

    def beats(self, beats: Sequence[bytes], tag: bytes | None = None) -> int:
        """Queue a message in beats as given, legal or not; with a tag it is verified.

        A beat of more bytes than the port has puts what fits on it, and its length into `bytes`.
        """
        text = "".join(_hex(beat) + "," for beat in beats)
        return self._queue(COMPUTE if tag is None else VERIFY, text, tag)
