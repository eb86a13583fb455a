# SPDX-License-Identifier: Apache-2.0
"""Tops: any core of the manifest behind an adapter of hdl/interfaces, rendered as SystemVerilog.

A top joins the two and does nothing else, so it is not written by hand: `render` makes it from the entry of the core,
the ports of the adapter as its source has them, and top.sv.j2.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from . import cores, files
from .cores import Core
from .errors import LabError
from .ports import Port, ports

#: Widths that each bus knows for AEAD cores; the first is the default.
WIDTHS = {"axis": (64, 128, 256, 512), "lwc": (32, 8, 16, 64, 128)}
_SAID = files.toml(Path(__file__).with_suffix(".toml"))


@dataclass(frozen=True)
class Parameter:
    """A parameter of a top: a whole number."""

    name: str
    default: int
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
        if not path.exists() or path.read_text(encoding="utf-8") != self.text:
            files.write(path, self.text)
        return path


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


def widths(core: Core, bus: str) -> tuple[int, ...]:
    """Widths of the data ports; the first is the default.

    A MAC core takes a block a beat where a block is wide enough for the key, and for a command with its tag.
    """
    if core.kind == "mac":
        least = max(192, core.shares * core.parameters()["KEY_BITS"])
        return (64, core.data_bits) if core.data_bits >= least else (64,)
    return tuple(width for width in WIDTHS[bus] if bus != "axis" or width >= core.data_bits)


def _own(core: Core) -> dict[str, int]:
    """Parameters of the core that a top passes on."""
    return {name: value for name, value in core.parameters().items() if name not in ("DATA_BITS", "CONTEXTS")}


def _parameters(core: Core, bus: str, width: int) -> tuple[Parameter, ...]:
    allowed = ", ".join(map(str, widths(core, bus) if core.kind == "mac" else sorted(widths(core, bus))))
    first = [Parameter("AXIS_BITS", width, f"tdata, status excepted: {allowed}")]
    if bus == "lwc":
        first = [Parameter("W", width, f"pdi and do: {allowed}"), Parameter("SW", width, f"sdi: {allowed}")]
    more = _own(core) | ({} if core.kind == "mac" else store_parameters(core))
    return (
        *first,
        *(Parameter(name, value, _SAID["parameters"].get(name, "of the core")) for name, value in more.items()),
    )


def render(core: Core, bus: str, width: int | None = None) -> Top:
    """The top of `core` on `bus` ("axis" or "lwc"); `width` is the default of its AXIS_BITS or W."""
    mac = core.kind == "mac"
    if bus not in WIDTHS:
        raise LabError(f"no bus is called {bus!r} (known: {', '.join(WIDTHS)})")
    if mac and bus != "axis":
        raise LabError(f"{core.name} is a MAC core, which {bus} has no place for; its bus is axis")
    allowed = widths(core, bus)
    chosen = allowed[0] if width is None else width
    if chosen not in allowed:
        known = ", ".join(map(str, allowed if mac else sorted(allowed)))
        raise LabError(f"{core.name} on {bus} cannot be {chosen} bits wide; allowed: {known}")
    manifest = files.toml(cores.root() / "hdl" / "interfaces" / "sources.toml")
    listed = manifest["mac_axis"] if mac else [*manifest["sources"], *manifest[bus]]
    adapter = [cores.root() / path for path in listed]  # in compile order, the adapter itself last
    contract = core.contract
    beside = [Port(name, way, width, comment) for way, name, width, comment in contract.beside]
    said = _SAID["ports"] | (_SAID["ports_of_mac"] if mac else {})
    outside = tuple(replace(port, comment=said.get(port.name, port.comment)) for port in [*ports(adapter[-1]), *beside])
    streams = {port.name.removesuffix("_tdata"): port.width for port in outside if port.name.endswith("_tdata")}
    name = f"{core.name.replace('-', '_')}_axis" if mac else f"{core.top}_{bus}"
    parameters, own = _parameters(core, bus, chosen), list(_own(core))
    sizes = [item.name for item in parameters if item.name not in own or item.name == "TAG_BITS"]
    text = files.forms(Path(__file__).parent).get_template("top.sv.j2").render(
        core=core, bus=bus, name=name, parameters=parameters, ports=outside, streams=streams, contract=contract,
        beside=[port.name for port in beside],
        adapter=adapter[-1].stem, adapter_parameters=[] if mac else [size for size in sizes if size != "AXIS_BITS"],
        core_parameters=[*own, "DATA_BITS", *([] if mac else ["CONTEXTS"])],
        clear="clear" if bus == "axis" else "1'b0",
    )  # fmt: skip
    sources = tuple(dict.fromkeys([*core.sources, *adapter]))
    return Top(name, bus, core, chosen, parameters, outside, sources, text)
