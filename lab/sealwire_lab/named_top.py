# SPDX-License-Identifier: Apache-2.0
"""The named top of a core: flat ports around the module and parameters of its manifest entry.

Only the standard library is imported: FuseSoC makes tops outside of any environment.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as field_of
from pathlib import Path
from string import Template

_TEXT = Path(__file__).with_name("named_top.sv.txt")
#: What a core in shares has beside the interface.
_SEED = (
    ("input", "seed_valid", "", ""),
    ("output", "seed_ready", "", "no key is taken before a seed"),
    ("input", "seed_data", "160", "of the random bits: secret, uniform, never the same again"),
    ("output", "alarm", "", "the random bits failed: cleared until a seed comes"),
)


#: What watches a core that takes commands ahead
AHEAD = "aead_pipe_monitor"


@dataclass(frozen=True)
class Contract:
    """What all cores of a kind have at their ports."""

    interface: str
    sizes: list[str]  # its parameters
    monitor: str  # module that watches it, with its parameters
    derived: list[str]  # parameters of a flat top that follow from the others
    security: str
    ports: list[tuple[str, str, str, str]]  # but clk, rst, clear: direction, name, width of parameters, comment
    values: dict[str, str] = field_of(default_factory=dict)  # what `sizes` are, if not parameters of their name
    beside: tuple[tuple[str, str, str, str], ...] = ()  # ports that are no fields of the interface
    clear: str = "rst || clear"  # when nothing that the monitor knows goes on

    def in_shares(self, shares: int) -> Contract:
        """The contract of a core that takes its key in shares and a seed of its random bits (docs/core-ports.md)."""
        if shares == 1:
            return self
        note = f"{shares} shares, whose sum is the key: share 0 in the low bits"
        return replace(
            self,
            derived=[*self.derived, f"KEY_PORT_BITS = {shares} * KEY_BITS"],
            ports=[(w, p, "KEY_PORT_BITS", note) if p == "key_data" else (w, p, n, c) for w, p, n, c in self.ports],
            values={"KEY_BITS": "KEY_PORT_BITS"},
            beside=_SEED,
            clear="rst || clear || alarm",
        )

    def with_commands(self, commands: int) -> Contract:
        """The contract of a core that takes commands ahead of their strings, so many of them in flight."""
        if commands == 1:
            return self
        return replace(self, monitor=f"{AHEAD} #(.DATA_BITS(DATA_BITS), .COMMANDS({commands}))")

    def fields(self) -> Iterator[tuple[str, str, str]]:
        """Direction and name of each port, and the field of the interface that it is."""
        for direction, port, _, _ in self.ports:
            yield direction, port, field(port)


#: Contracts by the kind of a core.
CONTRACTS = {
    kind: Contract(**table)
    for kind, table in tomllib.loads(_TEXT.with_name("named_top.toml").read_text(encoding="utf-8")).items()
}

#: Modules that no synthesis sees, since a top has them for simulation alone.
MONITORS = frozenset({AHEAD, *(contract.monitor.partition(" ")[0] for contract in CONTRACTS.values())})


def field(port: str) -> str:
    """The field of the interface that a flat port is."""
    for bundle in ("tag_in", "key", "cmd", "ad", "msg", "out", "result"):
        rest = port.removeprefix(f"{bundle}_")
        if rest != port:
            return f"{bundle}_ready" if rest == "ready" else f"{bundle}.{rest}"
    return port


def _list(parameters: Mapping[str, object]) -> str:
    return ",\n".join(f"      .{name}({value})" for name, value in parameters.items())


def _ports(contract: Contract) -> Iterator[str]:
    ports = (*contract.ports, *contract.beside)
    for direction, port, width, comment in ports:
        size = f" [{int(width) - 1 if width.isdigit() else f'{width}-1'}:0]" if width else ""
        end = "" if port == ports[-1][1] else ","
        yield f"    {direction} logic{size} {port}{end}" + (f"  // {comment}" if comment else "")


def _refusals(top: str, only: Mapping[str, Iterable[int]]) -> Iterator[str]:
    for name, values in only.items():
        wrong = " && ".join(f"{name} != {value}" for value in values)
        yield f"  if ({wrong}) begin : gen_bad_{name.lower()}\n"
        yield f'    $fatal(1, "{top}: {name} = %0d, allowed: {", ".join(map(str, values))}", {name});\n  end\n'


def render(
    contract: Contract,
    top: str,
    module: str,
    fixed: Mapping[str, int],
    defaults: Mapping[str, int],
    only: Mapping[str, Sequence[int]],
    about: str,
) -> str:
    """The text of the top: parameters of the module that it sets, its own, and the values these may `only` have."""
    join = (
        f"  assign port.{field} = {port};" if direction == "input" else f"  assign {port} = port.{field};"
        for direction, port, field in contract.fields()
    )
    return Template(_TEXT.read_text(encoding="utf-8")).substitute(
        about=about, module=module, security=contract.security, top=top, interface=contract.interface,
        monitor=contract.monitor, ports="\n".join(_ports(contract)), join="\n".join(join),
        parameters="\n".join(f"    parameter int unsigned {name} = {value}," for name, value in defaults.items()),
        derived=",\n".join(f"    localparam int unsigned {line}" for line in contract.derived),
        refusals="".join(_refusals(top, only)),
        sizes=_list({name: contract.values.get(name, name) for name in contract.sizes}),
        beside="".join(f", .{port}" for _, port, _, _ in contract.beside), clear=contract.clear,
        given=_list({**fixed, **{name: name for name in defaults}}),
    )  # fmt: skip
