# SPDX-License-Identifier: Apache-2.0
"""The monitor of the port contract finds what it is there for: each assertion fails in a run that breaks its rule."""

import re
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from sealwire_lab import cores
from sealwire_lab.publish.export import bench as benches

CORE = cores.root() / "hdl" / "aead" / "core"
#: Tops of the bench, and the monitor that each watches with
MONITORS = {
    "monitor_tb": CORE / "aead_monitor.sv",
    "monitor_ahead_tb": CORE.parent / "pipe" / "aead_pipe_monitor.sv",
}
SOURCES = [
    CORE / "aead_pkg.sv",
    CORE / "aead_if.sv",
    *MONITORS.values(),
    Path(__file__).with_name("monitor_tb.sv"),
]
RULES = [
    (top, rule)
    for top, monitor in MONITORS.items()
    for rule in re.findall(r"\b(a_\w+) :", monitor.read_text(encoding="utf-8"))
]


@pytest.fixture(scope="session")
def program() -> Callable[[str], Path]:
    return cache(lambda top: benches.program(top, SOURCES))


def play(bench: Path, case: str) -> tuple[int, str]:
    done = subprocess.run([bench, f"+case={case}"], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.xdist_group("monitor")
@pytest.mark.parametrize("top", MONITORS)
def test_a_legal_run_breaks_no_rule(program: Callable[[str], Path], top: str) -> None:
    assert play(program(top), "none")[0] == 0


@pytest.mark.xdist_group("monitor")
@pytest.mark.parametrize(("top", "rule"), RULES)
def test_each_assertion_fails_where_its_rule_is_broken(program: Callable[[str], Path], top: str, rule: str) -> None:
    status, said = play(program(top), rule)
    assert status != 0 and rule in said, said
