# SPDX-License-Identifier: Apache-2.0
"""The Wireshark dissector, asked through tshark about the worked messages and about packets that no receiver takes."""

import subprocess
from pathlib import Path
from typing import Any

import pytest
from sealwire_model.suites import SUITES
from support.dissector import SOURCE, dissect, ethernet, needs_tshark, udp
from support.worked_messages import every

pytestmark = needs_tshark


def digits(data: bytes) -> str:
    return data.hex(":")


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("carrier", [ethernet, udp])
def test_shows_every_field_of_the_worked_messages(tmp_path: Path, carrier: Any, version: int) -> None:
    messages = every(version)
    assert len(messages) == 7 * len(SUITES)
    shown = dissect(tmp_path, [carrier(packet) for _, _, packet in messages])
    for (code, name, packet), said in zip(messages, shown, strict=True):
        tag, random = SUITES[code].tag_bytes, SUITES[code].random_bytes
        one = {field: values[0] for field, values in said.items() if len(values) == 1}
        assert (one["version"], int(one["suite"], 16), int(one["length"])) == (str(version), code, len(packet) - 16), (
            name
        )
        number, other = ("hello_number", "number") if (version, name) == (2, "hello") else ("number", "hello_number")
        assert int(one[number]) == int.from_bytes(packet[8:16], "big") and other not in said
        assert one["session"] == digits(packet[4:8])
        assert "drop" not in said and "padding" not in said and "rest" not in said, said
        kinds = ["data", "hello", "hello-reply", "confirm"]
        assert int(one["type"]) == packet[0] & 15
        assert kinds[packet[0] & 15] == (name if name in kinds else "data")
        if packet[0] & 15 == 0:
            assert one["ciphertext"] == digits(packet[16:-tag]) and one["tag"] == digits(packet[-tag:])
            assert int(one["frame_length"]) == (1 if name.startswith("keep-alive") else 60)
            assert one["keep_alive"] in (("1", "True") if name.startswith("keep-alive") else ("0", "False"))
        else:
            assert int(one["id"], 16) == (2 if name == "hello-reply" else 1)
            assert one["random"] == digits(packet[24 : 24 + random]) and one["mac"] == digits(packet[-16:])
            assert one["offers"] == digits(packet[24:28])


def test_names_suites_and_types_for_people(tmp_path: Path) -> None:
    frames = [ethernet(packet) for _, _, packet in every()]
    capture = tmp_path / "capture.pcap"
    dissect(tmp_path, frames)
    text = subprocess.run(
        ["tshark", "-r", str(capture), "-X", f"lua_script:{SOURCE}", "-V"], capture_output=True, text=True
    ).stdout
    for suite in SUITES.values():
        assert f"Suite: {suite.name} ({suite.scheme})" in text
    for name in ("hello, ", "hello-reply from 0000000000000002", "confirm from 0000000000000001", "keep-alive"):
        assert name.rstrip(", ") in text
    assert "data, 60 bytes, session c0c1c2c3, number 1" in text


def test_marks_padding(tmp_path: Path) -> None:
    packet = next(packet for code, name, packet in every() if (code, name) == (5, "keep-alive-i-r"))
    padded, exact = dissect(tmp_path, [ethernet(packet + bytes(9)), ethernet(packet)])
    assert padded["padding"] == [digits(bytes(9))] and padded["tag"] == [digits(packet[-20:])]
    assert "padding" not in exact


def test_names_a_request_to_be_called(tmp_path: Path) -> None:
    request = bytes.fromhex("20010021") + bytes(12 + 33)
    said = dissect(tmp_path, [ethernet(request)])[0]
    assert said["rest"] == [digits(bytes(33))] and "drop" not in said and "keep_alive" not in said
    command = ["tshark", "-r", str(tmp_path / "capture.pcap"), "-X", f"lua_script:{SOURCE}"]
    assert "call request" in subprocess.run(command, capture_output=True, text=True).stdout


def test_flags_what_a_receiver_drops_by_its_form(tmp_path: Path) -> None:
    known = {name: packet for code, name, packet in every() if code == 1}
    data, hello = known["frame-i-r"], known["hello"]

    def changed(packet: bytes, at: int, new: bytes) -> bytes:
        return packet[:at] + new + packet[at + len(new) :]

    cases = [
        ("short", data[:1]),
        ("short", data[:15]),
        ("short", data[:16]),
        ("short", data[:-1]),
        ("short", changed(data, 2, b"\xff\xff")),
        ("version", changed(data, 0, b"\x00")),
        ("version", changed(data, 0, b"\x30")),
        ("type", changed(data, 0, b"\x24")),
        ("suite", changed(data, 1, b"\x09")),
        ("length", changed(data, 2, (32).to_bytes(2, "big"))),
        ("length", changed(data, 2, (9633).to_bytes(2, "big")) + bytes(9600)),
        ("length", changed(hello, 2, (55).to_bytes(2, "big"))),
        ("length", changed(hello, 2, (57).to_bytes(2, "big")) + b"\0"),
        ("session", changed(data, 4, bytes(4))),
        ("session", changed(hello, 4, b"\1")),
        ("session", changed(known["confirm"], 4, bytes(4))),
        ("peer", changed(hello, 16, bytes(8))),
        ("number", changed(changed(hello, 0, b"\x11"), 8, bytes(7) + b"\1")),
        ("none", changed(changed(hello, 0, b"\x11"), 8, bytes(8))),
        ("none", changed(hello, 8, bytes(8))),
        ("number", changed(known["confirm"], 15, b"\1")),
        ("number", changed(known["hello-reply"], 8, b"\1")),
        ("number", changed(data, 8, b"\0\1")),
        # Of suite 11 packet numbers end at 2^28.
        ("number", changed(changed(data, 1, b"\x11"), 12, b"\x10")),
        ("none", changed(changed(data, 1, b"\x11"), 12, b"\x0f")),
        # Of suite 61 they end at 2^27.
        ("number", changed(changed(data, 1, b"\x61"), 12, b"\x08")),
        ("none", changed(changed(data, 1, b"\x61"), 12, b"\x07")),
    ]
    shown = dissect(tmp_path, [ethernet(packet) for _, packet in cases])
    assert [said.get("drop", ["none"])[0] for said in shown] == [cause for cause, _ in cases]
    marked = ["_ws.malformed" in str(said) or "malformed" in said for said in shown]
    assert marked == [cause != "none" for cause, _ in cases]


def test_notes_messages_that_are_too_short_to_deliver(tmp_path: Path) -> None:
    data = next(packet for code, name, packet in every() if (code, name) == (1, "frame-i-r"))
    thirteen = data[:2] + (45).to_bytes(2, "big") + data[4 : 16 + 45]
    (said,) = dissect(tmp_path, [ethernet(thirteen)])
    assert "drop" not in said and "never delivered" in said["_ws.expert.message"][0]


def test_udp_ports_are_a_preference(tmp_path: Path) -> None:
    _, _, packet = every()[0]
    frames = [udp(packet, 4500), udp(packet, 9999)]
    usual, moved = dissect(tmp_path, frames), dissect(tmp_path, frames, "-o", "sealwire.ports:9990-9999")
    assert ["suite" in said for said in usual] == [True, False]
    assert ["suite" in said for said in moved] == [False, True]
