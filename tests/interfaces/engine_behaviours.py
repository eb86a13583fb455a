# SPDX-License-Identifier: Apache-2.0
"""What the adapters' engine must do with a core of several contexts, one behaviour a test; test_engine.py starts it.

The core is a model that enciphers nothing: `out` is the message, the tag is the nonce.  What it does at its ports is
what docs/core-ports.md lets a core do, with one output for all contexts.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from support.streams import Sink, Source, rate

SEAL, OPEN = 0, 1
OK, NOT_AUTH = 0, 1
PATIENCE = 5000


@dataclass
class Packet:
    """What a context of the core is at."""

    op: int
    nonce: int
    wait: int  # cycles from the last input to the first output
    wanted: set[str]
    beats: list[tuple[int, int, int]] = field(default_factory=list)
    tag: int = 0


class Core:
    """Serves each context on its own; beats leave in the order in which the contexts have them."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.contexts: list[Packet | None] = [None] * len(dut.core_cmd_ready)
        self.out: deque[tuple[int, tuple[int, int, int]]] = deque()
        self.results: deque[tuple[int, int, int]] = deque()  # context, ok, tag
        self.commands: list[int] = []  # contexts, in the order of the commands
        self.waits: deque[int] = deque()  # of the packets to come
        cocotb.start_soon(self._run())

    def _taken(self, name: str) -> Packet | None:
        """The packet whose beat on an input the engine has given in this cycle."""
        if not int(getattr(self.dut, f"core_{name}_valid").value):
            return None
        context = int(getattr(self.dut, f"core_{name}_ctx").value)
        packet = self.contexts[context]
        return packet if packet and name in packet.wanted else None

    def _inputs(self) -> None:
        dut = self.dut
        context = int(dut.core_cmd_ctx.value)
        if packet := self._taken("ad"):
            packet.wanted -= {"ad"} if int(dut.core_ad_last.value) else set()
        if packet := self._taken("msg"):
            last = int(dut.core_msg_last.value)
            packet.beats.append((int(dut.core_msg_data.value), int(dut.core_msg_bytes.value), last))
            packet.wanted -= {"msg"} if last else set()
        if packet := self._taken("tag_in"):
            packet.tag = int(dut.core_tag_in_data.value)
            packet.wanted -= {"tag_in"}
        if int(dut.core_cmd_valid.value) and self.contexts[context] is None:
            op, wait = int(dut.core_cmd_op.value), self.waits.popleft()
            wanted = {"ad", "msg", *(["tag_in"] if op == OPEN else [])}
            self.contexts[context] = Packet(op, int(dut.core_cmd_nonce.value), wait, wanted)
            self.commands.append(context)

    def _outputs(self) -> None:
        if int(self.dut.core_out_valid.value) and int(self.dut.core_out_ready.value):
            context, (_, _, last) = self.out.popleft()
            packet = self.contexts[context]
            if last and packet:
                sealed = packet.op == SEAL
                self.results.append((context, sealed or packet.tag == packet.nonce, packet.nonce if sealed else 0))
        if int(self.dut.core_result_valid.value) and int(self.dut.core_result_ready.value):
            self.contexts[self.results.popleft()[0]] = None
        for context, packet in enumerate(self.contexts):
            if packet and not packet.wanted and packet.beats:
                packet.wait -= 1
                if packet.wait < 0:
                    self.out.extend((context, beat) for beat in packet.beats)
                    packet.beats = []

    async def _run(self) -> None:
        dut = self.dut
        while True:
            await RisingEdge(dut.clk)
            self._inputs()
            self._outputs()
            for name in ("ad", "msg", "tag_in"):
                ready = [bool(packet and name in packet.wanted) for packet in self.contexts]
                getattr(dut, f"core_{name}_ready").value = sum(bit << place for place, bit in enumerate(ready))
            dut.core_cmd_ready.value = sum((packet is None) << place for place, packet in enumerate(self.contexts))
            anyone = random.randrange(len(self.contexts))
            context, (data, count, last) = self.out[0] if self.out else (anyone, (0, 0, 0))
            dut.core_out_valid.value = bool(self.out)
            dut.core_out_ctx.value, dut.core_out_data.value = context, data
            dut.core_out_bytes.value, dut.core_out_last.value = count, last
            dut.core_result_valid.value = bool(self.results)
            dut.core_result_ctx.value, dut.core_result_ok.value, dut.core_result_tag.value = (
                self.results[0] if self.results else (anyone, 1, random.getrandbits(64))
            )


class Bench:
    """Make it with `await Bench.start(dut)`."""

    def __init__(self, dut: Any) -> None:
        always, clock = rate(1.0), dut.clk
        self.core = Core(dut)
        fields = {
            "order": ("note", "op", "code", "cached", "nonce"),
            "ad": ("data", "bytes", "last", "code"),
            "msg": ("data", "bytes", "last", "code"),
            "tag": ("data", "code"),
        }
        self.sources = {name: Source(dut, name, clock, of, always) for name, of in fields.items()}
        self.done = Sink(dut, "done", clock, ("op", "code", "length"), always)
        self.out = Sink(dut, "out", clock, ("data", "bytes", "last", "end"), always)
        self.expected: list[tuple[int, int, int]] = []
        self.strings: list[tuple[int, int, int, int]] = []

    @classmethod
    async def start(cls, dut: Any) -> Bench:
        dut.rst.value, dut.clear.value = 1, 0
        cocotb.start_soon(Clock(dut.clk, 2, unit="ns").start())
        bench = cls(dut)
        bench.done.in_reset = bench.out.in_reset = True
        for _ in range(3):
            await RisingEdge(dut.clk)
        dut.rst.value = 0
        await RisingEdge(dut.clk)
        while int(dut.wiping.value):
            await RisingEdge(dut.clk)
        bench.done.in_reset = bench.out.in_reset = False
        return bench

    def submit(self, op: int, beats: int, wait: int, good: bool = True) -> None:
        """A packet of full beats, for which the core takes `wait` cycles."""
        nonce = random.getrandbits(64)
        text = [(random.getrandbits(64), 8, int(at + 1 == beats)) for at in range(beats)]
        self.core.waits.append(wait)
        self.sources["order"].send([(0, op, OK, 0, nonce)])
        self.sources["ad"].send([(0, 0, 1, OK)])
        self.sources["msg"].send((*beat, OK) for beat in text)
        if op == OPEN:
            self.sources["tag"].send([(nonce if good else nonce ^ 1, OK)])
        tag = [(nonce, 8, 1)] if op == SEAL else []
        self.expected.append((op, OK, 8 * (beats + len(tag))) if good else (op, NOT_AUTH, 0))
        if good:
            strings = [*text, *tag]
            self.strings += [(*beat, int(at + 1 == len(strings))) for at, beat in enumerate(strings)]

    async def finish(self) -> None:
        """All that was submitted comes out, in its order."""
        for _ in range(PATIENCE):
            if len(self.done.beats) >= len(self.expected) and len(self.out.beats) >= len(self.strings):
                break
            await RisingEdge(self.core.dut.clk)
        assert self.done.beats == self.expected
        assert self.out.beats == self.strings


@cocotb.test()
async def each_verdict_is_of_its_own_context(dut: Any) -> None:
    bench = await Bench.start(dut)
    for first, second in ((True, False), (False, True), (False, False), (True, True)):
        bench.submit(OPEN, 3, 60, first)  # its verdict comes after that of the packet behind it
        bench.submit(OPEN, 2, 0, second)
    await bench.finish()
    assert bench.core.commands[:2] == [0, 1]


@cocotb.test()
async def the_packet_that_leaves_next_never_waits_behind_another_full_store(dut: Any) -> None:
    bench = await Bench.start(dut)
    bench.submit(SEAL, 3, 400)
    for _ in range(6):
        bench.submit(OPEN, 4, 0)  # two of them fill a store
    await bench.finish()
    assert bench.core.commands[:3] == [0, 1, 1], "the second context did not go on alone"


@cocotb.test()
async def packets_leave_in_order_whatever_each_takes(dut: Any) -> None:
    bench = await Bench.start(dut)
    for _ in range(60):
        op = random.choice((SEAL, OPEN))
        bench.submit(op, random.randint(1, 3), random.choice((0, 5, 50)), op == SEAL or random.random() < 0.7)
    await bench.finish()
