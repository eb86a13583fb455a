# SPDX-License-Identifier: Apache-2.0
"""A link with cores in shares: nothing passes without seeds, each is used once, and an alarm zeroises."""

import random
from collections import Counter

import cocotb
import link_bench
from link_bench import PSK, R_I, R_R, ROLE, Link, random_frame
from rules_bench import fresh, no_handshake

SEEDS = link_bench.SEEDS


async def seedless(dut) -> Link:
    """A link after its reset, whose port of random values gives nothing yet."""
    link_bench.SEEDS = 0
    try:
        link = await Link.start(dut, session=False)
    finally:
        link_bench.SEEDS = SEEDS
    await link.load_psk(PSK)
    return link


async def seed(link: Link, *values: int) -> None:
    """The next values of the port go to the cores; they must be taken."""
    link.seed_values = list(values)
    link.seeds = len(values)
    await link.core(60)
    assert not link.seeds, f"{link.seeds} seeds are not taken"


async def passes(link: Link) -> None:
    """Frames both ways."""
    frames = [random_frame(size) for size in (14, 60, 61, 300)]
    link.send_trusted(*frames)
    await link.at_rest()
    assert link.sealed() == [link.own.seal(frame) for frame in frames]
    packets = [link.peer.seal(frame) for frame in frames]
    for packet in packets:
        link.own.receive(packet)
    link.send_untrusted(*packets)
    await link.at_rest()
    assert link.delivered() == link.own.delivered == frames
    link.own.delivered.clear()


@cocotb.test()
async def no_random_value_is_a_handshakes_before_the_cores_have_seeds(dut):
    link = await seedless(dut)
    await link.core(500)
    assert dut.random_ready.value, "cores ask for seeds"
    await seed(link, *(random.getrandbits(256) for _ in range(SEEDS)))
    if ROLE == "r":
        assert dut.random_ready.value, "the responder asks for its R now"
    await link.session(R_I, R_R)  # both R in the messages are those that were given after the seeds
    await passes(link)


@cocotb.test()
async def seeds_come_anew_after_a_zeroise_and_not_after_a_new_session(dut):
    link = await Link.start(dut)
    await passes(link)
    # A key goes out of the core with its session; what its random bits grow from stays.
    await link.session(*fresh(1))
    await passes(link)
    await link.zeroise()
    await link.core(60)
    assert not link.seeds, "seeds are taken after a zeroise"
    link.own.counts = Counter(await link.at_rest())
    await no_handshake(link)
    await link.load_psk(PSK)
    await link.session(*fresh(2))
    await passes(link)


@cocotb.test()
async def a_bad_seed_is_an_alarm_and_zeroises(dut):
    link = await seedless(dut)
    for place in range(SEEDS):
        await seed(link, *(random.getrandbits(256) for _ in range(place)), 0)
        await link.core(200)
        link.own.forget()
        link.own.counts = Counter(await link.at_rest())
        await seed(link, *(random.getrandbits(256) for _ in range(SEEDS)))  # all: the alarm took the others with it
        await no_handshake(link)
        await link.load_psk(PSK)
        await link.session(*fresh(place))
        await passes(link)
        link_bench.SEEDS = 0
        await link.zeroise()
        link_bench.SEEDS = SEEDS
        await link.load_psk(PSK)
