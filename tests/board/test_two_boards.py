# SPDX-License-Identifier: Apache-2.0
"""Two boards back to back with the firmware as it is built: from power-on to line rate, new keys, power cycles."""

from pathlib import Path

import pytest
from sealwire_lab import firmware
from sealwire_lab.board import boards
from support import hdl_bench

MS_CYCLES = 200


@pytest.mark.exhaustive
@pytest.mark.xdist_group("two_boards")
@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("two_boards_bench"))
def test_two_boards(test: str) -> None:
    parameters = {"IMAGE": f'"{firmware.image()}"', "MS_CYCLES": MS_CYCLES}
    files = [*boards.short_board_sources(), Path(__file__).parent / "two_boards.sv"]
    directory = hdl_bench.simulation("two_boards", files, parameters)
    hdl_bench.check(directory, "two_boards", "two_boards_bench", test, MS_CYCLES=MS_CYCLES)
