# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of hdl/link/stats/event_cdc: what is counted in one clock arrives in the other, exactly.

A channel counts the counter of its number; the names in the description of the registers say which ones count bytes.
"""

import os
import random
from itertools import pairwise

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, ReadOnly
from generated.sealwire_link_regs import REGISTERS

CHANNELS = int(os.environ.get("CHANNELS", "2"))
NAMES = [name for name in REGISTERS if name.startswith("counters.")]
#: What a channel gains in a cycle at most: the bytes of a beat, or two packets.
MOST = [8 if name.endswith("_bytes") else 2 for name in NAMES[:CHANNELS]]
#: Cycles of m_clk that the reader lets every sum wait in the slowest case.
WAIT = 80


class Bench:
    """Both sides: what was counted, and what arrived on each channel."""

    def __init__(self, dut):
        self.dut = dut
        self.ready = lambda cycle: True  # whether the reader takes a sum in this cycle of m_clk
        self.forget()

    def forget(self):
        self.given, self.came = [0] * CHANNELS, [0] * CHANNELS
        self.sums = []  # channel and sum in the order of their arrival

    @classmethod
    async def start(cls, dut):
        bench = cls(dut)
        for side in "sm":
            period = int(os.environ[f"{side.upper()}_PERIOD"])
            cocotb.start_soon(Clock(getattr(dut, f"{side}_clk"), period, unit="ps").start())
        dut.gains.value, dut.m_ready.value = 0, 0
        await bench.reset(8)
        cocotb.start_soon(bench.take())
        return bench

    async def reset(self, cycles):
        """Both sides at once, as the link resets its clocks; what happens meanwhile does not count."""
        self.dut.s_rst.value = self.dut.m_rst.value = 1
        self.say(MOST)
        await self.cycles(cycles)
        self.forget()
        await FallingEdge(self.dut.m_clk)
        self.dut.m_rst.value = 0
        await FallingEdge(self.dut.s_clk)
        self.say([0] * CHANNELS)
        self.dut.s_rst.value = 0

    async def cycles(self, number):
        """Of both clocks."""
        for side in "sm":
            await ClockCycles(getattr(self.dut, f"{side}_clk"), number)

    def say(self, gains):
        """Of either direction, or a part from both."""
        word = 0
        for channel, gain in enumerate(gains):
            one = random.choice((0, gain, gain // 2))
            word |= (one | gain - one << 5) << 10 * channel
        self.dut.gains.value = word

    async def count(self, gains, cycles):
        """The gains of so many cycles, one after another, and then none."""
        for _ in range(cycles):
            now = gains()
            self.say(now)
            self.given = [given + gain for given, gain in zip(self.given, now, strict=True)]
            await FallingEdge(self.dut.s_clk)
        self.say([0] * CHANNELS)

    async def count_most(self, cycles):
        """The highest rate of all channels."""
        self.say(MOST)
        await ClockCycles(self.dut.s_clk, cycles)
        await FallingEdge(self.dut.s_clk)
        self.say([0] * CHANNELS)
        self.given = [given + cycles * most for given, most in zip(self.given, MOST, strict=True)]

    async def take(self):
        dut, cycle = self.dut, 0
        while True:
            await FallingEdge(dut.m_clk)
            cycle += 1
            dut.m_ready.value = int(self.ready(cycle))
            await ReadOnly()
            if dut.m_valid.value and not dut.m_rst.value:
                channel, total = int(dut.m_channel.value), int(dut.m_sum.value)
                assert total, f"channel {channel} says that nothing was counted"
                if dut.m_ready.value:
                    self.came[channel] += total
                    self.sums.append((channel, total))

    async def settled(self, wait=0):
        """Waits for a sum of each channel and two on the way: 30 cycles of a clock and the reader's wait."""
        await self.cycles(30 * (CHANNELS + 2))
        await ClockCycles(self.dut.m_clk, wait * (CHANNELS + 2))
        assert self.came == self.given
        await FallingEdge(self.dut.s_clk)


def some():
    """Gains of a cycle: of some channels, or of all."""
    busy = random.choice((0.0, 0.1, 0.5, 1.0))
    return [random.randint(0, most) if random.random() < busy else 0 for most in MOST]


@cocotb.test()
async def every_event_arrives_once(dut):
    bench = await Bench.start(dut)
    for willing in (1.0, 0.3):
        bench.ready = lambda cycle, willing=willing: random.random() < willing
        await bench.count(some, 500)
        await bench.settled(wait=10)
        # one event alone, of each channel and at any moment
        for channel in random.sample(range(CHANNELS), 2):
            await bench.count(lambda channel=channel: [int(i == channel) for i in range(CHANNELS)], 1)
            await bench.settled(wait=10)
    assert min(bench.given) > 200


@cocotb.test()
async def nothing_is_lost_at_the_highest_rate(dut):
    bench = await Bench.start(dut)
    ratio = int(os.environ["M_PERIOD"]) // int(os.environ["S_PERIOD"]) + 1
    for wait in (1, WAIT):
        bench.ready = lambda cycle, wait=wait: cycle % wait == 0
        bench.sums.clear()
        await bench.count_most(2 * CHANNELS * (ratio * (wait + 4) + CHANNELS + 4))
        came = list(bench.sums)
        await bench.settled(wait)
        # a channel does not wait for a second sum of another one
        turns = [channel for channel, _ in came[CHANNELS:]]
        assert len(turns) > CHANNELS // 2
        assert all(later == (turn + 1) % CHANNELS for turn, later in pairwise(turns)), turns
    if CHANNELS == 16 and ratio == 90:  # the slowest m_clk that the header states
        assert max(total for _, total in bench.sums) > 2**19


@cocotb.test()
async def a_reset_leaves_nothing_of_before(dut):
    bench = await Bench.start(dut)
    for cycles in (8, 1, 2, 3) * 4:
        await bench.count(lambda: MOST, random.randrange(20, 60))
        await bench.reset(cycles)
        if random.getrandbits(1):
            await bench.settled()
        await bench.count(lambda: MOST, random.randrange(1, 60))
        await bench.settled()
