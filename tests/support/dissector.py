# SPDX-License-Identifier: Apache-2.0
"""What tshark says of frames through wireshark/sealwire.lua."""

from __future__ import annotations

import json
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest

SOURCE = Path(__file__).parents[2] / "wireshark" / "sealwire.lua"

needs_tshark = pytest.mark.skipif(
    not shutil.which("tshark"), reason="the dissector's tests are skipped: no tshark here (apt install tshark)"
)


def ethernet(packet: bytes) -> bytes:
    return bytes.fromhex("02000000bb0202000000aa0188b5") + packet


def udp(packet: bytes, port: int = 4500) -> bytes:
    header = struct.pack(">4H", 40000, port, 8 + len(packet), 0)
    total = 20 + len(header) + len(packet)
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, total, 0, 0, 64, 17, 0, bytes([192, 0, 2, 1]), bytes([192, 0, 2, 2]))
    return bytes.fromhex("02000000bb0202000000aa010800") + ip + header + packet


def dissect(folder: Path, frames: list[bytes], *options: str, source: Path = SOURCE) -> list[dict[str, list[str]]]:
    """Every field of the dissector by name, for each frame."""
    capture = folder / "capture.pcap"
    with capture.open("wb") as out:
        out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for frame in frames:
            out.write(struct.pack("<IIII", 0, 0, len(frame), len(frame)) + frame)
    command = ["tshark", "-r", str(capture), "-X", f"lua_script:{source}", "-T", "json", "--no-duplicate-keys"]
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
