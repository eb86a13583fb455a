# SPDX-License-Identifier: Apache-2.0
"""The rules of a board's pins: each has its place, and those of RGMII go through the cells that their timing rests on.

nextpnr knows neither clock-to-out nor delays of pins, so what makes RGMII work is checked in the netlist: both edges of
the clock in a cell of the pin itself, behind a delay of so many taps.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..errors import LabError

#: What stands between a pin and the fabric, by the end of the port's name: cell, its pin to the delay, its clock.
_OUT, _IN = ("ODDRX1F", "Q"), ("IDDRX1F", "D")
_RULES = {"tx_clk": _OUT, "tx_ctl": _OUT, "txd": _OUT, "rx_ctl": _IN, "rxd": _IN}


def clocks(pins: Path) -> dict[str, float]:
    """Ports that are clocks, and their MHz."""
    text = pins.read_text(encoding="utf-8")
    return {
        port: float(mhz) for port, mhz in re.findall(r'^FREQUENCY PORT "([^"]+)" ([\d.]+) MHZ;', text, re.MULTILINE)
    }


def bits(module: Mapping[str, Any]) -> dict[str, int]:
    """The nets of a netlist's ports by the name of each bit, as a constraints file names it."""
    found = {}
    for name, port in module["ports"].items():
        for place, net in enumerate(port["bits"]):
            found[name if len(port["bits"]) == 1 else f"{name}[{place}]"] = net
    return found


def _touching(module: Mapping[str, Any]) -> dict[object, list[tuple[Mapping[str, Any], str]]]:
    users: dict[object, list[tuple[Mapping[str, Any], str]]] = {}
    for cell in module["cells"].values():
        for pin, nets in cell["connections"].items():
            for net in nets:
                users.setdefault(net, []).append((cell, pin))
    return users


def _value(parameter: str | int) -> int:
    return parameter if isinstance(parameter, int) else int(parameter, 2)


def check(netlist: Path, top: str, tx_taps: int, rx_taps: int) -> None:
    """Raises LabError when a pin of RGMII breaks the rules."""
    module = json.loads(netlist.read_text(encoding="utf-8"))["modules"][top]
    complaints = list(rgmii(module, tx_taps, rx_taps))
    if complaints:
        raise LabError(f"pins of {top}: {'; '.join(complaints)}")


def rgmii(module: Mapping[str, Any], tx_taps: int, rx_taps: int) -> Iterator[str]:
    """Complaints about the RGMII ports of a netlist: those whose names end as `_RULES` says, beside a clock's."""
    users = _touching(module)
    nets = bits(module)
    clocked = {name.rpartition("_")[0][:-3] for name in nets if name.endswith(("_tx_clk", "_rx_clk"))}
    seen = 0
    for name, net in nets.items():
        found = re.fullmatch(r"(\w+?)_(tx_clk|tx_ctl|txd|rx_ctl|rxd)(?:\[\d\])?", name)
        if found is None or found[1] not in clocked:  # a console has an rxd, too
            continue
        seen += 1
        cell, pin = _RULES[found[2]]
        outwards = cell == _OUT[0]
        taps = {"tx_clk": tx_taps, "rx_ctl": rx_taps, "rxd": rx_taps}.get(found[2], 0)
        delays = users.get(net, [])
        if [(user["type"], end) for user, end in delays] != [("DELAYG", "Z" if outwards else "A")]:
            yield f"{name} is not at a DELAYG alone"
            continue
        delay = delays[0][0]
        if _value(delay["parameters"]["DEL_VALUE"]) != taps:
            yield f"{name} has a delay of {_value(delay['parameters']['DEL_VALUE'])} taps, must be {taps}"
        inner = delay["connections"]["A" if outwards else "Z"][0]
        others = [(user, end) for user, end in users[inner] if user is not delay]
        if [(user["type"], end) for user, end in others] != [(cell, pin)]:
            yield f"{name} has no {cell} of its own behind its DELAYG"
        elif not outwards and others[0][0]["connections"]["SCLK"] != [nets[f"{found[1]}_rx_clk"]]:
            yield f"{name} is not clocked by {found[1]}_rx_clk"
    if not seen or seen % 11:
        yield f"{seen} pins of RGMII, must be 11 a port beside its rx_clk"
