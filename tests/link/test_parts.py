# SPDX-License-Identifier: Apache-2.0
"""Modules of the link that stand alone in simulation, each at the edges that traffic of a whole link seldom meets."""

import tomllib
from pathlib import Path

import pytest
from support import hdl_bench

HERE = Path(__file__).parent
LINK = tomllib.loads((hdl_bench.ROOT / "hdl" / "link" / "sources.toml").read_text())
LISTED = LINK["sources"] + LINK["control"]
PACKAGES = ["link_pkg", "link_types_pkg"]
#: All that `link_aead` names, which chooses a core
CORES = [Path(name).stem for name in LISTED if not name.startswith(("hdl/link/", "hdl/lib/cdc/", "hdl/lib/stream/"))]
#: Bench, top, and the modules of hdl/ in its build beside the packages of the link
PARTS = {
    "hs_take_bench": ("hs_take", "hs_take"),
    "key_switch_bench": ("key_switch", "key_switch"),
    "link_flush_bench": ("link_flush", "sync_bits link_flush"),
    "interleave_command_bench": ("flat_interleave", "aead_if wiped_ram link_interleave"),
    "receive_bench": (
        "flat_receive",
        "sync_bits cdc_reset cdc_word cdc_bus wiped_ram packet_fifo_async beat_split message_queue receive_ctxt"
    ),
    "merge_bench": ("flat_merge", "sync_bits cdc_reset cdc_word wiped_ram packet_fifo_async packet_merge"),
    "outer_add_bench": ("flat_outer_add", "outer_add"),
    "outer_strip_bench": ("flat_outer_strip", "outer_strip"),
    "link_staging_bench": ("link_staging", "link_staging"),
    "time_bench": (
        "flat_session", "nonce_gen session_slot session_control next_session keepalives link_session"
    ),
    "ad_with_packet_bench": (
        "flat_session_aead",
        " ".join([*CORES, "key_switch link_aead ad_with_packet link_lanes link_interleave session_aead"]),
    ),
}  # fmt: skip


def _sources(names: str) -> list[Path]:
    """Those modules of hdl/ with the packages of the link, in the order of the link's list."""
    wanted = [*PACKAGES, *names.split()]
    return [hdl_bench.ROOT / name for name in LISTED if Path(name).stem in wanted]


#: Benches of modules that packets pass in beats of 64 or 128 bits
WIDE = ("receive_bench", "merge_bench", "outer_add_bench", "outer_strip_bench")


@pytest.mark.parametrize(
    ("bench", "test", "bits"),
    [
        pytest.param(bench, test, bits, marks=pytest.mark.xdist_group(bench), id=f"{bench}-{test}-{bits}")
        for bench in PARTS
        for test in hdl_bench.cocotb_tests(bench)
        for bits in ((64, 128) if bench in WIDE else (64,))
    ],
)
def test_part(bench: str, test: str, bits: int) -> None:
    top, names = PARTS[bench]
    flat = HERE / f"{top}.sv"
    parameters = {"DATA_BITS": bits} if bench in WIDE else {}
    directory = hdl_bench.simulation(top, [*_sources(names), *([flat] if flat.exists() else [])], parameters)
    hdl_bench.check(directory, top, bench, test, BEAT_BYTES=bits // 8)


#: Suite, FAST and SLICES: both compression functions, small and a round a cycle, one with registers on its paths
SCHEDULES = {
    "sha512": (0x01, 0, 0),
    "blake2b": (0x11, 0, 0),
    "sha512-fast": (0x01, 1, 0),
    "blake2b-fast": (0x11, 1, 0),
    "blake2b-slices": (0x11, 0, 1),
}
SCHEDULE = (
    "sha2_pkg sha2_compress sha512_compress_s blake2b_pkg blake2b_compress_f blake2b_compress_s compress_by_words "
    "key_schedule"
)


@pytest.mark.parametrize(
    ("form", "test"),
    [
        pytest.param(form, test, marks=pytest.mark.xdist_group(f"key_schedule_{form}"), id=f"{form}-{test}")
        for form in SCHEDULES
        for test in hdl_bench.cocotb_tests("key_schedule_bench")
    ],
)
def test_key_schedule(form: str, test: str) -> None:
    suite, fast, slices = SCHEDULES[form]
    parameters = {"SUITE": suite, "FAST": fast, "SLICES": slices}
    directory = hdl_bench.simulation("key_schedule", _sources(SCHEDULE), parameters)
    hdl_bench.check(directory, "key_schedule", "key_schedule_bench", test, **parameters)
