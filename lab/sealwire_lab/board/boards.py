# SPDX-License-Identifier: Apache-2.0
"""The boards: what boards/NAME/board.toml says, and their sources in compile order."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import cores, files, firmware, links
from ..errors import LabError, one_of

#: Of the link on every board, as a gateway's configuration names it.
SUITE = "otr-aes128-p"


@dataclass(frozen=True)
class Board:
    """A board: clocks in MHz, taps of 25 ps.

    `place` are nextpnr's words for its device, `loader` those of openFPGALoader for its JTAG. With `slices` the
    link has registers on its longest paths.
    """

    name: str
    top: str
    device: str
    place: tuple[str, ...]
    loader: tuple[str, ...]
    oscillator_mhz: float
    core_mhz: float
    stream_mhz: float
    tx_taps: int
    rx_taps: int
    slices: bool = False

    @property
    def folder(self) -> Path:
        return room() / self.name

    @property
    def pins(self) -> Path:
        return self.folder / "pins.lpf"

    def parameters(self) -> dict[str, int]:
        """Those of the top."""
        pins = {"TX_TAPS": self.tx_taps, "RX_TAPS": self.rx_taps}
        return {"CORE_KHZ": round(1000 * self.core_mhz), **pins, **self.options()}

    def options(self) -> dict[str, int]:
        """Those of the link that it asks for, as every module around the link has them."""
        return {"SLICES": 1} if self.slices else {}

    def plls(self) -> dict[str, dict[str, float]]:
        """Clocks in MHz by the module of the PLL that gives them: of the lines and of the streams, and of the core."""
        return {"lines_pll": {"tx_clk": 125, "stream_clk": self.stream_mhz}, "core_pll": {"core_clk": self.core_mhz}}

    def pll(self, module: str) -> list[str]:
        """What ecppll is asked for."""
        words = ["--module", module, "--clkin", f"{self.oscillator_mhz:g}", "--clkin_name", "clkin"]
        for place, (name, mhz) in enumerate(self.plls()[module].items()):
            words += [f"--clkout{place}_name", name, f"--clkout{place}", f"{mhz:g}"]
        return words


def room() -> Path:
    return cores.root() / "boards"


def load() -> dict[str, Board]:
    """All boards by name."""
    found = {}
    for path in sorted(room().glob("*/board.toml")):
        table: Mapping[str, Any] = files.toml(path)
        words = {name: tuple(table[name]) for name in ("place", "loader")}
        found[path.parent.name] = Board(**{**table, **words, "name": path.parent.name})
    return found


def find(name: str) -> Board:
    """A board by name."""
    known = load()
    return known[one_of("board", name, known)]


def listed(part: str) -> list[Path]:
    """Sources that boards/common/sources.toml names."""
    manifest = room() / "common" / "sources.toml"
    table = files.toml(manifest, "a list of sources")
    if part not in table:
        raise LabError(f"{manifest} has no list {part!r}")
    return [cores.root() / name for name in table[part]]


def cell_models() -> list[Path]:
    """Of the ECP5's cells at the pins of a port, for simulations."""
    return sorted((room() / "common" / "models" / "ecp5").glob("*.sv"))


def model(name: str) -> Path:
    """A module that simulations alone have: the flash (w25q64), a board without a console (short_board), ..."""
    return room() / "common" / "models" / f"{name}.sv"


def short_board_sources() -> list[Path]:
    """Of short_board."""
    device = [*cell_models(), *link_sources(), *firmware.rtl(), *listed("device")]
    return [*dict.fromkeys(device), model("w25q64"), model("short_board")]


def link_sources() -> list[Path]:
    """Of board_link, without the ECP5's cells."""
    return list(dict.fromkeys([*links.sources(control=True), *listed("port"), *listed("link")]))


def sources(board: Board) -> list[Path]:
    """Of the board's top in compile order, without the PLLs."""
    top = board.folder / f"{board.top}.sv"
    return list(dict.fromkeys([*listed("cells"), *link_sources(), *firmware.rtl("ecp5"), *listed("device"), top]))
