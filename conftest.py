# SPDX-License-Identifier: Apache-2.0
"""What every pytest run shares: signals as a terminal gives them, and the record of what was skipped."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from types import FrameType

import pytest

#: Tells the workers of a run which signals its shell ignores.
_IGNORED = "SEALWIRE_IGNORED_SIGNALS"


def _ignore(_number: int, _frame: FrameType | None) -> None:
    """Does what SIG_IGN does, except that programs which tests start do not inherit it."""


def pytest_configure() -> None:
    """A shell without job control ignores SIGINT for what runs in its background, `nohup` ignores SIGHUP.

    Programs inherit that, and a test that interrupts one waits in vain.  Handlers are not inherited.
    """
    told = os.environ.get(_IGNORED, "").split()
    ignored = [
        number
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)
        if signal.getsignal(number) is signal.SIG_IGN or number.name in told
    ]
    os.environ[_IGNORED] = " ".join(number.name for number in ignored)
    for number in ignored:
        signal.signal(number, _ignore)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Append every skipped test with its reason to the file that SEALWIRE_SKIPPED names; `make test` ends with them."""
    record = os.environ.get("SEALWIRE_SKIPPED")
    if not record:
        return
    with Path(record).open("a", encoding="utf-8") as lines:
        for report in terminalreporter.stats.get("skipped", []):
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
            lines.write(f"{reason.removeprefix('Skipped: ')}\t{report.nodeid}\n")
