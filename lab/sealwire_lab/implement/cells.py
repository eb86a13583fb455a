# SPDX-License-Identifier: Apache-2.0
"""Standard cells: the clock by static timing analysis (OpenSTA), energy from simulated activity, both without wires."""

import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from .. import activity
from ..cores import Core
from ..errors import LabError
from . import stages, yosys
from .designs import Request
from .stages import OK, Outcome, Progress
from .targets import Library

#: Nanoseconds of the clock that paths are compared with and power is computed for; energy does not depend on it.
_PERIOD = 100.0
#: Bytes of the message whose energy is counted, and the seed of its text.
MESSAGE_BYTES, _SEED = 1536, 1
_SCRIPT = "script.tcl"
_SLACK = re.compile(r"^slack (?P<ns>\S+)$", re.MULTILINE)
_TOTAL = re.compile(r"^Total(?:\s+\S+){3}\s+(?P<watt>[\d.]+e[-+]\d+)", re.MULTILINE)


@cache
def version() -> str:
    """Version of OpenSTA."""
    return subprocess.run(["sta", "-version"], capture_output=True, text=True).stdout.strip()


def _begin(library: Library, top: str) -> list[str]:
    return [
        f"read_liberty {library.file}", f"read_verilog {yosys.CELLS}", f"link_design {top}",
        f"create_clock -name clk -period {_PERIOD:g} [get_ports clk]",
    ]  # fmt: skip


def _analyse(
    what: str, name: str, top: str, script: Sequence[str], synthesis: Outcome, request: Request, progress: Progress
) -> Outcome:
    """Run a script of OpenSTA on the netlist of a synthesis; the folder holds its log."""
    assert request.target.library
    lines = [*_begin(request.target.library, top), *script]

    def prepare(scratch: Path) -> Sequence[str]:
        shutil.copyfile(synthesis.folder / yosys.CELLS, scratch / yosys.CELLS)
        (scratch / _SCRIPT).write_text("\n".join(lines) + "\n", encoding="utf-8")
        return ["sta", "-no_splash", "-exit", _SCRIPT]

    key = yosys.hashed(yosys.METHOD, synthesis.folder.name, lines, version())
    folder = yosys.store() / "analysis" / f"{name}-{request.target.name}-{key[:16]}"
    done = stages.run(what, folder, prepare, limit=request.timeout, force=request.force, progress=progress)
    (done.folder / yosys.CELLS).unlink(missing_ok=True)  # it lies with the synthesis
    return done


def _log(outcome: Outcome) -> str:
    """What OpenSTA said; it goes on after an error of a script, and ends well."""
    log = (outcome.folder / stages.LOG).read_text(encoding="utf-8")
    error = re.search(r"^Error: .*", log, re.MULTILINE)
    if error:
        raise LabError(f"OpenSTA: {error[0]} (log in {outcome.folder})")
    return log


def gate_equivalents(stat: Path, library: Library) -> int:
    """The area of a synthesis in that of the library's gate."""
    area = float(json.loads(stat.read_text(encoding="utf-8"))["design"]["area"])
    text = library.file.read_text(encoding="utf-8")
    gate = re.search(rf"cell \({library.gate}\) \{{\s*area : ([\d.]+);", text)
    if gate is None:
        raise LabError(f"{library.file} does not tell the area of {library.gate}")
    return round(area / float(gate[1]))


def period(
    name: str, top: str, synthesis: Outcome, request: Request, progress: Progress
) -> tuple[Outcome, float | None]:
    """Nanoseconds of the slowest path from one edge of the clock to the next, set-up time included."""
    script = [
        "set path [lindex [find_timing_paths -path_delay max] 0]",
        'puts "slack [get_property $path slack]"',
        "report_checks -path_delay max -digits 3",
    ]
    done = _analyse("timing analysis", name, top, script, synthesis, request, progress)
    if done.status != OK:
        return done, None
    slack = _SLACK.search(_log(done))
    if slack is None:
        raise LabError(f"OpenSTA reports no path between two flip-flops of {name} (log in {done.folder})")
    return done, round(_PERIOD - float(slack["ns"]), 3)


def energy(core: Core, synthesis: Outcome, request: Request, progress: Progress) -> tuple[Outcome, float | None]:
    """Picojoule a bit of one long message, sealed or made a tag of, in an idle core with its key."""
    counted = activity.count(core, request.parameters, request.target, MESSAGE_BYTES, _SEED, progress)
    script = [
        # The command for it, set_power_activity -pins, asks for a procedure that OpenSTA 2.0.17 does not have.
        f"sta::set_power_pin_activity [get_pins {pin}] {toggles / counted.cycles:.6g} {high / counted.cycles:.6g}"
        for pin, (toggles, high) in sorted(_pins(counted).items())
    ]
    done = _analyse("power analysis", core.name, core.top, [*script, "report_power"], synthesis, request, progress)
    if done.status != OK:
        return done, None
    watt = _TOTAL.search(_log(done))
    if watt is None:
        raise LabError(f"OpenSTA reports no power of {core.name} (log in {done.folder})")
    joule = float(watt["watt"]) * _PERIOD * 1e-9 * counted.cycles
    return done, round(joule / (8 * MESSAGE_BYTES) * 1e12, 3)


def _pins(counted: activity.Counts) -> dict[str, tuple[int, int]]:
    """Toggles and cycles at one of every pin, as CELL/PIN: inputs for the inner energy, outputs for the load."""
    return {
        f"{name}/{port}": counted.nets[bit]
        for name, cell in counted.top["cells"].items()
        for port, joined in cell["connections"].items()
        for bit in joined
        if bit in counted.nets
    }
