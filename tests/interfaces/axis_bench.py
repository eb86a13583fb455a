# SPDX-License-Identifier: Apache-2.0
"""An AEAD core behind its AXI4-Stream adapter, in cocotb: sources and sinks with random stalls, random bytes wherever
tkeep is 0 or tvalid is low, and the model of the core.  Layouts of the words: docs/interfaces.md."""

from __future__ import annotations

import os
import random
from typing import Any, NamedTuple

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from sealwire_model.schemes import model
from support import shares
from support.streams import Beat, Sink, Source, rate

SEAL, OPEN, LOAD_AD, KEY = 0, 1, 2, 3
OK, NOT_AUTH, CORE_REFUSE, BAD_COMMAND, BAD_STREAM, TOO_SHORT, TOO_LONG, BAD_KEY, AD_TOO_LONG = range(9)
CACHED, NO_AD, NO_MSG = 1, 2, 4  # flags of a command
PACES = {"none": (1.0, 1.0), "idle": (0.4, 1.0), "backpressure": (1.0, 0.4), "both": (0.5, 0.5)}
PATIENCE = 20000
RESET_CYCLES = 3


class Status(NamedTuple):
    code: int
    op: int
    length: int


class TNames:
    """The ports of the adapter under the names that streams.py uses: x_tvalid as x_valid."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut

    def __getattr__(self, name: str) -> Any:
        head, _, tail = name.rpartition("_")
        return getattr(self.dut, f"{head}_t{tail}")


def lanes(data: bytes, keep: int, last: bool, width: int) -> Beat:
    """One beat with any tkeep; random bytes in the lanes beyond the data."""
    return int.from_bytes(data + random.randbytes(width - len(data)), "little"), keep, int(last)


def beats(packet: bytes, width: int) -> list[Beat]:
    """A legal packet; the empty one is a beat with tkeep 0."""
    parts = [packet[at : at + width] for at in range(0, len(packet), width)] or [b""]
    return [lanes(part, (1 << len(part)) - 1, part is parts[-1], width) for part in parts]


class Bench(shares.BehindAdapter):
    """Make it with `await Bench.start(dut)`."""

    def __init__(self, dut: Any, pace: str) -> None:
        self.dut = dut
        self.width = len(dut.s_axis_msg_tdata) // 8
        scheme = os.environ["SCHEME"]
        self.sizes = tuple(int(os.environ[name]) // 8 for name in ("KEY_BITS", "NONCE_BITS", "TAG_BITS"))
        self.key_len, self.nonce_len, self.tag_len = self.sizes
        self.scheme, self.version = scheme, int(os.environ["VERSION"])
        self.packet, self.contexts = int(os.environ["PACKET_BYTES"]), int(os.environ["CONTEXTS"])
        self.ad_limit, self.cache = int(os.environ["AD_FIFO_BYTES"]), os.environ["AD_CACHE"] == "True"
        offer, accept = PACES[pace]
        names, fields = TNames(dut), ("data", "keep", "last")
        self.willing = {"m_axis": True, "m_axis_status": True}
        self.sources = {
            name: Source(names, f"s_axis_{name}", dut.clk, fields, rate(offer)) for name in ("cmd", "key", "ad", "msg")
        }
        yes = rate(accept)
        self.out, self.status_sink = (
            Sink(names, name, dut.clk, fields, lambda name=name: self.willing[name] and yes()) for name in self.willing
        )
        self.keys_sent = self.commands_sent = 0
        self.begin_seeds()

    @classmethod
    async def start(cls, dut: Any, pace: str = "none", key: bool = True) -> Bench:
        dut.rst.value = 1
        dut.clear.value = 0
        cocotb.start_soon(Clock(dut.clk, 2, unit="ns").start())
        bench = cls(dut, pace)
        bench._in_reset(True)
        await bench.cycle(RESET_CYCLES)
        dut.rst.value = 0
        await bench.cycle()
        bench._in_reset(False)
        if key:
            await bench.load_key(random.randbytes(bench.key_len))
        return bench

    def _in_reset(self, yes: bool) -> None:
        self.out.in_reset = self.status_sink.in_reset = yes

    async def reset(self, how: str) -> None:
        """A pulse of rst or clear; what is queued, in flight or received so far is forgotten on this side too."""
        port = getattr(self.dut, how)
        self._in_reset(True)
        port.value = 1
        for source in self.sources.values():
            source.reset()
        await self.cycle(RESET_CYCLES)
        port.value = 0
        await self.cycle(1)
        self.out.beats.clear()
        self.status_sink.beats.clear()
        self.commands_sent = 0
        self._in_reset(False)

    async def cycle(self, count: int = 1) -> None:
        for _ in range(count):
            await RisingEdge(self.dut.clk)

    def send(self, channel: str, packet: bytes | list[Beat]) -> None:
        self.sources[channel].send(beats(packet, self.width) if isinstance(packet, bytes) else packet)

    async def load_key(self, key: bytes) -> None:
        self.key = key
        self.model = model(self.scheme, key, self.tag_len, self.version)
        self.send("key", self.key_string(key))
        assert await self.results() == [Status(OK, KEY, 0)]

    def command(self, op: int, nonce: bytes, flags: int = 0) -> None:
        self.send("cmd", bytes([op, flags]) + bytes(6) + nonce)

    def submit(
        self, op: int, nonce: bytes, ad: bytes | list[Beat] | None, msg: bytes | list[Beat] | None, flags: int = 0
    ) -> None:
        """A command with its packets; None sends none (the flags say the same)."""
        self.command(op, nonce, flags)
        if ad is not None:
            self.send("ad", ad)
        if msg is not None:
            self.send("msg", msg)

    def sealed(self, nonce: bytes, ad: bytes, msg: bytes) -> bytes:
        """What the model makes of it: ciphertext || tag."""
        return b"".join(self.model.seal(nonce, ad, msg))

    def nonce(self) -> bytes:
        return random.randbytes(self.nonce_len)

    def statuses(self) -> list[Status]:
        found = []
        for data, keep, last in self.status_sink.beats:
            word = data.to_bytes(8, "little")
            assert (keep, last, word[2:4]) == (0xFF, 1, b"\0\0")
            found.append(Status(word[0], word[1], int.from_bytes(word[4:], "little")))
        return found

    def packets(self) -> list[bytes]:
        """Whole packets on m_axis; every beat must be legal."""
        found, now = [], b""
        for data, keep, last in self.out.beats:
            count = keep.bit_length()
            assert keep == (1 << count) - 1 and (last or count == self.width), "tkeep"
            assert count or (last and not now), "an empty beat in a packet that is not empty"
            assert data >> (8 * count) == 0, "bytes beyond tkeep are not zero"
            now += data.to_bytes(self.width, "little")[:count]
            if last:
                found.append(now)
                now = b""
        assert not now, "a packet without end"
        return found

    async def until(self, condition: Any, patience: int = PATIENCE) -> None:
        for _ in range(patience):
            if condition():
                return
            await RisingEdge(self.dut.clk)
        raise AssertionError(f"stuck; statuses {self.statuses()}")

    async def results(self, count: int = 1) -> list[Status]:
        """The next `count` statuses, taken off the list."""
        await self.until(lambda: len(self.status_sink.beats) >= count, PATIENCE + 1000 * count)
        found = self.statuses()
        assert len(found) == count, found
        self.status_sink.beats.clear()
        return found

    async def outcome(self, count: int = 1) -> tuple[list[Status], list[bytes]]:
        """Statuses and packets once all is at rest; both are taken off the lists."""
        found = await self.results(count)
        released = [status for status in found if status.code == OK and status.op in (SEAL, OPEN)]
        await self.until(lambda: sum(beat[2] for beat in self.out.beats) >= len(released))
        await self.cycle(20)
        await self.until(lambda: not int(self.dut.busy.value))  # a key may still be in work
        packets = self.packets()
        assert [len(packet) for packet in packets] == [status.length for status in released]
        assert all(status.length == 0 for status in found if status not in released)
        assert not self.status_sink.beats
        self.out.beats.clear()
        return found, packets

    async def refused(self, code: int, op: int) -> None:
        """One status with this code, and nothing on m_axis."""
        found, packets = await self.outcome()
        assert found == [Status(code, op, 0)] and packets == [], found

    async def still_works(self) -> None:
        """An ordinary seal and open go well, whatever came before."""
        nonce, ad, msg = self.nonce(), random.randbytes(20), random.randbytes(150)
        sealed = self.sealed(nonce, ad, msg)
        self.submit(SEAL, nonce, ad, msg)
        self.submit(OPEN, nonce, ad, sealed)
        found, packets = await self.outcome(2)
        assert [status.code for status in found] == [OK, OK] and packets == [sealed, msg]
