# SPDX-License-Identifier: Apache-2.0
"""Standard cells: the clock by static timing analysis (OpenSTA), energy from simulated activity, both without wires."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from .. import activity
from ..cores import Core
from ..errors import LabError
from . import stages, yosys
from .designs import Request
from .stages import OK, Outcome, Progress
from .targets import Library

#: Nanoseconds of the clock that paths are compared with and power is computed for.
_PERIOD = 100.0
#: Bytes of the message whose energy is counted, and the seed of its text.
MESSAGE_BYTES, _SEED = 1536, 1
_SCRIPT, _LIBRARY = "script.tcl", "library.lib"
#: Changed when the same netlist would be analysed, or its activity be counted, in another way.
_METHOD = 1
_SLACK = re.compile(r"^slack (?P<figure>\S+)$", re.MULTILINE)
_TOTAL = re.compile(r"^Total(?:\s+\S+){3}\s+(?P<figure>[\d.]+e[-+]\d+)", re.MULTILINE)


@cache
def version() -> str:
    """Version of OpenSTA."""
    done = subprocess.run(["sta", "-version"], capture_output=True, text=True)
    if done.returncode or not done.stdout.strip():
        raise LabError("OpenSTA (sta) does not answer -version")
    return done.stdout.strip()


def method(library: Library) -> str:
    """A name for what clock and energy rest on besides the netlist: the library and the way of analysis."""
    return yosys.hashed(_METHOD, library.constraints, library.text())[:16]


def _analyse(
    what: str, name: str, top: str, library: str, script: Sequence[str], figure: re.Pattern[str], synthesis: Outcome,
    request: Request, progress: Progress,
) -> tuple[Outcome, float | None]:  # fmt: skip
    """Run a script of OpenSTA on the netlist of a synthesis and the text of a library; the figure that it prints."""
    lines = [
        f"read_liberty {_LIBRARY}", f"read_verilog {yosys.CELLS}", f"link_design {top}",
        f"create_clock -name clk -period {_PERIOD:g} [get_ports clk]", *script,
    ]  # fmt: skip

    def prepare(scratch: Path) -> Sequence[str]:
        shutil.copyfile(synthesis.folder / yosys.CELLS, scratch / yosys.CELLS)
        (scratch / _LIBRARY).write_text(library, encoding="utf-8")
        (scratch / _SCRIPT).write_text("\n".join(lines) + "\n", encoding="utf-8")
        return ["sta", "-no_splash", "-exit", _SCRIPT]

    key = yosys.hashed(yosys.METHOD, synthesis.folder.name, library, lines, version())
    folder = yosys.store() / "analysis" / f"{name}-{request.target.name}-{key[:16]}"
    done = stages.run(what, folder, prepare, limit=request.timeout, force=request.force, progress=progress)
    for left in (yosys.CELLS, _LIBRARY):  # the one lies with the synthesis, the other is installed
        (done.folder / left).unlink(missing_ok=True)
    if done.status != OK:
        return done, None
    log = (done.folder / stages.LOG).read_text(encoding="utf-8")
    # OpenSTA goes on after an error of a script, and ends well.
    error, found = re.search(r"^Error: .*", log, re.MULTILINE), figure.search(log)
    if error or not found:
        said = error[0] if error else f"no figure of the {what} of {name}"
        raise LabError(f"OpenSTA: {said} (log in {done.folder})")
    return done, float(found["figure"])


def gate_equivalents(stat: Path, library: Library) -> int:
    """The area of a synthesis in that of the library's gate."""
    area = float(json.loads(stat.read_text(encoding="utf-8"))["design"]["area"])
    gate = re.search(rf"cell \({library.gate}\) \{{\s*area : ([\d.]+);", library.text())
    if gate is None:
        raise LabError(f"{library.file} does not tell the area of {library.gate}")
    return round(area / float(gate[1]))


def period(
    name: str, top: str, synthesis: Outcome, request: Request, progress: Progress
) -> tuple[Outcome, float | None]:
    """Nanoseconds of the slowest path from one edge of the clock to the next, set-up time included."""
    assert request.target.library
    script = [
        "set path [lindex [find_timing_paths -path_delay max] 0]",
        'puts "slack [get_property $path slack]"',
        "report_checks -path_delay max -digits 3",
    ]
    text = request.target.library.text()
    done, slack = _analyse("timing analysis", name, top, text, script, _SLACK, synthesis, request, progress)
    return done, None if slack is None else round(_PERIOD - slack, 3)


def energy(core: Core, synthesis: Outcome, request: Request, progress: Progress) -> tuple[Outcome, float | None]:
    """Picojoules a bit of one long message, sealed or made a tag of, in an idle core with its key."""
    counted = activity.count(core, request.parameters, request.target, MESSAGE_BYTES, _SEED, progress)
    done, cycle = energy_of_cycle(core.name, core.top, synthesis, request, counted, progress)
    return done, None if cycle is None else round(cycle * counted.cycles / (8 * MESSAGE_BYTES), 3)


def energy_of_cycle(
    name: str, top: str, synthesis: Outcome, request: Request, counted: activity.Counts, progress: Progress
) -> tuple[Outcome, float | None]:
    """Picojoules of a cycle on average: OpenSTA's, and the loads of nets that ports drive, which it leaves out."""
    library = request.target.library
    assert library
    nets = counted.nets

    def rates(bit: int) -> str:
        toggles, high = nets[bit]
        return f"{toggles / counted.cycles:.6g} {high / counted.cycles:.6g}"

    # The command for it, set_power_activity, asks for a procedure that OpenSTA 2.0.17 does not have.
    script = [
        f"sta::set_power_input_port_activity [get_ports {{{port}}}] {rates(bit)}"
        for port, bit in _inputs(counted.top)
        if bit in nets
    ]
    script += [
        f"sta::set_power_pin_activity [get_pins {cell}/{pin}] {rates(bit)}"
        for cell, pin, bit in _pins(counted.top)
        if bit in nets
    ]
    script.append("report_power -digits 6")
    text = averaged(library.text())
    done, watt = _analyse("power analysis", name, top, text, script, _TOTAL, synthesis, request, progress)
    return done, None if watt is None else watt * _PERIOD * 1e3 + _of_ports(counted, library.text())


def _inputs(top: dict[str, Any]) -> Iterator[tuple[str, int]]:
    """The bits of input ports by their names."""
    for name, port in top["ports"].items():
        for index, bit in enumerate(port["bits"]):
            if port["direction"] == "input":
                yield (f"{name}[{index}]" if len(port["bits"]) > 1 else name), bit


def _pins(top: dict[str, Any]) -> Iterator[tuple[str, str, int]]:
    """Every pin: cell, pin, and the number of its net."""
    for name, cell in sorted(top["cells"].items()):
        for pin, joined in cell["connections"].items():
            yield from ((name, pin, bit) for bit in joined)


def _of_ports(counted: activity.Counts, library: str) -> float:
    """Picojoules a cycle of charging what ports drive, the clock among them: half of C V^2 for each change."""
    loads = {
        (cell, pin): float(farads)
        for cell, body in re.findall(r"^cell \((\w+)\)(.*?)^\}", library, re.MULTILINE | re.DOTALL)
        for pin, farads in re.findall(r"^  pin\((\w+)\)\s*\{[^{}]*?capacitance : ([\d.]+);", body, re.MULTILINE)
    }
    volts = re.search(r"nom_voltage : ([\d.]+);", library)
    if volts is None:
        raise LabError("the library does not tell its voltage")
    (clock,) = counted.top["ports"]["clk"]["bits"]
    driven = {bit for _, bit in _inputs(counted.top)}
    changes = {bit: 2.0 if bit == clock else counted.nets.get(bit, (0, 0))[0] / counted.cycles for bit in driven}
    cells = counted.top["cells"]
    charged = sum(
        changes[bit] * loads[cells[cell]["type"], pin] for cell, pin, bit in _pins(counted.top) if bit in driven
    )
    return charged * float(volts[1]) ** 2 / 2


def averaged(library: str) -> str:
    """A library whose outputs and clocks take half as much inside.

    OpenSTA 2.0.17 takes the energy of a rise and that of a fall, both, for each change of an output and each edge of a
    clock; of other inputs it takes their mean, as the format means it.
    """

    def halved(values: re.Match[str]) -> str:
        return re.sub(r"\d+\.?\d*(?:e[-+]?\d+)?", lambda number: f"{float(number[0]) / 2:.8g}", values[0])

    def of_pin(pin: re.Match[str]) -> str:
        if "direction : output" not in pin[0] and "clock : true" not in pin[0]:
            return pin[0]
        inside = r"^    internal_power\(\).*?^    \}"
        return re.sub(
            inside, lambda power: re.sub(r"values \(.*?\);", halved, power[0], flags=re.DOTALL), pin[0],
            flags=re.MULTILINE | re.DOTALL,
        )  # fmt: skip

    return re.sub(r"^  pin\(.*?^  \}", of_pin, library, flags=re.MULTILINE | re.DOTALL)
