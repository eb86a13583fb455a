# SPDX-License-Identifier: Apache-2.0
"""Writes the worked messages of every suite: crates/sealwire-link/tests/data/worked-messages.txt.

python -m sealwire_model.worked > crates/sealwire-link/tests/data/worked-messages.txt
python -m sealwire_model.worked 1 > crates/sealwire-link/tests/data/worked-messages-1.txt
"""

from __future__ import annotations

import sys

from .schedule import Schedule
from .suites import SUITES
from .wire import CONFIRM, HELLO, REPLY, SID, VERSION, message

HEAD = """\
# Worked messages: one handshake, its keep-alives and a frame each way, printed by an independent executable model.
# Setting as in docs/wire-format.md: PSK = 00 01 02 .., ids 1 and 2, R_i = a0 a1 .., R_r = c0 c1 .., Ethernet.
# The frames have 60 bytes, byte i is (7 i + 3) mod 256, and packet number 1.
# suite message hexadecimal digits
"""
HELLO_NUMBER = int.from_bytes(bytes(range(0xB0, 0xB8)), "big")
ID_I, ID_R = (1).to_bytes(8, "big"), (2).to_bytes(8, "big")
FRAME = bytes((7 * i + 3) % 256 for i in range(60))


def psk(suite: int) -> bytes:
    """The pre-shared key of the setting."""
    return bytes(range(SUITES[suite].n))


def randoms(suite: int) -> tuple[bytes, bytes]:
    """R_i and R_r of the setting."""
    size = SUITES[suite].random_bytes
    return bytes(range(0xA0, 0xA0 + size)), bytes(range(0xC0, 0xC0 + size))


def messages(suite: int, version: int = VERSION) -> dict[str, bytes]:
    """The messages by name."""
    schedule, (r_i, r_r) = Schedule(suite, psk(suite), ID_I, ID_R, version), randoms(suite)
    number = HELLO_NUMBER if version >= 2 else 0

    def said(kind: int, sid: bytes, sender: bytes, r: bytes, mac: bytes, number: int = 0) -> bytes:
        return message(suite, kind, sid, sender, r, mac, number, version)

    to_r, to_i = schedule.directions(r_i, r_r)
    return {
        "hello": said(HELLO, bytes(SID), ID_I, r_i, schedule.hello_mac(r_i, number), number),
        "hello-reply": said(REPLY, r_i[:SID], ID_R, r_r, schedule.reply_mac(r_i, r_r)),
        "confirm": said(CONFIRM, r_r[:SID], ID_I, r_i, schedule.confirm_mac(r_i, r_r)),
        "keep-alive-i-r": to_r.seal(0, b"\0"),
        "keep-alive-r-i": to_i.seal(0, b"\0"),
        "frame-i-r": to_r.seal(1, FRAME),
        "frame-r-i": to_i.seal(1, FRAME),
    }


def text(version: int = VERSION) -> str:
    """The whole file."""
    head = HEAD if version == 1 else HEAD.replace("R_r = c0 c1 ..,", "R_r = c0 c1 .., hello's number b0 b1 ..,")
    every = ((code, messages(code, version)) for code in SUITES)
    return head + "".join(
        f"{code:02x} {name} {said.hex()}\n" for code, by_name in every for name, said in by_name.items()
    )


if __name__ == "__main__":
    print(text(*map(int, sys.argv[1:])), end="")
