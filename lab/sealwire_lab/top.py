# SPDX-License-Identifier: Apache-2.0
"""A top, a core joined to an adapter, as data and as text; `tops` and `mac.tops` make them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from . import named_top
from .cores import Core


@dataclass(frozen=True)
class Parameter:
    """A parameter of a top: a whole number."""

    name: str
    default: int
    comment: str


@dataclass(frozen=True)
class Port:
    """A port of a top.  `width` is an expression of the parameters; the empty string means one bit without a range."""

    name: str
    direction: str
    width: str
    comment: str


@dataclass(frozen=True)
class Top:
    """A core behind an adapter: the text of its module, and what the module looks like from outside."""

    name: str
    bus: str
    core: Core
    width: int
    parameters: tuple[Parameter, ...]
    ports: tuple[Port, ...]
    sources: tuple[Path, ...]  # of core and adapter in compile order, without the top itself
    text: str

    def write(self, directory: Path) -> Path:
        """Put the module into `directory`, in a file of its name; the file is left alone if it says the same."""
        path = directory / f"{self.name}.sv"
        directory.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != self.text:
            scratch = path.with_suffix(f".{os.getpid()}")
            scratch.write_text(self.text, encoding="utf-8")
            scratch.replace(path)  # whoever reads it finds it whole
        return path


def stream(name: str, forth: str, data: str, keep: str, comment: str) -> list[Port]:
    """The ports of an AXI4-Stream; `forth` is the direction of its data."""
    back = {"input": "output", "output": "input"}[forth]
    return [
        Port(f"{name}_tdata", forth, data, comment),
        Port(f"{name}_tkeep", forth, keep, ""),
        Port(f"{name}_tvalid", forth, "", ""),
        Port(f"{name}_tready", back, "", ""),
        Port(f"{name}_tlast", forth, "", ""),
    ]


def ranged(width: str) -> str:
    """Type of a port whose width is an expression."""
    if not width:
        return "logic"
    top = f"{int(width) - 1}" if width.isdigit() else f"{width}-1"
    return f"logic [{top}:0]"


def instance(module: str, name: str, parameters: dict[str, str], ports: dict[str, str]) -> list[str]:
    """Lines of an instance: what each parameter and port is joined to."""
    given = ",\n".join(f"      .{item}({value})" for item, value in parameters.items())
    joined = ",\n".join(f"      .{port}({wire})" for port, wire in ports.items())
    head_lines = [f"  {module} #(", given, f"  ) {name} ("] if given else [f"  {module} {name} ("]
    return [*head_lines, joined, "  );"] if joined else [*head_lines[:-1], f"{head_lines[-1]});"]


def same(names: Iterable[str]) -> dict[str, str]:
    """Parameters or ports joined to what has their names."""
    return {name: name for name in names}


def bundles(ports: tuple[Port, ...]) -> tuple[list[str], list[str]]:
    """Lines that make an `axis_if` of the flat ports of each AXI4-Stream, and the names of these."""
    lines: list[str] = []
    streams: dict[str, str] = {}  # width of tdata
    for port in ports:
        name, _, field = port.name.rpartition("_")
        if field.startswith("t") and "axis" in name:
            if name not in streams:
                streams[name] = port.width
                lines.append(f"  axis_if #(.DATA_BITS({port.width})) {name} ();")
            inner = f"{name}.{field}"
            to, what = (inner, port.name) if port.direction == "input" else (port.name, inner)
            lines.append(f"  assign {to} = {what};")
    return lines, list(streams)


def core_instance(core: Core, parameters: Iterable[str], clear: str) -> list[str]:
    """Lines of the instance of a core, whose flat ports are the fields of the interface `core`."""
    joined = {port: f"core.{field}" for _, port, field in named_top.CONTRACTS[core.kind].fields()}
    return instance(core.top, "u_core", same(parameters), {"clk": "clk", "rst": "rst", "clear": clear, **joined})


def head(name: str, parameters: tuple[Parameter, ...], ports: tuple[Port, ...]) -> list[str]:
    """Lines from `module` to the end of the ports."""
    lines = [f"module {name} #("]
    lines += [
        f"    parameter int unsigned {item.name} = {item.default}{',' if item is not parameters[-1] else ''}"
        f"  // {item.comment}"
        for item in parameters
    ]
    lines.append(") (")
    for port in ports:
        end = "," if port is not ports[-1] else ""
        comment = f"  // {port.comment}" if port.comment else ""
        lines.append(f"    {port.direction} {ranged(port.width)} {port.name}{end}{comment}")
    return [*lines, ");", ""]
