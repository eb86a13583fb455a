# SPDX-License-Identifier: Apache-2.0
"""The adapters, proved in the small for every traffic of some cycles: nothing that the core does not accept shows.

Their inputs are cut down to their ports (proof/stubs), the core is any core: the solver chooses what they give.
"""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SOURCES = tomllib.loads((ROOT / "hdl" / "interfaces" / "sources.toml").read_text(encoding="utf-8"))
STUBS = {path.name: path for path in (HERE / "proof" / "stubs").glob("*.sv")}

#: Cycles for each adapter and number of contexts; the mistakes below show in the fourteenth to eighteenth.
CYCLES = {("axis", 1): 18, ("axis", 2): 18, ("lwc", 1): 16, ("lwc", 2): 16}

PROVE = """
import sys
from pyosys import libyosys as yosys
bus, contexts, cycles, *files = sys.argv[1:]
top = f"aead_{bus}_proof"
design = yosys.Design()
for step in (
    f"read_slang --no-synthesis-define --top {top} -G CONTEXTS={contexts} {' '.join(files)}",
    f"hierarchy -top {top}",
    "proc",
    "flatten",
    "setundef -undriven -anyseq",  # before anything concludes from them
    "async2sync",
    "memory_collect",
    "opt_clean",
    "memory_map",
    "chformal -lower",
    "opt -full",
    f"sat -verify -prove-asserts -set-assumes -seq 1 -tempinduct -tempinduct-baseonly -maxsteps {cycles}",
):
    yosys.run_pass(step, design)
"""

#: What the proof must notice: file, old text, new text.
MISTAKES = {
    "the verdict does not look at the result": (
        "aead_engine.sv", "else if (!core.result.ok) result_code", "else if (1'b0) result_code"
    ),
    "a packet leaves before its verdict": (
        "release_fifo.sv", "packet_valid && verdict && (", "packet_valid && ("
    ),
    "every packet counts as good": (
        "aead_engine.sv", "assign verdict_ok = close_code == OK;", "assign verdict_ok = 1'b1;"
    ),
}  # fmt: skip


def holds(bus: str, contexts: int, changed: Path | None = None) -> bool:
    """Whether the property holds for all cycles looked at, with one file of the sources changed."""
    files = [ROOT / path for path in [*SOURCES["sources"], *SOURCES[bus]]]
    files = [changed if changed and path.name == changed.name else STUBS.get(path.name, path) for path in files]
    files.append(HERE / "proof" / "marked_core.sv")
    cycles = CYCLES[bus, contexts]
    arguments = [bus, str(contexts), str(cycles), *map(str, files), str(HERE / "proof" / f"aead_{bus}_proof.sv")]
    done = subprocess.run([sys.executable, "-c", PROVE, *arguments], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        assert f"proved base case for {cycles} steps: SUCCESS!" in done.stdout
        return True
    assert "proof did fail" in done.stdout + done.stderr, done.stdout[-2000:] + done.stderr[-2000:]
    return False


@pytest.mark.parametrize(
    ("bus", "contexts"),
    [pytest.param(*place, marks=[pytest.mark.exhaustive] if place[1] > 1 else []) for place in CYCLES],
)
def test_nothing_unverified_shows(bus: str, contexts: int) -> None:
    assert holds(bus, contexts)


@pytest.mark.parametrize(
    ("bus", "mistake"),
    [
        pytest.param(bus, mistake, marks=[] if bus == "lwc" and at == 0 else [pytest.mark.exhaustive])
        for bus in ("axis", "lwc")
        for at, mistake in enumerate(MISTAKES)
    ],
)
def test_proof_notices(mistake: str, bus: str, tmp_path: Path) -> None:
    name, old, new = MISTAKES[mistake]
    source = next(ROOT / path for path in SOURCES["sources"] if path.endswith("/" + name))
    text = source.read_text(encoding="utf-8")
    assert text.count(old) == 1
    (tmp_path / name).write_text(text.replace(old, new), encoding="utf-8")
    assert not holds(bus, 1, tmp_path / name)
