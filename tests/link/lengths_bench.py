# SPDX-License-Identifier: Apache-2.0
"""The link with DROP_WHEN_FULL = 0: nothing is lost, whatever stalls. OUTER and N_MAX as the variant has them."""

import random

import cocotb
from cocotb.triggers import ClockCycles
from link_bench import DROPS, TRUSTED_DROPS, Link, random_frame

#: Every residue of 8 and of 64, the edges of blocks and of the FIFOs' powers of two, common sizes, the largest.
LENGTHS = [
    *range(14, 79), 127, 128, 129, 191, 192, 193, 255, 256, 257, 511, 513, 1023, 1025, 1500, 1514, 1518, 2047, 2049,
    4095, 4097, 8191, 8192, 8193, 9000, 9535, 9536, 9537, *range(9592, 9601),
]  # fmt: skip


async def cross(link, lengths):
    """Frames of these lengths both ways at once; every one must cross unchanged, in order, none dropped."""
    out = [random_frame(size) for size in lengths]
    back = [random.randbytes(size) for size in reversed(lengths)]
    link.send_trusted(*out)
    link.send_untrusted(*[link.peer.seal(frame) for frame in back])
    counts = await link.at_rest(4_000_000)
    for packet in link.sealed():
        assert link.peer.receive(packet) == "delivered"
    assert link.peer.delivered == out
    assert link.delivered() == back
    assert not any(counts[name] for name in DROPS + TRUSTED_DROPS)
    link.peer.delivered.clear()
    return counts


@cocotb.test()
async def a_spread_of_lengths_crosses_under_back_pressure(dut):
    link = await Link.start(dut, 0.4)
    lengths = random.sample(LENGTHS, len(LENGTHS))
    counts = await cross(link, lengths)
    assert counts["delivered_bytes"] == counts["sealed_bytes"] == sum(lengths)


@cocotb.test()
async def a_spread_of_lengths_crosses_without_stalls(dut):
    link = await Link.start(dut)
    await cross(link, random.sample(LENGTHS[::3], len(LENGTHS[::3])))


@cocotb.test()
async def stalls_instead_of_dropping(dut):
    """Both exits stand still: both entrances come to stall, and when the exits move, everything comes through."""
    link = await Link.start(dut)
    link.trusted_sink.pause = link.untrusted_sink.pause = True
    await ClockCycles(dut.core_clk, 10)
    task = cocotb.start_soon(cross(link, [9600] * 26))
    still = {dut.s_axis_trusted_tready: 0, dut.s_axis_untrusted_tready: 0}
    for _ in range(8000):
        await link.core(50)
        still = {ready: 0 if ready.value else times + 1 for ready, times in still.items()}
        if min(still.values()) > 60:
            break
    assert min(still.values()) > 60, "an entrance never stalls"
    link.trusted_sink.pause = link.untrusted_sink.pause = False
    await task
