# SPDX-License-Identifier: Apache-2.0
"""The named top of a core: flat ports around the module and parameters of its manifest entry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Contract:
    """What all cores of a kind have at their ports."""

    interface: str
    sizes: tuple[str, ...]  # its parameters
    monitor: str  # module that watches it, with its parameters
    derived: tuple[str, ...]  # parameters of a flat top that follow from the others
    security: str
    ports: tuple[tuple[str, str, str, str], ...]  # but clk, rst, clear: direction, name, width of parameters, comment

    def fields(self) -> Iterator[tuple[str, str, str]]:
        """Direction and name of each port, and the field of the interface that it is."""
        for direction, port, _, _ in self.ports:
            yield direction, port, field(port)


_BYTES_BITS = "BYTES_BITS = $clog2(DATA_BITS / 8 + 1)"
_AEAD_PORTS = (
    ("output", "busy", "", "key work or a command in flight, or clearing"),
    ("input", "key_valid", "", ""),
    ("output", "key_ready", "", ""),
    ("input", "key_data", "KEY_BITS", ""),
    ("input", "cmd_valid", "", ""),
    ("output", "cmd_ready", "CONTEXTS", ""),
    ("input", "cmd_ctx", "CTX_BITS", ""),
    ("input", "cmd_op", "2", "0 seal, 1 open, 2 load AD"),
    ("input", "cmd_cached_ad", "", "use the AD cache, send no AD"),
    ("input", "cmd_nonce", "NONCE_BITS", ""),
    ("input", "ad_valid", "", ""),
    ("output", "ad_ready", "CONTEXTS", ""),
    ("input", "ad_ctx", "CTX_BITS", ""),
    ("input", "ad_data", "DATA_BITS", ""),
    ("input", "ad_bytes", "BYTES_BITS", "valid bytes of the beat"),
    ("input", "ad_last", "", ""),
    ("input", "msg_valid", "", ""),
    ("output", "msg_ready", "CONTEXTS", ""),
    ("input", "msg_ctx", "CTX_BITS", ""),
    ("input", "msg_data", "DATA_BITS", "message, or ciphertext without tag"),
    ("input", "msg_bytes", "BYTES_BITS", ""),
    ("input", "msg_last", "", ""),
    ("input", "tag_in_valid", "", ""),
    ("output", "tag_in_ready", "CONTEXTS", ""),
    ("input", "tag_in_ctx", "CTX_BITS", ""),
    ("input", "tag_in_data", "TAG_BITS", "expected tag, open only"),
    ("output", "out_valid", "", ""),
    ("input", "out_ready", "", ""),
    ("output", "out_ctx", "CTX_BITS", ""),
    ("output", "out_data", "DATA_BITS", "ciphertext, or plaintext NOT YET VERIFIED"),
    ("output", "out_bytes", "BYTES_BITS", ""),
    ("output", "out_last", "", ""),
    ("output", "result_valid", "", ""),
    ("input", "result_ready", "", ""),
    ("output", "result_ctx", "CTX_BITS", ""),
    ("output", "result_ok", "", ""),
    ("output", "result_tag", "TAG_BITS", "seal only, else 0"),
)

_MAC_PORTS = (
    ("output", "busy", "", "key work or a command in flight, or clearing"),
    ("input", "key_valid", "", ""),
    ("output", "key_ready", "", ""),
    ("input", "key_data", "KEY_BITS", "kept until replaced"),
    ("input", "cmd_valid", "", ""),
    ("output", "cmd_ready", "", ""),
    ("input", "cmd_verify", "", "0 compute a tag, 1 compare with an expected one"),
    ("input", "msg_valid", "", ""),
    ("output", "msg_ready", "", ""),
    ("input", "msg_data", "DATA_BITS", ""),
    ("input", "msg_bytes", "BYTES_BITS", "valid bytes of the beat"),
    ("input", "msg_last", "", ""),
    ("input", "tag_in_valid", "", ""),
    ("output", "tag_in_ready", "", ""),
    ("input", "tag_in_data", "TAG_BITS", "expected tag, verify only"),
    ("output", "result_valid", "", ""),
    ("input", "result_ready", "", ""),
    ("output", "result_ok", "", ""),
    ("output", "result_tag", "TAG_BITS", "compute only, else 0"),
)

#: Contracts by the kind of a core.
CONTRACTS = {
    "aead": Contract(
        "aead_if",
        ("DATA_BITS", "KEY_BITS", "NONCE_BITS", "TAG_BITS", "CONTEXTS"),
        "aead_monitor #(.DATA_BITS(DATA_BITS), .CONTEXTS(CONTEXTS))",
        (_BYTES_BITS, "CTX_BITS = CONTEXTS > 1 ? $clog2(CONTEXTS) : 1"),
        "in opening `out` is unverified until result_ok; only a release FIFO may take it.",
        _AEAD_PORTS,
    ),
    "mac": Contract(
        "mac_if",
        ("DATA_BITS", "KEY_BITS", "TAG_BITS"),
        "mac_monitor",
        (_BYTES_BITS,),
        "constant time for a given length; rst and clear zeroise all registers in one cycle.",
        _MAC_PORTS,
    ),
}

#: Modules that no synthesis sees, since a top has them for simulation alone.
MONITORS = frozenset(contract.monitor.partition(" ")[0] for contract in CONTRACTS.values())


def field(port: str) -> str:
    """The field of the interface that a flat port is."""
    for bundle in ("tag_in", "key", "cmd", "ad", "msg", "out", "result"):
        rest = port.removeprefix(f"{bundle}_")
        if rest != port:
            return f"{bundle}_ready" if rest == "ready" else f"{bundle}.{rest}"
    return port


def _list(parameters: Mapping[str, object]) -> str:
    return ",\n".join(f"      .{name}({value})" for name, value in parameters.items())


def join(contract: Contract, interface: str, prefix: str = "") -> list[str]:
    """Assignments between the fields of `interface` and flat wires, named as the ports after `prefix`."""
    return [
        f"  assign {interface}.{field} = {prefix}{port};"
        if direction == "input"
        else f"  assign {prefix}{port} = {interface}.{field};"
        for direction, port, field in contract.fields()
    ]


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
    parameters = [f"    parameter int unsigned {name} = {value}," for name, value in defaults.items()]
    ports = ["    input logic clk,", "    input logic rst,  // synchronous, as clear"]
    ports.append("    input logic clear,  // pulse: zeroise everything, drop what is in flight")
    for direction, port, width, comment in contract.ports:
        size = f" [{int(width) - 1 if width.isdigit() else f'{width}-1'}:0]" if width else ""
        end = "" if port == contract.ports[-1][1] else ","
        ports.append(f"    {direction} logic{size} {port}{end}" + (f"  // {comment}" if comment else ""))
    refusals = []
    for name, values in only.items():
        wrong = " && ".join(f"{name} != {value}" for value in values)
        allowed = ", ".join(map(str, values))
        refusals += [
            f"  if ({wrong}) begin : gen_bad_{name.lower()}",
            f'    $fatal(1, "{top}: {name} = %0d, allowed: {allowed}", {name});',
            "  end",
        ]
    own = {name: name for name in defaults}
    return "\n".join(
        [
            "// SPDX-License-Identifier: Apache-2.0",
            f"// {about}",
            f"// {module} behind flat ports, made by sealwire-lab from hdl/cores.toml. Ports: docs/core-ports.md.",
            "// Byte order: byte i of every string (key, nonce, tag, data) in bits [8i+7:8i].",
            f"// Security: {contract.security}",
            f"module {top} #(",
            *parameters,
            ",\n".join(f"    localparam int unsigned {line}" for line in contract.derived),
            ") (",
            *ports,
            ");",
            "",
            *refusals,
            f"  {contract.interface} #(",
            _list({name: name for name in contract.sizes}),
            "  ) port ();",
            *join(contract, "port"),
            "",
            f"  {module} #(",
            _list({**fixed, **own}),
            "  ) u_core (.clk, .clear(rst || clear), .port);",
            "",
            "`ifndef SYNTHESIS",
            f"  {contract.monitor} u_monitor (",
            "      .clk, .clear(rst || clear), .port",
            "  );",
            "`endif",
            "",
            "endmodule",
            "",
        ]
    )
