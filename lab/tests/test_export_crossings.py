# SPDX-License-Identifier: Apache-2.0
"""A folder whose sources have clock crossings has their constraints; one with a single clock has none."""

from __future__ import annotations

import tomllib

from sealwire_lab import cores, tops
from sealwire_lab.publish.export.package import crossings


def test_the_sources_of_the_link_bring_every_constraint() -> None:
    link = tomllib.loads((cores.root() / "hdl" / "link" / "sources.toml").read_text(encoding="utf-8"))
    found = crossings(cores.root() / name for name in link["sources"])
    folder = cores.root() / "hdl" / "lib" / "cdc" / "constraints"
    assert found == {f"constraints/{path.name}": path.read_text(encoding="utf-8") for path in folder.glob("*.*")}
    modules = {row["module"] for row in tomllib.loads(found["constraints/paths.toml"])["path"]}
    assert {f"constraints/{module}.tcl" for module in modules} <= set(found)


def test_a_core_behind_a_bus_has_one_clock_and_no_constraint_between_clocks() -> None:
    assert crossings(tops.render(cores.find("omd-sha256-r1"), "axis", 64).sources) == {}
