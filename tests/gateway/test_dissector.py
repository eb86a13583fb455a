# SPDX-License-Identifier: Apache-2.0
"""The Wireshark dissector, asked through tshark about the worked messages and about packets that no receiver takes."""

import json
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest
from lab_net import ROOT

DISSECTOR = ROOT / "wireshark/sealwire.lua"
WORKED = ROOT / "crates/sealwire-link/tests/data/worked-messages.txt"
SUITES = {
    1: ("omd-sha512", 32, 32),
    2: ("omd-blake2b", 32, 32),
    3: ("pomd-sha512", 32, 32),
    4: ("pomd-blake2b", 32, 32),
    5: ("omd-sha256", 20, 16),
    0x11: ("otr-aes128-p", 16, 32),
    0x12: ("otr-aes256-p", 16, 32),
}
"""Name, bytes of the tag, bytes of the random value."""

pytestmark = pytest.mark.skipif(
    not shutil.which("tshark"), reason="the dissector's tests are skipped: no tshark here (apt install tshark)"
)


def worked() -> list[tuple[int, str, bytes]]:
    """Suite, name and bytes of every published message."""
    lines = [line.split() for line in WORKED.read_text().splitlines() if line and not line.startswith("#")]
    return [(int(suite, 16), name, bytes.fromhex(digits)) for suite, name, digits in lines]


def ethernet(packet: bytes) -> bytes:
    return bytes.fromhex("02000000bb0202000000aa0188b5") + packet


def udp(packet: bytes, port: int = 4500) -> bytes:
    header = struct.pack(">4H", 40000, port, 8 + len(packet), 0)
    total = 20 + len(header) + len(packet)
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, total, 0, 0, 64, 17, 0, bytes([192, 0, 2, 1]), bytes([192, 0, 2, 2]))
    return bytes.fromhex("02000000bb0202000000aa010800") + ip + header + packet


def dissect(folder: Path, frames: list[bytes], *options: str) -> list[dict[str, list[str]]]:
    """What tshark says about each frame: every field of the dissector by name."""
    capture = folder / "capture.pcap"
    with capture.open("wb") as out:
        out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for frame in frames:
            out.write(struct.pack("<IIII", 0, 0, len(frame), len(frame)) + frame)
    command = ["tshark", "-r", str(capture), "-X", f"lua_script:{DISSECTOR}", "-T", "json", "--no-duplicate-keys"]
    done = subprocess.run([*command, *options], capture_output=True, text=True)
    assert done.returncode == 0 and "Lua" not in done.stderr, done.stderr
    return [fields(packet["_source"]["layers"].get("sealwire", {})) for packet in json.loads(done.stdout)]


def fields(layer: Any) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}

    def walk(node: Any) -> None:
        if isinstance(node, dict):
            for name, value in node.items():
                for each in value if isinstance(value, list) else [value]:
                    if isinstance(each, str):
                        found.setdefault(name.removeprefix("sealwire."), []).append(each)
                    else:
                        walk(each)

    walk(layer)
    return found


def digits(data: bytes) -> str:
    return data.hex(":")


@pytest.mark.parametrize("carrier", [ethernet, udp])
def test_shows_every_field_of_the_worked_messages(tmp_path: Path, carrier: Any) -> None:
    messages = worked()
    assert len(messages) == 49
    shown = dissect(tmp_path, [carrier(packet) for _, _, packet in messages])
    for (code, name, packet), said in zip(messages, shown, strict=True):
        _, tag, random = SUITES[code]
        one = {field: values[0] for field, values in said.items() if len(values) == 1}
        assert (one["version"], int(one["suite"], 16), int(one["length"])) == ("1", code, len(packet) - 16), name
        assert one["session"] == digits(packet[4:8]) and int(one["number"]) == int.from_bytes(packet[8:16], "big")
        assert "drop" not in said and "padding" not in said and "rest" not in said, said
        kinds = ["data", "hello", "hello-reply", "confirm"]
        assert int(one["type"]) == packet[0] & 15
        assert kinds[packet[0] & 15] == (name if name in kinds else "data")
        if packet[0] == 0x10:
            assert one["ciphertext"] == digits(packet[16:-tag]) and one["tag"] == digits(packet[-tag:])
            assert int(one["frame_length"]) == (1 if name.startswith("keep-alive") else 60)
            assert one["keep_alive"] in (("1", "True") if name.startswith("keep-alive") else ("0", "False"))
        else:
            assert int(one["id"], 16) == (2 if name == "hello-reply" else 1)
            assert one["random"] == digits(packet[24 : 24 + random]) and one["mac"] == digits(packet[-16:])
            assert one["offers"] == digits(packet[24:28])


def test_names_suites_and_types_for_people(tmp_path: Path) -> None:
    frames = [ethernet(packet) for _, _, packet in worked()]
    capture = tmp_path / "capture.pcap"
    dissect(tmp_path, frames)
    text = subprocess.run(
        ["tshark", "-r", str(capture), "-X", f"lua_script:{DISSECTOR}", "-V"], capture_output=True, text=True
    ).stdout
    for name, _, _ in SUITES.values():
        assert f"Suite: {name} (" in text
    for name in ("hello, ", "hello-reply from 0000000000000002", "confirm from 0000000000000001", "keep-alive"):
        assert name.rstrip(", ") in text
    assert "data, 60 bytes, session c0c1c2c3, number 1" in text


def test_marks_padding(tmp_path: Path) -> None:
    packet = next(packet for code, name, packet in worked() if (code, name) == (5, "keep-alive-i-r"))
    padded, exact = dissect(tmp_path, [ethernet(packet + bytes(9)), ethernet(packet)])
    assert padded["padding"] == [digits(bytes(9))] and padded["tag"] == [digits(packet[-20:])]
    assert "padding" not in exact


def test_flags_what_a_receiver_drops_by_its_form(tmp_path: Path) -> None:
    known = {name: packet for code, name, packet in worked() if code == 1}
    data, hello = known["frame-i-r"], known["hello"]

    def changed(packet: bytes, at: int, new: bytes) -> bytes:
        return packet[:at] + new + packet[at + len(new) :]

    cases = [
        ("short", data[:1]),
        ("short", data[:15]),
        ("short", data[:16]),
        ("short", data[:-1]),
        ("short", changed(data, 2, b"\xff\xff")),
        ("version", changed(data, 0, b"\x20")),
        ("type", changed(data, 0, b"\x14")),
        ("suite", changed(data, 1, b"\x09")),
        ("length", changed(data, 2, (32).to_bytes(2, "big"))),
        ("length", changed(data, 2, (9633).to_bytes(2, "big")) + bytes(9600)),
        ("length", changed(hello, 2, (55).to_bytes(2, "big"))),
        ("length", changed(hello, 2, (57).to_bytes(2, "big")) + b"\0"),
        ("session", changed(data, 4, bytes(4))),
        ("session", changed(hello, 4, b"\1")),
        ("session", changed(known["confirm"], 4, bytes(4))),
        ("peer", changed(hello, 16, bytes(8))),
        ("number", changed(hello, 15, b"\1")),
        ("number", changed(data, 8, b"\0\1")),
        # Of suite 11 packet numbers end at 2^28.
        ("number", changed(changed(data, 1, b"\x11"), 12, b"\x10")),
        ("none", changed(changed(data, 1, b"\x11"), 12, b"\x0f")),
    ]
    shown = dissect(tmp_path, [ethernet(packet) for _, packet in cases])
    assert [said.get("drop", ["none"])[0] for said in shown] == [cause for cause, _ in cases]
    assert ["_ws.malformed" in str(said) or "malformed" in said for said in shown] == [True] * (len(cases) - 1) + [
        False
    ]


def test_notes_messages_that_are_too_short_to_deliver(tmp_path: Path) -> None:
    data = next(packet for code, name, packet in worked() if (code, name) == (1, "frame-i-r"))
    thirteen = data[:2] + (45).to_bytes(2, "big") + data[4 : 16 + 45]
    (said,) = dissect(tmp_path, [ethernet(thirteen)])
    assert "drop" not in said and "never delivered" in said["_ws.expert.message"][0]


def test_udp_ports_are_a_preference(tmp_path: Path) -> None:
    _, _, packet = worked()[0]
    frames = [udp(packet, 4500), udp(packet, 9999)]
    usual, moved = dissect(tmp_path, frames), dissect(tmp_path, frames, "-o", "sealwire.ports:9990-9999")
    assert ["suite" in said for said in usual] == [True, False]
    assert ["suite" in said for said in moved] == [False, True]
