# SPDX-License-Identifier: Apache-2.0
"""Behaviour of the FIFOs, clock crossings and synchronisers of hdl/lib, crossings at several ratios of clocks."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from support import hdl_bench

CROSSING = [hdl_bench.library("sync_bits"), hdl_bench.library("cdc_reset")]
PACKET_FIFO = [*CROSSING, hdl_bench.library("cdc_word"), hdl_bench.library("wiped_ram")]
#: Periods in ps of writer and reader: equal but drifting, writer fast, reader fast, far apart.
CLOCKS = {"near": (10000, 10006), "fast_writer": (3100, 10000), "fast_reader": (10000, 3700), "far": (1300, 27100)}


def each(
    bench: str, without: Iterable[tuple[object, str]] = (), **axes: Iterable[object]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """One pytest test for each cocotb test and each value of the axis; those of one value share a run and a worker.

    `without` lists pairs of value and test that do not go together.
    """
    ((name, values),) = axes.items()
    tests = hdl_bench.cocotb_tests(bench)

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        cases = [
            pytest.param(value, test, marks=pytest.mark.xdist_group(f"{function.__name__}_{value}"))
            for value in values
            for test in tests
            if (value, test) not in without
        ]
        return pytest.mark.parametrize((name, "test"), cases)(function)

    return decorate


def check(top: str, bench: str, test: str, clocks: str, sources: list[Path], **settings: int) -> None:
    parameters = {name: value for name, value in settings.items() if name in ("WIDTH", "DEPTH", "STAGES", "LATE")}
    visible = ["--public-flat-rw"] if top == "packet_fifo_async" else ["--public-depth", "1"]
    directory = hdl_bench.simulation(top, [*sources, hdl_bench.library(top)], parameters, visible)
    writer, reader = CLOCKS[clocks]
    hdl_bench.check(directory, top, bench, test, **settings, TOP=top, S_PERIOD=writer, M_PERIOD=reader)


# A full FIFO of two words takes its next word one cycle after a read.
@each("crossing_bench", without=[(2, "sustains_full_rate")], depth=[2, 7, 64])
def test_stream_fifo(depth: int, test: str) -> None:
    check("stream_fifo", "crossing_bench", test, "near", [], WIDTH=37, DEPTH=depth, CAPACITY=depth + 1)


@each("crossing_bench", clocks=CLOCKS)
def test_stream_fifo_async(clocks: str, test: str) -> None:
    check("stream_fifo_async", "crossing_bench", test, clocks, CROSSING, WIDTH=37, DEPTH=16, CAPACITY=17)


@each("crossing_bench", clocks=CLOCKS)
def test_stream_fifo_async_late(clocks: str, test: str) -> None:
    check("stream_fifo_async", "crossing_bench", test, clocks, CROSSING, WIDTH=37, DEPTH=16, CAPACITY=17, LATE=1)


@each("crossing_bench", clocks=CLOCKS)
def test_cdc_bus(clocks: str, test: str) -> None:
    check(
        "cdc_bus",
        "crossing_bench",
        test,
        clocks,
        [*CROSSING, hdl_bench.library("cdc_word")],
        WIDTH=130,
        CAPACITY=2,
        FULL_RATE=0,
    )


@each("counter_bench", clocks=CLOCKS)
def test_cdc_counter(clocks: str, test: str) -> None:
    check("cdc_counter", "counter_bench", test, clocks, CROSSING)


@each("cdc_reset_bench", clocks=CLOCKS)
def test_cdc_reset(clocks: str, test: str) -> None:
    check("cdc_reset", "cdc_reset_bench", test, clocks, [hdl_bench.library("sync_bits")])


#: Which of the cocotb tests are a synchroniser's
SYNCHRONISERS = {
    "sync_bits": (
        "follows_its_input_after_as_many_edges_as_it_has_stages",
        "passes_on_every_value_that_stands_for_a_cycle",
    ),
    "reset_sync": (
        "rises_and_falls_at_edges_alone_and_after_the_promised_ones",
        "a_pulse_between_two_edges_is_a_whole_reset",
        "a_synchronous_reset_counts_from_the_next_edge",
    ),
}


@pytest.mark.parametrize("stages", [2, 3])
@pytest.mark.parametrize(("top", "test"), [(top, test) for top, tests in SYNCHRONISERS.items() for test in tests])
def test_synchroniser(top: str, stages: int, test: str) -> None:
    width = {"WIDTH": 5} if top == "sync_bits" else {}
    check(top, "synchroniser_bench", test, "near", [], STAGES=stages, **width)


def test_every_behaviour_of_synchronisers_is_asked_for() -> None:
    assert sorted(sum(SYNCHRONISERS.values(), ())) == sorted(hdl_bench.cocotb_tests("synchroniser_bench"))


@each("packet_fifo_bench", clocks=CLOCKS)
def test_packet_fifo_async(clocks: str, test: str) -> None:
    check("packet_fifo_async", "packet_fifo_bench", test, clocks, PACKET_FIFO, DEPTH=64)


@each("packet_fifo_bench", clocks=CLOCKS)
def test_packet_fifo_async_that_writes_late(clocks: str, test: str) -> None:
    check("packet_fifo_async", "packet_fifo_bench", test, clocks, PACKET_FIFO, DEPTH=64, LATE=1)
