# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of hdl/interfaces/aead_queue: beats of each context in their order, and at which pace."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

FIELDS = ("ctx", "data", "bytes", "last")


async def begin(dut):
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    dut.rst.value, dut.clear.value, dut.s_valid.value, dut.m_ready.value = 1, 0, 0, 0
    await FallingEdge(dut.clk)
    await FallingEdge(dut.clk)
    dut.rst.value = 0
    await rest(dut)


async def rest(dut):
    """Until the memory is wiped."""
    while True:
        await FallingEdge(dut.clk)
        if not int(dut.busy.value):
            return


def contexts(dut):
    return len(dut.m_ready)


def beats(dut, count):
    """Beats of random contexts, told apart by their data."""
    return [
        (random.randrange(contexts(dut)), random.getrandbits(64), random.randrange(9), random.getrandbits(1))
        for _ in range(count)
    ]


async def carry(dut, given, cycles, offer=1.0, ready=lambda: (1 << 64) - 1):
    """Offers the beats for so many cycles; those that were taken, and those that came with the cycle of each."""
    taken, came, offering = 0, [], False
    for cycle in range(cycles):
        offering = offering or (taken < len(given) and random.random() < offer)
        dut.s_valid.value = int(offering)
        for name, value in zip(FIELDS, given[min(taken, len(given) - 1)], strict=True):
            getattr(dut, f"s_{name}").value = value
        dut.m_ready.value = ready() & (1 << contexts(dut)) - 1
        await ReadOnly()
        if offering and int(dut.s_ready.value):
            offering, taken = False, taken + 1
        if int(dut.m_valid.value) and int(dut.m_ready.value) >> int(dut.m_ctx.value) & 1:
            came.append((cycle, tuple(int(getattr(dut, f"m_{name}").value) for name in FIELDS)))
        await FallingEdge(dut.clk)
    dut.s_valid.value = dut.m_ready.value = 0
    return given[:taken], came


def of(context, found):
    return [beat for beat in found if beat[0] == context]


@cocotb.test()
async def keeps_the_order_of_each_context(dut):
    await begin(dut)
    for offer, ready in ((1, lambda: -1), (1, lambda: random.getrandbits(8)), (0.3, lambda: -1)):
        given = beats(dut, 200)
        taken, came = await carry(dut, given, 4000, offer, ready)
        assert taken == given
        for context in range(contexts(dut)):
            assert of(context, [beat for _, beat in came]) == of(context, given)


@cocotb.test()
async def gives_a_beat_a_cycle(dut):
    """Over all contexts; of one among several a beat in two cycles."""
    await begin(dut)
    if contexts(dut) == 1:
        given = beats(dut, 100)
    else:
        given = [(number % contexts(dut), *beat[1:]) for number, beat in enumerate(beats(dut, 100))]
    _, came = await carry(dut, given, 110)
    assert [cycle for cycle, _ in came] == list(range(2, 102))


@cocotb.test()
async def holds_so_many_beats_for_each_context(dut):
    """A full context refuses its next beat; the others still have their room. Of one context a beat more shows."""
    await begin(dut)
    for context in range(contexts(dut)):
        given = [(context, *beat[1:]) for beat in beats(dut, 40)]
        taken, came = await carry(dut, given, 60, ready=lambda: 0)
        assert not came
        assert len(taken) == (9 if contexts(dut) == 1 else 8)


@cocotb.test()
async def forgets_everything_on_clear(dut):
    await begin(dut)
    await carry(dut, beats(dut, 6), 10, ready=lambda: 0)
    dut.clear.value = 1
    await FallingEdge(dut.clk)
    dut.clear.value = 0
    await ReadOnly()
    assert not int(dut.m_valid.value) and int(dut.busy.value) and not int(dut.s_ready.value)
    await rest(dut)
    given = beats(dut, 5)
    _, came = await carry(dut, given, 40)
    assert sorted(beat for _, beat in came) == sorted(given)
