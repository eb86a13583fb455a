# SPDX-License-Identifier: Apache-2.0
"""Keeps all behaviours of one variant on one worker (`-n 2 --dist loadgroup`): they share one simulation.

Makes tests/lib importable too.
"""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "lib"))


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        call = getattr(item, "callspec", None)
        if call is not None and "failures" in call.params:
            item.add_marker(pytest.mark.xdist_group(call.id.replace(call.params["behaviour"], "")))
