# SPDX-License-Identifier: Apache-2.0
"""A MAC core behind its AXI4-Stream adapter, in cocotb.  Layouts of the words: docs/interfaces.md."""

from __future__ import annotations

import os
import random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from sealwire_model import macs
from support import shares
from support.raw_port import Port
from support.streams import Beat, Sink, Source, rate

COMPUTE, VERIFY, KEY, NONE = 0, 1, 3, 255
OK, NOT_AUTH, REFUSED, BAD_COMMAND, BAD_STREAM, BAD_KEY = 0, 1, 2, 3, 4, 7
PATIENCE = 40000


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


async def _offers_hold(dut: Any) -> None:
    """What the adapter offers to the core stays until it is taken (rule 3 of docs/core-ports.md)."""
    offers = {"key": "data", "cmd": "verify", "tag_in": "data", "msg": "data"}
    ports = [[Port(getattr(dut.u_core, f"{name}_{of}")) for of in ("valid", "ready", offers[name])] for name in offers]
    wipes = [Port(dut.rst), Port(dut.clear)]
    before = [(0, 0, 0)] * len(offers)
    while True:
        await RisingEdge(dut.clk)
        wiping = any(port.get() for port in wipes)
        for place, name in enumerate(offers):
            valid, ready, value = (port.get() for port in ports[place])
            was_valid, was_taken, was = before[place]
            if was_valid and not was_taken:
                assert valid and value == was, f"{name} was withdrawn or changed before it was taken"
            before[place] = (0, 0, 0) if wiping else (valid, ready, value)


class Bench:
    """Make it with `await Bench.start(dut)`."""

    def __init__(self, dut: Any, offer: float, accept: float) -> None:
        self.dut, self.scheme = dut, os.environ["SCHEME"]
        self.width = len(dut.s_axis_msg_tdata) // 8
        names, fields = TNames(dut), ("data", "keep", "last")
        self.sources = {
            name: Source(names, f"s_axis_{name}", dut.clk, fields, rate(offer)) for name in ("cmd", "key", "msg")
        }
        self.out, self.status = (
            Sink(names, name, dut.clk, fields, rate(accept)) for name in ("m_axis", "m_axis_status")
        )
        self.key = b""
        self.in_shares = hasattr(dut, "seed_valid")
        self.key_bytes = 32 if self.in_shares else 16  # of a packet

    @classmethod
    async def start(cls, dut: Any, offer: float = 1.0, accept: float = 1.0, key: bool = True) -> Bench:
        dut.rst.value = 1
        dut.clear.value = 0
        cocotb.start_soon(Clock(dut.clk, 2, unit="ns").start())
        bench = cls(dut, offer, accept)
        if bench.in_shares:
            cocotb.start_soon(shares.seeds(dut))
        cocotb.start_soon(_offers_hold(dut))
        bench.out.in_reset = bench.status.in_reset = True
        await bench.cycle(3)
        dut.rst.value = 0
        await bench.cycle()
        bench.out.in_reset = bench.status.in_reset = False
        if key:
            bench.load_key(random.randbytes(16))
            assert await bench.results(1) == [(OK, KEY, 0)]
        return bench

    async def cycle(self, count: int = 1) -> None:
        for _ in range(count):
            await RisingEdge(self.dut.clk)

    def send(self, channel: str, packet: bytes) -> None:
        parts = [packet[at : at + self.width] for at in range(0, len(packet), self.width)] or [b""]
        self.raw(channel, [(part, (1 << len(part)) - 1) for part in parts])

    def raw(self, channel: str, parts: list[tuple[bytes, int]]) -> None:
        beats = [lanes(data, keep, i + 1 == len(parts), self.width) for i, (data, keep) in enumerate(parts)]
        self.sources[channel].send(beats)

    def load_key(self, key: bytes) -> None:
        self.key = key
        self.send("key", shares.split(key) if self.in_shares else key)

    def compute(self, text: bytes) -> None:
        self.send("cmd", bytes(8))
        self.send("msg", text)

    def verify(self, text: bytes, tag: bytes) -> None:
        self.send("cmd", bytes([VERIFY]) + bytes(7) + tag)
        self.send("msg", text)

    def tag(self, text: bytes) -> bytes:
        return macs.tag(self.scheme, self.key, text)

    async def results(self, count: int) -> list[tuple[int, int, int]]:
        """The next statuses: code, operation, bytes on m_axis."""
        for _ in range(PATIENCE):
            if len(self.status.beats) >= count and not self.dut.busy.value:
                break
            await self.cycle()
        found = [(data & 255, data >> 8 & 255, data >> 32) for data, _, _ in self.status.beats]
        assert all((keep, last) == (255, 1) for _, keep, last in self.status.beats)
        assert len(found) == count, (found, count)
        self.status.beats.clear()
        return found

    def tags(self) -> list[bytes]:
        """All tags that have left."""
        found, now = [], b""
        for data, keep, last in self.out.beats:
            count = keep.bit_count()
            assert data >> 8 * count == 0
            now += data.to_bytes(self.width, "little")[:count]
            if last:
                found.append(now)
                now = b""
        assert not now
        self.out.beats.clear()
        return found


async def _traffic(dut: Any, offer: float, accept: float) -> None:
    bench = await Bench.start(dut, offer, accept)
    block = int(os.environ["BLOCK_BYTES"])
    wanted, tags = [], []
    for index, size in enumerate((0, 1, 7, 8, 9, block - 1, block, block + 1, 2 * block, 3 * block + 5, 200)):
        if index % 4 == 3:
            assert await bench.results(len(wanted)) == wanted
            bench.load_key(random.randbytes(16))
            assert await bench.results(1) == [(OK, KEY, 0)]
            wanted = []
        text = random.randbytes(size)
        tag = bench.tag(text)
        bench.compute(text)
        bench.verify(text, tag)
        bench.verify(text, bytes([tag[0] ^ 1]) + tag[1:])
        wanted += [(OK, COMPUTE, 16), (OK, VERIFY, 0), (NOT_AUTH, VERIFY, 0)]
        tags.append(tag)
    assert await bench.results(len(wanted)) == wanted
    assert bench.tags() == tags


@cocotb.test()
async def gives_and_checks_tags_of_all_lengths(dut: Any) -> None:
    await _traffic(dut, 1.0, 1.0)


@cocotb.test()
async def gives_and_checks_tags_under_pauses_of_both_sides(dut: Any) -> None:
    await _traffic(dut, 0.4, 0.4)


@cocotb.test()
async def refuses_wrong_commands_and_goes_on(dut: Any) -> None:
    bench = await Bench.start(dut)
    text = random.randbytes(50)
    tag = bench.tag(text)
    for head in (
        bytes([2]) + bytes(7), bytes([COMPUTE, 1]) + bytes(6), bytes([COMPUTE]) + bytes(15), b"\0", b"",
        bytes([VERIFY, 0]),
        bytes([VERIFY]) + bytes(7), bytes([VERIFY]) + bytes(7) + tag[:15], bytes([KEY]) + bytes(7) + tag,
        bytes([VERIFY]) + bytes(7) + tag + b"\0", bytes([VERIFY]) + bytes(7) + tag + bytes(90),
    ):  # fmt: skip
        # Every command has a message, which is swallowed with it: the next one is the next command's.
        bench.send("cmd", head)
        bench.send("msg", random.randbytes(random.choice((0, 3, 100))))
        bench.verify(text, tag)
        wanted = head[0] if len(head) > 1 else NONE
        assert await bench.results(2) == [(BAD_COMMAND, wanted, 0), (OK, VERIFY, 0)], head.hex()
    assert bench.tags() == []


@cocotb.test()
async def refuses_a_command_with_any_reserved_bit(dut: Any) -> None:
    bench = await Bench.start(dut)
    for bit in range(8, 64):
        bench.send("cmd", (COMPUTE | 1 << bit).to_bytes(8, "little"))
        bench.send("msg", b"")
        assert await bench.results(1) == [(BAD_COMMAND, COMPUTE, 0)], bit
    assert bench.tags() == []


@cocotb.test()
async def refuses_malformed_commands_and_keys(dut: Any) -> None:
    bench = await Bench.start(dut)
    full = (1 << bench.width) - 1
    key = random.randbytes(bench.width)
    # A hole, a gap at the start, nothing before the end, and a beat with room before the last. Where a beat holds more
    # bytes than a key, the packet has as many as a key.
    short = min(0xFFFF, full >> 1)
    for parts in (
        [(key, 0x1FFFD & full)], [(key, full & ~1)], [(key, 0), (key, full)], [(key, short), (key, full)],
    ):  # fmt: skip
        bench.raw("cmd", parts)
        bench.send("msg", random.randbytes(20))
        assert await bench.results(1) == [(BAD_COMMAND, NONE, 0)], parts
        bench.raw("key", parts)
        assert await bench.results(1) == [(BAD_KEY, KEY, 0)], parts
        bench.load_key(random.randbytes(16))
        assert await bench.results(1) == [(OK, KEY, 0)]
    bench.compute(key)
    assert await bench.results(1) == [(OK, COMPUTE, 16)]
    assert bench.tags() == [bench.tag(key)]


@cocotb.test()
async def refuses_malformed_messages_and_shows_no_tag(dut: Any) -> None:
    bench = await Bench.start(dut)
    full, width = (1 << bench.width) - 1, bench.width
    some = random.randbytes(width)
    for parts in (
        [(some, full >> 1), (some, full)], [(some, full), (some, 0)], [(some, 0b101)], [(some, 0), (some, full)],
        [(some, full), (some, 2), (some, full)],
    ):  # fmt: skip
        for op in (COMPUTE, VERIFY):
            bench.send("cmd", bytes([op]) + bytes(7) + (bytes(16) if op == VERIFY else b""))
            bench.raw("msg", parts)
            assert await bench.results(1) == [(BAD_STREAM, op, 0)], (parts, op)
    bench.compute(some)
    assert await bench.results(1) == [(OK, COMPUTE, 16)]
    assert bench.tags() == [bench.tag(some)]


@cocotb.test()
async def a_wrong_key_stops_commands_until_a_right_one(dut: Any) -> None:
    bench = await Bench.start(dut)
    for key in (b"", bytes(bench.key_bytes - 1), bytes(bench.key_bytes + 1), bytes(100)):
        bench.send("key", key)
        assert await bench.results(1) == [(BAD_KEY, KEY, 0)]
    bench.compute(b"text")
    await bench.cycle(400)
    assert not bench.status.beats and not bench.out.beats
    bench.load_key(bytes(range(16)))
    assert await bench.results(2) == [(OK, KEY, 0), (OK, COMPUTE, 16)]
    assert bench.tags() == [bench.tag(b"text")]


@cocotb.test()
async def clear_drops_everything_and_forgets_the_key(dut: Any) -> None:
    bench = await Bench.start(dut)
    for moment in (0, 1, 3, 7, 15, 30, 60):
        bench.compute(bytes(100))
        bench.verify(bytes(100), bytes(16))
        await bench.cycle(moment)
        bench.out.in_reset = bench.status.in_reset = True
        dut.clear.value = 1
        for source in bench.sources.values():
            source.reset()
        await bench.cycle(2)
        dut.clear.value = 0
        await bench.cycle()
        bench.out.beats.clear()
        bench.status.beats.clear()
        bench.out.in_reset = bench.status.in_reset = False
        bench.compute(b"after")
        await bench.cycle(100)
        assert not bench.status.beats and not bench.out.beats, "the key has outlived clear"
        bench.load_key(random.randbytes(16))
        assert await bench.results(2) == [(OK, KEY, 0), (OK, COMPUTE, 16)]
        assert bench.tags() == [bench.tag(b"after")]


def _held(adapter: Any) -> dict[str, int]:
    """Every register of the adapter, but its state and what says that a packet is at its beginning."""
    own = {name: getattr(adapter, name) for name in ("code", "op", "keyed", "of_key", "bad", "second", "tag_taken")}
    for string in ("cmd", "key", "msg"):
        held, gather = getattr(adapter, string), getattr(adapter, f"u_{string}")
        own |= {f"{string}.{name}": getattr(held, name) for name in ("valid", "data", "bytes", "last", "code")}
        own |= {f"{string}.part": gather.part, f"{string}.swallow": gather.u_beats.swallow}
    return {name: int(handle.value) for name, handle in own.items()}


@cocotb.test()
async def clear_wipes_every_register(dut: Any) -> None:
    bench = await Bench.start(dut)
    text, seen = random.randbytes(100), set()
    for how in ("clear", "rst"):
        for moment in (4, 8, 12, 16, 400):
            bench.load_key(random.randbytes(16))
            assert await bench.results(1) == [(OK, KEY, 0)]
            bench.verify(text, random.randbytes(16))
            await bench.cycle(moment)
            bench.out.in_reset = bench.status.in_reset = True
            bench.send("key", text[:16])  # waits
            bench.compute(text)
            await bench.cycle(3)
            seen |= {name for name, value in _held(dut.u_axis).items() if value}
            getattr(dut, how).value = 1
            for source in bench.sources.values():
                source.reset()
            await bench.cycle(2)
            getattr(dut, how).value = 0
            await bench.cycle()
            assert not any(_held(dut.u_axis).values()), (how, moment, _held(dut.u_axis))
            bench.status.beats.clear()
            bench.out.beats.clear()
            bench.out.in_reset = bench.status.in_reset = False
    wanted = {"code", "op", "keyed", "cmd.data", "key.data", "msg.data"}
    assert wanted <= seen, "these held nothing to wipe: " + " ".join(wanted - seen)
