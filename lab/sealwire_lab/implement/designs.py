# SPDX-License-Identifier: Apache-2.0
"""What is put on a device: a core alone, or a core behind a bus."""

from dataclasses import dataclass, replace

from .. import build, files, links, tops
from ..cores import Core
from ..errors import LabError
from ..results.record import BARE, Record


@dataclass(frozen=True)
class Design:
    """A module with its sources; `core` has its name and its top, `parameters` are those to elaborate it with."""

    core: Core
    parameters: dict[str, int]


def split(interface: str) -> tuple[str, int | None]:
    """Bus and width of an interface: axis-64, lwc-32, or the bus alone for its default width."""
    bus, dash, width = interface.partition("-")
    if bus not in tops.WIDTHS or (dash and not width.isdecimal()):
        raise LabError(f"no interface is called {interface!r} (known: {BARE}, axis-WIDTH, lwc-WIDTH)")
    return bus, int(width) if dash else None


def named(core: Core, interface: str) -> str:
    """The interface with its width."""
    if interface == BARE:
        return BARE
    bus, width = split(interface)
    return f"{bus}-{tops.render(core, bus, width).width}"


def of(core: Core, interface: str, parameters: dict[str, int]) -> Design:
    """The design for `parameters`, which are those of the core."""
    if interface == BARE:
        return Design(core, parameters)
    bus, width = split(interface)
    top = tops.render(core, bus, width)
    usual = core.parameters()
    other = {name: value for name, value in parameters.items() if value != usual[name]}
    fixed = sorted(set(other) - {item.name for item in top.parameters})
    if fixed:
        raise LabError(f"{top.name} has no parameter {fixed[0]}; leave it out, or take the bare core")
    written = top.write(build.build_dir() / "tops")
    return Design(replace(core, name=top.name, top=top.name, sources=(*top.sources, written)), other)


def current_hash(record: Record) -> str | None:
    """Hash of the sources that would be implemented today, None when the core is gone or takes other parameters."""
    core = links.designs().get(record.core)
    if core is None:
        return None
    try:
        return files.sources_hash(of(core, record.interface, record.params).core.sources)
    except (LabError, KeyError):
        return None
