# SPDX-License-Identifier: Apache-2.0
"""The crossings of hdl/lib, model-checked: free clocks, free resets, and first stages that see the old value or the new.

The stream FIFO, the bus and the counter keep their promises in every traffic, however long.  The packet FIFO has too many
states for that: it keeps them for a bounded number of steps.  A step is an edge of one of the two clocks.
"""

from __future__ import annotations

import re
from pathlib import Path

import crossing_model
import hdl_bench
import pytest

HERE = Path(__file__).parent
MODULES = (
    "sync_bits", "cdc_reset", "cdc_word", "cdc_bus", "cdc_counter", "stream_fifo_async", "wiped_ram", "packet_fifo_async",
)  # fmt: skip
#: Harness, its parameters, and how many bits go from one clock to the other at the least.
CROSSINGS = {
    "stream_fifo_async": ("crossing_proof", {"KIND": 0}, 22),
    "cdc_bus": ("crossing_proof", {"KIND": 1}, 8),
    "packet_fifo_async": ("crossing_proof", {"KIND": 2}, 24),
    "cdc_counter": ("counter_proof", {}, 7),
}
#: Steps for the packet FIFO, in `make test` and in `make test-all`
STEPS, MORE_STEPS = 24, 34

#: What the check must notice: module, crossing, old text, new text.
MISTAKES = {
    "a request rises while the acknowledge of the last is there": (
        "cdc_reset", "stream_fifo_async", "(s_rst || s_due) && (s_req || !s_ack)", "(s_rst || s_due)"
    ),
}  # fmt: skip


def prepare(crossing: str, folder: Path, changed: dict[str, str]) -> list[str]:
    """Make the model, with other text for the modules that are `changed`; returns the names of its outputs."""
    top, parameters, least = CROSSINGS[crossing]
    sources = []
    for name in MODULES:
        sources.append(hdl_bench.library(name))
        if name in changed:
            sources[-1] = folder / f"{name}.sv"
            sources[-1].write_text(changed[name], encoding="utf-8")
    crossing_bits = crossing_model.model(top, parameters, [*sources, HERE / f"{top}.sv"], folder)
    assert crossing_bits >= least, f"the model of {crossing} has but {crossing_bits} metastable bits"
    return crossing_model.outputs(top, HERE / f"{top}.sv")


@pytest.mark.parametrize("crossing", [name for name in CROSSINGS if name != "packet_fifo_async"])
def test_crossing_keeps_its_promises_for_ever(crossing: str, tmp_path: Path) -> None:
    promises = prepare(crossing, tmp_path, {})
    said = crossing_model.check(tmp_path, "pdr -a -T 600")
    broken = [promises[int(number)] for number in re.findall(r"Output +(\d+) was asserted", said)]
    assert not broken, said[-3000:]
    assert f"Proved = {len(promises)}. Disproved = 0. Undecided = 0" in said, said[-3000:]


def first_broken(crossing: str, folder: Path, changed: dict[str, str], steps: int) -> str | None:
    promises = prepare(crossing, folder, changed)
    said = crossing_model.check(folder, f"bmc3 -F {steps}")
    if f"No output asserted in {steps} frames" in said:
        return None
    found = re.search(r"Output (\d+) .*was asserted in frame", said)
    assert found, said[-3000:]
    return promises[int(found[1])]


def test_packet_fifo_keeps_its_promises(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    steps = MORE_STEPS if request.config.getoption("--exhaustive") else STEPS
    assert first_broken("packet_fifo_async", tmp_path, {}, steps) is None


@pytest.mark.parametrize("mistake", MISTAKES)
def test_check_notices(mistake: str, tmp_path: Path) -> None:
    module, crossing, old, new = MISTAKES[mistake]
    text = hdl_bench.library(module).read_text(encoding="utf-8")
    assert text.count(old) == 1
    print(first_broken(crossing, tmp_path, {module: text.replace(old, new)}, 60))
