# SPDX-License-Identifier: Apache-2.0
"""Runs known answers of a MAC through the RTL of a core.

A record counts once.  It passes when the tag equals, verification succeeds, a flipped bit in tag, message and key each
fails with tag 0 (an empty message grows by a byte instead), and no rule of the port contract was broken on the way.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..build import Netlist
from ..cores import Core
from ..errors import LabError
from ..kat import Verdict, flipped
from ..rsp import MacRecord, VectorFile, parse
from ..simulation import Report
from .simulation import MacSimulation


def parameters_for(core: Core, vectors: VectorFile) -> dict[str, int]:
    """Elaboration parameters for a file; its sizes must be those of the core."""
    if vectors.form != "mac":
        raise LabError(f"{vectors.path} holds AEAD answers, but {core.name} is a MAC core")
    if vectors.scheme != core.scheme:
        raise LabError(f"{vectors.path} is for {vectors.scheme}, but {core.name} implements {core.scheme}")
    sizes = core.parameters()
    first = vectors.mac[0]
    if 8 * len(first.key) != sizes["KEY_BITS"] or 8 * len(first.tag) != sizes["TAG_BITS"]:
        raise LabError(f"{vectors.path}: key or tag of record {first.count} has not the size of {core.name}")
    return sizes


def select(vectors: VectorFile, limit: int | None) -> list[MacRecord]:
    """All records, or `limit` of them spread evenly over the file (the first is always among them)."""
    records = vectors.mac
    if limit is None or limit >= len(records):
        return records
    return [records[i * len(records) // limit] for i in range(limit)]


def _judge(report: Report, record: MacRecord) -> list[str]:
    computed, *rest = report.outcomes
    problems = [] if computed.done and computed.ok else ["compute gave no result"]
    if computed.tag != record.tag:
        problems.append("tag differs from the answer")
    for name, outcome in zip(("good", "flipped tag", "flipped message", "flipped key"), rest, strict=True):
        if not outcome.done:
            problems.append(f"{name}: no result")
        elif any(outcome.tag):
            problems.append(f"verify of a {name} message shows a tag")
        elif name == "good" and not outcome.ok:
            problems.append("verify refuses the good tag")
        elif name != "good" and outcome.ok:
            problems.append(f"verify accepts a {name}")
    problems += dict.fromkeys(violation.split(": ", 1)[1] for violation in report.violations)
    return problems


def run(
    core: Core, vectors: VectorFile, *, limit: int | None, stall: str, seed: int, netlist: Netlist | None = None
) -> Iterator[Verdict]:
    """Check the records of a file, one verdict each."""
    parameters = parameters_for(core, vectors)
    with MacSimulation.of(core, parameters, seed, netlist=netlist) as bench:
        bench.stall(stall, seed)
        key = None
        for record in select(vectors, limit):
            bit = seed * 7919 + record.count * 104729
            if record.key != key:
                bench.key(record.key)
            bench.compute(record.message)
            bench.verify(record.message, record.tag)
            bench.verify(record.message, flipped(record.tag, bit))
            bench.verify(flipped(record.message, bit), record.tag)
            key = flipped(record.key, bit)
            bench.key(key)
            bench.verify(record.message, record.tag)
            report = bench.flush()
            if any(not outcome.done for outcome in report.outcomes):
                key = None  # the harness has reset a core that was stuck
            yield Verdict(vectors.path, record.count, _judge(report, record))


def read(core: Core, files: list[Path]) -> list[VectorFile]:
    """Parse all files first, so that a bad one is reported before anything is built."""
    parsed = [parse(path) for path in files]
    for vectors in parsed:
        parameters_for(core, vectors)
    return parsed
