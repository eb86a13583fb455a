# SPDX-License-Identifier: Apache-2.0
"""The ports of a core, read from its top: name, direction, width, and the comment beside."""

import re
from dataclasses import dataclass

from ... import files
from ...cores import Core
from ...errors import LabError

_PORT = re.compile(r"^\s*(input|output)\s+logic\s*(?:\[([^\]]+)\])?\s*(\w+)\s*,?\s*(?://\s*(.*))?$")
_PARAMETER = re.compile(r"^\s*parameter\s+int unsigned\s+(\w+)\s*=\s*(\w+)\s*,?\s*(?://\s*(.*))?$")


@dataclass(frozen=True)
class Port:
    """One port; width as the source writes it."""

    direction: str
    width: str
    name: str
    meaning: str


@dataclass(frozen=True)
class Parameter:
    """One elaboration parameter."""

    name: str
    default: str
    meaning: str


def _head(core: Core) -> list[str]:
    head, end, _ = files.read(core.sources[-1]).partition(");\n")
    if not end:
        raise LabError(f"{core.sources[-1]} has no list of ports that ends in ');'")
    return head.splitlines()


def _width(expression: str | None) -> str:
    """[KEY_BITS-1:0] is KEY_BITS wide."""
    if not expression:
        return "1"
    high = expression.partition(":")[0].strip()
    return high.removesuffix("-1").strip() if high.endswith("-1") else str(int(high) + 1) if high.isdigit() else high


def ports(core: Core) -> list[Port]:
    """All ports in the order of the source."""
    found = [match.groups() for line in _head(core) if (match := _PORT.match(line))]
    return [Port(direction, _width(width), name, meaning or "") for direction, width, name, meaning in found]


def parameters(core: Core) -> list[Parameter]:
    """All parameters in the order of the source."""
    found = [match.groups() for line in _head(core) if (match := _PARAMETER.match(line))]
    return [Parameter(name, default, meaning or "") for name, default, meaning in found]
