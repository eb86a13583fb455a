# SPDX-License-Identifier: Apache-2.0
"""Builds C++ programs around a Verilated link or board: the host program, and benches."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from sealwire_lab import build, files, firmware, links
from sealwire_lab.board import boards
from sealwire_lab.coverage import collect

from .rules import SUITES

HOST = Path(__file__).parent / "host"


def _program(
    name: str,
    top: str,
    rtl: Sequence[Path],
    given: Mapping[str, int | str],
    sources: Sequence[Path],
    words: Sequence[object] = (),
    prepare: Callable[[Path], None] = lambda _: None,
) -> Path:
    """A C++ program around a Verilated module, built on first use.

    `words` are more of the compiler's; `prepare` writes what the sources include into a folder.
    """
    counting = collect.flags()
    options = [f"{key}={value}" for key, value in given.items()]
    included = [*sorted(HOST.rglob("*.hpp")), firmware.registers_header()]
    parts: list[str | Path] = [*options, *rtl, *sources, *included, *collect.SOURCES, *counting]
    kept = f"{name}-{build.digest(parts)}"

    def make(scratch: Path) -> None:
        prepare(scratch)
        all_words = [*collect.defines(counting, kept), "-I", scratch, "-I", HOST, *words, *sources]
        # It runs for seconds beside real time.
        build.program(scratch, "program", top, rtl, given, f"V{top}", counting, words=all_words, optimise="-O2")
        scratch.chmod(0o755)  # for other users of the machine too

    return build.cached(f"simulations/{kept}", make) / "program"


def _write_counters(folder: Path) -> None:
    """COUNTER(name) for each port count_NAME of the link, which are all counters but the numbers of the session."""
    names = [name for name in firmware.counter_names() if not name.startswith("session_")]
    files.write(folder / "counters.def", "".join(f"COUNTER({name})\n" for name in names))


def link_program(name: str, suite: int, sources: Sequence[Path], parameters: dict[str, int] | None = None) -> Path:
    """A C++ program around the Verilated link. `sources` may include the host program's headers and counters.def."""
    # Time runs faster than on a device, so the key schedule must not take milliseconds.
    given = {"SUITE": suite, "FAST_SCHEDULE": 1, **(parameters or {})}
    return _program(f"{name}-{suite:02x}", "sealwire_link", links.sources(), given, sources, prepare=_write_counters)


def board_host(ms_cycles: int) -> Path:
    """The host program of a board with its firmware, whose milliseconds have so many cycles of its core."""
    rtl = [*boards.short_board_sources(), boards.model("board_end")]
    given: dict[str, int | str] = {"MS_CYCLES": ms_cycles, "IMAGE": f'"{firmware.image()}"'}
    programs = [*sorted((HOST / "board").glob("*.cpp")), *(HOST / f"{name}.cpp" for name in ("network", "tap"))]
    words = [f"-DMS_CYCLES={ms_cycles}"]
    return _program("board-host", "board_end", rtl, given, programs, words, firmware.write_counter_names)


def link_host(suite: str) -> Path:
    """The host program for a suite."""
    return link_program("link-host", SUITES[suite].code, sorted(HOST.glob("*.cpp")))
