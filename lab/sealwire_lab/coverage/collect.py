# SPDX-License-Identifier: Apache-2.0
"""How simulators are built when coverage is collected: SEALWIRE_COVERAGE names the folder that their counts go to."""

import os
from collections.abc import Sequence
from pathlib import Path

from ..errors import LabError

VARIABLE = "SEALWIRE_COVERAGE"
HERE = Path(__file__).parent
#: What a simulator is compiled from besides its own sources.
SOURCES = (HERE / "count_toggles.hpp", HERE / "save_coverage.hpp")
#: The main program of a model under cocotb.
COCOTB_MAIN = HERE / "cocotb_main.cpp"
#: A signal of more bits is a memory, whose contents are no toggles of logic.
WIDEST = 4096


def folder() -> Path | None:
    """The folder that counts go to; None when no coverage is collected."""
    given = os.environ.get(VARIABLE)
    if not given:
        return None
    if not Path(given).is_absolute():
        raise LabError(f"{VARIABLE} is {given!r}; give the whole path, as simulations run in folders of their own")
    return Path(given)


def flags() -> tuple[str, ...]:
    """Verilator's options that make a model count; none when no coverage is collected."""
    if folder() is None:
        return ()
    return ("--coverage-line", "--coverage-toggle", "--coverage-max-width", str(WIDEST))


def header(flags: Sequence[str]) -> tuple[str, ...]:
    """The compiler's options for every part of a model with Verilator's options `flags`: a model that counts does so
    with functions of the lab."""
    return ("-I", str(HERE), "-include", "count_toggles.hpp") if "--coverage-toggle" in flags else ()


def defines(counting: tuple[str, ...], name: str) -> list[str]:
    """The compiler's options for the main program of the build `name`."""
    own = ["-DVM_COVERAGE=1", f'-DCOVERAGE_NAME="{name}"'] if counting else ["-DVM_COVERAGE=0"]
    return [*own, "-I", str(HERE)]
