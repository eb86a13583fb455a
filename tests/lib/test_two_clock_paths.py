# SPDX-License-Identifier: Apache-2.0
"""Every path of the link between two clocks ends where hdl/lib/cdc/constraints/paths.toml has a constraint for it."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import pytest
from support import hdl_bench
from two_clock_paths import CrossingPath, Design, elaborate

ROOT = hdl_bench.ROOT
TABLE = tomllib.loads((ROOT / "hdl/lib/cdc/constraints/paths.toml").read_text(encoding="utf-8"))["path"]
LINK = [ROOT / name for name in tomllib.loads((ROOT / "hdl/link/sources.toml").read_text(encoding="utf-8"))["sources"]]


def _leaf(name: str) -> str:
    return name.rpartition(".")[2]


def covered(path: CrossingPath) -> bool:
    """Whether the table has the path, and the path is of the kind that the table says."""
    for row in TABLE:
        if (path.module, _leaf(path.end)) != (row["module"], row["to"]):
            continue
        if row["kind"] == "reset":
            return path.asynchronous
        if row["kind"] == "synchroniser":
            return path.straight and not path.asynchronous
        return not path.asynchronous and _leaf(path.start) == row["from"]
    return False


def uncovered(top: str, sources: list[Path], folder: Path) -> tuple[Counter[str], list[str]]:
    """How many paths end in each module, and those that no constraint covers."""
    paths = Design(elaborate(top, sources, folder / "flat.json")).paths()
    return Counter(path.module for path in paths), sorted(str(path) for path in paths if not covered(path))


def test_every_path_between_two_clocks_of_the_link_has_a_constraint(tmp_path: Path) -> None:
    ends, bare = uncovered("sealwire_link", LINK, tmp_path)
    assert not bare, "paths between two clocks without a constraint:\n" + "\n".join(bare)
    # the search is not blind: the link has all of these
    assert {"sync_bits", "reset_sync", "cdc_word", "stream_fifo_async", "wiped_ram"} <= set(ends), ends


#: What the search must find: file, old text, new text, and what it says of it.
MISTAKES = {
    "a synchroniser is left out": (
        "cdc/cdc_word.sv", "!s_hold && sent == copied_s;", "!s_hold && sent == copied;",
        "copied",
    ),
    "logic stands in front of a synchroniser": (
        "cdc/cdc_word.sv", ".d  (sent),", ".d  (sent ^ s_hold),", "chain",
    ),
    "a word is used where nobody waits for it": (
        "cdc/cdc_word.sv", "if (m_zero) copied <= 1'b0;", "if (m_zero) copied <= word[0];", "copied",
    ),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_search_notices(mistake: str, tmp_path: Path) -> None:
    file, old, new, said = MISTAKES[mistake]
    library = ROOT / "hdl" / "lib"
    text = (library / file).read_text(encoding="utf-8")
    assert text.count(old) == 1
    broken = tmp_path / Path(file).name
    broken.write_text(text.replace(old, new), encoding="utf-8")
    names = ("cdc/sync_bits", "cdc/cdc_reset", "cdc/cdc_word", "cdc/cdc_bus")
    sources = [library / f"{name}.sv" if f"{name}.sv" != file else broken for name in names]
    _, bare = uncovered("cdc_bus", sources, tmp_path)
    assert bare
    assert any(said in line for line in bare), bare
