# SPDX-License-Identifier: Apache-2.0
"""A path of 2.5 Gbit/s that delivers packets out of order: what the replay window of a link loses on it.

An Ethernet of that speed brings 3,720,238 frames a second of the shortest kind (64 bytes with their check sequence, 20
around them), more than of any other; the packets that carry them come here as fast. A packet is overtaken by up to 100
of those sent behind it, so that the window must reach back 101 numbers: the link needs REPLAY_WINDOW = 128.
"""

import random

import cocotb
from cocotb.triggers import Timer
from link_bench import DROPS, WINDOW, Link

#: ps from one of the shortest frames to the next: 84 bytes at 2.5 Gbit/s
PERIOD = 84 * 8 * 400
PACKETS, PLACES = 1000, 100


def arrivals() -> list[int]:
    """Numbers in the order in which they arrive: every third is late, every twelfth as late as it may be."""
    due = []
    for number in range(PACKETS):
        late = 0 if number % 3 else PLACES if number % 12 == 0 else random.randint(0, PLACES)
        due.append((number + late, late > 0, number))  # of two that are due together the one that is late comes last
    return [number for _, _, number in sorted(due)]


def behind(order: list[int], window: int) -> list[int]:
    """Those that a window of so many numbers refuses."""
    highest, refused = -1, []
    for number in order:
        highest = max(highest, number)
        if highest - number >= window:
            refused.append(number)
    return refused


@cocotb.test()
async def a_path_that_reorders_100_packets_loses_none_of_them_where_the_window_is_larger(dut):
    """Nothing is lost with a window of 128, at full rate and with no drop of another cause; some are with 64."""
    link = await Link.start(dut)
    order = arrivals()
    lost = behind(order, WINDOW)
    assert bool(lost) == (WINDOW <= PLACES) and len(behind(order, PLACES)) > 0
    first = link.peer.cur.number
    frames = [number.to_bytes(4, "big") + random.randbytes(56) for number in range(PACKETS)]
    packets = [link.peer.seal(frame) for frame in frames]
    assert link.peer.cur.number == first + PACKETS
    before = link.counts()
    for number in order:
        link.send_untrusted(packets[number])
        await Timer(PERIOD, unit="ps")
    counts = await link.at_rest()
    gained = {name: counts[name] - before[name] for name in ("delivered", *DROPS)}
    assert gained.pop("drop_replay") == len(lost)
    assert gained.pop("delivered") == PACKETS - len(lost)
    assert not any(gained.values()), gained
    assert link.delivered() == [frames[number] for number in order if number not in set(lost)]
