# SPDX-License-Identifier: Apache-2.0
"""Runs cocotb benches on Verilated modules from pytest: one pytest test for each cocotb test, named by its behaviour.

A module with one set of parameters is built once (the lab's build cache) and simulated once: the tests of a bench
share a run. SEALWIRE_SEED sets the random seed, SEALWIRE_ONLY picks cocotb tests by regular expression.
"""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from sealwire_lab import cores

from support import cocotb_program

ROOT = cores.root()
simulation = cocotb_program.program


def library(name: str) -> Path:
    """The source of a module of hdl/lib."""
    return next((ROOT / "hdl" / "lib").glob(f"*/{name}.sv"))


def cocotb_tests(module: str) -> list[str]:
    """Names of the cocotb tests in a bench module."""
    source = Path(importlib.import_module(module).__file__ or "").read_text(encoding="utf-8")
    return re.findall(r"^@cocotb\.test\([^\n]*\)\nasync def (\w+)", source, re.MULTILINE)


@cache
def _run_all(
    directory: Path, top: str, bench: str, only: str | None, settings: tuple[tuple[str, str], ...]
) -> tuple[str, dict[str, list[str] | None]]:
    """Run the cocotb tests of `bench` in one simulation, once: its whole output, and the problems of each test."""
    output, outcome = cocotb_program.run(directory, top, bench, {"COCOTB_LOG_LEVEL": "WARNING", **dict(settings)}, only)
    seed = os.environ["SEALWIRE_SEED"]
    return f"seed {seed} (repeat with SEALWIRE_SEED={seed})\n{output}", outcome


def check(directory: Path, top: str, bench: str, test: str, **settings: object) -> None:
    """Fail the pytest test unless the cocotb test `test` of `bench` passed; tests with equal settings share one run."""
    fixed = tuple(sorted((name, str(value)) for name, value in settings.items()))
    output, outcome = _run_all(directory, top, bench, os.environ.get("SEALWIRE_ONLY"), fixed)
    print(output)
    if test not in outcome:
        pytest.fail(f"{top}: the simulation ended before {test} did (log above)", pytrace=False)
    if problems := outcome[test]:
        pytest.fail(f"{top}: {test}: {problems[0]} (log above)", pytrace=False)


def beats(packet: bytes, width: int = 8) -> Iterator[tuple[int, int, int]]:
    """(data, bytes, last) of each beat; an empty packet is one beat with bytes 0."""
    for start in range(0, max(len(packet), 1), width):
        part = packet[start : start + width]
        yield int.from_bytes(part, "little"), len(part), int(start + width >= len(packet))


def beat_t(data: int, size: int, last: int, valid: int = 1) -> int:
    """The bits of a beat_t, as hdl/link/link_types_pkg.sv lays it out."""
    return valid << 69 | data << 5 | size << 1 | last


def word_of(beat: int) -> int:
    """The data of a beat_t."""
    return beat >> 5 & 2**64 - 1


def bytes_of(beat: int) -> bytes:
    """Those bytes of a beat_t that count."""
    return word_of(beat).to_bytes(8, "little")[: beat >> 1 & 15]
