# SPDX-License-Identifier: Apache-2.0
"""The replay window, proved for every history by induction: no packet number succeeds twice under one key, none that is
new and not behind the window is refused."""

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
    f"read_slang -D SYNTHESIS -D FORMAL --top replay_window -G WINDOW={sys.argv[2]} {sys.argv[1]}",
    "prep -top replay_window -flatten",
    "async2sync",  # assertions become cells that the solver knows
    "opt -full",
    "sat -verify -tempinduct -prove-asserts -set-assumes -maxsteps 2 -timeout 120",
):
    yosys.run_pass(step, design)
"""

#: What the proof must notice: old text, new text.
MISTAKES = {
    "the number is marked in its neighbour's place": (
        "marks_q[w][place_q.bit_at[5:0]]",
        "marks_q[w][place_q.bit_at[5:0]^6'd1]",
    ),
    "the window is as long as its ring": ("(down >> $clog2(WINDOW))", "(down >> $clog2(2 * WINDOW))"),
    "next stays behind by one": ("pn_q + number_t'(1)", "pn_q"),
    "words are not cleared": ("marks_q[w] <= '0;\n        if", "marks_q[w] <= marks_q[w];\n        if"),
    "the word at the top is cleared again": ("(NUMBER_BITS - 6)'(|top[5:0])", "(NUMBER_BITS - 6)'(0)"),
    "one word too few is cleared": (
        "number[NUMBER_BITS-1:6] + (NUMBER_BITS - 6)'(1) - first",
        "number[NUMBER_BITS-1:6] - first",
    ),
    "a long leap clears nothing": ("(WORD_BITS + 1)'(WORDS)", "(WORD_BITS + 1)'(0)"),
}


def proved(source: Path, window: int = 64) -> bool:
    done = subprocess.run(
        [sys.executable, "-c", PROVE, str(source), str(window)], capture_output=True, text=True, check=False
    )
    if done.returncode == 0:
        assert "Induction step proven: SUCCESS!" in done.stdout
        return True
    assert "proof did fail" in done.stdout + done.stderr, done.stdout[-2000:] + done.stderr[-2000:]
    return False


@pytest.mark.parametrize("window", [64, 128, pytest.param(1024, marks=pytest.mark.exhaustive)])
def test_no_number_succeeds_twice_and_none_is_lost(window: int):
    assert proved(WINDOW, window)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_proof_notices(mistake: str, tmp_path: Path):
    old, new = MISTAKES[mistake]
    text = WINDOW.read_text()
    assert text.count(old) == 1
    broken = tmp_path / "replay_window.sv"
    broken.write_text(text.replace(old, new))
    assert not proved(broken)
