# SPDX-License-Identifier: Apache-2.0
"""The devices and cell libraries: how each is synthesised, and what counts as a LUT, flip-flop or block RAM."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .. import files
from ..errors import LabError, one_of


@dataclass(frozen=True)
class Area:
    """Cells of a design; `lut` is `lut_logic` + `lut_memory`.  Block RAMs: DP16KD, or RAMB36 (a RAMB18 is a half).

    Of standard cells only the flip-flops have a number here.
    """

    lut: int | None
    lut_logic: int | None
    lut_memory: int | None
    ff: int
    bram: float | None
    dsp: int | None
    carry: int | None


@dataclass(frozen=True)
class Library:
    """Standard cells: the file that describes them, and what maps a design to them.

    `mapping` and `constraints` are Yosys' commands and a file for them; `gate` is the cell whose area is one gate
    equivalent; `packages` bring the file and the timing analyser.
    """

    file: Path
    gate: str
    mapping: Sequence[str]
    constraints: str
    packages: str

    def text(self) -> str:
        """The file."""
        return self.file.read_text(encoding="utf-8")

    def check(self) -> None:
        """Raises LabError where the library or what analyses it is missing."""
        if not self.file.exists() or shutil.which("sta") is None:
            what = self.file if not self.file.exists() else "OpenSTA (sta)"
            raise LabError(f"{what} is not installed; on Debian, as root: apt-get install {self.packages}")


@dataclass(frozen=True)
class Target:
    """A device and the flow for it.  `place` is empty where no open place and route exists."""

    name: str
    device: str
    synth: str
    ff: Mapping[str, int]
    lut: Mapping[str, int] = field(default_factory=dict)
    lut_memory: Mapping[str, int] = field(default_factory=dict)
    bram: Mapping[str, float] = field(default_factory=dict)
    dsp: Mapping[str, int] = field(default_factory=dict)
    carry: Mapping[str, int] = field(default_factory=dict)
    place: Sequence[str] = ()
    notes: Sequence[str] = ()
    library: Library | None = None

    def area(self, cells: Mapping[str, int]) -> Area:
        """Count the cells of a synthesised netlist, given as numbers by type."""

        def total(weights: Mapping[str, float]) -> float:
            return sum(weight * cells.get(name, 0) for name, weight in weights.items())

        if self.library:
            return Area(None, None, None, int(total(self.ff)), None, None, None)
        logic, memory, ff, dsp, carry = (
            int(total(weights)) for weights in (self.lut, self.lut_memory, self.ff, self.dsp, self.carry)
        )
        return Area(logic + memory, logic, memory, ff, total(self.bram), dsp, carry)


def _load() -> dict[str, Target]:
    tables = files.toml(Path(__file__).with_suffix(".toml"))
    made = {}
    for name in ("ecp5", "xcup", "xc7", "osu018"):
        table = tables[tables[name].pop("like", name)] | tables[name]
        if "library" in table:
            table["library"] = Library(**(table["library"] | {"file": Path(table["library"]["file"])}))
        made[name] = Target(**(table | {"name": name, "synth": table["synth"].format(name=name)}))
    return made


TARGETS = _load()
#: The targets that are devices and no library of standard cells.
DEVICES = {name: target for name, target in TARGETS.items() if not target.library}


def find(name: str) -> Target:
    """One target by name."""
    return TARGETS[one_of("target", name, TARGETS)]
