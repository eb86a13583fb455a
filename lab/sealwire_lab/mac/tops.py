# SPDX-License-Identifier: Apache-2.0
"""Tops of MAC cores: any of them behind AXI4-Stream (hdl/interfaces/mac_axis.sv)."""

import tomllib

from .. import cores
from ..cores import Core
from ..errors import LabError
from ..top import Parameter, Port, Top, head, instance, ranged, stream

_COMMENTS = {"KEY_BITS": "key", "TAG_BITS": "tag", "ROUNDS_PER_CYCLE": "of the core"}

#: Ports of a MAC core but the ones that every module has: direction at the core, name, width.
_CORE_PORTS = (
    ("output", "busy", ""),
    ("input", "key_valid", ""),
    ("output", "key_ready", ""),
    ("input", "key_data", "KEY_BITS"),
    ("input", "cmd_valid", ""),
    ("output", "cmd_ready", ""),
    ("input", "cmd_verify", ""),
    ("input", "msg_valid", ""),
    ("output", "msg_ready", ""),
    ("input", "msg_data", "DATA_BITS"),
    ("input", "msg_bytes", "BYTES_BITS"),
    ("input", "msg_last", ""),
    ("input", "tag_in_valid", ""),
    ("output", "tag_in_ready", ""),
    ("input", "tag_in_data", "TAG_BITS"),
    ("output", "result_valid", ""),
    ("input", "result_ready", ""),
    ("output", "result_ok", ""),
    ("output", "result_tag", "TAG_BITS"),
)


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
    joined = [(f"core_{port}", f"core_{port}") for _, port, _ in _CORE_PORTS]
    inner = [
        *((port, port) for port in ("clk", "rst", "clear")),
        *((port, f"core_{port}") for _, port, _ in _CORE_PORTS),
    ]
    own = [item.name for item in parameters if item.name != "AXIS_BITS"]
    sizes = ["AXIS_BITS", "DATA_BITS", "KEY_BITS", "TAG_BITS"]
    lines = [
        "// SPDX-License-Identifier: Apache-2.0",
        "//",
        f"// Core {core.name} ({core.architecture}) behind AXI4-Stream: adapter mac_axis.",
        f"// Made by sealwire-lab from hdl/cores.toml. Ports and framing: docs/interfaces.md. Core: {core.doc}.",
        "// Security: a tag leaves only for a computation; rst and clear drop everything and wipe all registers.",
        *head(name, parameters, ports),
        f"  localparam int unsigned DATA_BITS = {core.data_bits};  // beat of the core",
        "  localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1);",
        "",
        *(f"  {ranged(width)} core_{port};" for _, port, width in _CORE_PORTS),
        "",
        *instance("mac_axis", "u_axis", sizes, [*((port.name, port.name) for port in ports), *joined]),
        "",
        *instance(core.top, "u_core", [*own, "DATA_BITS"], inner),
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
