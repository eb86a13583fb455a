# SPDX-License-Identifier: Apache-2.0
"""Whether areas and cycles are still those of the shipped records, within a tolerance.

Only what changed is made again: a design whose sources are those of its record is what it was.
"""

from dataclasses import fields, replace

from sealwire_lab import links
from sealwire_lab.cycles import Cycles
from sealwire_lab.implement import cells, designs, flow, reports, stages, targets, yosys
from sealwire_lab.implement.designs import Request
from sealwire_lab.implement.targets import Area
from sealwire_lab.results.record import BARE, Record

#: Allowed difference of a count, as a share.  Names and order in the source alone move LUTs by half a percent.
TOLERANCE = {"lut": 0.02, "ff": 0.01, "bram": 0.0, "dsp": 0.0}
_GATES = 0.02
_CYCLES = [field.name for field in fields(Cycles) if field.name not in ("core", "params", "contexts", "ad_ratio")]


def accept(record: Record) -> str:
    """The commands that make today's figures the recorded ones."""
    chosen = f"--core {record.core} --target {record.target} --interface {record.interface}"
    return f"{record.command} && sealwire-lab results --ship {chosen} && sealwire-lab tables"


def request_of(record: Record) -> Request:
    """What to run for the same record today: its own way through the tools, without placement."""
    target = targets.find(record.target)
    more = str(record.options["synthesis"]).removeprefix(target.synth).split()
    return Request(
        links.find(record.core), replace(target, place=()), record.params, synth_options=tuple(more),
        interface=record.interface,
    )  # fmt: skip


def changed(record: Record) -> bool:
    """Whether the sources are others than those of the record."""
    return not designs.current(record)


def area_drift(record: Record, area: Area) -> list[str]:
    """Counts that are outside the tolerance; compared are cells after synthesis, which every record has."""
    recorded = targets.find(record.target).area(record.cells or {})
    found = []
    for name, allowed in TOLERANCE.items():
        was = getattr(recorded, name)
        if was is not None:  # standard cells have no LUTs
            found += _drift_of(name.upper(), was, getattr(area, name), allowed)
    return found


def _drift_of(what: str, was: float, now: float, allowed: float) -> list[str]:
    if abs(now - was) <= allowed * was:
        return []
    share = f"{(now - was) / was:+.1%}" if was else "new"
    return [f"{what} {was:g} recorded, {now:g} now ({share}; allowed: {allowed:.0%})"]


def cycles_drift(record: Record, now: dict[str, object]) -> list[str]:
    """Counts of cycles that differ from the recorded ones; none may."""
    was = record.cycles or {}
    return [
        f"cycles, {name}: {was.get(name)} recorded, {now.get(name)} now"
        for name in _CYCLES
        if was.get(name) != now.get(name)
    ]


def drift(record: Record, progress: stages.Progress, *, always: bool = False) -> list[str]:
    """What differs from a record, in words; nothing is run for a design that is as it was, unless `always`."""
    if not (always or changed(record)):
        return []
    request = request_of(record)
    synthesis = yosys.synthesise(request, progress)
    if synthesis.status != stages.OK:
        return [synthesis.reason]
    found = area_drift(record, request.target.area(reports.cells_of(synthesis.folder / yosys.STAT)))
    if request.target.library:
        now = cells.gate_equivalents(synthesis.folder / yosys.STAT, request.target.library)
        found += _drift_of("gate equivalents", record.gate_equivalents or 0, now, _GATES)
    if record.interface == BARE and record.cycles is not None:
        found += cycles_drift(record, flow.count_cycles(request.core, request.parameters, progress).json())
    return found
