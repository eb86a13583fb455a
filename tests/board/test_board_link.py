# SPDX-License-Identifier: Apache-2.0
"""Both ports of a board and the link between them, from pin to pin."""

import pins_top
import pytest
from sealwire_lab.board import boards
from support import hdl_bench


@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("board_link_bench"))
@pytest.mark.xdist_group("board_link")
def test_board_link(test: str) -> None:
    sources = boards.link_sources()
    top = pins_top.write(sources[-1])
    directory = hdl_bench.simulation(top.stem, [*boards.cell_models(), *sources, top], {})
    hdl_bench.check(directory, top.stem, "board_link_bench", test, SUITE=0x11)
