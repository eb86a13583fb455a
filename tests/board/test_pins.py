# SPDX-License-Identifier: Apache-2.0
"""Pins of the boards: all have a place, clocks a frequency, those of RGMII their cells; places are those of LiteX."""

import copy
import importlib.util
import inspect
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from sealwire_lab import cores
from sealwire_lab.board import boards, flow, pins
from sealwire_lab.implement.flow import NETLIST

BOARDS = boards.load()


def located(constraints: Path) -> dict[str, tuple[str, str]]:
    """Site and standard of each port's bit from a constraints file."""
    text = constraints.read_text(encoding="utf-8")
    sites = dict(re.findall(r'^LOCATE COMP "([^"]+)" SITE "([^"]+)";', text, re.MULTILINE))
    kinds = dict(re.findall(r'^IOBUF PORT "([^"]+)" IO_TYPE=(\w+)', text, re.MULTILINE))
    return {port: (site, kinds.get(port, "")) for port, site in sites.items()}


@cache
def _port(tx_taps: int, rx_taps: int) -> str:
    sources = [*boards.listed("cells"), *boards.listed("port")]
    parameters = {"TX_TAPS": tx_taps, "RX_TAPS": rx_taps}
    done = flow.synthesise("board_port", sources, parameters, None, 3600, False, lambda *_: None)
    return (done.folder / NETLIST).read_text(encoding="utf-8")


def _module(tx_taps: int, rx_taps: int) -> Any:
    return json.loads(_port(tx_taps, rx_taps))["modules"]["board_port"]


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.xdist_group("board_netlist")
def test_every_rgmii_pin_has_its_cells_and_taps(name: str) -> None:
    board = BOARDS[name]
    assert not list(pins.rgmii(_module(board.tx_taps, board.rx_taps), board.tx_taps, board.rx_taps))


@pytest.mark.xdist_group("board_netlist")
def test_a_console_is_no_port_of_rgmii_and_a_missing_pin_is_found() -> None:
    module = _module(0, 0)
    module["ports"] |= {"uart_rxd": {"bits": [900001]}, "uart_txd": {"bits": [900002]}}
    assert not list(pins.rgmii(module, 0, 0))
    del module["ports"]["rgmii_rx_ctl"]
    assert list(pins.rgmii(module, 0, 0)) == ["10 pins of RGMII, must be 11 a port beside its rx_clk"]


def _cells(module: Any, kind: str) -> list[Any]:
    return [cell for cell in module["cells"].values() if cell["type"] == kind]


def _no_delay(module: Any) -> None:
    """A pin goes straight into its cell."""
    delay = next(
        cell
        for cell in _cells(module, "DELAYG")
        if cell["connections"]["A"] == [module["ports"]["rgmii_rx_ctl"]["bits"][0]]
    )
    delay["connections"]["Z"] = delay["connections"]["A"]
    del module["cells"][next(key for key, cell in module["cells"].items() if cell is delay)]


def _a_flip_flop(module: Any) -> None:
    """A pin is sampled in the fabric."""
    _cells(module, "IDDRX1F")[0]["type"] = "TRELLIS_FF"


def _a_tap_less(module: Any) -> None:
    delays = [cell for cell in _cells(module, "DELAYG") if pins._value(cell["parameters"]["DEL_VALUE"])]
    delays[0]["parameters"]["DEL_VALUE"] = f"{79:032b}"


def _a_second_user(module: Any) -> None:
    """A pin's bit goes into the fabric beside its cell."""
    net = _cells(module, "IDDRX1F")[0]["connections"]["D"]
    module["cells"]["second"] = {"type": "LUT4", "connections": {"A": net}, "parameters": {}}


def _another_clock(module: Any) -> None:
    _cells(module, "IDDRX1F")[0]["connections"]["SCLK"] = module["ports"]["tx_clk"]["bits"]


@pytest.mark.parametrize("defect", [_no_delay, _a_flip_flop, _a_tap_less, _a_second_user, _another_clock])
@pytest.mark.xdist_group("board_netlist")
def test_a_pin_without_its_cells_is_found(defect: Callable[[Any], None]) -> None:
    module = copy.deepcopy(_module(0, 80))
    defect(module)
    assert len(list(pins.rgmii(module, 0, 80))) == 1


def _bits(name: str) -> Iterator[str]:
    """Every bit of the top's ports."""
    board = BOARDS[name]
    text = (board.folder / f"{board.top}.sv").read_text(encoding="utf-8")
    for high, port in re.findall(r"^ +(?:input|output|inout) +\w+ +(?:\[(\d):0\] +)?(\w+)", text, re.MULTILINE):
        yield from (f"{port}[{place}]" for place in range(int(high) + 1)) if high else [port]


@pytest.mark.parametrize("name", BOARDS)
def test_every_pin_has_a_place_and_every_clock_a_frequency(name: str) -> None:
    board = BOARDS[name]
    places = located(board.pins)
    assert set(places) == set(_bits(name))
    assert len({site for site, _ in places.values()}) == len(places), "two ports at one site"
    assert all(kind for _, kind in places.values())
    clocks = {"clk": board.oscillator_mhz, "trusted_rx_clk": 125, "untrusted_rx_clk": 125}
    assert pins.clocks(board.pins) == clocks


#: The platform of litex-boards, its names of each of our ports: group, number, signal.
PLATFORMS = {"ecp5-versa": "lattice_versa_ecp5", "colorlight-i9": "colorlight_i5"}
RGMII = {
    "tx_clk": ("eth_clocks", "tx"), "rx_clk": ("eth_clocks", "rx"), "rx_ctl": ("eth", "rx_ctl"),
    "rxd": ("eth", "rx_data"), "tx_ctl": ("eth", "tx_ctl"), "txd": ("eth", "tx_data"),
}  # fmt: skip
SHARED = {"phy_mdc": "mdc", "phy_mdio": "mdio", "phy_rst_n": "rst_n"}
OTHERS = {
    "flash_cs_n": ("spiflash", "cs_n"), "flash_mosi": ("spiflash", "mosi"), "flash_miso": ("spiflash", "miso"),
    "uart_rxd": ("serial", "rx"), "uart_txd": ("serial", "tx"),
}  # fmt: skip
#: Groups of the button and of the lamps
PANELS = {
    "ecp5-versa": {"button_n": ("rst_n", 0), "leds_n[0]": ("user_led", 0), "leds_n[1]": ("user_led", 1)},
    "colorlight-i9": {"button_n": ("cpu_reset_n", 0), "leds_n": ("user_led_n", 0)},
}
TARGETS = {"ecp5-versa": "lattice_versa_ecp5", "colorlight-i9": "colorlight_i5"}
TAP = 25e-12


@pytest.mark.parametrize("name", PLATFORMS)
def test_pins_are_those_of_litex(name: str) -> None:
    from litex.build.generic_platform import IOStandard, Pins, Subsignal

    module = importlib.import_module(f"litex_boards.platforms.{PLATFORMS[name]}")
    table = module._io if hasattr(module, "_io") else module._io_v7_2
    sites: dict[tuple[str, int, str], list[tuple[str, str]]] = {}
    for group, number, *parts in table:
        common = [part.name for part in parts if isinstance(part, IOStandard)]
        for part in (part for part in parts if isinstance(part, Subsignal)):
            kinds = [entry.name for entry in part.constraints if isinstance(entry, IOStandard)] or common or [""]
            found = next(entry for entry in part.constraints if isinstance(entry, Pins)).identifiers
            sites[group, number, part.name] = [(site, kinds[0]) for site in found]
        for part in (part for part in parts if isinstance(part, Pins)):
            sites[group, number, ""] = [(site, common[0]) for site in part.identifiers]

    places = located(BOARDS[name].pins)
    for number, side in enumerate(("trusted", "untrusted")):
        for port, (group, signal) in RGMII.items():
            want = sites[group, number, signal]
            full = f"{side}_{port}"
            assert [places[full if len(want) == 1 else f"{full}[{i}]"] for i in range(len(want))] == want
        for port, signal in SHARED.items():
            assert [places.get(f"{port}[{number}]", places.get(port))] == sites["eth", number, signal]
    for port, (group, signal) in OTHERS.items():
        assert [places[port]] == sites[group, 0, signal], port
    for port, (group, number) in PANELS[name].items():
        assert [places[port]] == sites[group, number, ""], port
    assert [places["clk"]] == next(found for (group, _, _), found in sites.items() if group in ("clk100", "clk25"))


@pytest.mark.parametrize("name", PLATFORMS)
def test_delays_are_those_of_litex(name: str) -> None:
    """What its target asks of its PHY, and what that takes where nothing is asked."""
    from liteeth.phy.ecp5rgmii import LiteEthPHYRGMII

    usual = inspect.signature(LiteEthPHYRGMII.__init__).parameters
    target = importlib.util.find_spec(f"litex_boards.targets.{TARGETS[name]}")
    assert target and target.origin
    text = Path(target.origin).read_text(encoding="utf-8")
    for side, taps in (("tx", BOARDS[name].tx_taps), ("rx", BOARDS[name].rx_taps)):
        asked = re.search(rf"\b{side}_delay\s*=\s*([\d.e-]+)", text)
        assert taps * TAP == pytest.approx(float(asked[1]) if asked else usual[f"{side}_delay"].default), side


#: Pairs of 1000BASE-T by the contacts of an RJ45, IEEE 802.3, 40.8.1
PAIRS = {1: "A+", 2: "A-", 3: "B+", 6: "B-", 4: "C+", 5: "C-", 7: "D+", 8: "D-"}


def jacks(text: str) -> dict[str, int]:
    """SODIMM contacts by the names of the i9's pairs, from the table of docs/board.md."""
    port = r"(ETH{}_\d[PN]) \| (\d+) \| \d+"
    row = rf"^\| (\d) \| ([A-D][+-]) \| {port.format(2)} \| {port.format(1)} \|$"
    rows = re.findall(row, text, re.MULTILINE)
    assert {int(contact): pair for contact, pair, *_ in rows} == PAIRS
    for _, pair, first, _, second, _ in rows:
        own = f"{'ABCD'.index(pair[0]) + 1}{'P' if pair[1] == '+' else 'N'}"
        assert first[5:] == second[5:] == own, pair
    return {name: int(at) for _, _, *four in rows for name, at in (four[:2], four[2:])}


def test_the_contacts_of_the_i9s_jacks_are_those_of_litex() -> None:
    """The i9plus has the pairs of the i9 at the same contacts; litex-boards lists the contacts of the i9plus alone."""
    module = importlib.import_module("litex_boards.platforms.colorlight_i9plus")
    # Rows of the text stand without a blank between them.
    names = re.findall(r"-|ETH\d_\d[PN]|GND|5V|NC|[A-Z]{1,2}\d+", dict(module._connectors)["dimm"])
    told = jacks((cores.root() / "docs" / "board.md").read_text(encoding="utf-8"))
    assert told == {name: at for at, name in enumerate(names) if name.startswith("ETH")} and len(told) == 16
