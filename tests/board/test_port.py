# SPDX-License-Identifier: Apache-2.0
"""The Ethernet port of the boards: its behaviour at the RGMII pins, and what LiteEth generated."""

import importlib.util
from pathlib import Path

import pins_top
import pytest
from sealwire_lab.board import boards
from support import hdl_bench

PORT = boards.listed("port")


#: Periods in ns of the streams of each board, and the longest that the port's header allows
CYCLES = sorted({25.0} | {round(1000 / board.stream_mhz, 3) for board in boards.load().values()})


def check(sources: list[Path], test: str, cycle_ns: float = CYCLES[0]) -> None:
    top = pins_top.write(PORT[-1])
    directory = hdl_bench.simulation(top.stem, [*boards.cell_models(), *sources, top], {})
    hdl_bench.check(directory, top.stem, "port_bench", test, CYCLE_NS=cycle_ns)


@pytest.mark.parametrize("cycle_ns", CYCLES)
@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("port_bench"))
@pytest.mark.xdist_group("board_port")
def test_port(test: str, cycle_ns: float) -> None:
    check(PORT, test, cycle_ns)


#: A defect in a file, and the behaviour that it spoils.
DEFECTS = {
    "polynomial": ("ethernet_pkg.sv", "EDB88320", "EDB88321", "frames_for_the_line_are_ethernet"),
    "padding to 59": ("ethernet_pkg.sv", "MIN_BYTES = 60", "MIN_BYTES = 59", "frames_for_the_line_are_ethernet"),
    "gap of 11": ("ethernet_pkg.sv", "GAP_BYTES = 12", "GAP_BYTES = 11", "frames_for_the_line_are_ethernet"),
    "junk as padding": ("mac_tx.sv", "data_q <= '0", "data_q <= data[7:0]", "frames_for_the_line_are_ethernet"),
    "no word on runts": ("board_port.sv", "(runt || ", "(", "damaged_frames_are_flagged"),
    "no word on damage": (
        "board_port.sv",
        "(runt || (error & m_axis_tkeep) != 0)",
        "runt",
        "damaged_frames_are_flagged",
    ),
    "another FCS": (
        "liteeth_rgmii.v",
        "[23:0] != 23'd6585600",
        "[23:0] != 23'd6585601",
        "frames_of_the_line_arrive_whole",
    ),
    "the FCS' last byte alone": (
        "liteeth_rgmii.v",
        "(receiver_checker_crc_framecheck_self[23:0] != 23'd6585600) | ",
        "",
        "damaged_frames_are_flagged",
    ),
    "all but the FCS' last byte": ("liteeth_rgmii.v", "!= 8'd183", "!= 8'd183 & 1'b0", "damaged_frames_are_flagged"),
    "errors of the line unseen": ("liteeth_rgmii.v", "(~error[1])", "1'd0", "damaged_frames_are_flagged"),
    "whole FCS when late": (
        "mac_tx.sv",
        "broken   <= 1'b1",
        "broken   <= 1'b0",
        "a_late_source_spoils_its_own_frame_only",
    ),
}


@pytest.mark.parametrize("defect", [pytest.param(name, marks=pytest.mark.exhaustive) for name in DEFECTS])
def test_planted_defects_are_found(defect: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, text, planted, test = DEFECTS[defect]
    monkeypatch.setenv("SEALWIRE_ONLY", test)
    sources = []
    for source in PORT:
        if source.name == file:
            kept = source.read_text()
            assert kept.count(text) == 1, f"{file} has no single {text!r}"
            (tmp_path / file).write_text(kept.replace(text, planted))
            source = tmp_path / file
        sources.append(source)
    with pytest.raises(pytest.fail.Exception, match=test):
        check(sources, test)


def test_the_generated_port_is_fresh() -> None:
    place = PORT[-1].parent / "generate.py"
    spec = importlib.util.spec_from_file_location("generate_port", place)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert not module.stale(), f"run {place}"
