# SPDX-License-Identifier: Apache-2.0
"""Two boards back to back with the firmware as it is built: from power-on to line rate, new keys, power cycles.

With LINE_RATE_RECORD set, the frames that they carried a second are kept in results/line-rate.json (docs/board.md).
"""

import json
import os
from pathlib import Path

import pytest
from sealwire_lab import firmware
from sealwire_lab.board import boards, line_rate
from support import hdl_bench

MS_CYCLES = 200
#: Shares of the cable's limit that the clocks of each board carry at every size
LOADS = {"ecp5-versa": 1.0, "colorlight-i9": 0.75}
LINE_RATE = "boards_boot_and_carry_line_rate_both_ways"


@pytest.mark.exhaustive
@pytest.mark.xdist_group("two_boards")
@pytest.mark.parametrize("test", hdl_bench.cocotb_tests("two_boards_bench"))
@pytest.mark.parametrize("name", LOADS)
def test_two_boards(name: str, test: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    board = boards.find(name)
    parameters = {"IMAGE": f'"{firmware.image()}"', "MS_CYCLES": MS_CYCLES, **board.options()}
    files = [*boards.short_board_sources(), Path(__file__).parent / "two_boards.sv"]
    directory = hdl_bench.simulation("two_boards", files, parameters)
    told = tmp_path / "rates.json" if test == LINE_RATE and "LINE_RATE_RECORD" in os.environ else None
    if told:
        monkeypatch.setenv("LINE_RATE_FILE", str(told))
    hdl_bench.check(
        directory, "two_boards", "two_boards_bench", test, MS_CYCLES=MS_CYCLES, CORE_MHZ=board.core_mhz,
        STREAM_MHZ=board.stream_mhz, LOAD=LOADS[name],
    )  # fmt: skip
    if told:
        line_rate.keep(board, load=LOADS[name], **json.loads(told.read_text(encoding="utf-8")))
