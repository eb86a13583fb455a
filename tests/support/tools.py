# SPDX-License-Identifier: Apache-2.0
"""Programs that some tests use and that not every machine has."""

from __future__ import annotations

import shutil

import pytest
from sealwire_lab import cores


def tool(name: str) -> str:
    """The path of the program; without it the test that asks for it is skipped."""
    own = cores.root() / "build" / "test-tools" / "bin" / name
    found = str(own) if own.exists() else shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed (scripts/test-tools.sh installs it)")
    return found
