# SPDX-License-Identifier: Apache-2.0
"""Traffic from a capture file: plain Ethernet frames of two hosts, played into the two trusted sides.

The conversation keeps its order: a frame is played when all that its sender had received before it has come through.
"""

import hashlib
import select
import socket
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

from scapy.layers.inet import ICMP, TCP
from scapy.layers.l2 import Ether
from scapy.packet import Raw
from sealwire_lab.errors import LabError

from .bench import Bench
from .ends import ENDS
from .pcap import read_frames
from .traffic import Pings, Transfer
from .wire import OTHER

CAPTURE = Path(__file__).parent / "conversation.pcap"
_PATIENCE = 20.0  # seconds
_ATTACKED_ROUNDS = 4  # then the attacker is called off and the rest repeated in peace
_ROUNDS = 8
_ECHO_REQUEST = 8


class CaptureTraffic:
    """Plays conversation.pcap."""

    def __init__(self, bench: Bench) -> None:
        self.source = f"frames of the capture file {CAPTURE.name}, no namespaces"
        self._bench = bench
        names = {end.tap_mac_bytes: name for name, end in ENDS.items()}
        frames = [frame.ljust(bench.least, b"\0") for frame in read_frames(CAPTURE)]
        for frame in frames:
            if frame[6:12] not in names:
                raise LabError(f"{CAPTURE.name} has a frame from {frame[6:12].hex(':')}, who is neither end")
        self._frames = [(names[frame[6:12]], frame) for frame in frames]
        self._played_arp = False
        size = len(self._file_of([frame for _, frame in self._frames]))
        self.file_bytes = (size, size)
        pairs = {name: socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET) for name in ENDS}
        self._near = {name: pair[0] for name, pair in pairs.items()}
        self.far = {name: pair[1] for name, pair in pairs.items()}
        self._got: dict[str, list[bytes]] = {name: [] for name in ENDS}

    def close(self) -> None:
        for each in (*self.far.values(), *self._near.values()):
            each.close()

    def ping(self, count: int, size: int) -> Pings:
        pairs = [
            (frame, following)
            for (_, frame), (_, following) in pairwise(self._frames)
            if ICMP in (packet := Ether(frame))
            and packet[ICMP].type == _ECHO_REQUEST
            and len(packet[ICMP].payload) == size
        ]
        if not pairs:
            raise LabError(f"{CAPTURE.name} has no echo request with {size} bytes")
        if not self._played_arp:
            self._played_arp = True
            self._play([(sender, frame) for sender, frame in self._frames if frame[12:14] == b"\x08\x06"])
        times = []
        for request, reply in (pairs * count)[:count]:
            start = time.perf_counter()
            self._play([("a", request), ("b", reply)])
            times.append((time.perf_counter() - start) * 1e3)
        return Pings(count, times)

    def transfer(self, name: str, data_bytes: int) -> Transfer:
        frames = [(sender, frame) for sender, frame in self._frames if TCP in Ether(frame)]
        begin = {end: len(self._got[end]) for end in self._got}
        start = time.perf_counter()
        if self._bench.wire.attacked:
            self._play_lossy(frames, begin)
        else:
            self._play(frames)
        seconds = time.perf_counter() - start
        received = self._file_of(self._got["b"][begin["b"] :])
        sent = self._file_of([frame for _, frame in frames])
        if len(sent) != data_bytes:
            raise LabError(f"{CAPTURE.name} holds a file of {len(sent)} bytes, not {data_bytes}")
        put_in, came_out = (hashlib.sha256(data).hexdigest() for data in (sent, received))
        return Transfer(name, len(received), put_in, came_out, seconds)

    def _play(self, frames: list[tuple[str, bytes]]) -> None:
        """In the order of the conversation; ends when the last frame has come through."""
        due = {end: len(self._got[end]) for end in self._got}
        for sender, frame in frames:
            self._await(sender, due[sender])
            self._near[sender].send(frame)
            due[OTHER[sender]] += 1
        for end, count in due.items():
            self._await(end, count)

    def _play_lossy(self, frames: list[tuple[str, bytes]], begin: dict[str, int]) -> None:
        """What is lost is sent again, as TCP would."""
        missing = frames
        for attempt in range(_ROUNDS):
            if attempt == _ATTACKED_ROUNDS:
                self._bench.wire.attack(None)
            for sender, frame in missing:
                self._near[sender].send(frame)
            self._bench.settle()
            while self._collect(0):
                pass
            arrived = Counter((OTHER[end], frame) for end, got in self._got.items() for frame in got[begin[end] :])
            missing = list((Counter(frames) - arrived).elements())
            if not missing:
                return
        raise LabError(f"{len(missing)} frames have not come through in {_ROUNDS} attempts")

    def _await(self, end: str, count: int) -> None:
        deadline = time.monotonic() + _PATIENCE
        while len(self._got[end]) < count:
            if not self._collect(max(0.0, deadline - time.monotonic())):
                raise LabError(f"end {end.upper()} delivered {len(self._got[end])} frames, {count} were expected")

    def _collect(self, seconds: float) -> bool:
        """Takes a frame of each end that has delivered one, within the time; whether there was any."""
        ready = select.select(self._near.values(), [], [], seconds)[0]
        for name, each in self._near.items():
            if each in ready:
                self._got[name].append(each.recv(16384))
        return bool(ready)

    @staticmethod
    def _file_of(frames: list[bytes]) -> bytes:
        """The bytes that A sent over TCP, put in order by sequence number."""
        parsed = [frame for frame in map(Ether, frames) if TCP in frame and Raw in frame]
        mine = [frame for frame in parsed if frame.src == ENDS["a"].tap_mac_bytes.hex(":")]
        pieces = {frame[TCP].seq: frame[Raw].load for frame in mine}
        out = bytearray()
        first = min(pieces, default=0)
        for sequence in sorted(pieces):
            if sequence != first + len(out):
                break  # a hole: the file is not whole
            out += pieces[sequence]
        return bytes(out)
