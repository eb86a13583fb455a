# SPDX-License-Identifier: Apache-2.0
"""Builds C++ programs around hdl/link/sealwire_link.sv, Verilated for one suite: the host program, and benches."""

from collections.abc import Sequence
from pathlib import Path

from .. import build, links
from ..coverage import collect
from .rules import SUITES

_TOP = "sealwire_link"
HOST = Path(__file__).parent / "host"


def link_program(name: str, suite: int, sources: Sequence[Path], parameters: dict[str, int] | None = None) -> Path:
    """A C++ program around the Verilated link, built on first use. `sources` may include the host program's headers."""
    link = links.sources()
    # Time runs faster than on a device, so the key schedule must not take milliseconds.
    given = {"SUITE": suite, "FAST_SCHEDULE": 1, **(parameters or {})}
    counting = collect.flags()
    options = [f"{key}={value}" for key, value in given.items()]
    parts: list[str | Path] = [*options, *link, *sources, *sorted(HOST.iterdir()), *collect.SOURCES, *counting]
    kept = f"{name}-{suite:02x}-{build.digest(parts)}"

    def make(scratch: Path) -> None:
        words = [*collect.defines(counting, kept), "-I", HOST, *sources]
        # It runs for seconds beside real time.
        build.program(scratch, "program", _TOP, link, given, f"V{_TOP}", counting, words=words, optimise="-O2")
        scratch.chmod(0o755)  # for other users of the machine too

    return build.cached(f"simulations/{kept}", make) / "program"


def link_host(suite: str) -> Path:
    """The host program for a suite."""
    return link_program("link-host", SUITES[suite].code, sorted(HOST.glob("*.cpp")))
