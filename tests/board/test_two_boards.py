# SPDX-License-Identifier: Apache-2.0
"""Two boards back to back with the firmware as it is built: from power-on to line rate, new keys, power cycles."""

from pathlib import Path

import pytest
from sealwire_lab import firmware
from sealwire_lab.board import boards
from support import hdl_bench

MS_CYCLES = 200
#: Shares of the cable's limit that the clocks of each board carry at every size: 64 bytes both ways take 98 cycles
LOADS = {"ecp5-versa": 1.0, "colorlight-i9": 0.5}


@pytest.mark.exhaustive
@pytest.mark.xdist_group("two_boards")
@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("two_boards_bench"))
@pytest.mark.parametrize("name", LOADS)
def test_two_boards(name: str, test: str) -> None:
    board = boards.find(name)
    parameters = {"IMAGE": f'"{firmware.image()}"', "MS_CYCLES": MS_CYCLES}
    files = [*boards.short_board_sources(), Path(__file__).parent / "two_boards.sv"]
    directory = hdl_bench.simulation("two_boards", files, parameters)
    hdl_bench.check(
        directory, "two_boards", "two_boards_bench", test, MS_CYCLES=MS_CYCLES, CORE_MHZ=board.core_mhz,
        STREAM_MHZ=board.stream_mhz, LOAD=LOADS[name],
    )  # fmt: skip
