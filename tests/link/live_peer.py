# SPDX-License-Identifier: Apache-2.0
"""The model of the other end, alive beside the link under test: time moves for both, a network stands between them."""

from __future__ import annotations

import heapq
import itertools
import random
from collections.abc import Callable, Iterable

import cocotb

#: What becomes of a packet, `to_link` or to the peer: copies with their delay in milliseconds.
Network = Callable[[bool, bytes], Iterable[tuple[float, bytes]]]


def clean(to_link: bool, packet: bytes) -> Iterable[tuple[float, bytes]]:
    return [(0, packet)]


def silent(to_link: bool, packet: bytes) -> Iterable[tuple[float, bytes]]:
    return []


class Hostile:
    """Loss, copies, packets held back up to 8 s, corruption, truncation, padding, reflection, and bytes of its own."""

    def __init__(self) -> None:
        self.seen: list[bytes] = []

    def __call__(self, to_link: bool, packet: bytes) -> Iterable[tuple[float, bytes]]:
        self.seen = [*self.seen[-300:], packet]
        fate = random.random()
        if fate < 0.7:
            yield random.choice((0, 0, 0, 20, 300)), packet
        if fate < 0.1:
            yield random.uniform(0, 8000), packet
        if random.random() < 0.5:
            yield random.uniform(0, 50), self.mischief(random.choice(self.seen))

    @staticmethod
    def mischief(old: bytes) -> bytes:
        """An old packet of either direction, changed or not, or bytes without sense."""
        kind = random.randrange(6)
        if kind == 0:
            return old
        if kind == 1:
            return old[: random.randint(1, len(old))]
        if kind == 2:
            return old + random.randbytes(random.randint(1, 40))
        if kind == 3:
            return old[: random.choice((1, 4, 8, 16, 24, 40))] + random.randbytes(random.randint(1, 120))
        if kind == 4:
            return random.randbytes(random.randint(1, 200))
        changed = bytearray(old)
        changed[random.randrange(len(old))] ^= 1 << random.randrange(8)
        return bytes(changed)


class Live:
    """`link.peer` with its timers running. What it said and heard, and what the link said, is kept with its time."""

    STEP = 40  # cycles between two looks

    def __init__(self, link, ms_cycles: int = 20, network: Network = clean) -> None:
        self.link, self.peer, self.ms_cycles, self.network = link, link.peer, ms_cycles, network
        self.now = link.peer.now
        self.said: list[tuple[float, bytes]] = []  # by the link under test
        self.arrived: list[bytes] = []  # frames on its trusted side
        self.on_the_way: list[tuple[float, int, bool, bytes]] = []
        self.order = itertools.count()
        link.dut.cfg_ms_cycles.value = ms_cycles
        self.task = cocotb.start_soon(self._run())

    def carry(self, to_link: bool, packet: bytes) -> None:
        for delay, copy in self.network(to_link, packet):
            heapq.heappush(self.on_the_way, (self.now + delay, next(self.order), to_link, copy))

    async def _run(self) -> None:
        link, peer = self.link, self.peer
        while True:
            if not link.draws:
                link.draws.append(random.randbytes(32))
            for packet in link.sealed():
                self.said.append((self.now, packet))
                self.carry(False, packet)
            self.arrived += link.delivered()
            peer.poll(self.now)
            for packet in peer.out:
                self.carry(True, packet)
            peer.out.clear()
            while self.on_the_way and self.on_the_way[0][0] <= self.now:
                _, _, to_link, packet = heapq.heappop(self.on_the_way)
                if to_link:
                    link.send_untrusted(packet)
                else:
                    peer.receive(packet)
            await link.core(self.STEP)
            self.now += self.STEP / self.ms_cycles

    def say(self, frame: bytes) -> bool:
        """The peer seals a frame, if it has a session."""
        if not self.peer.cur or self.peer.cur.number >= self.peer.n_max:
            return False
        self.peer.out.append(self.peer.seal(frame))
        return True

    async def wait(self, ms: float) -> None:
        await self.link.core(round(ms * self.ms_cycles))

    async def until(self, condition: Callable[[], object], ms: float) -> float:
        """Waits for it, at most so long; the milliseconds that it took."""
        start = self.now
        while not condition():
            assert self.now - start < ms, f"not within {ms} ms"
            await self.link.core(self.STEP)
        return self.now - start

    def up(self) -> bool:
        """Both ends use the same session."""
        dut = self.link.dut
        sid = int(dut.status_own_sid.value).to_bytes(4, "little")
        return bool(dut.session_up.value and self.peer.cur and self.peer.tx.sid == sid)

    async def connect(self, ms: float = 2000) -> float:
        return await self.until(self.up, ms)

    async def stop(self) -> dict[str, int]:
        """Time and the network stand still; the counters, once all is at rest."""
        self.link.dut.cfg_ms_cycles.value = 0
        counts = await self.link.at_rest()
        await self.link.core(2 * self.STEP)
        self.task.cancel()
        return counts
