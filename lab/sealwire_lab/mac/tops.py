# SPDX-License-Identifier: Apache-2.0
"""Tops of MAC cores: any of them behind AXI4-Stream (hdl/interfaces/mac_axis.sv)."""

from __future__ import annotations

import tomllib

from .. import cores
from ..cores import Core
from ..errors import LabError
from ..top import Parameter, Port, Top, bundles, core_instance, head, instance, same, stream

_COMMENTS = {"KEY_BITS": "key", "TAG_BITS": "tag", "ROUNDS_PER_CYCLE": "of the core"}


def widths(core: Core) -> tuple[int, ...]:
    """Widths of the streams; the first is the default.  A block a beat where a block is wide enough for key and tag."""
    return (64, core.data_bits) if core.data_bits >= 192 else (64,)


def _ports() -> tuple[Port, ...]:
    ports = [
        Port("clk", "input", "", ""),
        Port("rst", "input", "", "synchronous, active high"),
        Port("clear", "input", "", "pulse: as rst"),
        Port("busy", "output", "", "clearing, or a command or key in work"),
    ]
    streams = {"cmd": "operation, expected tag", "key": "key", "msg": "message"}
    for name, comment in streams.items():
        ports += stream(f"s_axis_{name}", "input", "AXIS_BITS", "AXIS_BITS/8", comment)
    ports += stream("m_axis", "output", "AXIS_BITS", "AXIS_BITS/8", "the tag of a computation")
    return (*ports, *stream("m_axis_status", "output", "64", "8", "one beat for each command and key"))


def _text(core: Core, name: str, parameters: tuple[Parameter, ...], ports: tuple[Port, ...]) -> str:
    own = [item.name for item in parameters if item.name != "AXIS_BITS"]
    joins, streams = bundles(ports)
    outside = [port.name for port in ports if port.name.rpartition("_")[0] not in streams]
    lines = [
        "// SPDX-License-Identifier: Apache-2.0",
        "//",
        f"// Core {core.name} ({core.architecture}) behind AXI4-Stream: adapter mac_axis.",
        f"// Made by sealwire-lab from hdl/cores.toml. Ports and framing: docs/interfaces.md. Core: {core.doc}.",
        "// Security: a tag leaves only for a computation; rst and clear drop everything and wipe all registers.",
        *head(name, parameters, ports),
        f"  localparam int unsigned DATA_BITS = {core.data_bits};  // beat of the core",
        "",
        *instance("mac_if", "core", same(("DATA_BITS", "KEY_BITS", "TAG_BITS")), {}),
        "",
        *joins,
        "",
        *instance("mac_axis", "u_axis", {}, same([*outside, *streams, "core"])),
        "",
        *core_instance(core, [*own, "DATA_BITS"], "clear"),
    ]
    return "\n".join([*lines, "", "endmodule", ""])


def render(core: Core, bus: str, width: int | None = None) -> Top:
    """The top of `core` on `bus`, which is "axis"; `width` is the default of its AXIS_BITS."""
    if bus != "axis":
        raise LabError(f"{core.name} is a MAC core, which {bus} has no place for; its bus is axis")
    allowed = widths(core)
    chosen = allowed[0] if width is None else width
    if chosen not in allowed:
        raise LabError(f"{core.name} on axis cannot be {chosen} bits wide; allowed: {', '.join(map(str, allowed))}")
    listed = ", ".join(map(str, allowed))
    parameters = (
        Parameter("AXIS_BITS", chosen, f"tdata, status excepted: {listed}"),
        *(
            Parameter(name, value, _COMMENTS.get(name, "of the core"))
            for name, value in core.parameters().items()
            if name != "DATA_BITS"
        ),
    )
    table = tomllib.loads((cores.root() / "hdl" / "interfaces" / "sources.toml").read_text(encoding="utf-8"))
    sources = tuple(dict.fromkeys([*core.sources, *(cores.root() / path for path in table["mac_axis"])]))
    name, ports = f"{core.name.replace('-', '_')}_axis", _ports()
    return Top(name, bus, core, chosen, parameters, ports, sources, _text(core, name, parameters, ports))
