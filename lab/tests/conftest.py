# SPDX-License-Identifier: Apache-2.0
"""What several files of tests share."""

from __future__ import annotations

import json
import os

import pytest
from sealwire_lab import files


@pytest.fixture(scope="session")
def report_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The report, drawn once, whichever worker comes first: it takes some twenty seconds."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    kept = shared / "report.json"
    with files.locked(shared / "report.lock"):
        if not kept.exists():
            from sealwire_lab.publish.report import site  # takes a second, which other tests need not pay

            kept.write_text(json.dumps(site.pages()), encoding="utf-8")
    drawn: dict[str, str] = json.loads(kept.read_text(encoding="utf-8"))
    return drawn
