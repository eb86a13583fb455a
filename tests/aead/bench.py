# SPDX-License-Identifier: Apache-2.0
"""The test bench around one AEAD core in cocotb: independent sources, sinks that take notes, and a model.

All channels are served by one coroutine: it looks at the settled ports on the falling edge and drives new values after
the rising edge.  Wherever a source offers nothing, or a beat has unused bytes, the ports carry random values.
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
from models import Model, model

SEAL, OPEN, LOAD_AD = 0, 1, 2
#: Cycles; longer than anything that these benches start, the longest message of a core that holds it included
PATIENCE = 30000 + 8 * int(os.environ.get("SEALWIRE_MAX_MSG_BYTES") or 0)


@dataclass
class Beat:
    """One beat of data.  A legal string is made by `beats`, an illegal one by hand."""

    data: bytes
    bytes: int
    last: bool


def beats(string: bytes, width: int) -> list[Beat]:
    """The beats of a string: all full but the last, an empty string as one empty beat."""
    parts = [string[at : at + width] for at in range(0, len(string), width)] or [b""]
    return [Beat(part, len(part), index == len(parts) - 1) for index, part in enumerate(parts)]


@dataclass
class Command:
    """A command and what came of it."""

    op: int
    nonce: bytes
    cached: bool = False
    out: bytes = b""
    out_done: bool = False
    out_beats: int = 0
    done: bool = False
    ok: bool = False
    tag: bytes = b""


@dataclass
class Source:
    """One input channel: a queue, and whether it may offer now."""

    name: str
    queue: deque[Any] = field(default_factory=deque)
    offering: bool = False
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
        self.sources = {name: Source(name) for name in ("key", "cmd", "ad", "msg", "tag_in")}
        self.flying: deque[Command] = deque()
        self.out_held = self.result_held = False
        self.strays: list[str] = []  # anything on out or result that no command explains
        self.cycles = 0
        self.pause = 0.0

    @classmethod
    async def start(cls, dut: Any, *, stall: str = "none", key: bytes | None = None, seed: int | None = None) -> Bench:
        """Clock, reset and (unless the key is b"") a key; a random one is in `bench.key_bytes`."""
        seed = random.getrandbits(32) if seed is None else seed
        dut._log.info("stall %s, seed %d", stall, seed)
        bench = cls(dut, seed, stall)
        Clock(dut.clk, 2, unit="ns").start()
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

    def model(self, key: bytes | None = None) -> Model:
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

    def offer_key(self, key: bytes) -> None:
        self.key_bytes = key
        self.sources["key"].queue.append(key)

    def submit(
        self,
        op: int,
        nonce: bytes,
        ad: bytes | list[Beat] | None = None,
        msg: bytes | list[Beat] | None = None,
        tag: bytes | None = None,
        *,
        cached: bool = False,
    ) -> Command:
        """Queue a command with its strings, each on its own source."""
        command = Command(op, nonce, cached)
        self.sources["cmd"].queue.append(command)
        for name, string in (("ad", ad), ("msg", msg)):
            if string is not None:
                made = beats(string, self.width) if isinstance(string, bytes) else string
                self.sources[name].queue.extend(made)
        if tag is not None:
            self.sources["tag_in"].queue.append(tag)
        return command

    def seal(self, nonce: bytes, ad: bytes | None, msg: bytes | list[Beat]) -> Command:
        """Queue a seal; `ad` None takes the cached AD."""
        return self.submit(SEAL, nonce, ad, msg, cached=ad is None)

    def open(self, nonce: bytes, ad: bytes | None, msg: bytes | list[Beat], tag: bytes) -> Command:
        """Queue an open; `ad` None takes the cached AD."""
        return self.submit(OPEN, nonce, ad, msg, tag, cached=ad is None)

    def load_ad(self, ad: bytes | list[Beat]) -> Command:
        """Queue a load of the AD cache."""
        return self.submit(LOAD_AD, self.bytes(self.nonce_len), ad)

    async def finish(self, *commands: Command) -> None:
        """Wait for these commands, then until the core is at rest and every source is empty."""
        await self.until(lambda: all(command.done for command in commands))
        await self.until(lambda: not self.flag("busy"))
        left = [source.name for source in self.sources.values() if source.queue and not source.held]
        assert not left, f"beats not taken on {left}"
        assert not self.strays, self.strays

    async def cycle(self, count: int = 1) -> None:
        """Let `count` cycles pass."""
        for _ in range(count):
            await RisingEdge(self.dut.clk)

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
            source.offering = False
        self.flying.clear()
        self.strays.clear()
        self.out_held = self.result_held = False
        self._drive()

    def assert_closed(self) -> None:
        """Clearing: busy, and nothing is taken."""
        assert self.flag("busy"), "busy low while clearing"
        for name in self.sources:
            assert int(getattr(self.dut, name + "_ready").value) == 0, f"{name}_ready while clearing"

    def flag(self, name: str) -> bool:
        """A one-bit port, or the bit of context 0: the bench knows no other."""
        return bool(int(getattr(self.dut, name).value) & 1)

    def silence(self) -> None:
        """Put zeros on every input, for comparing snapshots of the core."""
        for source in self.sources.values():
            source.held = True
        for name in ("key", "cmd", "ad", "msg", "tag_in"):
            for suffix in ("valid", "data", "ctx", "op", "cached_ad", "nonce", "bytes", "last"):
                port = getattr(self.dut, f"{name}_{suffix}", None)
                if port is not None:
                    port.value = 0
        self.dut.out_ready.value = 0
        self.dut.result_ready.value = 0
        self.quiet = True

    quiet = False

    # ---- the one coroutine --------------------------------------------------------------------------------------

    async def _serve(self) -> None:
        dut = self.dut
        while True:
            await FallingEdge(dut.clk)
            if self.quiet:
                continue
            wiped = self.flag("rst") or self.flag("clear")
            moving = [
                source
                for source in self.sources.values()
                if source.offering and not wiped and self.flag(source.name + "_ready")
            ]
            if not wiped:
                self._watch_out()
                self._watch_result()
            await RisingEdge(dut.clk)
            self.cycles += 1
            if self.quiet or wiped:
                continue
            for source in moving:
                self._taken(source)
            self._drive()

    def _taken(self, source: Source) -> None:
        if not source.queue:  # forgotten by a pulse of rst or clear on this very edge
            return
        item = source.queue.popleft()
        source.offering = False
        source.taken += 1
        if source.name == "cmd":
            self.flying.append(item)
        if source.name == "key" and self.flying:
            self.strays.append("key taken with a command in flight")

    def _drive(self) -> None:
        if self.cycles % 64 == 0:
            self.pause = self.random.choice((0.1, 0.5, 0.9))
        for source in self.sources.values():
            if source.offering:
                continue
            pausing = source.held or (self.idle and self.random.random() < self.pause)
            source.offering = bool(source.queue) and not pausing
            self._put(source.name, source.queue[0] if source.offering else None)
        dut = self.dut
        dut.out_ready.value = not (self.backpressure and self.random.random() < self.pause)
        dut.result_ready.value = not (self.backpressure and self.random.random() < self.pause)

    def _put(self, name: str, item: Any) -> None:
        dut = self.dut
        getattr(dut, name + "_valid").value = item is not None
        if name == "key":
            dut.key_data.value = int.from_bytes(item or self.bytes(self.key_len), "little")
        elif name == "cmd":
            dut.cmd_op.value = item.op if item else self.random.randrange(4)
            dut.cmd_cached_ad.value = item.cached if item else self.random.randrange(2)
            dut.cmd_nonce.value = int.from_bytes(item.nonce if item else self.bytes(self.nonce_len), "little")
            dut.cmd_ctx.value = 0 if item else self.random.randrange(2)
        elif name == "tag_in":
            dut.tag_in_data.value = int.from_bytes(item or self.bytes(self.tag_len), "little")
            dut.tag_in_ctx.value = 0 if item else self.random.randrange(2)
        else:
            beat = item or Beat(b"", self.random.randrange(self.width + 1), self.random.random() < 0.5)
            rest = self.bytes(self.width - len(beat.data))
            getattr(dut, name + "_data").value = int.from_bytes(beat.data + rest, "little")
            getattr(dut, name + "_bytes").value = beat.bytes
            getattr(dut, name + "_last").value = beat.last
            getattr(dut, name + "_ctx").value = 0 if item else self.random.randrange(2)

    def _watch_out(self) -> None:
        dut = self.dut
        if not self.flag("out_valid"):
            if self.out_held:
                self.strays.append("out_valid fell before the beat was taken")
            self.out_held = False
            return
        ready = self.flag("out_ready")
        self.out_held = not ready
        if not ready:
            return
        data = int(dut.out_data.value).to_bytes(self.width, "little")
        count, last = int(dut.out_bytes.value), self.flag("out_last")
        # A sink that is slow on result may see the out of the next command first.
        command = next(
            (command for command in self.flying if command.op in (SEAL, OPEN) and not command.out_done), None
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
        dut = self.dut
        if not self.flag("result_valid"):
            if self.result_held:
                self.strays.append("result_valid fell before the result was taken")
            self.result_held = False
            return
        if not self.flying:
            self.strays.append("result that no command explains")
            return
        command = self.flying[0]
        if command.op in (SEAL, OPEN) and not command.out_done:
            self.strays.append("result before out_last")
        self.result_held = not self.flag("result_ready")
        if self.result_held:
            return
        command.done = True
        command.ok = self.flag("result_ok")
        command.tag = int(dut.result_tag.value).to_bytes(self.tag_len, "little")
        if any(command.tag) and (command.op != SEAL or not command.ok):
            self.strays.append("result_tag without a good seal")
        self.flying.popleft()
