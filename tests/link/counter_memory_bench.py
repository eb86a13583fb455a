# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of counter_memory: exact at the highest rate of events that can be, through resets, and reads.

The module asserts in every cycle that its counts are those of counters side by side; this bench counts once more.
"""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer
from generated.sealwire_link_regs import REGISTERS

#: Every register of the window has a turn in a round; the two numbers of the session at its end are no counters.
TURNS = sum(name.startswith("counters.") for name in REGISTERS)
COUNTERS = TURNS - 2
SEALED_BYTES = 3
#: What a cycle can bring at most: six sources, a length of 14 bits, a sum of 20 bits from each outer clock
GAIN, LENGTH, SUM = 6, 2**14 - 1, 2**20 - 1
#: Counters of the channels of the outer clocks: hdl/link/link_types_pkg.sv
CHANNELS = {
    "trusted": (0, 1, 4, 5, 32, 33, 10, 11, 20),
    "untrusted": (7, 8, 9, 14, 15, 16, 17, 18, 19, 24, 34, 20, 27, 21),
}
SESSION = 20  # drop_session, of which both clocks have a channel


class Bench:
    def __init__(self, dut):
        self.dut, self.channels = dut, CHANNELS
        cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())

    async def reset(self, cycles=0):
        """For one, two or many cycles, or as many as are given."""
        dut = self.dut
        dut.rst.value, dut.read.value = 1, 0
        for _ in range(cycles or random.choice((1, 2, 50))):
            for port in ("gains", "sealed_bytes", "trusted", "untrusted"):
                getattr(dut, port).value = random.getrandbits(10)
            await FallingEdge(dut.clk)
        dut.rst.value = 0
        self.counts = [0] * TURNS
        self.lately = [[0] * TURNS] * 3  # before each of the last three cycles
        self.waiting = {side: (0, 0, TURNS) for side in CHANNELS}  # channel, sum, cycles that it may still wait
        self.sums = dict.fromkeys(CHANNELS, 0)

    async def cycle(self, gain=lambda: 0, length=lambda: 0, total=lambda: 0):
        """One cycle with what the functions give; a sum waits until it is taken."""
        dut, word = self.dut, 0
        self.lately = [*self.lately[1:], list(self.counts)]
        for counter in range(COUNTERS):
            if counter != SEALED_BYTES:
                more = gain()
                self.counts[counter] += more
                word |= more << 3 * counter
        dut.gains.value = word
        dut.sealed_bytes.value = more = length()
        self.counts[SEALED_BYTES] += more
        for side, channels in CHANNELS.items():
            if not self.waiting[side][1]:
                channel = channels.index(random.choice(self.channels[side]))
                self.waiting[side] = (channel, total(), TURNS)
            channel, waits, _ = self.waiting[side]
            getattr(dut, side).value = (waits > 0) << 24 | channel << 20 | waits
        await Timer(1, "ns")
        for side, channels in CHANNELS.items():
            channel, waits, left = self.waiting[side]
            if waits and getattr(dut, f"{side}_ready").value:
                self.counts[channels[channel]] += waits
                waits = 0
            assert left, f"a sum of the {side} clock waits for more than {TURNS} cycles"
            self.waiting[side] = (channel, waits, left - 1)
        await FallingEdge(dut.clk)

    async def read(self, counter, **events):
        """A count, and what it may be at least and at most: a turn that is under way began up to three cycles ago."""
        self.dut.read.value = 1 << 6 | counter
        least = self.lately[0][counter]
        for _ in range(TURNS + 2):
            before = self.counts[counter]
            await Timer(1, "ns")
            if self.dut.read_done.value:
                found = int(self.dut.read_count.value)
                await self.cycle(**events)
                self.dut.read.value = 0
                return found, least, before
            await self.cycle(**events)
        raise AssertionError(f"counter {counter} is not read within {TURNS + 1} cycles")

    async def settle(self):
        for _ in range(2 * TURNS + 2):
            await self.cycle()
        for counter in range(TURNS):
            assert (await self.read(counter))[0] == self.counts[counter], counter


@cocotb.test()
async def nothing_is_lost_at_the_highest_rate(dut):
    bench = Bench(dut)
    for cycles in (1, TURNS, 20 * TURNS + 7):
        await bench.reset()
        for _ in range(cycles):
            await bench.cycle(lambda: GAIN, lambda: LENGTH, lambda: SUM)
        await bench.settle()
    assert bench.counts[0] > GAIN * cycles and bench.counts[SEALED_BYTES] == LENGTH * cycles


@cocotb.test()
async def both_outer_clocks_count_the_same_thing(dut):
    """Sums of both that wait for one turn are added, the largest, too."""
    bench = Bench(dut)
    bench.channels = dict.fromkeys(CHANNELS, (SESSION,))
    for total in (SUM, 1):
        await bench.reset()
        for _ in range(20 * TURNS):
            await bench.cycle(lambda: GAIN, total=lambda total=total: total)
        await bench.settle()
        assert bench.counts[SESSION] > 30 * total


@cocotb.test()
async def reads_are_whole_and_of_one_moment(dut):
    bench = Bench(dut)
    for _ in range(6):
        await bench.reset()
        # sums that carry into the upper word within a few hundred cycles
        events = {
            "gain": lambda: random.choice((0, 0, 1, random.randint(0, GAIN))),
            "length": lambda: random.choice((0, 0, random.randint(0, LENGTH))),
            "total": lambda: random.choice((0, SUM, random.randint(1, SUM))),
        }
        for _ in range(random.choice((0, 5, 40))):
            await bench.cycle(**events)
        for _ in range(120):
            counter = random.choice((random.randrange(COUNTERS), CHANNELS["trusted"][1]))
            found, least, most = await bench.read(counter, **events)
            assert least <= found <= most, (counter, least, found, most)
            for _ in range(random.choice((0, 0, 3, 40))):
                await bench.cycle(**events)
        await bench.settle()


@cocotb.test()
async def a_reset_sets_all_counts_to_zero(dut):
    bench = Bench(dut)
    await bench.reset()
    for _ in range(300):
        await bench.cycle(lambda: GAIN, lambda: LENGTH, lambda: SUM)
    dut.rst.value = 1
    for counter in range(COUNTERS):
        dut.read.value = 1 << 6 | counter
        await FallingEdge(dut.clk)
        assert dut.read_done.value and not int(dut.read_count.value)
    for wait in (0, 1, 10, 31, 32, 33, 60):
        await bench.reset()
        for _ in range(wait):
            await bench.cycle()
        for counter in random.sample(range(COUNTERS), 5):
            assert (await bench.read(counter))[0] == 0, (wait, counter)
    # the counter whose turn a reset of one cycle meets
    for counter in random.sample(range(COUNTERS), 8):
        await bench.reset()
        for _ in range(TURNS + counter):
            await bench.cycle(lambda: GAIN, lambda: LENGTH, lambda: SUM)
        await bench.reset(1)
        await bench.cycle()
        assert (await bench.read(counter))[0] == 0, counter
