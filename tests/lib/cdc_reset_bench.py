# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of hdl/lib/cdc/cdc_reset: two ends of a crossing restart together, one step after the other."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, RisingEdge, Timer

PERIODS = {"s": int(os.environ.get("S_PERIOD", 10000)), "m": int(os.environ.get("M_PERIOD", 10000))}
OTHER = {"s": "m", "m": "s"}
#: Edges until an end works with pointers of the other end that have changed: two flip-flops, and the one that uses them
SEEN = 3


class End:
    """One end as the pointers beside it see it, and what it must not do."""

    def __init__(self, dut, name):
        self.name = name
        self.clk, self.rst, self.hold, self.zero = (
            getattr(dut, f"{name}_{pin}") for pin in ("clk", "rst", "hold", "zero")
        )
        self.rst.value = 0
        self.zeroed = set()  # ends that were zeroed since this one was held
        self.moved = False  # the pointers of this end are perhaps not zero
        self.recent = 0  # edges until this end no longer takes old pointers of the other for good ones
        self.other = None

    def start_clock(self):
        self.clock = Clock(self.clk, PERIODS[self.name], unit="ps")
        self.clock.start(start_high=False)

    async def watch(self):
        was_held = False
        while True:
            await RisingEdge(self.clk)
            held, zero, reset = (bool(pin.value) for pin in (self.hold, self.zero, self.rst))
            assert held or not reset, f"{self.name} runs in its own reset"
            assert held or not zero, f"{self.name} is zeroed while it runs"
            assert held or not self.recent, f"{self.name} runs when it sees the pointers of {OTHER[self.name]} jump"
            self.recent = max(0, self.recent - 1)
            if zero:
                if self.moved:
                    self.other.recent = SEEN
                self.moved = False
                for end in (self, self.other):
                    end.zeroed.add(self.name)
            if held and not was_held:
                self.zeroed = set()
            if was_held and not held:
                assert len(self.zeroed) == 2, f"{self.name} runs when only {self.zeroed} has been zeroed"
            self.moved |= not held
            was_held = held

    async def reset(self, cycles=1):
        await RisingEdge(self.clk)
        self.rst.value = 1
        await FallingEdge(self.clk)
        assert self.hold.value, "not held at once"
        await ClockCycles(self.clk, cycles)
        self.rst.value = 0


async def begin(dut, first="s"):
    """Both ends reset once, one after the other."""
    ends = {name: End(dut, name) for name in PERIODS}
    for end in ends.values():
        end.other = ends[OTHER[end.name]]
        end.start_clock()
    for name in (first, OTHER[first]):
        await ends[name].reset()
    await released(ends)
    for end in ends.values():
        cocotb.start_soon(end.watch())
    return ends


async def released(ends):
    """Wait until both ends run: eight cycles of one clock and eight of the other must be enough."""
    for end in ends.values():
        await ClockCycles(end.clk, 8)
    await Timer(1, "ps")
    assert not any(end.hold.value for end in ends.values()), "held after 8 cycles of each clock"


@cocotb.test()
async def starts_both_ends_when_the_writer_is_reset_first(dut):
    await begin(dut, "s")


@cocotb.test()
async def starts_both_ends_when_the_reader_is_reset_first(dut):
    await begin(dut, "m")


async def reset_of(dut, which):
    ends = await begin(dut)
    for _ in range(60):
        await Timer(random.randrange(1, sum(PERIODS.values())), "ps")
        tasks = [cocotb.start_soon(ends[name].reset(random.choice((1, 1, 2, 5)))) for name in which]
        for task in tasks:
            await task
        await released(ends)


@cocotb.test()
async def a_reset_of_the_writer_restarts_both_ends_in_steps(dut):
    await reset_of(dut, "s")


@cocotb.test()
async def a_reset_of_the_reader_restarts_both_ends_in_steps(dut):
    await reset_of(dut, "m")


@cocotb.test()
async def resets_of_both_at_any_distance_restart_both_ends_in_steps(dut):
    ends = await begin(dut)
    for _ in range(80):
        names = random.sample(list(PERIODS), 2)
        await ends[names[0]].reset(random.choice((1, 2)))
        await Timer(random.randrange(1, 6 * sum(PERIODS.values())), "ps")  # in any step of the first
        await ends[names[1]].reset(random.choice((1, 2)))
        await released(ends)


@cocotb.test()
async def a_stopped_clock_keeps_the_other_end_held(dut):
    ends = await begin(dut)
    for name in PERIODS:
        end, stopped = ends[name], ends[OTHER[name]]
        await RisingEdge(stopped.clk)
        stopped.clock.stop()
        await end.reset()
        for _ in range(60):
            await RisingEdge(end.clk)
            assert end.hold.value
        stopped.start_clock()
        await released(ends)
