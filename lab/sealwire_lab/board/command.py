# SPDX-License-Identifier: Apache-2.0
"""The command `sealwire-lab board`."""

import argparse
import json
import re
from pathlib import Path
from typing import Any

from .. import files
from ..errors import LabError
from ..implement import targets
from ..terminal import bar, duration, natural, option, progress, say, show, subcommand, switches, whole
from . import boards, console, flash, flow, noise, record, settings

#: Seconds for one run of a tool: a whole board is routed within half an hour of an idle processor.
TIMEOUT = 7200.0


#: Exit statuses of what asks a board for its state.
_RUNS, _DOES_NOT_RUN = 0, 1


def add_parser(commands: Any) -> None:
    """Register `board` and its actions with the parser of `sealwire-lab`."""
    parser = subcommand(commands, "board")
    actions = parser.add_subparsers(dest="board_action", metavar="ACTION", required=True)
    for name, (action, options) in _ACTIONS.items():
        options(subcommand(actions, name, action, words=f"board-{name}"))


def _board_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="the board: a folder of boards/ with a board.toml")


def _build_options(parser: argparse.ArgumentParser) -> None:
    _board_argument(parser)
    option(parser, "--seeds N", "placements, each of which must meet every clock (default 1)", whole, default=1)
    option(parser, "--seed S", "the first placement seed (default 1)", natural, default=1)
    option(parser, "--timeout S", f"seconds for each run of a tool (default {TIMEOUT:g})", duration, default=TIMEOUT)
    switches(
        parser, no_route="synthesis only: area, no clock", force="run the tools even if the result is known",
        json="the result, machine-readable", record="keep the result in results/boards.json, for the documents",
    )  # fmt: skip


def _flash_options(parser: argparse.ArgumentParser) -> None:
    _board_argument(parser)
    option(parser, "--bitstream FILE", "what `board build` said", Path, required=True)
    switches(parser, once="load it until the power goes, and leave the flash alone")


def _port_option(parser: argparse.ArgumentParser) -> None:
    option(parser, "--port PORT", "the serial line of the board's console, for example /dev/ttyUSB1", required=True)


def _status_options(parser: argparse.ArgumentParser) -> None:
    _port_option(parser)
    switches(parser, json="machine-readable, counters of 0 too")


def _provision_options(parser: argparse.ArgumentParser) -> None:
    _port_option(parser)
    option(
        parser, "--id ID", "of this end, 1 to 16 hexadecimal digits; the smaller of the two ends' calls", required=True
    )
    option(parser, "--peer-id ID", "of the other end", required=True)
    option(parser, "--peer-mac MAC", "Ethernet address of the other end's card", required=True)
    option(
        parser,
        "--key-file FILE",
        "pre-shared key, from `sealwire link keygen`; without one `sealwire link board` brings sessions",
        Path,
    )
    option(parser, "--mac MAC", "Ethernet address of the board's untrusted port (default: from the ids)")
    option(parser, "--rekey-seconds S", "age at which keys are renewed (default 120)", duration, default=120.0)
    option(parser, "--max-age-seconds S", "age at which a session ends (default 180)", duration, default=180.0)


def _noise_options(parser: argparse.ArgumentParser) -> None:
    _port_option(parser)
    option(parser, "--bits N", "how many (default 1000000)", whole, default=1_000_000)
    parser.add_argument("file", metavar="FILE", type=Path, help="a byte for each bit: 0 or 1")


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


def _build(arguments: argparse.Namespace) -> int:
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
    if arguments.record:
        record.keep(result)
    for placement in result.placements:
        if placement.verdict():
            say(f"sealwire-lab: {board.name}, seed {placement.seed}: no bitstream: {placement.verdict()}")
    return 0 if result.complete else 1


def _flash(arguments: argparse.Namespace) -> int:
    flash.load(boards.find(arguments.name), arguments.bitstream, for_good=not arguments.once)
    return 0


def _provision(arguments: argparse.Namespace) -> int:
    own, peer = settings.identity(arguments.id), settings.identity(arguments.peer_id)
    given = settings.Settings(
        own, peer, settings.mac(arguments.mac) if arguments.mac is not None else settings.derived_mac(own, peer),
        settings.mac(arguments.peer_mac), round(1000 * arguments.rekey_seconds),
        round(1000 * arguments.max_age_seconds), arguments.key_file and settings.key(arguments.key_file),
    )  # fmt: skip
    with console.Console(arguments.port) as board:
        answer = board.ask(given.command())
    state = _pairs(answer).get("state")
    print(f"state {state}")
    say("the other end, if it is `sealwire link` over bare Ethernet, needs in its configuration:")
    print(
        f'[link]\nid = "{arguments.peer_id}"\npeer-id = "{arguments.id}"\nsuite = "{boards.SUITE}"\n'
        f'keep-alive = "prompt"\n'
        + (f"key-file = {json.dumps(arguments.key_file.name)}\n" if given.psk else "")
        + f'[untrusted]\npeer-mac = "{given.local_mac.hex(":")}"'
    )
    if given.psk is None:
        say("and [noise]; `sealwire link board` brings the board its sessions (docs/board.md, Forward secrecy)")
    return _RUNS if state == "runs" else _DOES_NOT_RUN


def _pairs(lines: list[str]) -> dict[str, int | str]:
    """What a board says, by name."""
    found: dict[str, int | str] = {}
    for line in lines:
        name, blank, value = line.partition(" ")
        if not blank or len(value) > 40:
            raise LabError("what the port says is not what a board says")
        found[name] = int(value) if re.fullmatch("[0-9]{1,20}", value) else value
    return found


def _status(arguments: argparse.Namespace) -> int:
    with console.Console(arguments.port) as board:
        told, counted = _pairs(board.ask("status")), _pairs(board.ask("counters"))
    if arguments.json:
        print(json.dumps({**told, "counters": counted}, indent=2))
    else:
        show(("", ""), told.items())
        show(("counter", "frames"), ((name, count) for name, count in counted.items() if count))
    return _RUNS if told.get("state") == "runs" else _DOES_NOT_RUN


def _noise(arguments: argparse.Namespace) -> int:
    runs = -(-arguments.bits // noise.RUN_BITS)
    files.check_room(arguments.file.parent)
    with console.Console(arguments.port) as board, bar(runs * noise.RUN_BITS, "raw bits") as more:
        bits = noise.take(board, arguments.bits, lambda count: more("raw bits", count))
        alarm = _pairs(board.ask("status")).get("noise_alarm")
    files.write(arguments.file, bits)
    print(
        f"{arguments.file}: {len(bits)} bits, {sum(bits)} of them 1, "
        f"in {runs} run{'s' * (runs > 1)} of up to {noise.RUN_BITS} without a gap"
    )
    if alarm:
        say(f"the board's own tests of its noise have raised an alarm ({alarm}); docs/firmware.md, Noise")
    return 0


def _zeroise(arguments: argparse.Namespace) -> int:
    with console.Console(arguments.port) as board:
        board.ask("zeroise now")
    say("the board has neither key nor seed; `sealwire-lab board provision` gives it others")
    return 0


_ACTIONS = {
    "build": (_build, _build_options),
    "flash": (_flash, _flash_options),
    "provision": (_provision, _provision_options),
    "status": (_status, _status_options),
    "noise": (_noise, _noise_options),
    "zeroise": (_zeroise, _port_option),
}
