# SPDX-License-Identifier: Apache-2.0
"""The component declaration for VHDL designs.  The plain Verilog has no parameters, so there are no generics."""

from __future__ import annotations

from .package import Package

_DIRECTION = {"input": "in", "output": "out"}


def component(package: Package) -> str:
    """A package with the component, VHDL-93 or later."""
    lines = []
    for port in package.top.ports:
        kind = f"std_logic_vector({package.bits(port.width) - 1} downto 0)" if port.width else "std_logic"
        end = ";" if port is not package.top.ports[-1] else ""
        comment = f"  -- {port.comment}" if port.comment else ""
        lines.append(f"      {port.name} : {_DIRECTION[port.direction]} {kind}{end}{comment}")
    name = package.name
    return "\n".join(
        [
            "-- SPDX-License-Identifier: Apache-2.0",
            f"-- Component {name} of verilog/{name}.v: compile that into the library that binds the component.",
            "library ieee;",
            "use ieee.std_logic_1164.all;",
            "",
            f"package {name}_pkg is",
            f"  component {name} is",
            "    port (",
            *lines,
            "    );",
            "  end component;",
            "end package;",
            "",
        ]
    )
