# SPDX-License-Identifier: Apache-2.0
"""The test bench around one AEAD core in cocotb: independent sources, sinks that take notes, and a model.

All channels are served by one coroutine, which wakes once a cycle: on the rising edge it sees the ports as the
registers see them, and what it drives takes effect behind the edge.  Wherever a source offers nothing, or a beat has
unused bytes, the ports carry random values.
"""

from __future__ import annotations

import os
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge
from sealwire_model.schemes import Aead, model
from support.edges import edges
from support.raw_port import Port

SEAL, OPEN, LOAD_AD = 0, 1, 2
#: Input channels and their ports beside valid and ready, in the order in which `_values` gives values to them
CHANNELS = {
    "key": ("data",),
    "cmd": ("op", "cached_ad", "nonce", "ctx"),
    "ad": ("data", "bytes", "last", "ctx"),
    "msg": ("data", "bytes", "last", "ctx"),
    "tag_in": ("data", "ctx"),
}
#: The channel of a core that takes its key in shares
SEED = {"seed": ("data",)}
#: From a reset that is over to the first key: the seed, 18 cycles of the generator, and a pause of the seed's source
SEED_CYCLES = 60
PORTS = (
    *("rst", "clear", "busy", "out_valid", "out_ready", "out_ctx", "out_data", "out_bytes", "out_last"),
    *("result_valid", "result_ready", "result_ctx", "result_ok", "result_tag"),
    *(f"{name}_{pin}" for name in CHANNELS for pin in ("valid", "ready")),
)
PERIOD = 2000  # of the clock, in picoseconds
#: Cycles from one set of random values on the pins of a source that offers nothing to the next; each costs time
NOISE = 5
#: Cycles; longer than anything that these benches start, the longest message of a core that holds it included
PATIENCE = 30000 + 8 * int(os.environ.get("SEALWIRE_MAX_MSG_BYTES") or 0)


@dataclass
class Beat:
    """One beat of data.  A legal string is made by `beats`, an illegal one by hand."""

    data: bytes
    bytes: int
    last: bool
    ctx: int = 0


def beats(string: bytes, width: int, ctx: int = 0) -> list[Beat]:
    """The beats of a string: all full but the last, an empty string as one empty beat."""
    parts = [string[at : at + width] for at in range(0, len(string), width)] or [b""]
    return [Beat(part, len(part), index == len(parts) - 1, ctx) for index, part in enumerate(parts)]


@dataclass
class Command:
    """A command and what came of it."""

    op: int
    nonce: bytes
    cached: bool = False
    ctx: int = 0
    taken_at: int = -1  # cycle; -1: it still waits
    out: bytes = b""
    out_done: bool = False
    out_beats: int = 0
    done: bool = False
    ok: bool = False
    tag: bytes = b""


@dataclass
class Item:
    """A key, or a tag of a context."""

    data: bytes
    ctx: int = 0


@dataclass
class Source:
    """One input channel: a queue, and whether it may offer now."""

    name: str
    valid: Port
    ready: Port
    pins: tuple[Port, ...]  # all but valid and ready
    queue: deque[Any] = field(default_factory=deque)
    offering: bool = False
    noisy: bool = False  # its pins carry random values
    held: bool = False
    taken: int = 0


class Bench:
    """Everything a test needs.  Make it with `await Bench.start(dut)`."""

    def __init__(self, dut: Any, seed: int, stall: str) -> None:
        self.dut = dut
        self.random = random.Random(seed)
        self.idle = stall in ("idle", "both")
        self.backpressure = stall in ("backpressure", "both")
        self.width = len(dut.ad_data) // 8
        self.key_len, self.nonce_len, self.tag_len = (
            len(port) // 8 for port in (dut.key_data, dut.cmd_nonce, dut.tag_in_data)
        )
        self.contexts = len(dut.cmd_ready)
        channels = CHANNELS
        if in_shares := hasattr(dut, "seed_valid"):
            channels, self.key_len = {**CHANNELS, **SEED}, self.key_len // 2
        self.ports = {name: Port(getattr(dut, name)) for name in PORTS}
        self.ports |= {f"seed_{pin}": Port(getattr(dut, f"seed_{pin}")) for pin in ("valid", "ready") if in_shares}
        self.sources = {
            name: Source(
                name,
                self.ports[f"{name}_valid"],
                self.ports[f"{name}_ready"],
                tuple(Port(getattr(dut, f"{name}_{pin}")) for pin in pins),
            )
            for name, pins in channels.items()
        }
        self.seed_cycles = SEED_CYCLES if in_shares else 0
        self.offer_seed()
        self.flying: deque[Command] = deque()
        self.out_held = self.result_held = False
        self.strays: list[str] = []  # anything on out or result that no command explains
        self.key_at = -1  # cycle in which the last key was taken
        self.cycles = 0
        self.pause = 0.0
        self.stopped = False  # nothing is taken from out

    @classmethod
    async def start(cls, dut: Any, *, stall: str = "none", key: bytes | None = None, seed: int | None = None) -> Bench:
        """Clock, reset and (unless the key is b"") a key; a random one is in `bench.key_bytes`."""
        seed = random.getrandbits(32) if seed is None else seed
        dut._log.info("stall %s, seed %d", stall, seed)
        bench = cls(dut, seed, stall)
        Clock(dut.clk, PERIOD, unit="ps").start()
        dut.rst.value = 1
        dut.clear.value = 0
        bench._drive()
        for _ in range(2):
            await RisingEdge(dut.clk)
        dut.rst.value = 0
        cocotb.start_soon(bench._serve())
        if key != b"":
            await bench.load_key(key or bench.bytes(bench.key_len))
        return bench

    def bytes(self, length: int) -> bytes:
        """Random bytes."""
        return self.random.randbytes(length)

    def model(self, key: bytes | None = None) -> Aead:
        """The model of this core under a key."""
        scheme, version = os.environ["SEALWIRE_SCHEME"], int(os.environ["SEALWIRE_VERSION"])
        return model(scheme, key or self.key_bytes, self.tag_len, version)

    # ---- what tests ask for -------------------------------------------------------------------------------------

    async def load_key(self, key: bytes) -> None:
        """Offer a key and wait until it is taken and the core is at rest."""
        self.offer_key(key)
        await self.until(lambda: not self.sources["key"].queue)
        await self.cycle(2)
        await self.until(lambda: not self.flag("busy"))

    def offer_seed(self) -> None:
        """A core in shares takes a seed after each reset, before any key."""
        if "seed" in self.sources:
            self.sources["seed"].queue.append(Item(self.bytes(20)))

    def withhold_seed(self) -> None:
        if "seed" in self.sources:
            self.sources["seed"].queue.clear()
            self.sources["seed"].offering = False

    def offer_key(self, key: bytes) -> None:
        self.key_bytes = key
        if "seed" in self.sources:
            share = self.bytes(self.key_len)
            key = bytes(a ^ b for a, b in zip(key, share, strict=True)) + share
        self.sources["key"].queue.append(Item(key))

    def submit(
        self,
        op: int,
        nonce: bytes,
        ad: bytes | list[Beat] | None = None,
        msg: bytes | list[Beat] | None = None,
        tag: bytes | None = None,
        *,
        cached: bool = False,
        ctx: int = 0,
    ) -> Command:
        """Queue a command with its strings, each on its own source."""
        command = Command(op, nonce, cached, ctx)
        self.sources["cmd"].queue.append(command)
        for name, string in (("ad", ad), ("msg", msg)):
            if string is not None:
                made = beats(string, self.width, ctx) if isinstance(string, bytes) else string
                self.sources[name].queue.extend(made)
        if tag is not None:
            self.sources["tag_in"].queue.append(Item(tag, ctx))
        return command

    def seal(self, nonce: bytes, ad: bytes | None, msg: bytes | list[Beat], ctx: int = 0) -> Command:
        """Queue a seal; `ad` None takes the cached AD."""
        return self.submit(SEAL, nonce, ad, msg, cached=ad is None, ctx=ctx)

    def open(self, nonce: bytes, ad: bytes | None, msg: bytes | list[Beat], tag: bytes, ctx: int = 0) -> Command:
        """Queue an open; `ad` None takes the cached AD."""
        return self.submit(OPEN, nonce, ad, msg, tag, cached=ad is None, ctx=ctx)

    def load_ad(self, ad: bytes | list[Beat], ctx: int = 0) -> Command:
        """Queue a load of the AD cache."""
        return self.submit(LOAD_AD, self.bytes(self.nonce_len), ad, ctx=ctx)

    async def finish(self, *commands: Command) -> None:
        """Wait for these commands, then until the core is at rest and every source is empty."""
        await self.until(lambda: all(command.done for command in commands))
        await self.until(lambda: not self.flag("busy"))
        left = [source.name for source in self.sources.values() if source.queue and not source.held]
        assert not left, f"beats not taken on {left}"
        assert not self.strays, self.strays

    async def cycle(self, count: int = 1) -> None:
        """Let `count` cycles pass."""
        await edges(self.dut.clk, PERIOD, count)

    async def until(self, condition: Callable[[], bool], limit: int = PATIENCE) -> None:
        """Wait until a condition holds; the core is stuck when it does not in time."""
        start = self.cycles
        while not condition():
            await RisingEdge(self.dut.clk)
            assert self.cycles - start <= limit, f"stuck for {limit} cycles, flying {list(self.flying)}"

    async def pulse(self, name: str) -> None:
        """One cycle of rst or clear; everything queued and in flight is forgotten on this side too.

        The rule of the clearing time holds in this cycle already, and a core may clear in it alone.
        """
        port = getattr(self.dut, name)
        port.value = 1
        await FallingEdge(self.dut.clk)
        self.assert_closed()
        await RisingEdge(self.dut.clk)
        port.value = 0
        for source in self.sources.values():
            source.queue.clear()
            source.offering = source.noisy = False
        self.offer_seed()
        self.flying.clear()
        self.strays.clear()
        self.out_held = self.result_held = False
        self._drive()

    def assert_closed(self) -> None:
        """Clearing: busy, and nothing is taken."""
        assert self.flag("busy"), "busy low while clearing"
        for name, source in self.sources.items():
            assert source.ready.get() == 0, f"{name}_ready while clearing"

    def flag(self, name: str) -> bool:
        """A one-bit port."""
        return bool(self.ports[name].get())

    def silence(self) -> None:
        """Put zeros on every input, for comparing snapshots of the core."""
        for source in self.sources.values():
            source.held = True
            for port in (source.valid, *source.pins):
                port.put(0)
        self.ports["out_ready"].put(0)
        self.ports["result_ready"].put(0)
        self.quiet = True

    quiet = False

    # ---- the one coroutine --------------------------------------------------------------------------------------

    async def _serve(self) -> None:
        edge = RisingEdge(self.dut.clk)
        rst, clear = self.ports["rst"], self.ports["clear"]
        while True:
            await edge
            self.cycles += 1
            if self.quiet or rst.get() or clear.get():
                continue
            self._watch_out()
            self._watch_result()
            for source in self.sources.values():
                if source.offering and source.queue and source.ready.get() >> getattr(source.queue[0], "ctx", 0) & 1:
                    self._taken(source)
            self._drive()

    def _taken(self, source: Source) -> None:
        item = source.queue.popleft()
        source.offering = False
        source.taken += 1
        if source.name == "cmd":
            item.taken_at = self.cycles
            self.flying.append(item)
        if source.name == "key":
            self.key_at = self.cycles
            if any(command.taken_at < self.cycles for command in self.flying):
                self.strays.append("key taken with a command in flight")

    def _drive(self) -> None:
        if self.cycles % 64 == 0:
            self.pause = self.random.choice((0.1, 0.5, 0.9))
        for source in self.sources.values():
            if source.offering:
                continue
            pausing = source.held or (self.idle and self.random.random() < self.pause)
            source.offering = bool(source.queue) and not pausing
            source.valid.put(source.offering)
            if source.offering:
                values = self._values(source.name, source.queue[0])
            elif source.noisy and self.cycles % NOISE:
                continue
            else:
                values = self._noise(source)
            source.noisy = not source.offering
            for port, value in zip(source.pins, values, strict=True):
                port.put(value)
        self.ports["out_ready"].put(not self.stopped and not (self.backpressure and self.random.random() < self.pause))
        self.ports["result_ready"].put(not (self.backpressure and self.random.random() < self.pause))

    def _values(self, name: str, item: Any) -> tuple[int, ...]:
        if name == "cmd":
            return item.op, item.cached, int.from_bytes(item.nonce, "little"), item.ctx
        if name in ("key", "seed"):
            return (int.from_bytes(item.data, "little"),)
        if name == "tag_in":
            return int.from_bytes(item.data, "little"), item.ctx
        rest = self.bytes(self.width - len(item.data))
        return int.from_bytes(item.data + rest, "little"), item.bytes, item.last, item.ctx

    def _noise(self, source: Source) -> list[int]:
        return [self.random.getrandbits(port.bits) for port in source.pins]

    def _watch_out(self) -> None:
        if not self.flag("out_valid"):
            if self.out_held:
                self.strays.append("out_valid fell before the beat was taken")
            self.out_held = False
            return
        ready = self.flag("out_ready")
        self.out_held = not ready
        if not ready:
            return
        data = self.ports["out_data"].get().to_bytes(self.width, "little")
        count, last, ctx = self.ports["out_bytes"].get(), self.flag("out_last"), self.ports["out_ctx"].get()
        # A sink that is slow on result may see the out of the next command first.
        command = next(
            (one for one in self.flying if one.ctx == ctx and one.op in (SEAL, OPEN) and not one.out_done), None
        )
        if command is None:
            self.strays.append(f"out {data.hex()} that no command explains")
            return
        if any(data[count:]):
            self.strays.append("unused bytes of out are not zero")
        if count > self.width or (count < self.width and not last) or (count == 0 and command.out_beats):
            self.strays.append(f"out beat {command.out_beats} has {count} bytes, last {last}")
        command.out += data[:count]
        command.out_beats += 1
        command.out_done = last

    def _watch_result(self) -> None:
        if not self.flag("result_valid"):
            if self.result_held:
                self.strays.append("result_valid fell before the result was taken")
            self.result_held = False
            return
        ctx = self.ports["result_ctx"].get()
        command = next((one for one in self.flying if one.ctx == ctx), None)
        if command is None:
            self.strays.append("result that no command explains")
            return
        if command.op in (SEAL, OPEN) and not command.out_done:
            self.strays.append("result before out_last")
        self.result_held = not self.flag("result_ready")
        if self.result_held:
            return
        command.done = True
        command.ok = self.flag("result_ok")
        command.tag = self.ports["result_tag"].get().to_bytes(self.tag_len, "little")
        if any(command.tag) and (command.op != SEAL or not command.ok):
            self.strays.append("result_tag without a good seal")
        self.flying.remove(command)
