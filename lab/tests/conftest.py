# SPDX-License-Identifier: Apache-2.0
"""What several files of tests share."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def report_files() -> dict[str, str]:
    """The report, drawn once."""
    from sealwire_lab.publish.report import site  # takes a second, which other tests need not pay

    return site.pages()
