# SPDX-License-Identifier: Apache-2.0
"""Two whole links with different secrets and the same public history are equal after a zeroise, in every register and
word but those that are named here, and say and do the same from there on."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from proofs import zeroise
from support import hdl_bench

SOURCES = tomllib.loads((hdl_bench.ROOT / "hdl" / "link" / "sources.toml").read_text(encoding="utf-8"))

#: What was on the wire may stay: queues of sealed packets and of handshake messages, the last beats of them in the
#: core's feeder, in front of a block, in the taker of messages and in the outer header's register, and the wires that
#: show them.
ON_THE_WIRE = (
    r"u_rx\.(u_receive_ctxt|u_put_to_dec)\..*|u_rx\.(ctxt|g_slices\.u_ctxt\.s|message_in|msg|tag_in)|message_in",
    r"u_rx\.u_decrypt\.((core|packets)\.)?(msg|tag_in)",
    r"u_rx\.u_decrypt\.g_interleaved\.u_interleave\.(msg|tag_in|u_in\.(w_data|word_data))",
    r"u_rx\.u_decrypt\.g_one\.u_aead\.\w+\.u_core\.(u_collector\.(data|in_data|write_data)|(u_datapath\.)?write_data)",
    r"u_handshake\.(message_in|msg|mac_word|u_take\.(beats|mac_word|message|message_in))",
    # Of sealed packets behind lanes the tags, which are public (tests/proofs/zeroise.toml)
    r"u_tx\.(result|(u_encrypt|u_encrypt\.g_interleaved\.u_interleave|u_get_from_enc)\.(result|result_of|tag_q))",
    r"m_axis_untrusted_tdata|u_tx\.(ctxt|g_slices\.u_ctxt\.s|leaving|framed|m_axis_untrusted_tdata)",
    r"u_tx\.(g_outer\.u_add|u_merge|u_send|u_to_axis)\..*",
    # Tags of received packets in front of an unrolled core, and the wires to the queue of its text
    r"u_rx\.u_decrypt\.g_direct\.g_ahead\.(tag|u_tags\..*|u_text\.(s|u_ram\.(w_data|word_data)))",
)
#: The word of a delivered frame that was read last from its queue, which is drained and not overwritten, and wires
#: behind it.
DELIVERED = (
    r"m_axis_trusted\w*",
    r"u_rx\.g_slices\.u_ptxt\.s",
    r"u_rx\.(leaving|m_axis_trusted\w*|ptxt|u_get_from_dec\.(ptxt|u_fifo_dec\.(m_data|u_ram\.r_data))|(u_send|u_to_axis)\..*)",
)


#: By top: its sources and the bench that is its life.
TOPS = {
    "sealwire_link": (SOURCES["sources"], "zeroise_bench"),
    "sealwire_link_axil": (SOURCES["sources"] + SOURCES["control"], "zeroise_registers_bench"),
}


#: Two cores each way, and unrolled ones behind streams of 128 bits
LANES, UNROLLED = {"LANES": 2, "WORK_BYTES": 16384}, {"ARCHITECTURE": 5, "DATA_BITS": 128}


def life(top: str, suite: int, more: dict[str, int], role: str, secret: int, folder: Path) -> dict[str, Any]:
    parameters = {"SUITE": suite, "STORE_BYTES": 32768, **more}
    sources, bench = TOPS[top]
    directory = hdl_bench.simulation(top, [hdl_bench.ROOT / name for name in sources], parameters, ["--public-flat-rw"])
    seen = folder / f"{secret}.json"
    test = "lives_on_after_a_zeroise"
    wide = {"DATA_BITS": more["DATA_BITS"]} if "DATA_BITS" in more else {}
    hdl_bench.check(directory, top, bench, test, SUITE=suite, ROLE=role, SECRET=secret, SEEN=seen, **wide)
    told: dict[str, Any] = json.loads(seen.read_text(encoding="utf-8"))
    return told


@pytest.mark.parametrize(
    ("top", "suite", "more", "role"),
    [
        ("sealwire_link", 0x11, {}, "i"),
        ("sealwire_link", 1, {}, "r"),
        pytest.param("sealwire_link_axil", 0x11, {"SLICES": 1}, "i", id="slices"),
        pytest.param("sealwire_link", 0x11, LANES, "i", id="lanes"),
        pytest.param("sealwire_link", 0x11, UNROLLED, "i", id="unrolled"),
        ("sealwire_link_axil", 0x11, {}, "i"),
    ],
)
def test_no_secret_shows_after_a_zeroise(top: str, suite: int, more: dict[str, int], role: str, tmp_path: Path) -> None:
    one, other = (life(top, suite, more, role, secret, tmp_path) for secret in (1, 2))
    differ = {
        what: {path.removeprefix(f"{top}.") for path, value in one[what].items() if other[what][path] != value}
        for what in ("alive", "zeroised")
    }
    assert len(differ["alive"]) > 200, "secrets are not to be found"
    remains = [entry["net"] for entry in zeroise.TABLE["remains"]]
    listed = re.compile(
        rf"m_axis_trusted\w*|m_axis_untrusted_tdata|u_end\.({'|'.join([*ON_THE_WIRE, *DELIVERED, *remains])})(\[\d+\])*"
    )
    left = sorted(path for path in differ["zeroised"] if not listed.fullmatch(path))
    assert not left, "\n".join(left)
    for what in ("counts", "said", "later", "cycles"):
        assert one[what] == other[what]
