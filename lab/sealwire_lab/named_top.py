# SPDX-License-Identifier: Apache-2.0
"""The named top of an AEAD core: flat ports around the module and parameters of its manifest entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

#: Ports of an AEAD core but clk, rst and clear: direction, name, width as an expression of the parameters, comment.
PORTS = (
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

#: Sizes of the interface that joins a core to its neighbours.
SIZES = ("DATA_BITS", "KEY_BITS", "NONCE_BITS", "TAG_BITS", "CONTEXTS")


def field(port: str) -> str:
    """The field of aead_if that a flat port is."""
    for bundle in ("tag_in", "key", "cmd", "ad", "msg", "out", "result"):
        rest = port.removeprefix(f"{bundle}_")
        if rest != port:
            return f"{bundle}_ready" if rest == "ready" else f"{bundle}.{rest}"
    return port


def _list(parameters: Mapping[str, object]) -> str:
    return ",\n".join(f"      .{name}({value})" for name, value in parameters.items())


def join(interface: str, prefix: str = "") -> list[str]:
    """Assignments between the fields of `interface` and flat wires, named as the ports after `prefix`."""
    return [
        f"  assign {interface}.{field(port)} = {prefix}{port};"
        if direction == "input"
        else f"  assign {prefix}{port} = {interface}.{field(port)};"
        for direction, port, _, _ in PORTS
    ]


def render(
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
    for direction, port, width, comment in PORTS:
        size = f" [{int(width) - 1 if width.isdigit() else f'{width}-1'}:0]" if width else ""
        end = "" if port == PORTS[-1][1] else ","
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
            "// Security: in opening `out` is unverified until result_ok; only a release FIFO may take it.",
            f"module {top} #(",
            *parameters,
            "    localparam int unsigned BYTES_BITS = $clog2(DATA_BITS / 8 + 1),",
            "    localparam int unsigned CTX_BITS = CONTEXTS > 1 ? $clog2(CONTEXTS) : 1",
            ") (",
            *ports,
            ");",
            "",
            *refusals,
            "  aead_if #(",
            _list({name: name for name in SIZES}),
            "  ) port ();",
            *join("port"),
            "",
            f"  {module} #(",
            _list({**fixed, **own}),
            "  ) u_core (.clk, .clear(rst || clear), .port);",
            "",
            "`ifndef SYNTHESIS",
            "  aead_monitor #(.DATA_BITS(DATA_BITS), .CONTEXTS(CONTEXTS)) u_monitor (",
            "      .clk, .clear(rst || clear), .port",
            "  );",
            "`endif",
            "",
            "endmodule",
            "",
        ]
    )
