# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of noise_health: sources that are stuck, biased, periodic or fair, one raw bit a cycle."""

import itertools
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from support.raw_port import Port

REPETITION, BITS, BYTES = 1, 2, 4


async def begin(dut):
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    dut.rst.value, dut.valid.value, dut.clear.value, dut.raw.value = 1, 0, 0, 0
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0


async def feed(dut, bits, most):
    """Raw bits until an alarm; returns how many came until it was seen, two behind its cause, or None after `most`."""
    dut.valid.value = 1
    edge, raw, alarm, found = RisingEdge(dut.clk), Port(dut.raw), Port(dut.alarm), None
    for count, bit in enumerate(itertools.islice(bits, most), 1):
        raw.put(bit)
        await edge
        if alarm.get():
            found = count
            break
    dut.valid.value = 0
    await ClockCycles(dut.clk, 3)
    return most if found is None and int(dut.alarm.value) else found


async def clear(dut, which=7):
    dut.clear.value = which
    await RisingEdge(dut.clk)
    dut.clear.value = 0
    await RisingEdge(dut.clk)


def fair_list(count):
    return [random.getrandbits(1) for _ in range(count)]


def biased(ones):
    while True:
        yield int(random.random() < ones)


@cocotb.test()
async def a_stuck_source_fails_behind_61_bits_wherever_it_sticks(dut):
    for value in (0, 1):
        for before in (0, 1, 7, 100):
            await begin(dut)
            lead = [*fair_list(before), 1 - value]
            found = await feed(dut, [*lead, *[value] * 70], len(lead) + 70)
            assert found is not None and len(lead) + 61 <= found <= len(lead) + 63, (value, before, found)
            assert int(dut.alarm.value) & REPETITION
            for _ in range(20):  # it stays
                await feed(dut, fair_list(5), 5)
                assert int(dut.alarm.value) & REPETITION


@cocotb.test()
async def sixty_equal_bits_are_no_failure(dut):
    await begin(dut)
    for _ in range(5):
        assert await feed(dut, [0, *[1] * 60, 0], 62) is None


@cocotb.test()
async def a_biased_source_fails_within_four_windows(dut):
    for ones in (0.9, 0.1, 0.86):
        await begin(dut)
        found = await feed(dut, biased(ones), 5 * 1024)
        assert found is not None and found <= 4 * 1024 + 2, (ones, found)
        assert int(dut.alarm.value) & (BITS | BYTES)


@cocotb.test()
async def the_proportion_of_bits_fails_at_810_of_1024_not_at_809(dut):
    for ones, fails in ((809, False), (810, True)):
        await begin(dut)
        zeros = 1024 - ones
        # The first sample is a one; zeros lie between, so that no run and no byte repeats too often.
        rest = [1] * (ones - 1) + [0] * zeros
        for _ in range(1000):
            random.shuffle(rest)
            runs = max(len(list(group)) for _, group in itertools.groupby([1, *rest]))
            if runs < 50:
                break
        await feed(dut, [1, *rest], 1024)
        await ClockCycles(dut.clk, 3)
        assert bool(int(dut.alarm.value) & BITS) == fails, ones


@cocotb.test()
async def every_period_up_to_eight_bits_fails_within_8192_bits(dut):
    for period in range(1, 9):
        for pattern in {tuple(fair_list(period)) for _ in range(6)} | {(0, 1) * (period // 2) or (1,)}:
            await begin(dut)
            before = random.choice((0, 3, 500, 2048))
            await feed(dut, fair_list(before), before)
            assert not int(dut.alarm.value)
            found = await feed(dut, itertools.cycle(pattern), 8194)
            assert found is not None, (period, pattern, before)


@cocotb.test()
async def a_fair_source_does_not_fail_in_200000_bits(dut):
    await begin(dut)
    assert await feed(dut, biased(0.5), 200_000) is None


@cocotb.test()
async def alarms_stay_until_each_is_cleared_and_come_again(dut):
    await begin(dut)
    await feed(dut, [1] * 9000, 9000)
    assert int(dut.alarm.value) & REPETITION
    dut.valid.value, dut.raw.value = 1, 1
    await ClockCycles(dut.clk, 9000)
    dut.valid.value = 0
    await ClockCycles(dut.clk, 3)
    assert int(dut.alarm.value) == 7
    for bit in range(3):
        await clear(dut, 1 << bit)
        assert int(dut.alarm.value) == 7 & ~((2 << bit) - 1)
    assert await feed(dut, [1] * 100, 100) is not None
