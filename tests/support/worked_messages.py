# SPDX-License-Identifier: Apache-2.0
"""The worked messages of the wire format: every suite's handshake, keep-alives and frames, byte for byte."""

from __future__ import annotations

from pathlib import Path

FILE = Path(__file__).parents[2] / "crates" / "sealwire-link" / "tests" / "data" / "worked-messages.txt"


def every() -> list[tuple[int, str, bytes]]:
    """Suite, name and bytes of every message."""
    lines = (line.split() for line in FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    return [(int(suite, 16), name, bytes.fromhex(digits)) for suite, name, digits in lines]


def of_suite(suite: int) -> dict[str, bytes]:
    """The messages of a suite by name."""
    return {name: packet for code, name, packet in every() if code == suite}
