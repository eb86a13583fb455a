# SPDX-License-Identifier: Apache-2.0
"""Tops: any core of the manifest behind an adapter of hdl/interfaces, rendered as SystemVerilog.

A top joins the two and does nothing else, so it is not written by hand: `render` makes it from the entry of the core.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from . import cores
from .cores import Core
from .errors import LabError
from .mac import tops as mac_tops
from .top import Parameter, Port, Top, bundles, core_instance, head, instance, same, stream

#: Widths that each bus knows for AEAD cores; the first is the default.
WIDTHS = {"axis": (64, 128, 256, 512), "lwc": (32, 8, 16, 64, 128)}


_COMMENTS = {
    "KEY_BITS": "key",
    "NONCE_BITS": "nonce",
    "TAG_BITS": "tag",
    "VERSION": "of the scheme",
    "STORE_BYTES": "release store of a context; a power of two",
    "PACKET_BYTES": "longest output of a packet, tag included; at most STORE_BYTES",
    "DESCRIPTORS": "packets in work or waiting; a power of two, 2 or more",
    "AD_FIFO_BYTES": "AD held back for each context, and its longest; 0: none",
    "MSG_FIFO_BYTES": "input message held back for each context; 0: none",
}


def store_parameters(core: Core) -> dict[str, int]:
    """Memories of the adapter as they suit a core.

    A core that takes AD and message in step needs the AD first; contexts work side by side only if each has room for a
    packet on its way in and out.
    """
    many = core.contexts > 1
    return {
        "STORE_BYTES": 4096 if many else 16384,
        "PACKET_BYTES": 2048 if many else 16384,
        "DESCRIPTORS": 16,
        "AD_FIFO_BYTES": 2048 if core.ad_with_msg else 0,
        "MSG_FIFO_BYTES": 2048 if many else 0,
    }


def _core_parameters(core: Core) -> dict[str, int]:
    """Parameters of the core that a top passes on."""
    return {name: value for name, value in core.parameters().items() if name not in ("DATA_BITS", "CONTEXTS")}


def _axis_ports() -> list[Port]:
    ports = [
        Port("clk", "input", "", ""),
        Port("rst", "input", "", "synchronous, active high"),
        Port("clear", "input", "", "pulse: as rst"),
        Port("busy", "output", "", "clearing, or a command or key in work"),
    ]
    streams = {
        "cmd": "operation, flags, nonce",
        "key": "key",
        "ad": "associated data",
        "msg": "plaintext, or ciphertext || tag",
    }
    for name, comment in streams.items():
        ports += stream(f"s_axis_{name}", "input", "AXIS_BITS", "AXIS_BITS/8", comment)
    ports += stream("m_axis", "output", "AXIS_BITS", "AXIS_BITS/8", "ciphertext || tag, or verified plaintext")
    return ports + stream("m_axis_status", "output", "64", "8", "one beat for each command and key")


def _lwc_ports() -> list[Port]:
    return [
        Port("clk", "input", "", ""),
        Port("rst", "input", "", "synchronous, active high"),
        Port("pdi_data", "input", "W", "public data: instructions, nonce, AD, message, tag"),
        Port("pdi_valid", "input", "", ""),
        Port("pdi_ready", "output", "", ""),
        Port("sdi_data", "input", "SW", "secret data: the key"),
        Port("sdi_valid", "input", "", ""),
        Port("sdi_ready", "output", "", ""),
        Port("do_data", "output", "W", "ciphertext and tag, or verified plaintext; status"),
        Port("do_last", "output", "", "the word is a status"),
        Port("do_valid", "output", "", ""),
        Port("do_ready", "input", "", ""),
    ]


def _parameters(core: Core, bus: str, width: int) -> tuple[Parameter, ...]:
    found = []
    if bus == "axis":
        allowed = ", ".join(str(value) for value in sorted(WIDTHS[bus]) if value >= core.data_bits)
        found.append(Parameter("AXIS_BITS", width, f"tdata, status excepted: {allowed}"))
    else:
        allowed = ", ".join(str(value) for value in sorted(WIDTHS[bus]))
        found += [Parameter("W", width, f"pdi and do: {allowed}"), Parameter("SW", width, f"sdi: {allowed}")]
    for name, value in {**_core_parameters(core), **store_parameters(core)}.items():
        found.append(Parameter(name, value, _COMMENTS.get(name, "of the core")))
    return tuple(found)


_BUS_NAMES = {"axis": "AXI4-Stream", "lwc": "the LWC hardware API"}


def _text(core: Core, bus: str, parameters: tuple[Parameter, ...], ports: tuple[Port, ...]) -> str:
    name = f"{core.top}_{bus}"
    own = list(_core_parameters(core))
    lines = [
        "// SPDX-License-Identifier: Apache-2.0",
        "//",
        f"// Core {core.name} ({core.architecture}) behind {_BUS_NAMES[bus]}: adapter aead_{bus}, release FIFO inside.",
        f"// Made by sealwire-lab from hdl/cores.toml. Ports and framing: docs/interfaces.md. Core: {core.doc}.",
        "// Security: nothing unverified leaves; rst drops everything and wipes all registers and stores.",
        *head(name, parameters, ports),
        f"  localparam int unsigned DATA_BITS = {core.data_bits};  // beat of the core",
        f"  localparam int unsigned CONTEXTS = {core.contexts};",
        "",
    ]
    sizes = {
        **same(("DATA_BITS", "KEY_BITS", "NONCE_BITS", "CONTEXTS")),
        "TAG_BITS": "TAG_BITS == 0 ? 1 : TAG_BITS",
    }
    lines += [*instance("aead_if", "core", sizes, {}), ""]
    joins, streams = bundles(ports)
    outside = [port.name for port in ports if port.name.rpartition("_")[0] not in streams]
    given = [item.name for item in parameters if item.name in ("W", "SW", "TAG_BITS", *store_parameters(core))]
    lines += [*joins, *([""] if joins else [])]
    lines += [*instance(f"aead_{bus}", f"u_{bus}", same(given), same([*outside, *streams, "core"])), ""]
    lines += core_instance(core, [*own, "DATA_BITS", "CONTEXTS"], "clear" if bus == "axis" else "1'b0")
    return "\n".join([*lines, "", "endmodule", ""])


def adapter_sources(bus: str) -> tuple[Path, ...]:
    """Files of the adapter in compile order."""
    manifest = cores.root() / "hdl" / "interfaces" / "sources.toml"
    table = tomllib.loads(manifest.read_text(encoding="utf-8"))
    return tuple(cores.root() / path for path in [*table["sources"], *table[bus]])


def render(core: Core, bus: str, width: int | None = None) -> Top:
    """The top of `core` on `bus` ("axis" or "lwc"); `width` is the default of its AXIS_BITS or W."""
    if bus not in WIDTHS:
        raise LabError(f"no bus is called {bus!r} (known: {', '.join(WIDTHS)})")
    if core.kind == "mac":
        return mac_tops.render(core, bus, width)
    allowed = [value for value in WIDTHS[bus] if bus != "axis" or value >= core.data_bits]
    chosen = allowed[0] if width is None else width
    if chosen not in allowed:
        listed = ", ".join(map(str, sorted(allowed)))
        raise LabError(f"{core.name} on {bus} cannot be {chosen} bits wide; allowed: {listed}")
    parameters = _parameters(core, bus, chosen)
    ports = tuple(_axis_ports() if bus == "axis" else _lwc_ports())
    sources = tuple(dict.fromkeys([*core.sources, *adapter_sources(bus)]))
    text = _text(core, bus, parameters, ports)
    return Top(f"{core.top}_{bus}", bus, core, chosen, parameters, ports, sources, text)
