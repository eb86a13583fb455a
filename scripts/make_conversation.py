# SPDX-License-Identifier: Apache-2.0
"""Makes conversation.pcap, the traffic of `make run` for machines without namespaces.

Run it as `python scripts/make_conversation.py`. Plain Ethernet frames of two hosts: ARP, pings of three
sizes, and a file over TCP. Every run makes the same file.
"""

import random
from pathlib import Path

from scapy.layers.inet import ICMP, IP, TCP
from scapy.layers.l2 import ARP, Ether
from scapy.packet import Packet, Raw
from scapy.utils import PcapWriter
from sealwire_demo.ends import A, B, End
from sealwire_demo.probes import PING_BYTES, PROBE_BYTES
from sealwire_demo.traffic import marked_data
from sealwire_demo.traffic_capture import CAPTURE
from sealwire_demo.worker import MARKER

FILE_BYTES = 64 * 1024
_SEGMENT = 1448  # bytes, as with a 1500-byte MTU and TCP time stamps
_PORTS = (40000, 7701)


def _mac(end: End) -> str:
    return end.tap_mac_bytes.hex(":")


def _ip(sender: End, receiver: End, ident: int) -> Packet:
    frame: Packet = Ether(src=_mac(sender), dst=_mac(receiver)) / IP(src=sender.address, dst=receiver.address, id=ident)
    return frame


def conversation() -> list[Packet]:
    """All frames in order."""
    frames: list[Packet] = [
        Ether(src=_mac(A), dst="ff:ff:ff:ff:ff:ff")
        / ARP(op=1, hwsrc=_mac(A), psrc=A.address, hwdst="00:00:00:00:00:00", pdst=B.address),
        Ether(src=_mac(B), dst=_mac(A)) / ARP(op=2, hwsrc=_mac(B), psrc=B.address, hwdst=_mac(A), pdst=A.address),
    ]
    for number, size in enumerate([PING_BYTES] * 10 + list(PROBE_BYTES)):
        payload = (MARKER * (size // len(MARKER) + 1))[:size]
        for sender, receiver, kind in ((A, B, 8), (B, A, 0)):
            frames.append(_ip(sender, receiver, number) / ICMP(type=kind, id=1, seq=number) / Raw(payload))
    return frames + _file_over_tcp()


def _file_over_tcp() -> list[Packet]:
    data = marked_data(random.Random(7), FILE_BYTES)
    numbers = {"a": 1000, "b": 5000}
    frames: list[Packet] = []

    def say(sender: End, flags: str, payload: bytes = b"") -> None:
        receiver = B if sender is A else A
        ports = _PORTS if sender is A else _PORTS[::-1]
        segment = TCP(
            sport=ports[0], dport=ports[1], flags=flags, window=65535,
            seq=numbers[sender.name], ack=numbers[receiver.name] if "A" in flags else 0,
        )  # fmt: skip
        frames.append(_ip(sender, receiver, 100 + len(frames)) / segment / Raw(payload))
        numbers[sender.name] += len(payload) + ("S" in flags or "F" in flags)

    say(A, "S")
    say(B, "SA")
    say(A, "A")
    for count, offset in enumerate(range(0, len(data), _SEGMENT)):
        say(A, "PA", data[offset : offset + _SEGMENT])
        if count % 2:
            say(B, "A")
    say(A, "FA")
    say(B, "FA")
    say(A, "A")
    return frames


def main(path: Path = CAPTURE) -> None:
    with PcapWriter(str(path), linktype=1, endianness="<") as writer:
        for number, frame in enumerate(conversation()):
            frame.time = number / 1000
            writer.write(frame)


if __name__ == "__main__":
    main()
