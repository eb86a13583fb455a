# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of hdl/link/tx/packet_merge: packets of both sources leave whole, in order and in turn; a wipe leaves
nothing of what is unfinished."""

import random
from itertools import product

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, Timer
from support.hdl_bench import BEAT, beat_t, beats, bytes_of, valid_of

SEALED, MESSAGE = 0, 1
BYTES = BEAT, 8  # of a beat of each


class Bench:
    """Two sources that offer what is in `waiting`; packets that left are in `left`."""

    def __init__(self, dut):
        self.dut, self.left, self.part = dut, [], b""
        self.waiting, self.words = ([], []), ([], [])
        self.taken = [0, 0]  # beats of each source
        self.eager = True  # a source with packets offers a beat in each cycle; else it pauses, within packets too
        self.offers = [False, False]

    @classmethod
    async def start(cls, dut):
        cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
        bench = cls(dut)
        dut.sealed.value, dut.message_out.value, dut.wipe.value, dut.ctxt_ready.value, dut.rst.value = 0, 0, 0, 1, 1
        await ClockCycles(dut.clk, 20)
        await FallingEdge(dut.clk)
        dut.rst.value = 0
        await ClockCycles(dut.clk, 300)  # the FIFO is wiped
        await FallingEdge(dut.clk)
        return bench

    async def run(self, cycles):
        dut = self.dut
        sources = ((dut.sealed, dut.sealed_ready), (dut.message_out, dut.message_out_ready))
        for _ in range(cycles):
            offered = []
            for source, (port, _) in enumerate(sources):
                waiting, words = self.waiting[source], self.words[source]
                if not words and waiting:
                    words += beats(waiting.pop(0), BYTES[source])
                offer = bool(words) and (self.offers[source] or self.eager or random.randrange(3) == 0)
                data, size, last = words[0] if offer else (random.getrandbits(64), 8, 0)
                port.value = beat_t(data, size, last, offer, BYTES[source])
                self.offers[source] = offer
                offered.append(offer)
            await Timer(1, "ns")
            beat = int(dut.ctxt.value)
            taken = [there and bool(ready.value) for there, (_, ready) in zip(offered, sources, strict=True)]
            if valid_of(beat) and dut.ctxt_ready.value:
                self.part += bytes_of(beat)
                if beat & 1:
                    self.left.append(self.part)
                    self.part = b""
            await FallingEdge(dut.clk)
            assert taken != [True, True]
            for source in (SEALED, MESSAGE):
                if taken[source]:
                    self.words[source].pop(0)
                    self.taken[source] += 1
                    self.offers[source] = False


def packets(source, number, largest=80):
    """Each begins with its source and its place among those of the source."""
    return [bytes([source, i]) + random.randbytes(random.randrange(largest)) for i in range(number)]


@cocotb.test()
async def packets_leave_whole_and_in_order(dut):
    bench = await Bench.start(dut)
    for bench.eager in (True, False):
        given = packets(SEALED, 60), packets(MESSAGE, 60)
        for source in (SEALED, MESSAGE):
            bench.waiting[source][:] = given[source]
        bench.left.clear()
        for _ in range(400):
            dut.ctxt_ready.value = random.randrange(2)
            await bench.run(5)
        for source in (SEALED, MESSAGE):
            assert [packet for packet in bench.left if packet[0] == source] == given[source]


@cocotb.test()
async def neither_source_waits_for_two_packets_of_the_other(dut):
    bench = await Bench.start(dut)
    for source in (SEALED, MESSAGE):
        bench.waiting[source][:] = packets(source, 100)
    await bench.run(900)
    assert len(bench.left) > 80
    turns = [packet[0] for packet in bench.left[1:]]
    assert turns == [turns[0], 1 - turns[0]] * (len(turns) // 2) + turns[: len(turns) % 2]


@cocotb.test()
async def sealed_packets_alone_wait_no_cycle(dut):
    bench = await Bench.start(dut)
    bench.waiting[SEALED][:] = [bytes(8 * BEAT)] * 40
    await bench.run(200)
    assert bench.taken == [200, 0]


@cocotb.test()
async def a_wipe_leaves_nothing_unfinished(dut):
    bench = await Bench.start(dut)
    for source in (SEALED, MESSAGE):
        for next_source, cycles in product((SEALED, MESSAGE), (5, 6)):  # half a beat of a message may wait to be joined
            bench.waiting[source].append(bytes([source]) * 200)
            await bench.run(cycles)
            assert bench.words[source], "the packet is under way"
            dut.wipe.value = 1
            for words in bench.words:
                words.clear()
            await bench.run(1)
            dut.wipe.value = 0
            bench.waiting[next_source][:] = after = packets(next_source, 3)
            bench.left.clear()
            await bench.run(100)
            assert bench.left == after
