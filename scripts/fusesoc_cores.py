# SPDX-License-Identifier: Apache-2.0
"""The FuseSoC descriptions (CAPI2) of hdl/: the library of modules, and every core and the link over it.

`python scripts/fusesoc_cores.py` writes them from hdl/cores.toml, hdl/link/sources.toml and the folders of hdl/lib.
"""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from sealwire_lab import cores, links

_MAIN = "cdc/constraints/vivado.tcl"


def _library(lib: Path) -> dict[str, object]:
    found = sorted(lib.glob("*/*.sv"), key=lambda path: (not path.stem.endswith("_pkg"), path))
    tcl = sorted(path.relative_to(lib).as_posix() for path in (lib / _MAIN).parent.glob("*.tcl"))
    rtl = [path.relative_to(lib).as_posix() for path in found]
    return {"library": True, "rtl": rtl, "main": _MAIN, "scoped": [file for file in tcl if file != _MAIN]}


def _cores(hdl: Path) -> dict[str, object]:
    known = cores.load().values()
    designs = [(core.name, core.top, [*core.sources[:-1]], core.parameters()) for core in known]
    designs.append(("link", "sealwire_link", links.sources(), {}))
    designs.append(("link-axil", "sealwire_link_axil", links.sources(control=True), {}))
    own = [
        (name, top, [path.relative_to(hdl) for path in sources if not path.is_relative_to(hdl / "lib")], parameters)
        for name, top, sources, parameters in designs
    ]
    names = sorted({name for *_, parameters in own for name in parameters})
    return {"library": False, "designs": own, "names": names, "tops": {core.top: core.name for core in known}}


def files() -> dict[Path, str]:
    """Text of each description by its place."""
    hdl = cores.root() / "hdl"
    loader = FileSystemLoader(Path(__file__).parent)
    forms = Environment(loader=loader, undefined=StrictUndefined, trim_blocks=True, keep_trailing_newline=True)
    form = forms.get_template("fusesoc.core.j2")
    made = {hdl / "lib" / "sealwire_lib.core": _library(hdl / "lib"), hdl / "sealwire_cores.core": _cores(hdl)}
    version = metadata.version("sealwire-lab")
    return {place: form.render(values, version=version) for place, values in made.items()}


if __name__ == "__main__":
    for place, text in files().items():
        place.write_text(text, encoding="utf-8")
