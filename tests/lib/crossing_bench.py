# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the FIFOs and crossings of hdl/lib that carry words: stream_fifo, stream_fifo_async, cdc_bus."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, Timer, with_timeout
from support.streams import Sink, Source, rate

S_PERIOD, M_PERIOD = int(os.environ.get("S_PERIOD", 10000)), int(os.environ.get("M_PERIOD", 10000))
CAPACITY = int(os.environ.get("CAPACITY", 0))


class Bench:
    """One clock or two: the module decides."""

    def __init__(self, dut, offer=1.0, accept=1.0):
        self.dut = dut
        self.two = hasattr(dut, "s_clk")
        self.s_clk = dut.s_clk if self.two else dut.clk
        self.m_clk = dut.m_clk if self.two else dut.clk
        self.resets = [dut.s_rst, dut.m_rst] if self.two else [dut.rst]
        for reset in self.resets:
            reset.value = 1
        cocotb.start_soon(Clock(self.s_clk, S_PERIOD, unit="ps").start())
        if self.two:
            cocotb.start_soon(Clock(self.m_clk, M_PERIOD, unit="ps").start())
        self.source = Source(dut, "s", self.s_clk, ("data",), rate(offer))
        self.sink = Sink(dut, "m", self.m_clk, ("data",), rate(accept))
        self.sink.in_reset = True

    def clock_of(self, reset):
        return self.m_clk if self.two and reset is self.resets[1] else self.s_clk

    async def start(self):
        await ClockCycles(self.s_clk, 3)
        await ClockCycles(self.m_clk, 3)
        for reset in self.resets:
            await RisingEdge(self.clock_of(reset))
            reset.value = 0
        await self.settled()

    async def settled(self):
        await ClockCycles(self.s_clk, 12)
        await ClockCycles(self.m_clk, 12)
        self.sink.in_reset = False

    async def all_arrive(self, sent):
        async def enough():
            while len(self.sink.beats) < len(sent):
                await RisingEdge(self.m_clk)

        await with_timeout(cocotb.start_soon(enough()), 60 * len(sent) * max(S_PERIOD, M_PERIOD), "ps")
        await ClockCycles(self.m_clk, 30)
        assert self.sink.beats == sent


def words(dut, count):
    return [(random.getrandbits(len(dut.s_data)),) for _ in range(count)]


async def random_traffic(dut, offer, accept):
    bench = Bench(dut, offer, accept)
    await bench.start()
    sent = words(dut, 400)
    bench.source.send(sent)
    await bench.all_arrive(sent)


@cocotb.test()
async def keeps_words_and_order_without_stalls(dut):
    await random_traffic(dut, 1.0, 1.0)


@cocotb.test()
async def keeps_words_and_order_with_idle_source(dut):
    await random_traffic(dut, 0.3, 1.0)


@cocotb.test()
async def keeps_words_and_order_under_back_pressure(dut):
    await random_traffic(dut, 1.0, 0.3)


@cocotb.test()
async def keeps_words_and_order_under_both(dut):
    await random_traffic(dut, 0.6, 0.6)


@cocotb.test()
async def stalls_when_full_and_holds_its_capacity(dut):
    bench = Bench(dut, 1.0, 0.0)
    await bench.start()
    sent = words(dut, CAPACITY + 20)
    bench.source.send(sent)
    await Timer(100 * max(S_PERIOD, M_PERIOD) + 10 * CAPACITY * S_PERIOD, "ps")
    assert bench.source.taken == CAPACITY and not dut.s_ready.value
    bench.sink.accept = rate(1.0)
    await bench.all_arrive(sent)


@cocotb.test()
async def sustains_full_rate(dut):
    """Words a cycle of the slower clock: one (a handshake crossing is exempt: see its header)."""
    bench = Bench(dut)
    await bench.start()
    bench.source.send(words(dut, 400))
    await ClockCycles(bench.m_clk, 40)
    before = len(bench.sink.beats)
    slow = max(S_PERIOD, M_PERIOD)
    await Timer(100 * slow, "ps")
    least = 98 if os.environ.get("FULL_RATE", "1") == "1" else 10
    assert len(bench.sink.beats) - before >= least


async def reset_in_traffic(dut, which):
    bench = Bench(dut, 0.8, 0.6)
    await bench.start()
    for _ in range(8):
        bench.source.send(words(dut, 60))
        await Timer(random.randint(5 * S_PERIOD, 80 * S_PERIOD), "ps")
        resets = {"s": bench.resets[:1], "m": bench.resets[-1:], "both": bench.resets}[which]
        for reset in resets:
            await RisingEdge(bench.clock_of(reset))
            bench.sink.in_reset = True
            reset.value = 1
        if which != "m":
            bench.source.reset()
        await ClockCycles(bench.clock_of(resets[0]), random.randint(1, 3))
        for reset in resets:
            reset.value = 0
        if which == "m":
            # the source's end knows nothing of it: it stops by itself before the next round
            bench.source.queue.clear()
            bench.source.valid.put(0)
            bench.source.reset()
        await bench.settled()
        await Timer(100 * max(S_PERIOD, M_PERIOD), "ps")
        bench.sink.beats.clear()
        fresh = words(dut, 12)
        bench.source.send(fresh)
        await bench.all_arrive(fresh)
        bench.sink.beats.clear()


@cocotb.test()
async def starts_clean_after_a_reset_of_the_writer(dut):
    await reset_in_traffic(dut, "s")


@cocotb.test()
async def starts_clean_after_a_reset_of_the_reader(dut):
    await reset_in_traffic(dut, "m")


@cocotb.test()
async def starts_clean_after_a_reset_of_both(dut):
    await reset_in_traffic(dut, "both")


@cocotb.test()
async def a_reset_promises_nothing_and_drops_what_is_stored(dut):
    bench = Bench(dut, 1.0, 0.0)
    await bench.start()
    for reset, stored in [(reset, stored) for reset in bench.resets for stored in (CAPACITY, 1)]:
        bench.source.send(words(dut, stored))
        await bench.source.idle.wait()
        await Timer(30 * max(S_PERIOD, M_PERIOD), "ps")
        assert dut.m_valid.value
        bench.sink.in_reset = True
        reset.value = 1
        await Timer(30 * max(S_PERIOD, M_PERIOD), "ps")
        for _ in range(8):
            await RisingEdge(bench.s_clk)
            assert not dut.s_ready.value, "a word can be given in reset"
            assert not dut.m_valid.value, "a word is offered in reset"
        bench.source.reset()
        await RisingEdge(bench.clock_of(reset))
        reset.value = 0
        await bench.settled()
        bench.sink.accept = rate(1.0)
        await Timer(60 * max(S_PERIOD, M_PERIOD), "ps")
        assert not bench.sink.beats, "a word outlives a reset"
        bench.sink.accept = rate(0.0)
        await Timer(4 * max(S_PERIOD, M_PERIOD), "ps")
