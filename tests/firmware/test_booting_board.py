# SPDX-License-Identifier: Apache-2.0
"""The processor of a board with the firmware as it is built, in simulation: from power-on to a link that is fed."""

from pathlib import Path

import pytest
from sealwire_lab import firmware
from sealwire_lab.board import boards
from support import hdl_bench

HERE = Path(__file__).parent


@pytest.mark.xdist_group("booting_board")
@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("booting_board_bench"))
def test_booting_board(test: str) -> None:
    parameters = {"IMAGE": f'"{firmware.image()}"'}
    sources = [*firmware.rtl(), boards.model("w25q64"), HERE / "booting_board.sv"]
    directory = hdl_bench.simulation("booting_board", sources, parameters)
    hdl_bench.check(directory, "booting_board", "booting_board_bench", test)
