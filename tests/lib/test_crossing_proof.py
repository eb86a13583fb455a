# SPDX-License-Identifier: Apache-2.0
"""The crossings of hdl/lib and the flush of the link, model-checked: clocks and resets are free, first stages see the
old value or the new.

The bus, the counter, the flush and, with --exhaustive, the stream FIFO keep their promises in every traffic, however
long.  The packet FIFO has too many states for that: it keeps them for a number of steps.  A step is an edge of one of
the clocks.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import Path

import crossing_model
import pytest
from support import hdl_bench

HERE = Path(__file__).parent
MODULES = (
    "sync_bits", "reset_sync", "cdc_reset", "cdc_word", "cdc_bus", "cdc_counter",
    "stream_fifo_async", "wiped_ram", "packet_fifo_async",
)  # fmt: skip
#: Those of the link, packages first
LINK = {
    Path(name).stem: hdl_bench.ROOT / "hdl" / "link" / f"{name}.sv"
    for name in ("link_pkg", "link_types_pkg", "link_send", "rx/link_flush", "link_reset_domain")
}
#: Harness, its parameters, and how many bits go from one clock to the other at the least.
CROSSINGS: dict[str, tuple[str, dict[str, int], int]] = {
    "stream_fifo_async": ("crossing_proof", {"KIND": 0}, 22),
    "stream_fifo_async_late": ("crossing_proof", {"KIND": 4}, 22),
    "cdc_bus": ("crossing_proof", {"KIND": 1}, 8),
    "packet_fifo_async": ("crossing_proof", {"KIND": 2}, 24),
    "packet_fifo_async_late": ("crossing_proof", {"KIND": 3}, 24),
    "cdc_counter": ("counter_proof", {}, 7),
    "link_flush": ("flush_proof", {}, 2),
    "link_reset_domain": ("reset_proof", {}, 6),
    "cdc_bus_from_any_state": ("crossing_proof", {"KIND": 1, "IN_RESET": 8}, 8),
}
#: Steps for the FIFOs in `make test`, and for the packet FIFOs in `make test-all`
STEPS = {
    "stream_fifo_async": 20, "stream_fifo_async_late": 20, "packet_fifo_async": 26, "packet_fifo_async_late": 26,
}  # fmt: skip
MORE_STEPS = 32

#: What the check must notice: module, crossing, old text, new text.
MISTAKES = {
    "a request takes the acknowledge of the one before": (
        "cdc_reset", "cdc_bus", "(s_rst || s_due) && (s_req || !s_ack)", "s_rst || s_due",
    ),
    "a request of the reader takes the acknowledge of the one before": (
        "cdc_reset", "cdc_bus", "(m_rst || m_due) && (m_req || !m_ack)", "m_rst || m_due",
    ),
    "a reset is forgotten while an acknowledge is there": (
        "cdc_reset", "cdc_bus", "if (m_rst) m_due <= 1'b1;", "if (m_rst && !m_ack) m_due <= 1'b1;",
    ),
    "the reader runs while it still sees a request": (
        "cdc_reset", "cdc_bus", "m_ack || s_req_m || s_ack_m || s_busy_m", "m_ack",
    ),
    "a request stays": (
        "cdc_reset", "cdc_bus", "else if (s_req && s_ack) s_due <= 1'b0;", "",
    ),
    "a word overtakes the one that is not yet copied": (
        "cdc_word", "cdc_bus", "!s_hold && sent == copied_s", "!s_hold",
    ),
    "the word is copied while it may move": (
        "cdc_word", "cdc_bus", ".d  (sent),", ".d  (s_valid && s_ready ? !sent : sent),",
    ),
    "a toggle outlives a restart": (
        "cdc_word", "cdc_bus", "if (m_zero) copied <= 1'b0;", "",
    ),
    "the pointer crosses in binary": (
        "stream_fifo_async", "stream_fifo_async", "return binary ^ (binary >> 1);", "return binary;",
    ),
    "a full FIFO takes one more word": (
        "stream_fifo_async", "stream_fifo_async",
        "assign write   = s_valid && s_ready;", "assign write = s_valid && !s_hold;",
    ),
    "a word that fills the FIFO is seen late": (
        "stream_fifo_async", "stream_fifo_async_late", "(write ? next_fills : w_gray == filled)",
        "w_gray == filled",
    ),
    "the reader's pointer outlives a restart": (
        "stream_fifo_async", "stream_fifo_async", "      r_ptr  <= '0;\n      r_gray <= '0;\n", "",
    ),
    "a word on offer outlives a restart": (
        "stream_fifo_async", "stream_fifo_async", "    if (m_hold) m_valid <= 1'b0;\n", "",
    ),
    "the wipe begins under a reader": (
        "packet_fifo_async", "packet_fifo_async", ".w_wipe  (s_zero)", ".w_wipe  (s_hold)",
    ),
    "the last word stays on the data port": (
        "packet_fifo_async", "packet_fifo_async", "(read || m_hold)", "(read)",
    ),
    "the reader sees beats before their commit": (
        "packet_fifo_async", "packet_fifo_async", "if (s_commit) committed <= w_next;", "committed <= w_next;",
    ),
    "a discard leaves the pointer where it was": (
        "packet_fifo_async", "packet_fifo_async", "w_ptr <= committed;\n", "w_ptr <= w_next;\n",
    ),
    "a beat that is written late goes to the next one's place": (
        "packet_fifo_async", "packet_fifo_async_late", "addr <= w_ptr[", "addr <= w_next[",
    ),
    "a writer that stops late goes on through the wipe": (
        "packet_fifo_async", "packet_fifo_async_late",
        "open <= !s_rst && !s_hold && !wiping;", "open <= !s_rst && !s_hold;",
    ),
    "a writer that stops late goes on through a restart": (
        "packet_fifo_async", "packet_fifo_async_late",
        "open <= !s_rst && !s_hold && !wiping;", "open <= !s_rst && !wiping;",
    ),
    "a reset that holds the writer late does not hold it at all": (
        "cdc_reset", "packet_fifo_async_late", "(LATE ? 1'b0 : s_rst) || s_due || s_req || s_ack ||",
        "(LATE ? 1'b0 : s_rst) || s_ack ||",
    ),
    "the count crosses in binary": (
        "cdc_counter", "cdc_counter", "return binary ^ (binary >> 1);", "return binary;",
    ),
    "the reader counts the restart of the writer": (
        "cdc_counter", "cdc_counter", "if (m_zero) seen <= '0;", "",
    ),
    "frames enter while those before them are drained": (
        "link_flush", "link_flush", "wipe || request_q || answer", "wipe || request_q",
    ),
    "the request to drain does not wait for its answer": (
        "link_flush", "link_flush", "else if (answer) request_q", "else request_q",
    ),
    "a frame enters in the cycle of a wipe": (
        "link_flush", "link_flush", "wipe || request_q || answer", "request_q || answer",
    ),
    "a wipe takes the answer to the one before": (
        "link_flush", "link_flush", "wipe && (request_q || !answer)", "wipe",
    ),
    "what a domain asks for itself comes with the common reset": (
        "link_reset_domain", "link_reset_domain", ".rst_in(request || request_q != '0)", ".rst_in(1'b0)",
    ),
    "a domain runs between its own reset and the common one": (
        "link_reset_domain", "link_reset_domain", "request || request_q != '0", "request",
    ),
    "the common reset comes later than the restart of a stream": (
        "reset_sync", "link_reset_domain", "{chain[STAGES-2:0], held[STAGES-1]}", "{chain[STAGES-2:0], held == 2'b10}",
    ),
    "an end runs while the other one waits to ask again": (
        "cdc_reset", "link_reset_domain", "s_req_m || s_ack_m || s_busy_m", "s_req_m || s_ack_m",
    ),
    "a reset that has not been asked for yet does not count": (
        "cdc_reset", "link_reset_domain", "s_busy  <= s_rst || s_due || s_req", "s_busy  <= s_req",
    ),
    "a request is seen at edges only": (
        "reset_sync", "link_reset_domain", "posedge clk or posedge rst_async_in", "posedge clk",
    ),
    "a reset has no end": (
        "reset_sync", "link_reset_domain", "else held <= {held[STAGES-2:0], 1'b0};", "else held <= held;",
    ),
    "the drain has no end": (
        "link_send", "link_flush", "else if (empty_q == '1) flushing <= 1'b0;", "else flushing <= 1'b1;",
    ),
}  # fmt: skip


#: Found late
SLOW = ("the last word stays on the data port",)


def source_of(module: str) -> Path:
    return LINK.get(module) or hdl_bench.library(module)


def prepare(crossing: str, folder: Path, changed: dict[str, str]) -> list[str]:
    """Make the model, with other text for the modules that are `changed`; returns the names of its outputs."""
    top, parameters, least = CROSSINGS[crossing]
    sources = []
    for name in (*MODULES, *LINK):
        sources.append(source_of(name))
        if name in changed:
            sources[-1] = folder / f"{name}.sv"
            sources[-1].write_text(changed[name], encoding="utf-8")
    crossing_bits = crossing_model.model(
        top, parameters, [*sources, HERE / f"{top}.sv"], folder, "IN_RESET" not in parameters
    )
    assert changed or crossing_bits >= least, f"the model of {crossing} has but {crossing_bits} metastable bits"
    return crossing_model.outputs(top, HERE / f"{top}.sv")


def slow_ones_marked(names: Iterable[str], slow: Collection[str]) -> list[object]:
    """Names for `parametrize`, of which those that take half a minute and more are left to the exhaustive set."""
    return [pytest.param(name, marks=pytest.mark.exhaustive) if name in slow else name for name in names]


@pytest.mark.parametrize(
    "crossing",
    slow_ones_marked(
        [name for name in CROSSINGS if not name.startswith("packet_fifo_async")],
        {"stream_fifo_async", "stream_fifo_async_late"},
    ),
)
def test_crossing_keeps_its_promises_for_ever(crossing: str, tmp_path: Path) -> None:
    promises = prepare(crossing, tmp_path, {})
    said = crossing_model.check(tmp_path, "pdr -a -T 600")
    broken = [promises[int(number)] for number in re.findall(r"Output +(\d+) was asserted", said)]
    assert not broken, said[-3000:]
    assert f"Proved = {len(promises)}. Disproved = 0. Undecided = 0" in said, said[-3000:]


def first_broken(crossing: str, folder: Path, changed: dict[str, str], search: str = "pdr") -> str | None:
    """The promise that breaks, if the search ends with one; None if it ends without."""
    promises = prepare(crossing, folder, changed)
    said = crossing_model.check(folder, search)
    if re.search(r"No output asserted in \d+ frames\. Resource limit reached \(conf limit 0\)|Property proved", said):
        return None
    found = re.search(r"Output (\d+) .*was asserted in frame", said)
    assert found, said[-3000:]
    return promises[int(found[1])]


@pytest.mark.parametrize("crossing", STEPS)
def test_fifo_keeps_its_promises(crossing: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    more = crossing.startswith("packet_fifo_async") and request.config.getoption("--exhaustive")
    steps = MORE_STEPS if more else STEPS[crossing]
    assert first_broken(crossing, tmp_path, {}, f"bmc3 -F {steps}") is None


@pytest.mark.parametrize("mistake", slow_ones_marked(MISTAKES, SLOW))
def test_check_notices(mistake: str, tmp_path: Path) -> None:
    module, crossing, old, new = MISTAKES[mistake]
    text = source_of(module).read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{module}.sv has {old!r} {text.count(old)} times; say anew what the mistake is"
    assert first_broken(crossing, tmp_path, {module: text.replace(old, new)})
