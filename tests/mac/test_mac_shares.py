# SPDX-License-Identifier: Apache-2.0
"""MAC cores in shares: one pytest test for each cocotb test, and defects that these tests find."""

from pathlib import Path

import pytest
from sealwire_lab import cores
from support import hdl_bench, planted

BENCH = "mac_shares_behaviours"
CORES = [core for core in cores.load().values() if core.kind == "mac" and core.shares > 1]


@pytest.mark.parametrize("test", hdl_bench.cocotb_tests(BENCH))
@pytest.mark.parametrize("core", CORES, ids=lambda core: core.name)
def test_a_core_in_shares(core: cores.Core, test: str) -> None:
    directory = hdl_bench.simulation(core.top, core.sources, core.parameters(), ["--public-flat-rw"])
    hdl_bench.check(directory, core.top, BENCH, test, SCHEME=core.scheme)


NO_SECRET = "no_part_of_key_state_or_verified_tag_stands_in_one_piece"
NEW_MASKS = "every_word_between_calls_is_masked_anew_each_time"
DEFECTS = [
    planted.Defect("asconmac-m1", says, found_by, tuple(changes))
    for says, found_by, *changes in [
        (
            "the shares of the tag meet in verifying, too", NO_SECRET,
            ("aead_masked_verdict.sv", "& {TAG_BITS{sealed}}", "& {TAG_BITS{finish}}"),
        ),
        (
            "the shares of the state meet behind a call", NO_SECRET,
            ("sponge_masked_datapath.sv", ".y(y[d]),", ".y(d == 0 ? y[0] ^ y[1] : '0),"),
        ),
        (
            "the key comes into one domain", NO_SECRET,
            ("sponge_masked_datapath.sv", ".key(key[d]),", ".key(d == 0 ? key[0] ^ key[1] : '0),"),
        ),
        (
            "the first state has no masks", NEW_MASKS,
            ("sponge_masked_pkg.sv", "return {128'b0, key, iv} ^ mask;", "return {128'b0, key, iv} ^ (mask & '0);"),
        ),
        (
            "a third of the masks stands still", NEW_MASKS,
            (
                "ascon_masked_permutation.sv",
                "mask <= {mask[1:0], random};", "mask <= {mask[1:0], random[2:1], 64'b0};",
            ),
        ),
        (
            "a key is taken before a seed", "takes_nothing_before_a_seed",
            ("sponge_masked_core.sv", "assign open = random_valid &&", "assign open ="),
        ),
        (
            "a seed is taken beside the one in use", "takes_one_seed_alone",
            ("trivium_words.sv", "assign seed_ready = &each_ready && !seeded_q;", "assign seed_ready = &each_ready;"),
        ),
        (
            "a command goes on in an alarm", "an_alarm_in_the_midst_of_a_command_drops_it_and_forgets_key_and_state",
            ("trivium_supply.sv", "assign wipe = clear || alarm;", "assign wipe = clear;"),
        ),
    ]
]  # fmt: skip


@pytest.mark.exhaustive
@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.says)
def test_a_planted_defect_is_found(defect: planted.Defect, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted.assert_found(defect, BENCH, tmp_path, monkeypatch, SCHEME=cores.find(defect.core).scheme)
