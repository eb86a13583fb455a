# SPDX-License-Identifier: Apache-2.0
"""The command `sealwire-lab probe`."""

import argparse
import json
from functools import partial
from pathlib import Path
from typing import Any

from ..terminal import assignment, counter, natural, option, pair, progress, switches, whole
from . import check


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="the description of the masked module (docs/probing.md)"
    )
    option(parser, "--netlist NAME", "rtl (default), or the target that synthesis makes cells for", default="rtl")
    option(parser, "--limit N", "variables that an enumeration may have (default 34)", natural, default=34)
    option(parser, "--cycles N", "cycles in succession that a probe sees (default 2: transitions)", whole, default=2)
    option(parser, "--params NAME=N", "parameters of the module", assignment, nargs="+", default=[])
    option(parser, "--hold BITS", "defect: random bits, as port or port[3], that stay 0", nargs="+", default=[])
    bits = partial(pair, form="BITS=BITS", right=".+")
    option(parser, "--same BITS=BITS", "defect: random bits that are equal", bits, nargs="+", default=[])
    option(parser, "--bypass NAME", "defect: registers that are wires", nargs="+", default=[])
    switches(parser, json="the verdicts as JSON")


def run(arguments: argparse.Namespace) -> int:
    with progress() as tell:
        result = check.check(
            arguments.file, arguments.netlist, tell, counter(tell, "probes"),
            parameters=dict(arguments.params), hold=arguments.hold, same=arguments.same,
            bypass=arguments.bypass, limit=arguments.limit, cycles=arguments.cycles,
        )  # fmt: skip
    if arguments.json:
        print(json.dumps(result, indent=2))
    else:
        _tell(result)
    failed = ("leaks", "undecided", "not_uniform", "undecided_uniform")
    return 1 if any(result[key] for key in failed) else 0


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
