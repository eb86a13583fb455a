# SPDX-License-Identifier: Apache-2.0
"""The replay window, proved for every history by induction: no packet number succeeds twice under one key."""

import subprocess
import sys
from pathlib import Path

import pytest

WINDOW = Path(__file__).parents[2] / "hdl" / "link" / "rx" / "replay_window.sv"

PROVE = """
import sys
from pyosys import libyosys as yosys
design = yosys.Design()
for step in (
    f"read_slang -D SYNTHESIS -D FORMAL --top replay_window {sys.argv[1]}",
    "prep -top replay_window -flatten",
    "async2sync",  # assertions become cells that the solver knows
    "opt -full",
    "sat -verify -tempinduct -prove-asserts -set-assumes -maxsteps 2 -timeout 120",
):
    yosys.run_pass(step, design)
"""

#: What the proof must notice: old text, new text.
MISTAKES = {
    "the mark shifts one place too few": ("((marks_q << 1) << mark_q.offset)", "(marks_q << mark_q.offset)"),
    "the window is twice as long as its marks": ("down[63:6] == '0", "down[63:7] == '0"),
    "next stays behind by one": ("pn_q + 64'd1", "pn_q"),
    "old marks are lost": ("marks_q <= mark_q.past_all ?", "marks_q <= 1'b1 ?"),
}


def proved(source: Path) -> bool:
    done = subprocess.run([sys.executable, "-c", PROVE, str(source)], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        assert "Induction step proven: SUCCESS!" in done.stdout
        return True
    assert "proof did fail" in done.stdout + done.stderr, done.stdout[-2000:] + done.stderr[-2000:]
    return False


def test_no_number_succeeds_twice():
    assert proved(WINDOW)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_proof_notices(mistake: str, tmp_path: Path):
    old, new = MISTAKES[mistake]
    text = WINDOW.read_text()
    assert text.count(old) == 1
    broken = tmp_path / "replay_window.sv"
    broken.write_text(text.replace(old, new))
    assert not proved(broken)
