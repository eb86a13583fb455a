# SPDX-License-Identifier: Apache-2.0
"""Ports and parameters of a module, read from its source: name, direction, width, and the comment beside."""

import re
from dataclasses import dataclass
from pathlib import Path

from . import files
from .errors import LabError

_PORT = re.compile(r"^\s*(input|output)\s+logic\s*(?:\[([^\]]+)\])?\s*(\w+)\s*,?\s*(?://\s*(.*))?$")
_STREAM = re.compile(r"^\s*axis_if\.(sink|source)\s+(\w+)\s*,?\s*(?://\s*(.*))?$")
_PARAMETER = re.compile(r"^\s*parameter\s+int unsigned\s+(\w+)\s*=\s*(\w+)\s*,?\s*(?://\s*(.*))?$")


@dataclass(frozen=True)
class Port:
    """A port.  `width` is an expression of the parameters; the empty string means one bit without a range."""

    name: str
    direction: str
    width: str
    comment: str

    @property
    def type(self) -> str:
        """The port as SystemVerilog declares it."""
        top = f"{int(self.width) - 1}" if self.width.isdigit() else f"{self.width}-1"
        return f"logic [{top}:0]" if self.width else "logic"


def _head(source: Path) -> list[str]:
    _, module, text = f"\n{files.read(source)}".partition("\nmodule ")
    head, end, _ = text.partition(");\n")
    if not module or not end:
        raise LabError(f"{source} has no module whose list of ports ends in ');'")
    return head.splitlines()


def _width(expression: str | None) -> str:
    """[KEY_BITS-1:0] is KEY_BITS wide."""
    high = (expression or "").partition(":")[0].strip()
    return high.removesuffix("-1").strip() if high.endswith("-1") else str(int(high) + 1) if high.isdigit() else high


def _stream(side: str, name: str, comment: str) -> list[Port]:
    """The flat ports of an AXI4-Stream: AXIS_BITS wide, 64 for a status."""
    forth, back = ("input", "output") if side == "sink" else ("output", "input")
    data, keep = ("64", "8") if name.endswith("_status") else ("AXIS_BITS", "AXIS_BITS/8")
    return [
        Port(f"{name}_tdata", forth, data, comment),
        Port(f"{name}_tkeep", forth, keep, ""),
        Port(f"{name}_tvalid", forth, "", ""),
        Port(f"{name}_tready", back, "", ""),
        Port(f"{name}_tlast", forth, "", ""),
    ]


def ports(source: Path) -> list[Port]:
    """All flat ports in the order of the source; an AXI4-Stream counts as its five, other interfaces are left out."""
    found: list[Port] = []
    for line in _head(source):
        if match := _PORT.match(line):
            direction, width, name, comment = match.groups()
            found.append(Port(name, direction, _width(width), comment or ""))
        elif match := _STREAM.match(line):
            side, name, comment = match.groups()
            found += _stream(side, name, comment or "")
    return found


def parameters(source: Path) -> list[tuple[str, str, str]]:
    """Name, default and comment of all parameters in the order of the source."""
    found = [match.groups() for line in _head(source) if (match := _PARAMETER.match(line))]
    return [(name, default, comment or "") for name, default, comment in found]
