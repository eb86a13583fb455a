# SPDX-License-Identifier: Apache-2.0
"""The devices: how each is synthesised, and what counts as a LUT, a flip-flop or a block RAM on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .. import files
from ..errors import one_of


@dataclass(frozen=True)
class Area:
    """Cells of a design; `lut` is `lut_logic` + `lut_memory`.  Block RAMs: DP16KD, or RAMB36 (a RAMB18 is a half)."""

    lut: int
    lut_logic: int
    lut_memory: int
    ff: int
    bram: float
    dsp: int
    carry: int


@dataclass(frozen=True)
class Target:
    """A device and the flow for it.  `place` is empty where no open place and route exists."""

    name: str
    device: str
    synth: str
    lut: Mapping[str, int]
    lut_memory: Mapping[str, int]
    ff: Mapping[str, int]
    bram: Mapping[str, float]
    dsp: Mapping[str, int]
    carry: Mapping[str, int]
    place: Sequence[str] = ()
    notes: Sequence[str] = ()

    def area(self, cells: Mapping[str, int]) -> Area:
        """Count the cells of a synthesised netlist, given as numbers by type."""

        def total(weights: Mapping[str, float]) -> float:
            return sum(weight * cells.get(name, 0) for name, weight in weights.items())

        logic, memory, ff, dsp, carry = (
            int(total(weights)) for weights in (self.lut, self.lut_memory, self.ff, self.dsp, self.carry)
        )
        return Area(logic + memory, logic, memory, ff, total(self.bram), dsp, carry)


def _load() -> dict[str, Target]:
    tables = files.toml(Path(__file__).with_suffix(".toml"))
    made = {}
    for name in ("ecp5", "xcup", "xc7"):
        table = tables[tables[name].pop("like", name)] | tables[name]
        made[name] = Target(**(table | {"name": name, "synth": table["synth"].format(name=name)}))
    return made


TARGETS = _load()


def find(name: str) -> Target:
    """One target by name."""
    return TARGETS[one_of("target", name, TARGETS)]
