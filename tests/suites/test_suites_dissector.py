# SPDX-License-Identifier: Apache-2.0
"""The Wireshark dissector against the table of suites: what it flags at the edges of every size, and of every code."""

from __future__ import annotations

from pathlib import Path

import pytest
from sealwire_model.suites import SUITES, Suite
from sealwire_model.wire import DATA, HELLO, MAX_FRAME, VERSION, handshake_length, header, message
from support.dissector import SOURCE, dissect, ethernet, needs_tshark

pytestmark = needs_tshark
SID, PEER = b"\xc0\xc1\xc2\xc3", bytes(7) + b"\1"


def data(code: int, length: int, number: int = 0) -> bytes:
    return header(code, length, SID, number, VERSION << 4 | DATA) + bytes(length)


def hello(code: int, length: int) -> bytes:
    return header(code, length, bytes(4), 0, VERSION << 4 | HELLO) + PEER + bytes(max(length - len(PEER), 0))


def edges(suite: Suite) -> list[tuple[str, bytes]]:
    """Packets beside the limits of a suite, and the cause under which a receiver drops them."""
    code, tag, length = suite.code, suite.tag_bytes, handshake_length(suite.code)
    return [
        ("length", data(code, tag)),
        ("", data(code, tag + 1)),
        ("", data(code, tag + MAX_FRAME)),
        ("length", data(code, tag + MAX_FRAME + 1)),
        ("", data(code, tag + 60, suite.n_max - 1)),
        ("number", data(code, tag + 60, suite.n_max)),
        ("length", hello(code, length - 1)),
        ("", message(code, HELLO, bytes(4), PEER, bytes(suite.random_bytes), bytes(16))),
        ("length", hello(code, length + 1)),
    ]


def flagged(folder: Path, source: Path = SOURCE) -> dict[int, list[str]]:
    """By suite, the causes that the dissector gives for the packets of `edges`."""
    packets = {code: [ethernet(packet) for _, packet in edges(suite)] for code, suite in SUITES.items()}
    said = iter(dissect(folder, [frame for frames in packets.values() for frame in frames], source=source))
    return {code: [next(said).get("drop", [""])[0] for _ in frames] for code, frames in packets.items()}


TABLE = {code: [cause for cause, _ in edges(suite)] for code, suite in SUITES.items()}


def test_sizes_and_packet_numbers_end_where_the_table_says(tmp_path: Path) -> None:
    assert flagged(tmp_path) == TABLE


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("tag = 20, random = 16", "tag = 21, random = 16"),
        ("tag = 20, random = 16", "tag = 20, random = 32"),
        ("random = 32, number_bits = 28", "random = 32, number_bits = 29"),
        ("  [0x12] = ", "  [0x13] = "),
    ],
)
def test_a_dissector_that_says_otherwise_is_noticed(line: str, other: str, tmp_path: Path) -> None:
    text = SOURCE.read_text(encoding="utf-8")
    assert line in text
    (tmp_path / "sealwire.lua").write_text(text.replace(line, other), encoding="utf-8")
    assert flagged(tmp_path, tmp_path / "sealwire.lua") != TABLE


def test_no_other_code_is_a_suite(tmp_path: Path) -> None:
    said = dissect(tmp_path, [ethernet(data(code, 60)) for code in range(256)])
    assert {code for code, one in enumerate(said) if one.get("drop") != ["suite"]} == set(SUITES)
