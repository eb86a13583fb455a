# SPDX-License-Identifier: Apache-2.0
"""The constraints of clock crossings, for a folder whose sources have some."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ... import cores

#: Without one of these no signal goes from clock to clock.
_SYNCHRONISERS = {"sync_bits", "reset_sync"}


def files(sources: Iterable[Path]) -> dict[str, str]:
    """Text of each constraint file by its name in the folder; none where all sources have one clock."""
    if not _SYNCHRONISERS & {path.stem for path in sources}:
        return {}
    found = sorted((cores.root() / "hdl" / "lib" / "cdc" / "constraints").iterdir())
    return {f"constraints/{path.name}": path.read_text(encoding="utf-8") for path in found if path.is_file()}
