# SPDX-License-Identifier: Apache-2.0
"""A link with few packet numbers (N_MAX): rekey before they are used up, and what happens if there is none."""

import random

import cocotb
from link_bench import DROPS, NUMBERS, TRUSTED_DROPS, Link, random_frame
from session_bench import alive, crossing


@cocotb.test()
async def rekey_by_packet_number_loses_nothing(dut):
    """At N_max / 2 packets the initiator renews the session; with few numbers that is often."""
    link, live = await alive(dut, stall=0.1)
    await live.connect()
    out, back = await crossing(live, 5000, pause=16)
    await live.wait(100)
    counts = await live.stop()
    assert link.peer.delivered == out and live.arrived == back
    assert counts["sessions_taken"] >= 4
    assert not any(counts[name] for name in DROPS + TRUSTED_DROPS), counts
    assert not any(value for name, value in link.peer.counts.items() if name.startswith("drop")), link.peer.counts


@cocotb.test()
async def frames_are_dropped_when_the_numbers_are_used_up(dut):
    """N_MAX packets a session, keep-alives included; received numbers stop there too; a new session goes on."""
    link = await Link.start(dut)
    frames = [random_frame(14) for _ in range(NUMBERS + 5)]
    link.send_trusted(*frames)
    link.send_untrusted(*[link.peer.tx.seal(number, bytes(14)) for number in (NUMBERS - 1, NUMBERS, NUMBERS - 2)])
    counts = await link.at_rest(400_000)
    assert counts["keepalives_out"] == 1 and counts["sealed"] == NUMBERS - 1 == int(dut.status_cur_sent.value) - 1
    assert counts["drop_trusted_session"] == 6 and counts["drop_number"] == 1 and counts["delivered"] == 2
    assert link.sealed() == [link.own.seal(frame) for frame in frames[: NUMBERS - 1]]
    await link.pass_time(300)
    await link.at_rest()
    assert link.sealed() == [], "a keep-alive without a number"
    await link.session(random.randbytes(32), random.randbytes(32))
    link.send_trusted(frames[0])
    await link.at_rest()
    assert link.sealed() == [link.own.seal(frames[0])]
