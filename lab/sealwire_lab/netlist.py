# SPDX-License-Identifier: Apache-2.0
"""The netlist after synthesis in place of the RTL: the core in a device's cells, with the cells' models to simulate it.

The netlist is the one that `implement` counts and places.  The models are those of the installed Yosys, read where they
lie.  A netlist has its parameters built in: another set of sizes is another netlist.
"""

from pathlib import Path

from . import toolchain
from .build import Netlist
from .cores import Core
from .errors import LabError
from .implement import reports, stages, yosys
from .implement.designs import DEFAULT_TIMEOUT, Request
from .implement.targets import Library, Target

#: Where the models lie in Yosys' shared files, and the files that they include.
_MODELS = {
    "ecp5": ("lattice/cells_sim_ecp5.v", "lattice/*.vh"),
    "xcup": ("xilinx/cells_sim.v", ""),
    "xc7": ("xilinx/cells_sim.v", ""),
}
#: Cells that Yosys knows by their ports alone: a netlist with one of them cannot be simulated.
_WITHOUT_MODEL = ("DP16KD", "RAMB18E1", "RAMB18E2", "RAMB36E1", "RAMB36E2", "URAM288", "MULT18X18D")
_NETLIST, _CELLS = "netlist.v", "cells.v"
#: Keeps Verilator quiet about the models' specify blocks: the lines that it quotes are not even UTF-8.
_QUIET = Path(__file__).with_suffix(".vlt")


def _described(library: Library) -> Path:
    """Models made of the functions that a library's file tells."""
    library.check()
    text = library.file.read_text(encoding="utf-8")
    failure = f"{library.file} could not be read: {{reason}} (log in {{folder}})"
    script = f"read_liberty -ignore_miss_func {library.file.name}\nwrite_verilog -noattr {_CELLS}"
    made = yosys.passes(
        "models of the cells", f"cells/{library.file.stem}", {library.file.name: text}, script,
        lambda *_: None, DEFAULT_TIMEOUT, failure,
    )  # fmt: skip
    return made / _CELLS


def models(target: Target) -> tuple[Path, tuple[Path, ...]]:
    """The file with the models of the cells of a target, and the files that it includes."""
    if target.library:
        return _described(target.library), ()
    main, included = _MODELS[target.name]
    share = toolchain.package("pyosys", yosys.NO_YOSYS) / "share"
    if not (share / main).exists():
        raise LabError(f"this Yosys has no models of the cells of {target.name}: {share / main} does not exist")
    return share / main, tuple(sorted(share.glob(included))) if included else ()


def synthesised(
    core: Core, parameters: dict[str, int], target: Target, progress: stages.Progress, limit: float = DEFAULT_TIMEOUT
) -> Path:
    """Synthesise, or find what was synthesised before; the folder holds the netlist and its statistics."""
    synthesis = yosys.synthesise(Request(core, target, parameters, timeout=limit), progress)
    if synthesis.status != stages.OK:
        raise LabError(f"{core.name} has no netlist for {target.name}: {synthesis.reason}")
    return synthesis.folder


def make(
    core: Core, parameters: dict[str, int], target: Target, progress: stages.Progress, limit: float = DEFAULT_TIMEOUT
) -> Netlist:
    """The netlist as Verilog."""
    folder = synthesised(core, parameters, target, progress, limit)
    cells = reports.cells_of(folder / yosys.STAT)
    unknown = [cell for cell in _WITHOUT_MODEL if cells.get(cell)]
    if unknown:
        raise LabError(
            f"the netlist of {core.name} for {target.name} has cells without a simulation model ({', '.join(unknown)})"
        )

    source = folder / yosys.NETLIST
    texts = {source.name: source.read_text(encoding="utf-8")}  # another netlist is another place
    script = f"read_json {source.name}\nsplitnets\nwrite_verilog -noattr {_NETLIST}"
    place = f"netlist/{core.name}-{target.name}"
    failure = f"the netlist of {core.name} could not be written: {{reason}}"
    written = yosys.passes("writing the netlist", place, texts, script, progress, limit, failure)
    main, included = models(target)
    return Netlist(f"{core.top}-{target.name}", (_QUIET, written / _NETLIST, main), included)
