# SPDX-License-Identifier: Apache-2.0
"""The command `sealwire-lab board`."""

import argparse
import json

from ..implement import targets
from ..terminal import duration, natural, option, progress, say, show, switches, whole
from . import boards, flow

#: Seconds for one run of a tool: a whole board is routed within half an hour of an idle processor.
TIMEOUT = 7200.0


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action_name", choices=("build",), metavar="build", help="make the bitstream")
    parser.add_argument("name", metavar="NAME", help="the board: a folder of boards/ with a board.toml")
    option(parser, "--seeds N", "placements, each of which must meet every clock (default 1)", whole, default=1)
    option(parser, "--seed S", "the first placement seed (default 1)", natural, default=1)
    option(parser, "--timeout S", f"seconds for each run of a tool (default {TIMEOUT:g})", duration, default=TIMEOUT)
    switches(
        parser, no_route="synthesis only: area, no clock", force="run the tools even if the result is known",
        json="the result, machine-readable",
    )  # fmt: skip


def _print(result: flow.Result) -> None:
    area = targets.find("ecp5").area(result.cells)
    print(
        f"{result.board.name} on {result.board.device}, after synthesis: "
        f"{area.lut} COMB, {area.ff} FF, {area.bram:g} DP16KD"
    )
    for placement in result.placements:
        used = placement.used or {}
        if used:
            print(
                f"seed {placement.seed}: {used['TRELLIS_COMB']} COMB, {used['TRELLIS_FF']} FF, {used['DP16KD']} DP16KD"
            )
        show(
            ("clock", "asked MHz", "reached MHz", "slack ns"),
            ((c.name, f"{c.asked_mhz:g}", f"{c.reached_mhz:g}", f"{c.slack_ns:g}") for c in placement.clocks),
        )
        if placement.bitstream is not None:
            print(f"bitstream: {placement.bitstream}\nsha256: {placement.sha256}")


def run(arguments: argparse.Namespace) -> int:
    board = boards.find(arguments.name)
    seeds = range(arguments.seed, arguments.seed + arguments.seeds)
    with progress() as tell:
        result = flow.build(
            board, seeds, route=not arguments.no_route, limit=arguments.timeout, force=arguments.force, progress=tell
        )
    if arguments.json:
        print(json.dumps(result.json(), indent=2))
    else:
        _print(result)
    for placement in result.placements:
        if placement.verdict():
            say(f"sealwire-lab: {board.name}, seed {placement.seed}: no bitstream: {placement.verdict()}")
    return 0 if result.complete else 1
