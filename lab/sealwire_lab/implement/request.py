# SPDX-License-Identifier: Apache-2.0
"""What to implement, and how."""

import shlex
from dataclasses import dataclass
from typing import Any

from .. import links
from ..cores import Core
from ..results.record import BARE
from .targets import Target

#: What the placer is asked for, MHz: out of reach of the cores, so that it does not rest.
DEFAULT_FREQ = 150
#: Seconds for one run of a tool: the largest core is routed within half an hour of an idle CPU.
DEFAULT_TIMEOUT = 3600.0


@dataclass(frozen=True)
class Request:
    """One design on one target, with any number of placement seeds."""

    core: Core
    target: Target
    parameters: dict[str, int]
    seeds: tuple[int, ...] = (1,)
    synth_options: tuple[str, ...] = ()
    place_options: tuple[str, ...] = ()
    freq: float = DEFAULT_FREQ
    timeout: float = DEFAULT_TIMEOUT
    force: bool = False
    count_cycles: bool = True
    route: bool = True  # where the target has place and route
    interface: str = BARE
    files: bool = False  # the tools' own files are wanted too, so a record alone is no answer

    @property
    def routed(self) -> bool:
        """Whether the design is placed and routed."""
        return self.route and bool(self.target.place)

    @property
    def counted(self) -> bool:
        """Whether cycles are counted: the harness runs bare cores, and no link."""
        return self.count_cycles and self.interface == BARE and self.core.kind != links.KIND

    def command(self) -> str:
        """What makes the same record by hand."""
        words = ["sealwire-lab", "implement", "--core", self.core.name, "--target", self.target.name]
        usual = self.core.parameters()
        said: tuple[tuple[object, ...], ...] = (
            (self.interface != BARE, "--interface", self.interface),
            (self.target.place and not self.route, "--no-route"),
            (self.routed and len(self.seeds) != 1, "--seeds", len(self.seeds)),
            (self.routed and self.seeds[0] != 1, "--seed", self.seeds[0]),
            *((value != usual[name], "--param", f"{name}={value}") for name, value in self.parameters.items()),
            *((True, f"--synth={option}") for option in self.synth_options),
            *((True, f"--place={option}") for option in self.place_options),
            (self.freq != DEFAULT_FREQ, "--freq", f"{self.freq:g}"),
            (self.timeout != DEFAULT_TIMEOUT, "--timeout", f"{self.timeout:g}"),
            (not self.count_cycles, "--no-cycles"),
        )
        return shlex.join([*words, *(str(word) for unusual, *more in said if unusual for word in more)])

    def options(self) -> dict[str, Any]:
        """How the tools are called; part of the record."""
        placed = self.routed
        return {
            "synthesis": " ".join((self.target.synth, *self.synth_options)),
            "place": " ".join((*self.target.place, *self.place_options)) if placed else None,
            "freq_mhz": self.freq if placed else None,
            "timeout_s": self.timeout,
        }
