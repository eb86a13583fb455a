# SPDX-License-Identifier: Apache-2.0
"""What a link does with many packets in its core at once: order, replay, forgeries in between, zeroise."""

import random

import cocotb
from link_bench import BEAT, SEEDS, TAG, Link, random_frame
from sealwire_model.wire import HEADER

MIXED = [9600, 14, 64, 64, 1500, 15, 4096, 128, 65, 8192, 200, 14, 777, 63, 64, 1514, 300, 14]


@cocotb.test()
async def frames_leave_in_the_order_they_came(dut):
    """A long frame first, short ones behind it: they overtake it in the core, never on the wire."""
    link = await Link.start(dut, 0.1)
    frames = [random_frame(size) for size in MIXED]
    link.send_trusted(*frames)
    counts = await link.at_rest()
    assert link.sealed() == [link.own.seal(frame) for frame in frames]
    assert counts["sealed"] == len(frames)


@cocotb.test()
async def packets_are_released_in_the_order_they_came(dut):
    """Good packets between forged ones, all in work together."""
    link = await Link.start(dut, 0.1)
    frames = [random_frame(size) for size in MIXED]
    packets = [link.peer.seal(frame) for frame in frames]
    forged = {1, 4, 5, 10, 17}
    sent = [packet[:-1] + bytes([packet[-1] ^ 1]) if i in forged else packet for i, packet in enumerate(packets)]
    link.send_untrusted(*sent)
    counts = await link.at_rest()
    assert link.delivered() == [frame for i, frame in enumerate(frames) if i not in forged]
    assert counts["drop_auth"] == len(forged)
    # A forged number is not spent.
    link.send_untrusted(packets[17])
    await link.at_rest()
    assert link.delivered() == [frames[17]]


@cocotb.test()
async def of_copies_in_work_together_one_passes(dut):
    link = await Link.start(dut)
    frames = [random_frame(600), random_frame(64)]
    for frame in frames:
        packet = link.peer.seal(frame)
        link.send_untrusted(*[packet] * 12)
        counts = await link.at_rest()
        assert link.delivered() == [frame]
    assert counts["drop_replay"] == 22


@cocotb.test()
async def packets_of_old_and_new_session_in_turn_are_opened_each_under_its_own_key(dut):
    """Runs of one to five packets of mixed lengths under one session, then under the other, some of them forged."""
    link = await Link.start(dut)
    await link.session(random.randbytes(32), random.randbytes(32))
    sent, good = [], []
    for run in range(16):
        slot = (link.peer.cur, link.peer.alt)[run % 2]
        for _ in range(random.randint(1, 5)):
            frame = random_frame(random.choice((14, 64, 100, 700)))
            packet = link.peer.seal_in(slot, frame)
            if random.random() < 0.2:
                packet = packet[:-1] + bytes([packet[-1] ^ 1])
            else:
                good.append(frame)
            sent.append(packet)
    link.send_untrusted(*sent)
    counts = await link.at_rest()
    assert link.delivered() == good
    assert counts["drop_auth"] == len(sent) - len(good) and not counts["drop_replay"]


@cocotb.test()
async def both_ways_at_once(dut):
    link = await Link.start(dut, 0.2)
    frames = [random_frame(random.randint(14, 400)) for _ in range(60)]
    packets = [link.peer.seal(frame) for frame in frames]
    link.send_trusted(*frames)
    link.send_untrusted(*packets)
    await link.at_rest()
    assert link.sealed() == [link.own.seal(frame) for frame in frames]
    assert link.delivered() == frames


async def stand_still(link):
    """The trusted side takes nothing until the store is full and packets drop; returns the frames that were sent."""
    link.trusted_sink.pause = True
    frames = [random_frame(random.choice((9600, 8000, 4096))) for _ in range(40)]
    for start in range(0, len(frames), 4):
        link.send_untrusted(*map(link.peer.seal, frames[start : start + 4]))
        # The store is to be filled: the masked core takes 22 cycles for 16 bytes, and 128 bits leave others behind.
        await link.core(44_000 if SEEDS else 6_000 if BEAT > 8 else 0)
    while not (link.untrusted_source.idle() and link.counts()["drop_overload"]):
        await link.core(500)
    await link.core(60_000 if SEEDS else 20_000)
    assert not link.dut.mon_dec_busy.value, "a packet in the core waits for the trusted side"
    return frames


def in_order(part, frames):
    """Whether the frames of `part` are among `frames` in their order."""
    whole = iter(frames)
    return all(frame in whole for frame in part)


@cocotb.test()
async def a_trusted_side_that_stands_still_delays_no_session(dut):
    """The store is full of frames that nobody takes: work in the core ends, a new session comes, frames are sealed."""
    link = await Link.start(dut)
    frames = await stand_still(link)

    async def rest():
        if link.trusted_sink.pause:
            await link.core(6000)
        if link.counts()["sessions_installed"] == 2 and link.trusted_sink.pause:
            link.send_trusted(random_frame(100))
            await link.core(6000)
            frames_out = [packet for packet in link.sealed() if len(packet) > HEADER + TAG + 1]  # no keep-alives
            assert len(frames_out) == 1, "the other direction stands still"
            link.trusted_sink.pause = False
        if not link.trusted_sink.pause:
            await link.at_rest()

    link.rest = rest
    await link.session(random.randbytes(32), random.randbytes(32))
    counts = link.counts()
    delivered = link.delivered()
    assert in_order(delivered, frames)
    assert len(delivered) == counts["delivered"] == len(frames) - counts["drop_overload"] >= 10


@cocotb.test()
async def a_trusted_side_that_stands_still_makes_no_session_outlive_t_max(dut):
    """The store is full and packets wait before the core: 8 s after its start the session is gone all the same."""
    link = await Link.start(dut, t_rekey=4000, t_max=8000)
    frames = await stand_still(link)
    assert not await link.pass_time(7900, lambda: not dut.session_up.value)
    # A millisecond has so few cycles here that a change of sessions takes hundreds of them.
    assert await link.pass_time(500, lambda: not dut.session_up.value), "the session lives on"
    assert not await link.pass_time(100, lambda: dut.session_up.value or dut.status_alt_up.value)
    link.sealed()  # keep-alives
    link.trusted_sink.pause = False
    while link.counts()["delivered"] + link.counts()["drop_session"] + link.counts()["drop_overload"] < len(frames):
        await link.core(1000)
    counts, delivered = link.counts(), link.delivered()
    assert counts["drop_session"], "packets that waited are opened behind the end of their session"
    assert in_order(delivered, frames) and len(delivered) == counts["delivered"] >= 5


@cocotb.test()
async def zeroise_drops_and_counts_all_in_work(dut):
    link = await Link.start(dut)
    link.send_trusted(*[random_frame(300) for _ in range(60)])
    link.send_untrusted(*[link.peer.seal(random.randbytes(300)) for _ in range(60)])
    await link.core(random.choice((150, 300, 600, 900)))
    await link.zeroise()
    counts = await link.at_rest()
    assert counts["drop_session"] and counts["drop_trusted_session"]
    link.sealed(), link.delivered()
    link.send_untrusted(*[link.peer.seal(random.randbytes(64)) for _ in range(3)])
    link.send_trusted(bytes(64))
    await link.at_rest()
    assert not link.delivered() and not link.sealed()
