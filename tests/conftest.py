# SPDX-License-Identifier: Apache-2.0
"""What all tests share: `--exhaustive` adds the tests that `make test` leaves to `make test-all`, and the random seed.

The fast set draws the same numbers every time, so that the same sources give the same answer; the exhaustive set draws
new ones. SEALWIRE_SEED repeats a run, or makes another one of the fast set.
"""

import os
import random

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--exhaustive", action="store_true", help="run the tests marked `exhaustive` too")


def pytest_configure(config: pytest.Config) -> None:
    seed = random.getrandbits(31) if config.getoption("--exhaustive") else 1
    os.environ.setdefault("SEALWIRE_SEED", str(seed))


def pytest_report_header() -> str:
    return f"seed: {os.environ['SEALWIRE_SEED']} (another: SEALWIRE_SEED=<number>)"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--exhaustive"):
        return
    chosen = [item for item in items if "exhaustive" not in item.keywords]
    config.hook.pytest_deselected(items=[item for item in items if "exhaustive" in item.keywords])
    items[:] = chosen


def pytest_collection_finish(session: pytest.Session) -> None:
    """Tests of one group share a simulation; where both workers run a group, nothing but the time tells."""
    if getattr(session.config.option, "loadgroup", False):
        lost = [
            item.nodeid for item in session.items if item.get_closest_marker("xdist_group") and "@" not in item.nodeid
        ]
        if lost:
            raise pytest.UsageError(f"pytest-xdist ignores the group of {lost[0]}: see pytest in requirements.in")
