# SPDX-License-Identifier: Apache-2.0
"""Builds C++ programs around hdl/link/sealwire_link.sv, Verilated for one suite: the host program, and benches."""

from collections.abc import Sequence
from pathlib import Path

from .. import build, firmware, links
from ..board import boards
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
    parts: list[str | Path] = [*options, *link, *sources, *sorted(HOST.glob("*.*")), *collect.SOURCES, *counting]
    kept = f"{name}-{suite:02x}-{build.digest(parts)}"

    def make(scratch: Path) -> None:
        words = [*collect.defines(counting, kept), "-I", HOST, *sources]
        # It runs for seconds beside real time.
        build.program(scratch, "program", _TOP, link, given, f"V{_TOP}", counting, words=words, optimise="-O2")
        scratch.chmod(0o755)  # for other users of the machine too

    return build.cached(f"simulations/{kept}", make) / "program"


def board_host(ms_cycles: int) -> Path:
    """The host program of a board with its firmware, whose milliseconds have so many cycles of its core."""
    rtl = [*boards.device_sources(), boards.flash_model(), boards.end_model()]
    image = firmware.image()
    programs = [*sorted((HOST / "board").glob("*.cpp")), *(HOST / f"{name}.cpp" for name in ("network", "tap"))]
    counting = collect.flags()
    parts: list[str | Path] = [
        str(ms_cycles), image, *rtl, *programs, *sorted(HOST.rglob("*.hpp")), *collect.SOURCES, *counting
    ]  # fmt: skip
    kept = f"board-host-{build.digest(parts)}"

    def make(scratch: Path) -> None:
        firmware.write_counter_names(scratch)
        words = [
            *collect.defines(counting, kept), f"-DMS_CYCLES={ms_cycles}", "-I", scratch, "-I", HOST, *programs
        ]  # fmt: skip
        given: dict[str, int | str] = {"MS_CYCLES": ms_cycles, "IMAGE": f'"{image}"'}
        build.program(scratch, "program", "board_end", rtl, given, "Vboard_end", counting, words=words, optimise="-O2")
        scratch.chmod(0o755)

    return build.cached(f"simulations/{kept}", make) / "program"


def link_host(suite: str) -> Path:
    """The host program for a suite."""
    return link_program("link-host", SUITES[suite].code, sorted(HOST.glob("*.cpp")))
