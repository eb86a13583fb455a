# SPDX-License-Identifier: Apache-2.0
"""Writes the worked messages of every suite: crates/sealwire-link/tests/data/worked-messages.txt.

python -m sealwire_model.worked > crates/sealwire-link/tests/data/worked-messages.txt
"""

from __future__ import annotations

from .schedule import Schedule
from .suites import SUITES
from .wire import CONFIRM, HELLO, REPLY, SID, message

HEAD = """\
# Worked messages: one handshake, its keep-alives and a frame each way, printed by an independent executable model.
# Setting as in docs/wire-format.md: PSK = 00 01 02 .., ids 1 and 2, R_i = a0 a1 .., R_r = c0 c1 .., Ethernet.
# The frames have 60 bytes, byte i is (7 i + 3) mod 256, and packet number 1.
# suite message hexadecimal digits
"""
ID_I, ID_R = (1).to_bytes(8, "big"), (2).to_bytes(8, "big")
FRAME = bytes((7 * i + 3) % 256 for i in range(60))


def psk(suite: int) -> bytes:
    """The pre-shared key of the setting."""
    return bytes(range(SUITES[suite].n))


def randoms(suite: int) -> tuple[bytes, bytes]:
    """R_i and R_r of the setting."""
    size = SUITES[suite].random_bytes
    return bytes(range(0xA0, 0xA0 + size)), bytes(range(0xC0, 0xC0 + size))


def messages(suite: int) -> dict[str, bytes]:
    """The messages by name."""
    schedule, (r_i, r_r) = Schedule(suite, psk(suite), ID_I, ID_R), randoms(suite)
    to_r, to_i = schedule.directions(r_i, r_r)
    return {
        "hello": message(suite, HELLO, bytes(SID), ID_I, r_i, schedule.hello_mac(r_i)),
        "hello-reply": message(suite, REPLY, r_i[:SID], ID_R, r_r, schedule.reply_mac(r_i, r_r)),
        "confirm": message(suite, CONFIRM, r_r[:SID], ID_I, r_i, schedule.confirm_mac(r_i, r_r)),
        "keep-alive-i-r": to_r.seal(0, b"\0"),
        "keep-alive-r-i": to_i.seal(0, b"\0"),
        "frame-i-r": to_r.seal(1, FRAME),
        "frame-r-i": to_i.seal(1, FRAME),
    }


def text() -> str:
    """The whole file."""
    lines = (f"{code:02x} {name} {packet.hex()}\n" for code in SUITES for name, packet in messages(code).items())
    return HEAD + "".join(lines)


if __name__ == "__main__":
    print(text(), end="")
