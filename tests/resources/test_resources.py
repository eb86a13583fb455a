# SPDX-License-Identifier: Apache-2.0
"""Areas and cycles of the cores are those of results/measured.jsonl: a drift is noticed, and accepted on purpose."""

import pytest
from sealwire_lab import cores
from sealwire_lab.board import boards
from sealwire_lab.board import record as record_of_boards
from sealwire_lab.implement import targets
from sealwire_lab.results import bars, shipped
from sealwire_lab.results.record import BARE, SYNTHESISED, Record
from support import regression, standard_cells

RECORDS = [record for record in shipped.load() if record.source is None and record.cells]


def _name(record: Record) -> str:
    return "-".join((record.core, record.interface, record.target, *map(str, record.params.values())))


def _check(record: Record, always: bool) -> None:
    if targets.find(record.target).library and (always or regression.changed(record)):
        standard_cells.installed()
    found = regression.drift(record, lambda *_: None, always=always)
    where = f"{record.core} ({record.interface}) on {record.target}"
    assert not found, f"{where}: {'; '.join(found)}. If this is meant: {regression.accept(record)}"


@pytest.mark.parametrize("record", [r for r in RECORDS if r.stage == SYNTHESISED], ids=_name)
def test_area_and_cycles_are_as_recorded_where_sources_changed(record: Record) -> None:
    _check(record, always=False)


@pytest.mark.exhaustive
@pytest.mark.parametrize("record", RECORDS, ids=_name)
def test_area_and_cycles_are_as_recorded(record: Record) -> None:
    _check(record, always=True)


@pytest.mark.parametrize("name", cores.load())
def test_every_core_has_a_record(name: str) -> None:
    usual = cores.find(name).parameters()
    target = "xc7" if cores.find(name).kind == "mac" else "xcup"  # the device of the figures to compare with
    found = [r for r in RECORDS if r.core == name and r.params == usual and r.interface == BARE and r.target == target]
    assert found, f"implement it: sealwire-lab implement --core {name} --target {target} && sealwire-lab results --ship"


#: LUTs of its netlist that the whole link with its registers may take: ports and a processor go beside it on an
#: LFE5U-45F. A routed link takes some more, which lead to flip-flops and block RAMs.
LINK_BARS = {bar.core: bar for bar in bars.load() if bar.quantity == "lut_synthesised"}


@pytest.mark.parametrize("name", LINK_BARS)
def test_the_whole_link_fits_a_board(name: str) -> None:
    (row,) = bars.judge([LINK_BARS[name]], RECORDS)
    assert row["result"] == bars.REACHED, row


def test_links_of_both_suites_have_a_bar_of_their_area() -> None:
    assert {"link-otr-aes128-r1", "link-otr-aes128-p2", "link-omd-sha512-r1"} <= set(LINK_BARS)


#: MHz that the clocks of a routed link keep: a record of a slower one is made on purpose only.
LINK_CLOCKS = {
    "link-otr-aes128-r1": {"core_clk": 85, "trusted_clk": 125, "untrusted_clk": 105},
    "link-otr-aes128-r1-s": {"core_clk": 95, "trusted_clk": 125, "untrusted_clk": 125},
    "link-omd-sha512-r1": {"core_clk": 60, "trusted_clk": 95, "untrusted_clk": 100},
}


@pytest.mark.parametrize("name", LINK_CLOCKS)
def test_the_routed_link_is_no_slower_than_it_was(name: str) -> None:
    (record,) = (record for record in RECORDS if record.core == name and record.target == "ecp5")
    reached = record.fmax_mhz_by_clock
    assert reached.keys() == LINK_CLOCKS[name].keys()
    assert all(reached[clock] >= mhz for clock, mhz in LINK_CLOCKS[name].items()), reached


#: Seeds of the recorded placements, and MHz that core, streams and lines are asked for; the i9's speed grade does not
#: reach the Versa's. The static placer does not end with its seeds 3 to 6.
BOARD_GOALS = {
    "ecp5-versa": ([1, 2, 3], {"core_clk": 95, "stream_clk": 62.5, "tx_clk": 125, "rx_clk": 125}),
    "colorlight-i9": ([1, 2, 7], {"core_clk": 62.5, "stream_clk": 62.5, "tx_clk": 125, "rx_clk": 125}),
}


@pytest.mark.parametrize("board", boards.load())
def test_the_recorded_board_meets_every_clock_with_three_seeds(board: str) -> None:
    build, (seeds, goals) = record_of_boards.load()[board], BOARD_GOALS[board]
    assert [seed["seed"] for seed in build["seeds"]] == seeds
    for seed in build["seeds"]:
        assert seed["sha256"] and all(clock["slack_ns"] > 0 for clock in seed["clocks"])
        for name, mhz in goals.items():
            asked = [clock["asked_mhz"] for clock in seed["clocks"] if name in clock["clock"]]
            assert asked and min(asked) >= mhz, name
        assert seed["used"]["TRELLIS_COMB"] <= 0.85 * 43848
