# SPDX-License-Identifier: Apache-2.0
"""The link with DROP_WHEN_FULL = 0: nothing is lost, whatever stalls. OUTER and N_MAX as the variant has them."""

import random

import cocotb
from cocotb.triggers import ClockCycles
from link_bench import DROPS, NUMBERS, TRUSTED_DROPS, Link
from link_model import Direction

#: Every residue of 8 and of 64, the edges of blocks and of the FIFOs' powers of two, common sizes, the largest.
LENGTHS = [
    *range(14, 79), 127, 128, 129, 191, 192, 193, 255, 256, 257, 511, 513, 1023, 1025, 1500, 1514, 1518, 2047, 2049,
    4095, 4097, 8191, 8192, 8193, 9000, 9535, 9536, 9537, *range(9592, 9601),
]  # fmt: skip


async def cross(link, lengths):
    """Frames of these lengths both ways at once; every one must cross unchanged, in order, none dropped."""
    out = [random.randbytes(size) for size in lengths]
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


@cocotb.test()
async def a_change_of_session_in_traffic_loses_no_trusted_frame(dut):
    """Frames that wait are sealed in the new session; none is sealed twice or lost, numbers start anew."""
    link = await Link.start(dut, 0.2)
    openers: list[Direction] = [link.peer.rx]
    frames = [random.randbytes(random.choice((14, 60, 300))) for _ in range(60)]
    link.send_trusted(*frames)
    for round_number in range(3):
        await link.core(random.randint(200, 1500))
        source = random.Random(round_number)
        assert await link.session(source.randbytes(32), source.randbytes(32))
        openers.append(link.peer.rx)
    await link.at_rest()
    opened, session, number = [], 0, 0
    for packet in link.sealed():
        while packet[4:8] != openers[session].sid:
            session, number = session + 1, 0
        assert int.from_bytes(packet[8:16], "big") == number
        number += 1
        opened.append(openers[session].open(packet))
    assert opened == frames


@cocotb.test()
async def frames_are_dropped_when_the_numbers_are_used_up(dut):
    """N_MAX packets a session, keep-alives included; received numbers stop there too; a new session goes on."""
    if NUMBERS > 1000:
        return
    link = await Link.start(dut)
    await link.keepalive()
    frames = [random.randbytes(14) for _ in range(NUMBERS + 5)]
    link.send_trusted(*frames)
    assert link.peer.tx
    link.send_untrusted(*[link.peer.tx.seal(number, bytes(14)) for number in (NUMBERS - 1, NUMBERS, NUMBERS - 2)])
    counts = await link.at_rest(400000)
    assert counts["keepalives_out"] + counts["sealed"] == NUMBERS
    assert counts["drop_trusted_session"] == 6 and counts["drop_number"] == 1 and counts["delivered"] == 2
    assert not dut.keepalive_ready.value
    assert [packet[8:16] for packet in link.sealed()] == [number.to_bytes(8, "big") for number in range(NUMBERS)]
    source = random.Random(5)
    assert await link.session(source.randbytes(32), source.randbytes(32))
    link.send_trusted(frames[0])
    await link.at_rest()
    assert link.sealed() == [link.own.seal(frames[0])]
