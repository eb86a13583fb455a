# SPDX-License-Identifier: Apache-2.0
"""What several files of tests share."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def report_files() -> dict[str, str]:
    """The report, drawn once."""
    from sealwire_lab.publish.report import site  # takes a second, which other tests need not pay

    return site.pages()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of a file run in one process, and those of the report, which takes half a minute to draw, in one."""
    for item in items:
        name = item.path.stem
        item.add_marker(pytest.mark.xdist_group("report" if name.startswith("test_report") else name))
