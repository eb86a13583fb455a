# SPDX-License-Identifier: Apache-2.0
"""The wire between the two untrusted sides: relays whole frames, records them, and lets the attacker at them."""

import selectors
import socket
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sealwire_model.onlooker import Receiver, link_packet

from .attacks import InFlight

_HOLD_SECONDS = 0.06  # a reordered packet is let go after this, when nothing overtakes it
_MAX_FRAME = 16384  # bytes
OTHER = {"a": "b", "b": "a"}


@dataclass
class Traffic:
    """What one end put on the wire, and what the attacker did to it."""

    packets: int = 0
    size: int = 0  # bytes
    frames: list[bytes] = field(default_factory=list)  # every packet that this end made
    attacks: Counter[str] = field(default_factory=Counter)
    relayed: int = 0  # frames handed to the other end


class Wire(threading.Thread):
    """A thread that owns one socket to each end. Ends are called "a" and "b"; a direction by its sender."""

    def __init__(
        self, sockets: dict[str, socket.socket], capture: Any, receivers: dict[str, Receiver], least: int = 0
    ) -> None:
        """Frames of fewer than `least` bytes are padded, as on a line."""
        super().__init__(name="wire", daemon=True)
        self.traffic = {end: Traffic() for end in sockets}
        self.receivers = receivers
        self.failure: BaseException | None = None
        self._sockets, self._least = sockets, least
        self._capture = capture
        self._attacker: InFlight | None = None
        self._injections: deque[tuple[str, bytes, str]] = deque()
        self._queues: dict[str, deque[bytes]] = {end: deque() for end in sockets}
        self._held: dict[str, list[tuple[int, float, bytes]]] = {end: [] for end in sockets}
        self._wake, self._woken = socket.socketpair()
        self._lock = threading.Lock()
        self._stopping = False
        for each in (*sockets.values(), self._woken):
            each.setblocking(False)

    # ---- called by the job ----------------------------------------------------------------------

    def attack(self, attacker: InFlight | None) -> None:
        """Sets the attacker loose on packets in flight, or calls it off."""
        with self._lock:
            self._attacker = attacker

    @property
    def attacked(self) -> bool:
        """An attacker works on packets in flight."""
        return self._attacker is not None

    def inject(self, sender: str, frames: list[bytes], label: str) -> None:
        """Sends made-up frames as if `sender` had sent them."""
        with self._lock:
            self._injections.extend((sender, frame, label) for frame in frames)
        self._wake.send(b"!")

    def empty(self) -> bool:
        """Nothing is held, queued or waiting to be injected."""
        with self._lock:
            return not (self._injections or any(self._queues.values()) or any(self._held.values()))

    def stop(self) -> None:
        self._stopping = True
        self._wake.send(b"!")
        self.join(timeout=5)
        for each in (*self._sockets.values(), self._wake, self._woken):
            each.close()

    # ---- the thread -----------------------------------------------------------------------------

    def run(self) -> None:
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(self._woken, selectors.EVENT_READ, None)
                for end, each in self._sockets.items():
                    selector.register(each, selectors.EVENT_READ, end)
                while not self._stopping:
                    for end, each in self._sockets.items():
                        wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if self._queues[end] else 0)
                        selector.modify(each, wanted, end)
                    self._turn(selector.select(timeout=self._patience()))
        except BaseException as error:
            self.failure = error

    def _patience(self) -> float | None:
        deadlines = [held[1] for queue in self._held.values() for held in queue]
        return max(0.0, min(deadlines) - time.monotonic()) if deadlines else None

    def _turn(self, ready: list[tuple[selectors.SelectorKey, int]]) -> None:
        with self._lock:
            for key, events in ready:
                if key.data is None:
                    self._woken.recv(4096)
                elif events & selectors.EVENT_READ:
                    self._receive(key.data)
            while self._injections:
                sender, frame, label = self._injections.popleft()
                self.traffic[sender].attacks[label] += 1
                self._capture.write(frame)
                self._relay(sender, frame)
            now = time.monotonic()
            for sender in self._sockets:
                self._let_go(sender, lambda held: held[1] <= now)
                self._send(OTHER[sender])

    def _receive(self, sender: str) -> None:
        try:
            frame = self._sockets[sender].recv(_MAX_FRAME)
        except (BlockingIOError, ConnectionError):
            return
        if not frame:
            raise ConnectionError(f"end {sender.upper()} closed the wire")
        traffic = self.traffic[sender]
        traffic.packets += 1
        traffic.size += len(frame)
        traffic.frames.append(frame)
        self.receivers[OTHER[sender]].made.add(link_packet(frame))
        self.receivers[sender].said(frame)
        self._capture.write(frame)
        attacker, action, damaged = self._attacker, "pass", frame
        if attacker and (action := attacker.action(sender)) != "pass":
            traffic.attacks[action] += 1
            damaged = attacker.damage(action, frame)
        self._held[sender] = [(count - 1, deadline, held) for count, deadline, held in self._held[sender]]
        if attacker and action == "reorder":
            self._held[sender].append((attacker.delay(), time.monotonic() + _HOLD_SECONDS, frame))
        if damaged != frame:
            self._capture.write(damaged)
        for _ in range({"drop": 0, "reorder": 0, "duplicate": 2}.get(action, 1)):
            self._relay(sender, damaged)
        self._let_go(sender, lambda held: held[0] <= 0)

    def _let_go(self, sender: str, due: Callable[[tuple[int, float, bytes]], bool]) -> None:
        free = [held for held in self._held[sender] if due(held)]
        self._held[sender] = [held for held in self._held[sender] if not due(held)]
        for _, _, frame in free:
            self._relay(sender, frame)

    def _relay(self, sender: str, frame: bytes) -> None:
        receiver, frame = OTHER[sender], frame.ljust(self._least, b"\0")
        self.receivers[receiver].receive_frame(frame)
        self.traffic[sender].relayed += 1
        self._queues[receiver].append(frame)

    def _send(self, end: str) -> None:
        queue = self._queues[end]
        while queue:
            try:
                self._sockets[end].send(queue[0])
            except BlockingIOError:
                return
            queue.popleft()
