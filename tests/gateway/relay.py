# SPDX-License-Identifier: Apache-2.0
"""The man in the middle: a relay that attacks when told to. Runs in the namespace between the two gateways.

    relay.py A_SIDE B_SIDE B        listen address towards A, bind address towards B, B's address; each as ADDRESS:PORT

Every line of standard input is a JSON object: the attack from then on. Empty: honest. `{"quit": true}`: the end.
`{"cards": [[CARD, HEADER], [CARD, HEADER]]}`: Ethernet in place of UDP, by a card towards A and one towards B, with the
header of frames that leave there, in hexadecimal.
Every line is answered by one line on standard output, so that whoever tells knows that it counts.
"""

from __future__ import annotations

import contextlib
import json
import random
import select
import socket
import sys
import time
from typing import Any

MEMORY = 2000
PACES = 0.005
"""Seconds between two rounds of injected packets."""


def address(text: str) -> tuple[str, int]:
    host, port = text.rsplit(":", 1)
    return host, int(port)


def ready(made: socket.socket, place: tuple[str, int]) -> socket.socket:
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
    made.bind(place)
    made.setblocking(False)
    return made


class Udp:
    """A side of the relay: its packets go to whom it hears, and at first to `place`, if there is one."""

    most = 65507
    """Bytes of a packet."""

    def __init__(self, own: str, place: str | None = None) -> None:
        self.socket = ready(socket.socket(socket.AF_INET, socket.SOCK_DGRAM), address(own))
        self.place = address(place) if place else None

    def take(self) -> bytes:
        packet, self.place = self.socket.recvfrom(65535)
        return packet

    def give(self, packet: bytes) -> None:
        if self.place is not None:
            self.socket.sendto(packet, self.place)


class Card:
    """A side of the relay: link packets behind a header of Ethernet."""

    most = 1500

    def __init__(self, name: str, header: str) -> None:
        self.header = bytes.fromhex(header)
        kind = int.from_bytes(self.header[12:], "big")
        self.socket = ready(socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(kind)), (name, kind))

    def take(self) -> bytes:
        return self.socket.recv(65535)[len(self.header) :]

    def give(self, packet: bytes) -> None:
        self.socket.send(self.header + packet)


class Relay:
    def __init__(self, a_side: str, b_side: str, b: str) -> None:
        self.sides: list[Udp | Card] = [Udp(a_side), Udp(b_side, b)]
        self.attack: dict[str, Any] = {}
        self.seen: list[tuple[int, bytes]] = []
        self.hellos: list[bytes] = []
        self.late: list[tuple[float, int, bytes]] = []
        self.dice = random.Random(1)
        self.next_round = 0.0
        self.injected = 0
        self.passed = [0, 0]

    def send(self, to: int, packet: bytes) -> bool:
        with contextlib.suppress(OSError):
            self.sides[to].give(packet)
            return True
        return False  # lost

    def chance(self, name: str) -> bool:
        return self.dice.random() < float(self.attack.get(name, 0))

    def carry(self, came_from: int, packet: bytes) -> None:
        to = 1 - came_from
        if len(self.seen) < MEMORY:
            self.seen.append((to, packet))
        else:
            self.seen[self.dice.randrange(MEMORY)] = (to, packet)
        if packet and packet[0] & 15 == 1:
            self.hellos.append(packet)
        self.passed[to] += 1
        if self.chance("loss"):
            return
        if self.chance("late"):
            self.late.append((time.monotonic() + self.dice.uniform(0.05, 3), to, packet))
            return
        if self.chance("reorder"):
            self.late.append((time.monotonic() + self.dice.uniform(0.001, 0.02), to, packet))
            return
        if self.chance("corrupt"):
            packet = self.changed(packet)
        self.send(to, packet)
        if self.chance("duplicate"):
            self.send(to, packet)

    def changed(self, packet: bytes) -> bytes:
        bytes_ = bytearray(packet)
        kind = self.dice.randrange(4)
        if kind == 0:
            del bytes_[self.dice.randrange(len(bytes_)) :]
        elif kind == 1:
            bytes_ += self.dice.randbytes(self.dice.randrange(1, 200))
            bytes_[self.dice.randrange(4, 30)] ^= 1
        else:
            bytes_[self.dice.randrange(len(bytes_))] ^= 1 << self.dice.randrange(8)
        return bytes(bytes_)

    def inject(self) -> None:
        for _ in range(int(self.attack.get("garbage", 0))):
            packet = bytearray(self.dice.randbytes(self.dice.randrange(0, 1400)))
            if packet and self.dice.random() < 0.5:
                packet[0] = self.dice.choice((0x10, 0x20)) | packet[0] & 3
            self.push(self.dice.randrange(2), bytes(packet))
        for _ in range(int(self.attack.get("replay", 0)) if self.seen else 0):
            to, packet = self.dice.choice(self.seen)
            # Half of them to where they came from.
            self.push(to if self.dice.random() < 0.5 else 1 - to, packet)
        for _ in range(int(self.attack.get("hellos", 0)) if self.hellos else 0):
            packet = self.hellos[-1] if self.dice.random() < 0.5 else self.changed(self.hellos[-1])
            self.push(1, packet)
        for _ in range(int(self.attack.get("oversize", 0))):
            to = self.dice.randrange(2)
            packet = b"\x20\x02\xff\xff" + self.dice.randbytes(20000)
            self.push(to, packet[: self.sides[to].most])

    def push(self, to: int, packet: bytes) -> None:
        self.injected += self.send(to, packet)

    def run(self) -> None:
        while True:
            waiting: list[Any] = [*(side.socket for side in self.sides), sys.stdin]
            pause = PACES if self.attack or self.late else 1.0
            readable, _, _ = select.select(waiting, [], [], pause)
            if sys.stdin in readable:
                line = sys.stdin.readline()
                self.attack = json.loads(line) if line.strip() else {"quit": True}
                if cards := self.attack.pop("cards", None):
                    self.sides = [Card(*card) for card in cards]
                if self.attack.get("release", False):
                    self.late = [(0.0, to, packet) for _, to, packet in self.late]
                print(json.dumps({"injected": self.injected, "passed": self.passed}), flush=True)
                if self.attack.get("quit"):
                    return
            for number, side in enumerate(self.sides):
                if side.socket in readable:
                    self.drain(number)
            now = time.monotonic()
            due = [entry for entry in self.late if entry[0] <= now]
            if due:
                self.late = [entry for entry in self.late if entry[0] > now]
                for _, to, packet in due:
                    self.send(to, packet)
            if self.attack and now >= self.next_round:
                self.next_round = now + PACES
                self.inject()

    def drain(self, came_from: int) -> None:
        for _ in range(64):
            try:
                packet = self.sides[came_from].take()
            except BlockingIOError:
                return
            except OSError:
                continue
            self.carry(came_from, packet)


if __name__ == "__main__":
    Relay(*sys.argv[1:]).run()
