# SPDX-License-Identifier: Apache-2.0
"""The worked messages of the wire format: every suite's handshake, keep-alives and frames, byte for byte."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parents[2] / "crates" / "sealwire-link" / "tests" / "data"
FILES = {2: FOLDER / "worked-messages.txt", 1: FOLDER / "worked-messages-1.txt"}
"""By version of the wire format."""


def every(version: int = 2) -> list[tuple[int, str, bytes]]:
    """Suite, name and bytes of every message."""
    lines = (
        line.split() for line in FILES[version].read_text(encoding="utf-8").splitlines() if not line.startswith("#")
    )
    return [(int(suite, 16), name, bytes.fromhex(digits)) for suite, name, digits in lines]


def of_suite(suite: int, version: int = 2) -> dict[str, bytes]:
    """The messages of a suite by name."""
    return {name: packet for code, name, packet in every(version) if code == suite}
