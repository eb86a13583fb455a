# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the synchronisers of hdl/lib/cdc: sync_bits and reset_sync promise their delays in edges."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, Timer

PERIOD, STAGES = 1000, int(os.environ.get("STAGES", 2))


async def edge(dut):
    """The next edge, and what it does."""
    await RisingEdge(dut.clk)
    await Timer(1, "ps")


async def begin(dut):
    dut.clk.value = 0
    cocotb.start_soon(Clock(dut.clk, PERIOD, unit="ps").start(start_high=False))
    for _ in range(STAGES + 1):
        await edge(dut)


@cocotb.test(skip=os.environ.get("TOP") != "sync_bits")
async def follows_its_input_after_as_many_edges_as_it_has_stages(dut):
    dut.d.value = 0
    await begin(dut)
    shown = 0
    for _ in range(40):
        await Timer(random.randrange(1, PERIOD - 10), "ps")  # a change between two edges, wherever
        value = random.getrandbits(len(dut.d)) if len(dut.d) > 1 else 1 - shown
        dut.d.value = value
        for passed in range(STAGES):
            await Timer(1, "ps")
            assert int(dut.q.value) == shown, f"seen after {passed} edges"
            await edge(dut)
        assert int(dut.q.value) == value, f"not seen after {STAGES} edges"
        shown = value


@cocotb.test(skip=os.environ.get("TOP") != "sync_bits")
async def passes_on_every_value_that_stands_for_a_cycle(dut):
    dut.d.value = 0
    await begin(dut)
    given = [random.getrandbits(len(dut.d)) for _ in range(60)]
    seen = []
    for value in [*given, *[0] * STAGES]:
        dut.d.value = value
        await edge(dut)
        seen.append(int(dut.q.value))
    assert seen[STAGES - 1 : STAGES - 1 + len(given)] == given


@cocotb.test(skip=os.environ.get("TOP") != "reset_sync")
async def rises_and_falls_at_edges_alone_and_after_the_promised_ones(dut):
    dut.rst_async_in.value = dut.rst_in.value = 0
    await begin(dut)
    for _ in range(STAGES):
        await edge(dut)
    shown = 0
    for _ in range(20):
        for value, edges in (1, STAGES), (0, 2 * STAGES):
            await Timer(random.randrange(1, PERIOD - 10), "ps")  # a change between two edges, wherever
            dut.rst_async_in.value = value
            for passed in range(edges):
                await Timer(1, "ps")
                assert int(dut.rst.value) == shown, f"{value} is seen after {passed} edges"
                await edge(dut)
            assert int(dut.rst.value) == value, f"{value} is not seen after {edges} edges"
            shown = value


@cocotb.test(skip=os.environ.get("TOP") != "reset_sync")
async def a_pulse_between_two_edges_is_a_whole_reset(dut):
    dut.rst_async_in.value = dut.rst_in.value = 0
    await begin(dut)
    for _ in range(2 * STAGES):
        await edge(dut)
    for _ in range(20):
        await edge(dut)
        await Timer(random.randrange(1, PERIOD // 2), "ps")
        dut.rst_async_in.value = 1
        await Timer(10, "ps")
        dut.rst_async_in.value = 0
        seen = []
        for _ in range(3 * STAGES):
            await edge(dut)
            seen.append(int(dut.rst.value))
        assert seen == [0] * (STAGES - 1) + [1] * STAGES + [0] * (STAGES + 1)


@cocotb.test(skip=os.environ.get("TOP") != "reset_sync")
async def a_synchronous_reset_counts_from_the_next_edge(dut):
    dut.rst_async_in.value = dut.rst_in.value = 0
    await begin(dut)
    for _ in range(2 * STAGES):
        await edge(dut)
    for value in [random.getrandbits(1) for _ in range(40)]:
        dut.rst_in.value = value
        await edge(dut)
        assert int(dut.rst.value) == value
