# SPDX-License-Identifier: Apache-2.0
"""The command `sealwire-lab probe`."""

import argparse
import json
from functools import partial
from pathlib import Path
from typing import Any

from sealwire_lab.terminal import assignment, between, counter, option, pair, progress, switches

from . import check


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="the description of the masked module (docs/probing.md)"
    )
    option(parser, "--netlist NAME", "rtl (default), or the target that synthesis makes cells for", default="rtl")
    limits = f"(default {check.LIMIT}, of a pair {check.PAIR_LIMIT})"
    option(parser, "--limit N", f"variables that an enumeration may have {limits}", between(0, check.MOST))
    cycles = "cycles in succession that a probe sees (default 2: transitions)"
    option(parser, "--cycles N", cycles, between(1, check.CYCLES), default=2)
    meaning = "probes that are placed together: 1 (default), or 2, which asks about every pair too"
    option(parser, "--order N", meaning, int, choices=(1, 2), default=1)
    several = partial(option, parser, nargs="+", action="extend", default=[])
    several("--params NAME=N", "parameters of the module", assignment)
    several("--hold BITS", "defect: random bits, as port or port[3], that stay 0")
    several("--same BITS=BITS", "defect: random bits that are equal", partial(pair, form="BITS=BITS", right=".+"))
    several("--bypass NAME", "defect: registers that are wires")
    switches(parser, first="of order 2: end with the first pair that leaks", json="the verdicts as JSON")


def run(arguments: argparse.Namespace) -> int:
    things = "probes" if arguments.order == 1 else "probes, then of pairs"
    with progress() as tell:
        result = check.check(
            arguments.file, arguments.netlist, tell, counter(tell, things),
            parameters=dict(arguments.params), hold=arguments.hold, same=arguments.same,
            bypass=arguments.bypass, limit=arguments.limit, cycles=arguments.cycles,
            order=arguments.order, first=arguments.first,
        )  # fmt: skip
    if arguments.json:
        print(json.dumps(result, indent=2))
    else:
        _tell(result)
    failed = ("leaks", "undecided", "not_uniform", "undecided_uniform")
    pairs = result["pairs"] or {"leaks": 0, "undecided": 0}
    return 1 if any(result[key] for key in failed) or pairs["leaks"] or pairs["undecided"] else 0


def _tell(result: dict[str, Any]) -> None:
    leaks, undecided = result["leaks"], result["undecided"]
    print(
        f"{result['top']} ({result['netlist']}): {result['functions']} functions, {result['registers']} registers, "
        f"{result['probes']} probes: {result['by_rule']} by rule, "
        f"{result['enumerated']} enumerated (at most {result['most_variables']} variables), "
        f"{len(leaks)} leak, {len(undecided)} undecided"
    )
    for leak in leaks:
        print(f"leak: a probe on {leak['wire']} sees {', '.join(leak['sees'])}")
    for port in result["not_uniform"]:
        print(f"not uniform: the bits of {port} together, for some secret")
    for port in result["undecided_uniform"]:
        print(f"undecided: whether {port} is uniform; raise --limit")
    for one in undecided:
        print(f"undecided: {one['wire']} has {one['variables']} variables; raise --limit")
    if result["pairs"]:
        _tell_pairs(result["pairs"])


def _tell_pairs(pairs: dict[str, Any]) -> None:
    print(
        f"order 2: {pairs['count']} pairs of probes with an input in common: {pairs['by_rule']} by rule, "
        f"{pairs['enumerated']} enumerated (at most {pairs['most_variables']} variables), "
        f"{pairs['leaks']} leak, {pairs['undecided']} undecided"
    )
    for leak in pairs["named"]:
        (one, other), apart = leak["wires"], leak["apart"]
        when = {0: "", 1: ", a cycle before"}.get(apart, f", {apart} cycles before")
        print(f"leak: probes on {one} and{when}{',' if when else ''} {other} see {', '.join(leak['sees'])}")
    if more := pairs["leaks"] - len(pairs["named"]):
        print(f"and {more} pairs more that leak")
    if left := pairs["count"] - pairs["decided"] - pairs["undecided"]:
        print(f"{left} pairs were not looked at, by --first")
