# SPDX-License-Identifier: Apache-2.0
"""Behaviour of sealwire_link: one pytest test for each cocotb test of the benches and each variant of the link."""

import json
import subprocess
import tomllib
from collections.abc import Iterator

import pytest
from _pytest.mark import ParameterSet
from sealwire_lab import toolchain
from support import hdl_bench

SOURCES = tomllib.loads((hdl_bench.ROOT / "hdl" / "link" / "sources.toml").read_text())["sources"]


#: ARCHITECTURE of a core that takes its key in shares, and of one that takes packets one behind the other
MASKED, UNROLLED = 4, 5


def check(bench: str, test: str, role: str, suite: int, **parameters: int) -> None:
    if bench not in SMALL_SCHEDULE:
        parameters = {"FAST_SCHEDULE": 1, **parameters}
    sources = [hdl_bench.ROOT / name for name in SOURCES]
    directory = hdl_bench.simulation("sealwire_link", sources, {"SUITE": suite, **parameters})
    settings = {"OUTER": parameters.get("OUTER_ETHERNET", 1)}
    if parameters.get("ARCHITECTURE") == MASKED:
        settings["SEEDS"] = 2 * parameters.get("LANES", 1)
    settings |= {name: parameters[name] for name in ("N_MAX", "REPLAY_WINDOW", "DATA_BITS") if name in parameters}
    hdl_bench.check(directory, "sealwire_link", bench, test, SUITE=suite, ROLE=role, **settings)


@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("check_values_bench"))
@pytest.mark.parametrize("role", ["i", "r"])
@pytest.mark.parametrize(
    "suite", [1, 2, 0x11, *(pytest.param(suite, marks=pytest.mark.exhaustive) for suite in (3, 4, 0x12))]
)
def test_check_values(suite: int, role: str, test: str) -> None:
    check("check_values_bench", test, role, suite)


#: The link of suite 02 that most tests share, with a large replay window. Their milliseconds have a few cycles, so its
#: key schedule is the fast one.
SHARED = {"REPLAY_WINDOW": 128, "FAST_SCHEDULE": 1}
#: Benches whose times suit the small key schedule
SMALL_SCHEDULE = ("check_values_bench", "rules_bench")


#: Suite 01 as responder, with register slices, suite 02 as initiator: both roles and both cores see every rule.
@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("rules_bench"))
@pytest.mark.parametrize(
    ("suite", "role"),
    [pytest.param(*pair, marks=pytest.mark.xdist_group(f"rules_{pair[0]}")) for pair in ((1, "r"), (2, "i"))],
)
def test_rules(suite: int, role: str, test: str) -> None:
    check("rules_bench", test, role, suite, **(SHARED if suite == 2 else {"SLICES": 1}))


@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("handshake_bench"))
@pytest.mark.parametrize("role", [pytest.param(role, marks=pytest.mark.xdist_group("rules_2")) for role in "ir"])
def test_handshake(role: str, test: str) -> None:
    check("handshake_bench", test, role, 2, **SHARED)


@pytest.mark.xdist_group("handshake_slices")
@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("handshake_bench"))
@pytest.mark.parametrize("role", "ir")
def test_handshake_with_slices(role: str, test: str) -> None:
    check("handshake_bench", test, role, 2, **SHARED, SLICES=1)


@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("session_bench"))
@pytest.mark.parametrize("role", [pytest.param(role, marks=pytest.mark.xdist_group("rules_2")) for role in "ir"])
def test_sessions(role: str, test: str) -> None:
    check("session_bench", test, role, 2, **SHARED)


@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("load_bench"))
@pytest.mark.parametrize("role", [pytest.param(role, marks=pytest.mark.xdist_group("rules_2")) for role in "ir"])
def test_loaded_sessions(role: str, test: str) -> None:
    check("load_bench", test, role, 2, **SHARED)


#: Lossless variants. The second is bare (no outer Ethernet), with register slices, and has few packet numbers.
BARE = {"DROP_WHEN_FULL": 0, "OUTER_ETHERNET": 0, "SLICES": 1, "N_MAX": 150}
LOSSLESS = {"otr_aes128": ("i", 0x11, {"DROP_WHEN_FULL": 0}), "blake2b_bare": ("r", 2, BARE)}


@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("numbers_bench"))
@pytest.mark.parametrize("role", [pytest.param(role, marks=pytest.mark.xdist_group("blake2b_bare")) for role in "ir"])
def test_numbers(role: str, test: str) -> None:
    check("numbers_bench", test, role, 2, **BARE)


@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("lengths_bench"))
@pytest.mark.parametrize("variant", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in LOSSLESS])
def test_lossless(variant: str, test: str) -> None:
    role, suite, parameters = LOSSLESS[variant]
    check("lengths_bench", test, role, suite, **parameters)


#: Cores with many packets at once, and those of the other suites: role, suite, parameters. The one of the short form
#: has register slices.
CORES = {
    "blake2b_x8": ("r", 2, {"ARCHITECTURE": 1, "SLICES": 1}),
    "sha512_x4": ("i", 1, {"ARCHITECTURE": 1}),
    "pomd_blake2b": ("i", 4, {}),
    "pomd_sha512": ("r", 3, {}),
    "blake2b_h": ("i", 2, {"ARCHITECTURE": 2}),
    "otr_aes128": ("i", 0x11, {}),
    "otr_aes128_p2": ("r", 0x11, {"ARCHITECTURE": 3}),
    "otr_aes128_m1": ("r", 0x11, {"ARCHITECTURE": MASKED}),
    "otr_aes128_m1_wide": ("i", 0x11, {"ARCHITECTURE": MASKED, "DATA_BITS": 128}),
    "otr_aes128_p21": ("r", 0x11, {"ARCHITECTURE": UNROLLED, "DATA_BITS": 128}),
    "otr_aes128_p21_lanes": ("r", 0x11, {"ARCHITECTURE": UNROLLED, "DATA_BITS": 128, "LANES": 2}),
    "otr_aes256": ("i", 0x12, {}),
    "otr_aes128_lanes": ("r", 0x11, {"LANES": 2}),
    "sha512_lanes": ("i", 1, {"LANES": 4}),
    "blake2b_x8_lanes": ("r", 2, {"ARCHITECTURE": 1, "LANES": 2}),
    "pomd_blake2b_lanes": ("i", 4, {"LANES": 2}),
}


def cores(always: str = "") -> list[ParameterSet]:
    """The cores as parameters of a test; only `always` is part of the short form."""
    return [
        pytest.param(name, marks=[pytest.mark.xdist_group(name), *([] if name == always else [pytest.mark.exhaustive])])
        for name in CORES
    ]


@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("interleave_bench"))
@pytest.mark.parametrize("core", cores("blake2b_x8"))
def test_many_in_work(core: str, test: str) -> None:
    role, suite, parameters = CORES[core]
    check("interleave_bench", test, role, suite, **parameters)


@pytest.mark.xdist_group("otr_aes128_m1")
@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("seeds_bench"))
@pytest.mark.parametrize("role", "ir")
def test_cores_in_shares(role: str, test: str) -> None:
    _, suite, parameters = CORES["otr_aes128_m1"]
    check("seeds_bench", test, role, suite, **parameters)


#: With 100 packets reordered a window of 128 is large enough, and one of 64, which is that of `blake2b_x8`, is not.
@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("reorder_bench"))
@pytest.mark.parametrize(
    "window",
    [
        pytest.param(window, marks=pytest.mark.xdist_group(name))
        for window, name in ((128, "rules_2"), (64, "blake2b_x8"))
    ],
)
def test_reordering(window: int, test: str) -> None:
    role, suite, parameters = ("i", 2, SHARED) if window == SHARED["REPLAY_WINDOW"] else CORES["blake2b_x8"]
    check("reorder_bench", test, role, suite, **parameters)


#: Two cores each way under every bench: role and parameters of suite 02
TWO_LANES = {
    **{
        bench: (role, {**SHARED, "LANES": 2})
        for bench, role in {
            "interleave_bench": "r", "session_bench": "r", "rules_bench": "i", "handshake_bench": "r",
            "load_bench": "i", "reorder_bench": "r", "check_values_bench": "i",
        }.items()
    },
    **{bench: (role, {**BARE, "LANES": 2}) for bench, role in {"numbers_bench": "r", "lengths_bench": "i"}.items()},
}  # fmt: skip


def two_lanes() -> Iterator[ParameterSet]:
    for bench, (_, parameters) in TWO_LANES.items():
        marks = [pytest.mark.xdist_group(f"two_lanes_{len(parameters)}")]
        if bench not in ("interleave_bench", "session_bench"):  # which the short form has
            marks.append(pytest.mark.exhaustive)
        for test in hdl_bench.cocotb_tests(bench):
            yield pytest.param(bench, test, id=f"{bench}-{test}", marks=marks)


@pytest.mark.parametrize(("bench", "test"), [*two_lanes()])
def test_two_lanes(bench: str, test: str) -> None:
    role, parameters = TWO_LANES[bench]
    check(bench, test, role, 2, **parameters)


#: Streams of 128 bits: bench, role, suite and parameters
WIDE = [
    ("check_values_bench", "i", 2, SHARED),
    ("rules_bench", "r", 2, SHARED),
    ("lengths_bench", "i", 0x11, {"DROP_WHEN_FULL": 0}),
    ("interleave_bench", "r", 0x11, {"ARCHITECTURE": UNROLLED}),
    ("session_bench", "i", 0x11, {"ARCHITECTURE": UNROLLED}),
    ("lengths_bench", "r", 0x11, {"ARCHITECTURE": UNROLLED, "DROP_WHEN_FULL": 0, "OUTER_ETHERNET": 0}),
]  # fmt: skip
#: Further ones: what does not look at the width passes the same way with 64 bits
WIDE_TOO = [
    ("handshake_bench", "i", 2, SHARED),
    ("load_bench", "r", 2, SHARED),
    ("reorder_bench", "i", 2, SHARED),
    ("session_bench", "r", 2, SHARED),
    ("lengths_bench", "r", 2, BARE),
    ("numbers_bench", "r", 2, BARE),
    ("interleave_bench", "r", 0x11, {"LANES": 2}),
]


def wide() -> Iterator[ParameterSet]:
    for listed, more in ((WIDE, ()), (WIDE_TOO, (pytest.mark.exhaustive,))):
        for bench, role, suite, parameters in listed:
            name = "_".join(parameters)
            marks = (pytest.mark.xdist_group(f"wide_{suite}_{name}"), *more)
            for test in hdl_bench.cocotb_tests(bench):
                yield pytest.param(
                    bench, role, suite, parameters, test, id=f"{suite}-{bench}-{name}-{test}", marks=marks
                )


@pytest.mark.parametrize(("architecture", "bits"), [(0, 32), (0, 256), (1, 128), (UNROLLED, 64)])
def test_a_width_that_does_not_fit_is_refused(architecture: int, bits: int) -> None:
    tools, suite = toolchain.find(), 0x11 if architecture == UNROLLED else 2
    words = ["--lint-only", "-Wno-lint", "--timescale", "1ns/1ps", "--top-module", "sealwire_link"]
    given = [
        f"-G{name}={value}" for name, value in (("SUITE", suite), ("ARCHITECTURE", architecture), ("DATA_BITS", bits))
    ]
    command = [tools.verilator, *words, *given, *(hdl_bench.ROOT / name for name in SOURCES)]
    done = subprocess.run(list(map(str, command)), env=tools.environment(), capture_output=True, text=True, check=False)
    assert done.returncode
    assert f"sealwire_link: DATA_BITS = {bits}, must be" in done.stderr, done.stderr


@pytest.mark.parametrize(("bench", "role", "suite", "parameters", "test"), [*wide()])
def test_streams_of_128_bits(bench: str, role: str, suite: int, parameters: dict[str, int], test: str) -> None:
    check(bench, test, role, suite, DATA_BITS=128, **parameters)


@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("rules_bench"))
@pytest.mark.parametrize("core", cores())
def test_rules_of_other_cores(core: str, test: str) -> None:
    role, suite, parameters = CORES[core]
    check("rules_bench", test, role, suite, **parameters)


@pytest.mark.exhaustive
@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("cycles_bench"))
@pytest.mark.parametrize("core", cores())
def test_cycles(core: str, test: str) -> None:
    role, suite, parameters = CORES[core]
    check("cycles_bench", test, role, suite, DROP_WHEN_FULL=0, **parameters)


#: Cycles of a frame of 64 bytes; line rate of a gigabit leaves a core at 95 MHz 98.8.
SHORT_FRAME = {"64": {"sealing": 74.5, "opening": 86.5}}


@pytest.mark.xdist_group("otr_aes128")
@pytest.mark.parametrize("slices", [0, 1])
def test_a_short_frame_keeps_to_line_rate(slices: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIZES", "64")
    monkeypatch.setenv("MOST", json.dumps(SHORT_FRAME))
    role, suite, parameters = LOSSLESS["otr_aes128"]
    check("cycles_bench", "cycles_of_a_frame_in_steady_state", role, suite, **parameters, SLICES=slices)
