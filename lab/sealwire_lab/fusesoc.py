# SPDX-License-Identifier: Apache-2.0
"""The FuseSoC descriptions (CAPI2) of hdl/: the library of modules, and every core and the link over it.

`python -m sealwire_lab.fusesoc` writes them from hdl/cores.toml, hdl/link/sources.toml and the folders of hdl/lib.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from . import cores

_HEAD = """\
CAPI=2:
# SPDX-License-Identifier: Apache-2.0
# Made by `python -m sealwire_lab.fusesoc`; not for editing.
name: {name}:{version}
description: {description}
"""
_LIBRARY, _CORES = "sealwire:hdl:lib", "sealwire:hdl:cores"
_CONSTRAINTS = Path("lib/cdc/constraints")


def _fileset(name: str, files: Iterable[str], kind: str, depend: str | None = None) -> str:
    listed = "".join(f"      - {file}\n" for file in files)
    return (
        f"  {name}:\n"
        + (f"    depend: [{depend}]\n" if depend else "")
        + f"    files:\n{listed}    file_type: {kind}\n"
    )


def _target(name: str, filesets: str, top: str, parameters: dict[str, int], made: bool = False) -> str:
    values = ", ".join(f"{key}={value}" for key, value in parameters.items())
    text = f"  {name}:\n    filesets: [{filesets}]\n" + (f"    generate: [{top}]\n" if made else "")
    text += f"    toplevel: {top}\n"
    return text + (f"    parameters: [{values}]\n" if values else "")


def _library(hdl: Path) -> str:
    found = sorted((hdl / "lib").glob("*/*.sv"), key=lambda path: (not path.stem.endswith("_pkg"), path))
    tcl = sorted(path.relative_to(hdl / "lib").as_posix() for path in (hdl / _CONSTRAINTS).glob("*.tcl"))
    main = "cdc/constraints/vivado.tcl"
    others = [file for file in tcl if file != main]
    return (
        _HEAD.format(name=_LIBRARY, version=metadata.version("sealwire-lab"), description="Modules of docs/lib.md")
        + "\nfilesets:\n"
        + _fileset("rtl", (path.relative_to(hdl / "lib").as_posix() for path in found), "systemVerilogSource")
        + _fileset("scoped", others, "user")
        + _fileset("vivado", [main], "tclSource")
        + "\ntargets:\n"
        + '  default:\n    filesets: [rtl, "tool_vivado? (scoped)", "tool_vivado? (vivado)"]\n'
    )


def _cores(hdl: Path) -> str:
    link = tomllib.loads((hdl / "link" / "sources.toml").read_text(encoding="utf-8"))
    root = hdl.parent
    listed = [root / name for name in link["sources"]]
    control = [root / name for name in link["control"]]
    designs = [(core.name, core.top, [*core.sources[:-1]], core.parameters()) for core in cores.load().values()]
    tops = {core.top: core.name for core in cores.load().values()}
    designs.append(("link", "sealwire_link", listed, {}))
    designs.append(("link-axil", "sealwire_link_axil", [*listed, *control], {}))
    filesets, targets, names = "", "", set()
    for name, top, sources, parameters in designs:
        own = [path.relative_to(hdl).as_posix() for path in sources if not path.is_relative_to(hdl / "lib")]
        filesets += _fileset(name, own, "systemVerilogSource", _LIBRARY)
        targets += _target(name, name, top, parameters, top in tops)
        names |= set(parameters)
    known = "".join(f"  {name}: {{datatype: int, paramtype: vlogparam}}\n" for name in sorted(names))
    generate = "generators:\n  named_top:\n    interpreter: python3\n    command: named_top.py\n\ngenerate:\n"
    generate += "".join(
        f"  {top}:\n    generator: named_top\n    parameters:\n      core: {name}\n" for top, name in tops.items()
    )
    about = "AEAD and MAC cores and the link of Sealwire, a target each"
    head = _HEAD.format(name=_CORES, version=metadata.version("sealwire-lab"), description=about)
    default = _target("default", "link", "sealwire_link", {})
    return f"{head}\n{generate}\nfilesets:\n{filesets}\ntargets:\n{default}{targets}\nparameters:\n{known}"


def files() -> dict[Path, str]:
    """Text of each description by its place."""
    hdl = cores.root() / "hdl"
    return {hdl / "lib" / "sealwire_lib.core": _library(hdl), hdl / "sealwire_cores.core": _cores(hdl)}


if __name__ == "__main__":
    for place, text in files().items():
        place.write_text(text, encoding="utf-8")
