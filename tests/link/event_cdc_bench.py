# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of hdl/link/stats/event_cdc: what is counted in one clock arrives in the other, exactly.

Every channel counts the first counter here.
"""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, ReadOnly

SUM_BITS = 20


class Bench:
    """Both sides: what was counted, and what arrived on each channel."""

    def __init__(self, dut):
        self.dut, self.given, self.counting, self.willing = dut, 0, False, 1.0
        self.channels = int(os.environ["CHANNELS"])
        self.came = [0] * self.channels
        self.half = len(dut.s_counted) // 2

    @classmethod
    async def start(cls, dut):
        bench = cls(dut)
        for side in "sm":
            period = int(os.environ[f"{side.upper()}_PERIOD"])
            cocotb.start_soon(Clock(getattr(dut, f"{side}_clk"), period, unit="ps").start())
        dut.s_counted.value, dut.m_ready.value = 0, 0
        await bench.reset()
        cocotb.start_soon(bench.count())
        cocotb.start_soon(bench.take())
        return bench

    async def reset(self):
        """Both sides at once and for long, as the link resets its clocks."""
        self.counting = False
        self.dut.s_rst.value = self.dut.m_rst.value = 1
        await self.cycles(8)
        self.given, self.came = 0, [0] * self.channels
        await FallingEdge(self.dut.s_clk)
        self.dut.s_rst.value = 0
        await FallingEdge(self.dut.m_clk)
        self.dut.m_rst.value = 0

    async def cycles(self, number):
        """Of both clocks."""
        for side in "sm":
            await ClockCycles(getattr(self.dut, f"{side}_clk"), number)

    async def count(self):
        while True:
            await FallingEdge(self.dut.s_clk)
            gains = [random.randrange(16) if self.counting and random.random() < 0.5 else 0 for _ in range(2)]
            self.dut.s_counted.value = gains[0] | gains[1] << self.half
            self.given += sum(gains)

    async def take(self):
        while True:
            await FallingEdge(self.dut.m_clk)
            self.dut.m_ready.value = int(random.random() < self.willing)
            await ReadOnly()
            m = int(self.dut.m.value)
            if int(self.dut.m_ready.value) and m >> SUM_BITS + 4 and not int(self.dut.m_rst.value):
                self.came[m >> SUM_BITS & 15] += m & (1 << SUM_BITS) - 1

    async def settled(self):
        """Waits for what was counted: some ten cycles of both clocks a channel, and the reader's pauses."""
        self.counting = False
        await self.cycles(30 * self.channels)
        assert self.came == [self.given] * self.channels


@cocotb.test()
async def every_event_arrives_once(dut):
    bench = await Bench.start(dut)
    for bench.willing in (1.0, 0.3):
        bench.counting = True
        await bench.cycles(500)
        await bench.settled()
    assert bench.given > 1000


@cocotb.test()
async def a_reset_leaves_nothing_of_before(dut):
    bench = await Bench.start(dut)
    for _ in range(12):
        bench.counting = True
        await bench.cycles(random.randrange(20, 60))
        await bench.reset()
        await bench.settled()
        bench.counting = True
        await bench.cycles(20)
        await bench.settled()
