# SPDX-License-Identifier: Apache-2.0
"""Tests pass from a shell that ignores SIGINT and SIGHUP for its background, and from one without input."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
INNER = """
import signal, subprocess, sys, pytest

@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP, signal.SIGQUIT])
def test_a_program_can_be_ended(number):
    program = "import signal, sys; print(signal.getsignal(int(sys.argv[1])) is signal.SIG_IGN)"
    done = subprocess.run([sys.executable, "-c", program, str(int(number))], capture_output=True, text=True)
    assert done.stdout == "False\\n"

def test_that_lacks_a_tool():
    pytest.skip("the tool is not installed")
"""


def ignoring() -> None:
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)


@pytest.mark.parametrize("workers", ["0", "2"])
def test_programs_that_tests_start_have_their_signals_and_skips_are_recorded(workers: str, tmp_path: Path) -> None:
    inner, record = tmp_path / "test_inner.py", tmp_path / "skipped.txt"
    inner.write_text(INNER)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment["SEALWIRE_SKIPPED"] = str(record)
    environment.pop("SEALWIRE_IGNORED_SIGNALS", None)
    shutil.copy(ROOT / "conftest.py", tmp_path)
    options = ["-q", "-n", workers, "-p", "no:cacheprovider", "--confcutdir", str(tmp_path), "--rootdir", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), *options, str(inner)],
        cwd=ROOT, env=environment, capture_output=True, text=True, preexec_fn=ignoring, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 0 and "3 passed, 1 skipped" in done.stdout, done.stdout + done.stderr
    reason, _, name = record.read_text().partition("\t")
    assert reason == "the tool is not installed" and name.strip().endswith("test_that_lacks_a_tool")
