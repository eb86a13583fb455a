# SPDX-License-Identifier: Apache-2.0
"""MAC cores in shares: one pytest test for each cocotb test, and defects that these tests find."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from sealwire_lab import cores
from support import hdl_bench

BENCH = "mac_shares_behaviours"
CORES = [core for core in cores.load().values() if core.kind == "mac" and core.shares > 1]


@pytest.mark.parametrize("test", hdl_bench.cocotb_tests(BENCH))
@pytest.mark.parametrize("core", CORES, ids=lambda core: core.name)
def test_a_core_in_shares(core: cores.Core, test: str) -> None:
    directory = hdl_bench.simulation(core.top, core.sources, core.parameters(), ["--public-flat-rw"])
    hdl_bench.check(directory, core.top, BENCH, test, SCHEME=core.scheme)


@dataclass(frozen=True)
class Defect:
    """A change of a source, and the cocotb test that fails with it."""

    says: str
    file: str
    old: str
    new: str
    found_by: str


NO_SECRET = "no_part_of_key_state_or_verified_tag_stands_in_one_piece"
NEW_MASKS = "every_word_between_calls_is_masked_anew_each_time"
DEFECTS = [
    Defect(
        "the shares of the tag meet in verifying, too", "aead_masked_verdict.sv",
        "& {TAG_BITS{sealed}}", "& {TAG_BITS{finish}}", NO_SECRET,
    ),
    Defect(
        "the shares of the state meet behind a call", "sponge_masked_datapath.sv",
        ".y(y[d]),", ".y(d == 0 ? y[0] ^ y[1] : '0),", NO_SECRET,
    ),
    Defect(
        "the key comes into one domain", "sponge_masked_datapath.sv",
        ".key(key[d]),", ".key(d == 0 ? key[0] ^ key[1] : '0),", NO_SECRET,
    ),
    Defect(
        "the first state has no masks", "sponge_masked_pkg.sv",
        "return {128'b0, key, iv} ^ mask;", "return {128'b0, key, iv} ^ (mask & '0);", NEW_MASKS,
    ),
    Defect(
        "a third of the masks stands still", "ascon_masked_permutation.sv",
        "mask <= {mask[1:0], random};", "mask <= {mask[1:0], random[2:1], 64'b0};", NEW_MASKS,
    ),
    Defect(
        "a key is taken before a seed", "sponge_masked_core.sv",
        "assign open = random_valid &&", "assign open =", "takes_nothing_before_a_seed",
    ),
    Defect(
        "a command goes on in an alarm", "trivium_supply.sv",
        "assign wipe = clear || alarm;", "assign wipe = clear;",
        "an_alarm_in_the_midst_of_a_command_drops_it_and_forgets_key_and_state",
    ),
]  # fmt: skip


@pytest.mark.exhaustive
@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.says)
def test_a_planted_defect_is_found(defect: Defect, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    core = cores.find("asconmac-m1")
    (right,) = (source for source in core.sources if source.name == defect.file)
    text = right.read_text()
    assert text.count(defect.old) == 1
    wrong = tmp_path / right.name
    wrong.write_text(text.replace(defect.old, defect.new))
    sources = [wrong if source is right else source for source in core.sources]
    directory = hdl_bench.simulation(core.top, sources, core.parameters(), ["--public-flat-rw"])
    monkeypatch.setenv("SEALWIRE_ONLY", defect.found_by)
    with pytest.raises(pytest.fail.Exception, match=f"^{core.top}: {defect.found_by}: "):
        hdl_bench.check(directory, core.top, BENCH, defect.found_by, SCHEME=core.scheme)
