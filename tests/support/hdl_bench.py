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
#: Bytes of the beats of a bench's packets
BEAT = int(os.environ.get("BEAT_BYTES", 8))
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


def beats(packet: bytes, width: int = BEAT) -> Iterator[tuple[int, int, int]]:
    """(data, bytes, last) of each beat; an empty packet is one beat with bytes 0."""
    for start in range(0, max(len(packet), 1), width):
        part = packet[start : start + width]
        yield int.from_bytes(part, "little"), len(part), int(start + width >= len(packet))


def beat_t(data: int, size: int, last: int, valid: int = 1, width: int = BEAT) -> int:
    """The bits of a beat_t of so many bytes, as hdl/link/link_types_pkg.sv lays it out."""
    count = width.bit_length()
    return valid << 8 * width + count + 1 | data << count + 1 | size << 1 | last


def valid_of(beat: int, width: int = BEAT) -> bool:
    return bool(beat >> 8 * width + width.bit_length() + 1)


def word_of(beat: int, width: int = BEAT) -> int:
    """The data of a beat_t."""
    return beat >> width.bit_length() + 1 & 2 ** (8 * width) - 1


def bytes_of(beat: int, width: int = BEAT) -> bytes:
    """Those bytes of a beat_t that count."""
    return word_of(beat, width).to_bytes(width, "little")[: beat >> 1 & 2 ** width.bit_length() - 1]
