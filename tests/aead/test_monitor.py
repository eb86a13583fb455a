# SPDX-License-Identifier: Apache-2.0
"""The monitor of the port contract finds what it is there for: each assertion fails in a run that breaks its rule."""

import re
import subprocess
from pathlib import Path

import pytest
from sealwire_lab import cores
from sealwire_lab.publish.export import bench as benches

CORE = cores.root() / "hdl" / "aead" / "core"
SOURCES = [
    CORE / "aead_pkg.sv",
    CORE / "aead_if.sv",
    CORE / "aead_monitor.sv",
    Path(__file__).with_name("monitor_tb.sv"),
]
RULES = re.findall(r"\b(a_\w+) :", (CORE / "aead_monitor.sv").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def bench() -> Path:
    return benches.program("monitor_tb", SOURCES)


def play(bench: Path, case: str) -> tuple[int, str]:
    done = subprocess.run([bench, f"+case={case}"], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_a_legal_run_breaks_no_rule(bench: Path) -> None:
    assert play(bench, "none")[0] == 0


@pytest.mark.xdist_group("monitor")
@pytest.mark.parametrize("rule", RULES)
def test_each_assertion_fails_where_its_rule_is_broken(bench: Path, rule: str) -> None:
    status, said = play(bench, rule)
    assert status != 0 and rule in said, said
