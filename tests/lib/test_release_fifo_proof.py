# SPDX-License-Identifier: Apache-2.0
"""The release FIFO, proved in the small for every traffic of 17 cycles: nothing of a discarded packet shows."""

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
LIBRARY = HERE.parents[1] / "hdl" / "lib"
#: Cycles; the first released beat can show in the eleventh.
CYCLES = 17

PROVE = """
import sys
from pyosys import libyosys as yosys
design = yosys.Design()
for step in (
    f"read_slang --no-synthesis-define --top release_fifo_proof {' '.join(sys.argv[2:])}",
    "hierarchy -top release_fifo_proof",
    "proc",
    "flatten",
    "async2sync",
    "memory_collect",
    "opt_clean",
    "memory_map",
    "chformal -lower",
    "opt -full",
    "setundef -undriven -anyseq",
    f"sat -verify -prove-asserts -set-assumes -seq 1 -tempinduct -tempinduct-baseonly -maxsteps {sys.argv[1]}",
):
    yosys.run_pass(step, design)
"""

#: What the proof must notice: old text, new text.
MISTAKES = {
    "the reader does not look at the verdict": ("packet_valid && verdict && (", "packet_valid && ("),
    "a packet is fetched before it is judged": ("fetch = fetched != judged", "fetch = fetched != closed"),
    "a discarded packet is skipped only in part": ("if (skip) r_ptr <= packet.stop", "if (skip) r_ptr <= r_ptr + 1'b1"),
}


def holds(source: Path) -> bool:
    sources = [str(LIBRARY / "memory" / "wiped_ram.sv"), str(source), str(HERE / "release_fifo_proof.sv")]
    done = subprocess.run(
        [sys.executable, "-c", PROVE, str(CYCLES), *sources], capture_output=True, text=True, check=False
    )
    if done.returncode == 0:
        assert f"proved base case for {CYCLES} steps: SUCCESS!" in done.stdout
        return True
    assert "proof did fail" in done.stdout + done.stderr, done.stdout[-2000:] + done.stderr[-2000:]
    return False


def test_nothing_of_a_discarded_packet_shows() -> None:
    assert holds(LIBRARY / "stream" / "release_fifo.sv")


@pytest.mark.parametrize("mistake", MISTAKES)
def test_proof_notices(mistake: str, tmp_path: Path) -> None:
    old, new = MISTAKES[mistake]
    text = (LIBRARY / "stream" / "release_fifo.sv").read_text(encoding="utf-8")
    assert text.count(old) == 1
    broken = tmp_path / "release_fifo.sv"
    broken.write_text(text.replace(old, new), encoding="utf-8")
    assert not holds(broken)
