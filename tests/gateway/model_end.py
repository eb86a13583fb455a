# SPDX-License-Identifier: Apache-2.0
"""The executable model as the end that calls, over UDP: who asks its inner address by ARP or ping is answered.

python model_end.py SUITE KEY OWN-ADDRESS:PORT PEER-ADDRESS:PORT INNER-ADDRESS

SUITE is a short name, KEY the pre-shared key in hexadecimal digits. A line on standard input ends it; then it writes
its counters.
"""

from __future__ import annotations

import json
import select
import socket
import sys
import time

from sealwire_model.end import End
from sealwire_model.suites import BY_NAME

CARD = bytes.fromhex("02005e100009")
ARP, IPV4 = b"\x08\x06", b"\x08\x00"


def answer(frame: bytes, inner: bytes) -> bytes | None:
    """The frame that answers an ARP request for the inner address, or an echo request to it."""
    sender, kind, packet = frame[6:12], frame[12:14], frame[14:]
    head = CARD + kind
    if kind == ARP and packet[6:8] == b"\0\1" and packet[24:28] == inner:
        return sender + head + packet[:6] + b"\0\2" + CARD + inner + packet[8:18]
    options = 4 * (packet[0] & 15) - 20 if kind == IPV4 else -1
    if options == 0 and packet[9] == 1 and packet[16:20] == inner and packet[20] == 8:
        total = int.from_bytes(packet[22:24], "big") + 0x0800  # of the type, from 8 to 0
        checksum = (total & 0xFFFF) + (total >> 16)
        addresses = packet[16:20] + packet[12:16]
        return sender + head + packet[:12] + addresses + b"\0\0" + checksum.to_bytes(2, "big") + packet[24:]
    return None


def address(text: str) -> tuple[str, int]:
    host, port = text.split(":")
    return host, int(port)


def main(suite: str, key: str, own: str, peer: str, inner: str) -> None:
    end = End(BY_NAME[suite].code, (1).to_bytes(8, "big"), (2).to_bytes(8, "big"), wall_clock=time.time_ns)
    end.psk = bytes.fromhex(key)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(address(own))
        sock.connect(address(peer))
        while True:
            end.poll(time.monotonic() * 1000)
            for packet in end.out:
                sock.send(packet)
            end.out.clear()
            ready = select.select([sock, sys.stdin], [], [], 0.02)[0]
            if sys.stdin in ready:
                break
            if sock in ready:
                end.receive(sock.recv(65535))
            for frame in end.delivered:
                if end.cur and (said := answer(frame, socket.inet_aton(inner))):
                    sock.send(end.seal(said))
            end.delivered.clear()
    print(json.dumps(end.counts))


if __name__ == "__main__":
    main(*sys.argv[1:])
