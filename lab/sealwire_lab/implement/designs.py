# SPDX-License-Identifier: Apache-2.0
"""What is put on a device, a core alone or behind a bus, and how."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from .. import build, cores, files, links, tops
from ..cores import Band, Core
from ..errors import LabError
from ..results.record import BARE, Record
from .targets import Target

#: What the placer is asked for, MHz: out of reach of the cores, so that it does not rest.
DEFAULT_FREQ = 150
#: Seconds for one run of a tool: the largest core is routed within half an hour of an idle CPU.
DEFAULT_TIMEOUT = 3600.0


def split(interface: str) -> tuple[str, int | None]:
    """Bus and width of an interface: axis-64, lwc-32, or the bus alone for its default width."""
    bus, dash, width = interface.partition("-")
    if bus not in tops.WIDTHS or (dash and not width.isdecimal()):
        raise LabError(f"no interface is called {interface!r} (known: {BARE}, axis-WIDTH, lwc-WIDTH)")
    return bus, int(width) if dash else None


def named(core: Core, interface: str) -> str:
    """The interface with its width."""
    if interface == BARE:
        return BARE
    bus, width = split(interface)
    return f"{bus}-{tops.render(core, bus, width).width}"


def of(core: Core, interface: str, parameters: dict[str, int]) -> tuple[Core, dict[str, int]]:
    """A module with its name, top and sources in the form of a core, and the parameters to elaborate it with.

    `parameters` are those of the core.
    """
    if interface == BARE:
        return core, parameters
    bus, width = split(interface)
    top = tops.render(core, bus, width)
    usual = core.parameters()
    other = {name: value for name, value in parameters.items() if value != usual[name]}
    fixed = sorted(set(other) - {item.name for item in top.parameters})
    if fixed:
        raise LabError(f"{top.name} has no parameter {fixed[0]}; leave it out, or take the bare core")
    written = top.write(build.build_dir() / "tops")
    return replace(core, name=top.name, top=top.name, sources=(*top.sources, written)), other


def current_hash(record: Record) -> str | None:
    """Hash of the sources that would be implemented today, None when the core is gone or takes other parameters."""
    # Cores first: they are held in memory, the others read from their files.
    core = cores.load().get(record.core) or links.others().get(record.core)
    if core is None:
        return None
    try:
        return files.sources_hash(of(core, record.interface, record.params)[0].sources)
    except (LabError, KeyError):
        return None


def current(record: Record) -> bool:
    """Whether a record is of today's sources."""
    return current_hash(record) == record.sources_sha256


@dataclass(frozen=True)
class Request:
    """One design on one target, with any number of placement seeds."""

    core: Core
    target: Target
    parameters: dict[str, int]
    seeds: tuple[int, ...] = (1,)
    synth_options: tuple[str, ...] = ()
    placer: str | None = None  # in place of the core's
    ram_rows: Sequence[Band] | None = None  # likewise
    scan: bool = False  # a flip-flop at every port
    place_options: tuple[str, ...] = ()
    freq: float = DEFAULT_FREQ
    timeout: float = DEFAULT_TIMEOUT
    force: bool = False
    count_cycles: bool = True
    route: bool = True  # where the target has place and route
    interface: str = BARE
    files: bool = False  # the tools' own files are wanted too, so a record alone is no answer

    @property
    def place(self) -> tuple[str, ...]:
        """nextpnr's words for device and placer; none where there is no place and route."""
        return (*self.target.place, "--placer", self.placer or self.core.placer) if self.target.place else ()

    @property
    def rows(self) -> Sequence[Band]:
        """The rows in which block RAMs stand in order; none where the placer finds them places."""
        return self.core.ram_rows if self.ram_rows is None else self.ram_rows

    @property
    def routed(self) -> bool:
        """Whether the design is placed and routed."""
        return self.route and bool(self.target.place)

    @property
    def counted(self) -> bool:
        """Whether cycles are counted: the harness runs bare cores, no links and no parts."""
        return self.count_cycles and self.interface == BARE and self.core.name not in links.others()

    def command(self) -> str:
        """What makes the same record by hand."""
        words = ["sealwire-lab", "implement", "--core", self.core.name, "--target", self.target.name]
        usual = self.core.parameters()
        bands = [str(band) if isinstance(band, int) else "+".join(map(str, band)) for band in self.rows]
        said: tuple[tuple[object, ...], ...] = (
            (self.interface != BARE, "--interface", self.interface),
            (self.target.place and not self.route, "--no-route"),
            (self.routed and len(self.seeds) != 1, "--seeds", len(self.seeds)),
            (self.routed and self.seeds[0] != 1, "--seed", self.seeds[0]),
            *((value != usual[name], "--param", f"{name}={value}") for name, value in self.parameters.items()),
            *((True, f"--synth={option}") for option in self.synth_options),
            (self.routed and self.placer, "--placer", self.placer),
            (self.routed and self.ram_rows is not None, "--ram-rows", ",".join(bands) or "none"),
            (self.routed and self.scan, "--scan"),
            *((True, f"--place={option}") for option in self.place_options),
            (self.freq != DEFAULT_FREQ, "--freq", f"{self.freq:g}"),
            (self.timeout != DEFAULT_TIMEOUT, "--timeout", f"{self.timeout:g}"),
            (not self.count_cycles, "--no-cycles"),
        )
        return shlex.join([*words, *(str(word) for unusual, *more in said if unusual for word in more)])

    def options(self) -> dict[str, Any]:
        """How the tools are called; part of the record."""
        placed = self.routed
        bands = [band if isinstance(band, int) else list(band) for band in self.rows]  # as JSON has them
        return {
            "synthesis": " ".join((self.target.synth, *self.synth_options)),
            **({"mapping": "; ".join(self.target.library.mapping)} if self.target.library else {}),
            "place": " ".join((*self.place, *self.place_options)) if placed else None,
            **({"ram_rows": bands} if placed and self.rows else {}),
            **({"scan": True} if placed and self.scan else {}),
            "freq_mhz": self.freq if placed else None,
            **({"clocks_mhz": self.core.clocks} if placed and self.core.clocks else {}),
            "timeout_s": self.timeout,
        }
