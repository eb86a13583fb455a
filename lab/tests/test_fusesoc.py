# SPDX-License-Identifier: Apache-2.0
"""The FuseSoC descriptions in hdl/ are those that the sources ask for."""

from __future__ import annotations

import subprocess
from pathlib import Path

import fusesoc_cores
import pytest
from sealwire_lab import cores
from support.tools import tool


@pytest.mark.parametrize("place", fusesoc_cores.files(), ids=lambda place: place.name)
def test_the_description_is_up_to_date(place: Path) -> None:
    assert place.read_text(encoding="utf-8") == fusesoc_cores.files()[place], "run: python scripts/fusesoc_cores.py"


@pytest.mark.parametrize("place", fusesoc_cores.files(), ids=lambda place: place.name)
def test_every_file_exists(place: Path) -> None:
    named = [line.strip()[2:] for line in fusesoc_cores.files()[place].splitlines() if line.startswith("      - ")]
    assert named
    assert not [name for name in named if not (place.parent / name).is_file()]


def test_every_core_and_the_link_are_targets() -> None:
    text = fusesoc_cores.files()[cores.root() / "hdl" / "sealwire_cores.core"]
    targets = text.partition("\ntargets:\n")[2]
    for name in [*cores.load(), "link", "link-axil"]:
        assert f"\n  {name}:\n    filesets: [{name}]\n" in targets


def test_fusesoc_sets_a_core_up(tmp_path: Path) -> None:
    words = ["run", "--setup", "--tool", "verilator", "--target", "omd-sha256-r1", "sealwire:hdl:cores"]
    done = subprocess.run(
        [tool("fusesoc"), "--cores-root", cores.root() / "hdl", *words], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.rglob("*.vc"))
    assert list(tmp_path.rglob("omd_sha256_r1.sv")), "the named top was not made"
