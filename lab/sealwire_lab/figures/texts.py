# SPDX-License-Identifier: Apache-2.0
"""The words of the figures, from texts.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path


@cache
def load() -> dict[str, dict[str, str]]:
    """Texts by figure, in the order in which figures are listed."""
    return tomllib.loads((Path(__file__).parent / "texts.toml").read_text(encoding="utf-8"))
