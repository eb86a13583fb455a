# SPDX-License-Identifier: Apache-2.0
"""Options shared by all tests: `--exhaustive` adds the tests that `make test` leaves to `make test-all`."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--exhaustive", action="store_true", help="run the tests marked `exhaustive` too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--exhaustive"):
        return
    chosen = [item for item in items if "exhaustive" not in item.keywords]
    config.hook.pytest_deselected(items=[item for item in items if "exhaustive" in item.keywords])
    items[:] = chosen
