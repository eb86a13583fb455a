# SPDX-License-Identifier: Apache-2.0
"""AEAD cores in shares: one pytest test for each cocotb test, and defects that these tests find."""

from pathlib import Path

import pytest
from sealwire_lab import cores
from support import hdl_bench, planted

BENCH = "aead_shares_behaviours"
CORES = [core for core in cores.load().values() if core.kind == "aead" and core.shares > 1]


def settings(core: cores.Core) -> dict[str, object]:
    return {"SCHEME": core.scheme, "VERSION": core.parameters()["VERSION"]}


@pytest.mark.parametrize(
    ("core", "test"),
    [
        pytest.param(core, test, id=f"{core.name}-{test}", marks=pytest.mark.xdist_group(f"aead-shares-{core.name}"))
        for core in CORES
        for test in hdl_bench.cocotb_tests(BENCH)
    ],
)
def test_a_core_in_shares(core: cores.Core, test: str) -> None:
    directory = hdl_bench.simulation(core.top, core.sources, core.parameters(), ["--public-flat-rw"])
    hdl_bench.check(directory, core.top, BENCH, test, **settings(core))


LONG_RESET = "takes_nothing_after_a_long_reset_before_a_seed"
NO_SEED = "takes_nothing_before_a_seed"
ALARM = "an_alarm_in_sealing_drops_the_command_and_forgets_key_and_state"
NO_TRACE = "an_alarm_leaves_no_trace_of_key_or_data_anywhere"
NEW_MASKS = "a_key_is_taken_under_new_masks_each_time"
ONE_PIECE = "no_part_of_key_or_verified_tag_stands_in_one_piece"
WIPE = ("trivium_supply.sv", "assign wipe = clear || alarm;", "assign wipe = clear;")
AES = "aes_masked_r1.sv"
#: Without these AES works on, and takes keys, when there are no random bits.
NO_BITS = (
    (AES, "wipe <= {wipe[0], clear || !random_valid};", "wipe <= {wipe[0], clear};"),
    (AES, "if (clear || !random_valid) begin", "if (clear) begin"),
)
NO_GATE = ("otr_masked_core.sv", "aes_key_free && random_valid && !random_busy && !wiping && !wipe;", "aes_key_free;")
ONE_SEED = ("trivium_words.sv", "assign seed_ready = &each_ready && !seeded_q;", "assign seed_ready = &each_ready;")
VERDICT = ("aead_masked_verdict.sv", "& {TAG_BITS{sealed}}", "& {TAG_BITS{finish}}")
DEFECTS = [
    planted.Defect(core, says, found_by, tuple(changes))
    for core, found in {
        "ascon-aead128-m1": [
            (
                "a key is taken before a seed", NO_SEED,
                ("ascon_aead_masked_core.sv", "status.key_free = random_valid;", "status.key_free = 1'b1;"),
            ),
            (
                "a key is taken while random bits of before a clear last", LONG_RESET,
                ("ascon_aead_masked_core.sv", "status.wiping   = random_busy;", "status.wiping   = 1'b0;"),
            ),
            ("a seed is taken beside the one in use", "takes_one_seed_alone", ONE_SEED),
            ("a command goes on in an alarm", ALARM, WIPE),
            ("a result outlives an alarm", "an_alarm_drops_a_result_that_waits", WIPE),
            ("the key outlives an alarm", "an_alarm_at_rest_forgets_the_key", WIPE),
            (
                "a share of the key outlives an alarm", NO_TRACE,
                ("ascon_aead_masked_share.sv", "key_q    <= '0;", "key_q    <= key_q;"),
            ),
            (
                "a key comes without new masks", NEW_MASKS,
                (
                    "ascon_aead_masked_share.sv",
                    "(key_load ? key : key_q) ^ random;", "key_load ? key : key_q ^ random;",
                ),
            ),
            (
                "half of a key's masks stands still", NEW_MASKS,
                (
                    "ascon_aead_masked_share.sv",
                    "(key_load ? key : key_q) ^ random;", "(key_load ? key : key_q) ^ 128'(random[63:0]);",
                ),
            ),
            (
                "the key comes into one domain", ONE_PIECE,
                ("ascon_aead_masked_datapath.sv", ".key(key[d]),", ".key(d == 0 ? key[0] ^ key[1] : '0),"),
            ),
            (
                "the shares of the state meet behind a call", ONE_PIECE,
                ("ascon_aead_masked_datapath.sv", ".y(y[d]),", ".y(d == 0 ? y[0] ^ y[1] : '0),"),
            ),
            ("the shares of the tag meet in opening, too", ONE_PIECE, VERDICT),
            (
                "a half of a key counts for nothing", "half_a_key_says_nothing_of_what_it_seals",
                ("ascon_aead_masked_datapath.sv", ".key(key[d]),", ".key(d == 0 ? key[0] : '0),"),
            ),
        ],
        "otr-aes128-p-m1": [
            ("a key is taken before a seed", NO_SEED, *NO_BITS, NO_GATE),
            ("a key is taken while random bits of before a clear last", LONG_RESET, NO_GATE),
            ("a seed is taken beside the one in use", "takes_one_seed_alone", ONE_SEED),
            ("a command goes on in an alarm, and so does AES", ALARM, WIPE, *NO_BITS),
            ("a command goes on in an alarm", ALARM, WIPE),
            ("a result outlives an alarm", "an_alarm_drops_a_result_that_waits", WIPE),
            ("output outlives an alarm", "an_alarm_drops_output_that_waits", WIPE),
            ("the round keys outlive an alarm", "an_alarm_at_rest_forgets_the_key", WIPE, *NO_BITS),
            (
                "Q outlives an alarm", NO_TRACE,
                ("otr_masked_share.sv", "q_q       <= '0;", "q_q       <= q_q;"),
            ),
            (
                "the lower half of a key comes without new masks", NEW_MASKS,
                ("aes_masked_keys.sv", "load_q ? key_q[63:0] ^ mask", "load_q ? key_q[63:0]"),
            ),
            (
                "the upper half of a key comes without new masks", NEW_MASKS,
                ("aes_masked_keys.sv", "load_upper_q ? key_upper_q ^ mask", "load_upper_q ? key_upper_q"),
            ),
            (
                "the key comes into one domain", ONE_PIECE,
                (AES, "assign key_shares = {key1, key0};", "assign key_shares = {128'b0, key1 ^ key0};"),
            ),
            ("the shares of the tag meet in opening, too", ONE_PIECE, VERDICT),
            (
                "a half of a key counts for nothing", "half_a_key_says_nothing_of_what_it_seals",
                (AES, "assign key_shares = {key1, key0};", "assign key_shares = {128'b0, key0};"),
            ),
        ],
    }.items()
    for says, found_by, *changes in found
]  # fmt: skip


@pytest.mark.exhaustive
@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.name)
def test_a_planted_defect_is_found(defect: planted.Defect, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted.assert_found(defect, BENCH, tmp_path, monkeypatch, **settings(cores.find(defect.core)))
