# SPDX-License-Identifier: Apache-2.0
"""The devices: how each is synthesised, and what counts as a LUT, a flip-flop or a block RAM on it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..errors import LabError

#: LUTs that a LUT memory of Xilinx takes (UG574 table "LUTRAM", UG474); a shift register takes one.
_XILINX_LUT_MEMORY = {
    "RAM32X1S": 1, "RAM32X1D": 2, "RAM32M": 4, "RAM32M16": 8, "RAM64X1S": 1, "RAM64X1D": 2, "RAM64M": 4, "RAM64M8": 8,
    "RAM128X1S": 2, "RAM128X1D": 4, "RAM256X1S": 4, "RAM256X1D": 8, "RAM512X1S": 8, "SRL16E": 1, "SRLC16E": 1,
    "SRLC32E": 1,
}  # fmt: skip
_XILINX_LUT = {f"LUT{inputs}": 1 for inputs in range(1, 7)} | {"LUT6_2": 1}
_XILINX_FF = {name + edge: 1 for name in ("FDRE", "FDSE", "FDCE", "FDPE") for edge in ("", "_1")}
_XILINX_BRAM = {"RAMB36E1": 1.0, "RAMB36E2": 1.0, "RAMB18E1": 0.5, "RAMB18E2": 0.5}


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
    dsp: tuple[str, ...]
    carry: tuple[str, ...]
    place: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())

    def area(self, cells: Mapping[str, int]) -> Area:
        """Count the cells of a synthesised netlist, given as numbers by type."""

        def total(weights: Mapping[str, float]) -> float:
            return sum(weight * cells.get(name, 0) for name, weight in weights.items())

        logic, memory = int(total(self.lut)), int(total(self.lut_memory))
        return Area(
            logic + memory, logic, memory, int(total(self.ff)), total(self.bram),
            sum(cells.get(name, 0) for name in self.dsp), sum(cells.get(name, 0) for name in self.carry),
        )  # fmt: skip


def _xilinx(name: str, family: str, device: str) -> Target:
    return Target(
        name, device, f"synth_xilinx -family {family} -flatten -noiopad -noclkbuf",
        _XILINX_LUT, _XILINX_LUT_MEMORY, _XILINX_FF, _XILINX_BRAM,
        ("DSP48E1", "DSP48E2"), ("CARRY4", "CARRY8"),
        notes=(
            "no open place and route for this device: no clock, so no throughput",
            "synthesised cells, not placed ones; inverters (INV) and MUXF7/8/9 are not counted as LUTs",
        ),
    )  # fmt: skip


TARGETS = {
    target.name: target
    for target in (
        Target(
            "ecp5", "LFE5U-85F-8CABGA756", "synth_lattice -family ecp5 -noiopad -abc9",
            # A CCU2C is two LUTs with their carry; nextpnr counts both as TRELLIS_COMB.
            {"LUT4": 1, "CCU2C": 2}, {"TRELLIS_DPR16X4": 4, "DPR16X4C": 4}, {"TRELLIS_FF": 1}, {"DP16KD": 1},
            ("MULT18X18D",), ("CCU2C",),
            # The static placer: without pads to hold on to, the other one starts with all cells in one place.
            place=(
                "--85k", "--speed", "8", "--package", "CABGA756", "--out-of-context", "--timing-allow-fail",
                "--placer", "static",
            ),
            notes=("lut is TRELLIS_COMB as nextpnr counts it, carry included",),
        ),
        _xilinx("xcup", "xcup", "UltraScale+"),
        _xilinx("xc7", "xc7", "7-series"),
    )
}  # fmt: skip


def find(name: str) -> Target:
    """One target by name."""
    if name not in TARGETS:
        raise LabError(f"no target is called {name!r} (known: {', '.join(TARGETS)})")
    return TARGETS[name]
