# SPDX-License-Identifier: Apache-2.0
"""A link of several cores a direction (LANES), or of wide streams: how many times the frames it carries in a cycle."""

import json
from pathlib import Path
from typing import Any

import pytest
from support import hdl_bench
from test_link import SOURCES

SIZES = (64, 512, 1500)
#: Times the frames of one core, by lanes, at every size and both ways
BARS = {2: 1.9, 4: 3.7}
#: Suites whose core is the bottleneck of the link, and the period of core_clk in ps: the outer clocks must not be one.
BOTTLENECKS = {"omd-sha512-r1": (1, 5300), "otr-aes128-p-r1": (0x11, 16000)}
#: Suite and period of other cores; the last one is of ARCHITECTURE 5
CORES = {**BOTTLENECKS, "omd-blake2b-f": (2, 16000), "otr-aes128-p-p21": (0x11, 16000)}


def cycles(core: str, lanes: int, file: Path, bits: int = 64) -> Any:
    """Core cycles a frame in steady state, both ways at once, by size and direction."""
    suite, period = CORES[core]
    parameters = {"SUITE": suite, "LANES": lanes, "DROP_WHEN_FULL": 0, "FAST_SCHEDULE": 1}
    if bits != 64:
        parameters["DATA_BITS"] = bits
    if core.endswith("p21"):
        parameters["ARCHITECTURE"] = 5
    directory = hdl_bench.simulation("sealwire_link", [hdl_bench.ROOT / name for name in SOURCES], parameters)
    hdl_bench.check(
        directory, "sealwire_link", "cycles_bench", "cycles_of_a_frame_in_steady_state",
        SUITE=suite, ROLE="i", DATA_BITS=bits, CORE_PERIOD=period, SIZES=" ".join(map(str, SIZES)), BYTES=40_000,
        FIGURES=file,
    )  # fmt: skip
    return json.loads(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("core", "lanes"),
    [
        pytest.param(core, lanes, marks=[] if (core, lanes) == ("omd-sha512-r1", 2) else [pytest.mark.exhaustive])
        for core in BOTTLENECKS
        for lanes in BARS
    ],
)
def test_lanes_carry_as_many_times_the_frames(core: str, lanes: int, tmp_path: Path) -> None:
    one, several = (cycles(core, number, tmp_path / f"{number}.json") for number in (1, lanes))
    times = {(size, way): one[size][way] / several[size][way] for size in one for way in one[size]}
    print(times)
    assert len(times) == 2 * len(SIZES)
    assert all(value >= BARS[lanes] for value in times.values()), times


#: Cycles that a frame takes beside one for each 8 bytes, where four fast cores leave the rest to the stream of 64 bits
STREAM = {"sealing": 18, "opening": 12}


@pytest.mark.exhaustive
def test_a_stream_of_64_bits_carries_a_beat_a_cycle(tmp_path: Path) -> None:
    found = cycles("omd-blake2b-f", 4, tmp_path / "4.json")
    beside = {(size, way): found[size][way] - -(-int(size) // 8) for size in found for way in found[size]}
    print(beside)
    assert all(0 < value <= STREAM[way] for (_, way), value in beside.items()), beside


#: Of streams of 128 bits: lanes of a core, and cycles that a frame takes at most beside one for each 16 bytes
WIDE_STREAM = {
    "omd-blake2b-f": (4, {"sealing": 18, "opening": 12}),
    "otr-aes128-p-p21": (1, {"sealing": 8, "opening": 19}),
}


@pytest.mark.parametrize(
    "core",
    [pytest.param(core, marks=[] if core == "otr-aes128-p-p21" else [pytest.mark.exhaustive]) for core in WIDE_STREAM],
)
def test_a_stream_of_128_bits_carries_a_beat_a_cycle(core: str, tmp_path: Path) -> None:
    lanes, most = WIDE_STREAM[core]
    found = cycles(core, lanes, tmp_path / "wide.json", 128)
    beside = {(size, way): found[size][way] - -(-int(size) // 16) for size in found for way in found[size]}
    print(found, beside)
    assert all(0 < value <= most[way] for (_, way), value in beside.items()), beside
