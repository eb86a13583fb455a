# SPDX-License-Identifier: Apache-2.0
"""Places for the block RAMs of an ECP5 netlist: side by side in the order of their names, row by row and back.

nextpnr's placers put block RAMs where cells want them and then look for free places, which can be far away; a core
whose paths end in one behind the other is as slow as the longest of these ways.
"""

import json
import math
import re
from collections.abc import Sequence
from pathlib import Path

from .. import files
from ..cores import Band
from ..errors import LabError

CELL = "DP16KD"
#: Of LFE5U-85F: rows that hold block RAMs, groups of four in a row, and how many of them lie before the row's middle
ROWS, GROUPS, LEFT = (22, 46, 70, 82), 13, 7


def _by_number(name: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]


def places(count: int, bands: Sequence[Band]) -> list[str]:
    """Names of `count` places in these rows, in the middle of each; the second row or band goes back, and so on."""
    lines = [(band,) if isinstance(band, int) else tuple(band) for band in bands]
    rows = [row for line in lines for row in line]
    groups = math.ceil(count / (4 * len(rows)))
    if unknown := [row for row in rows if row not in ROWS]:
        raise LabError(f"row {unknown[0]} holds no block RAM; the rows are {', '.join(map(str, ROWS))}")
    if twice := [row for row in rows if rows.count(row) > 1]:
        raise LabError(f"row {twice[0]} of block RAMs is named twice")
    if groups > GROUPS:
        raise LabError(f"{count} block RAMs do not fit in {len(rows)} rows of {4 * GROUPS}")
    first = (GROUPS - groups) // 2
    found = []
    for turn, band in enumerate(lines):
        line = [
            f"X{9 * group + 2 * place + (4 if group < LEFT else 6)}/Y{row}/EBR{place}"
            for group in range(first, first + groups)
            for place in range(4)
            for row in band
        ]
        found += line[::-1] if turn % 2 else line
    return found[:count]


def fix(netlist: Path, rows: Sequence[Band]) -> None:
    """Write into a netlist of Yosys where its block RAMs stand."""
    design = json.loads(netlist.read_text(encoding="utf-8"))
    cells = {
        name: cell for module in design["modules"].values()
        for name, cell in module.get("cells", {}).items() if cell["type"] == CELL
    }  # fmt: skip
    for name, place in zip(sorted(cells, key=_by_number), places(len(cells), rows), strict=True):
        cells[name]["attributes"]["BEL"] = place
    files.write(netlist, json.dumps(design))
