# SPDX-License-Identifier: Apache-2.0
"""Sessions over time, with a live model as the other end: timers, rekey, expiry, restarts, a hostile network."""

import random
from contextlib import asynccontextmanager
from itertools import pairwise

import cocotb
from link_bench import FIRST_NUMBER, PSK, ROLE, Link, random_frame
from live_peer import Hostile, Live, clean, silent

MS = 10  # cycles of core_clk in a millisecond


async def alive(dut, network=clean, t_rekey=120_000, t_max=180_000, stall=0.0):
    """Both ends with a key, and time moving."""
    link = await Link.start(dut, stall, session=False, t_rekey=t_rekey, t_max=t_max)
    link.peer.t_rekey = max(t_rekey, 4000)
    link.peer.t_max = max(t_max, link.peer.t_rekey + 4000)
    await link.load_psk(PSK)
    return link, Live(link, MS, network)


def kinds(said, kind):
    """(time, packet) of this type among what was said."""
    return [(when, packet) for when, packet in said if packet[0] == 0x20 + kind]


def steps(times):
    return [round(b - a) for a, b in pairwise(times)]


def near(times, want):
    return len(times) == len(want) and all(abs(a - b) <= 40 for a, b in zip(times, want, strict=True))


async def crossing(live, ms, pause=60):
    """Frames both ways for so long; all of them."""
    out, back = [], []
    stop = live.now + ms
    while live.now < stop:
        frame = random_frame(random.choice((14, 60, 200)))
        if random.random() < 0.5 and live.link.dut.session_up.value:
            out.append(frame)
            live.link.send_trusted(frame)
        elif live.say(frame):
            back.append(frame)
        await live.wait(random.uniform(0, pause))
    return out, back


@asynccontextmanager
async def queued(link):
    """Short frames on the trusted side, one right behind the other; all of them."""
    sent = []

    async def feed():
        while True:
            if link.trusted_source.count() < 20:
                frames = [random_frame(14) for _ in range(20)]
                sent.extend(frames)
                link.send_trusted(*frames)
            await link.core(20)

    task = cocotb.start_soon(feed())
    yield sent
    task.cancel()
    while not link.trusted_source.idle() or link.imbalance(link.counts()):
        await link.core(100)


@cocotb.test()
async def connects_and_stays_up_in_silence(dut):
    """A session within a round trip; then nothing but keep-alives, one every 250 ms each way, for 3 s."""
    link, live = await alive(dut)
    assert await live.connect() < 200
    mark, sent = live.now, link.peer.counts["keepalives_out"]
    await live.wait(3000)
    times = [when for when, packet in live.said if when > mark]
    assert 11 <= len(times) <= 13 and all(240 <= step <= 275 for step in steps(times)), steps(times)
    assert not kinds([entry for entry in live.said if entry[0] > mark], 1)
    counts = await live.stop()
    assert counts["keepalives_in"] >= 11 and link.peer.counts["keepalives_out"] - sent >= 11
    assert not any(value for name, value in counts.items() if name.startswith("drop"))
    assert counts["sessions_installed"] == counts["sessions_taken"] == 1


@cocotb.test()
async def retries_at_the_specified_times(dut):
    """Initiator: a hello every 250 ms, of one R and the next number; confirms every 250 ms; 500 ms later a new R."""
    if ROLE == "r":
        return
    _, live = await alive(dut, silent)
    await live.wait(1100)
    hellos = kinds(live.said, 1)
    assert near(steps([when for when, _ in hellos]), [250] * 4) and len({packet[24:56] for _, packet in hellos}) == 1
    numbers = [int.from_bytes(packet[8:16], "big") for _, packet in hellos]
    assert numbers == [FIRST_NUMBER + place for place in range(5)]
    live.network = lambda to_link, packet: [(0, packet)] if to_link or packet[0] == 0x21 else []
    await live.until(lambda: kinds(live.said, 3), 300)
    start = live.now
    await live.wait(1100)
    after = [(when - start, packet[0] & 15) for when, packet in live.said if when > start - 5 and packet[0] != 0x20]
    # Its reply comes at once, so CONFIRM begins anew with the hello.
    assert near([when for when, _ in after], [0, 250, 500, 520, 770, 1020, 1040]), after
    assert [kind for _, kind in after] == [3, 3, 1, 3, 3, 1, 3]
    knocks = [when for when, packet in kinds(live.said, 0)]
    assert len(knocks) == len(kinds(live.said, 3)), "every confirm brings its keep-alive"
    assert len({packet[24:56] for _, packet in kinds(live.said, 1)}) == 3, "a new R for every hello entered"
    live.network = clean
    await live.connect()
    await live.stop()


@cocotb.test()
async def silence_starts_a_handshake(dut):
    """The initiator asks 750 ms after the last valid packet; the responder keeps to keep-alives until T_max."""
    _, live = await alive(dut)
    await live.connect()
    live.network = silent
    heard = live.now
    await live.wait(2000)
    hellos = [when - heard for when, _ in kinds(live.said, 1) if when > heard]
    if ROLE == "i":
        assert hellos and 500 <= hellos[0] <= 770, hellos
    else:
        assert not hellos and dut.session_up.value
    live.network = clean
    assert await live.connect() <= 2000
    await live.stop()


@cocotb.test()
async def rekey_by_age_loses_nothing(dut):
    """T_rekey of 4 s, frames both ways, many while a session is installed: each crosses once, nothing is dropped."""
    link, live = await alive(dut, t_rekey=1, t_max=1, stall=0.1)  # both are raised to what the specification asks for
    await live.connect()
    bursts = [], []

    def busy(to_link, packet):
        if to_link and packet[0] in (0x22, 0x23):
            for frames in bursts:
                frames += [random_frame(size) for size in range(60, 72)]
            link.send_trusted(*bursts[0][-12:])
            for frame in bursts[1][-12:]:
                live.carry(True, link.peer.seal(frame))
        return [(0, packet)]

    live.network = busy
    out, back = await crossing(live, 13_000)
    await live.wait(100)
    counts = await live.stop()
    assert sorted(link.peer.delivered) == sorted(out + bursts[0]) and sorted(live.arrived) == sorted(back + bursts[1])
    assert [frame for frame in link.peer.delivered if frame in out] == out
    assert [frame for frame in live.arrived if frame in back] == back
    assert counts["sessions_installed"] == counts["sessions_taken"] == 4
    assert not any(value for name, value in counts.items() if name.startswith("drop")), counts
    assert not any(link.peer.counts[name] for name in link.peer.counts if name.startswith("drop")), link.peer.counts


@cocotb.test()
async def the_old_session_ends_after_two_seconds(dut):
    """What was sealed in it before the rekey passes until then."""
    link, live = await alive(dut, t_rekey=4000)
    await live.connect()
    old = link.peer.cur
    late = [old.tx.seal(1000 + i, random.randbytes(20)) for i in range(2)]
    await live.until(lambda: link.peer.cur is not old and live.up(), 4500)
    start = live.now
    await live.wait(1800)
    link.send_untrusted(late[0])
    await live.wait(40)
    assert link.counts()["delivered"] == 1 and dut.status_alt_up.value
    await live.until(lambda: not dut.status_alt_up.value, 400)
    assert abs(live.now - start - 2000) < 60
    link.send_untrusted(late[1])
    counts = await live.stop()
    assert counts["delivered"] == 1 and counts["drop_session"] == 1


@cocotb.test()
async def frames_in_line_do_not_stop_a_session_that_comes(dut):
    """Frames without a gap before, while and after sessions come: each is sealed or dropped by cause."""
    link, live = await alive(dut, t_rekey=4000, t_max=8000)
    async with queued(link) as sent:
        await live.connect()
        await live.wait(20)
        live.network = silent
        await live.until(lambda: not dut.session_up.value, 8200)
        live.network = clean
        await live.connect()
    link.peer.delivered.clear()
    out, back = await crossing(live, 300)
    await live.wait(50)
    counts = await live.stop()
    assert link.peer.delivered[-len(out) :] == out and live.arrived[-len(back) :] == back
    assert counts["drop_trusted_session"] and counts["sealed"] and not counts["drop_auth"]
    assert counts["trusted_in"] == len(sent) + len(out)


@cocotb.test()
async def a_session_ends_at_t_max(dut):
    """No handshake gets through, data does: 8 s after its installation the session is gone at both ends."""
    link, live = await alive(dut, t_rekey=4000, t_max=8000)
    await live.connect()
    start = live.now
    live.network = lambda to_link, packet: [(0, packet)] if packet[0] == 0x20 else []
    await live.until(lambda: not dut.session_up.value, 8200)
    assert abs(live.now - start - 8000) < 60
    link.send_trusted(bytes(60))
    # Rings of packets in work, which cores with contexts and lanes have, are wiped with the session: 1024 cycles.
    await live.until(lambda: dut.count_drop_trusted_session.value, 1100 // MS)
    await live.wait(20)
    assert link.counts()["drop_trusted_session"] == 1
    live.network = clean
    await live.connect(1000)
    await live.stop()


@cocotb.test()
async def recovers_from_a_restart_of_either_end(dut):
    """A reset, or a zeroise, of one end: after its key is back, a session within 2 s, under numbers never used."""
    link, live = await alive(dut)
    await live.connect()
    for how in ("peer", "zeroise", "reset"):
        await crossing(live, 400)
        if how == "peer":
            link.peer.forget()
            link.peer.psk = PSK
        elif how == "zeroise":
            await link.zeroise()
            await link.load_psk(PSK)
        else:
            await link.reset("core")
            await link.load_psk(PSK)
        assert await live.connect() <= 2000
        delivered, arrived = len(link.peer.delivered), len(live.arrived)
        out, back = await crossing(live, 300)
        await live.wait(50)
        assert link.peer.delivered[delivered:] == out and live.arrived[arrived:] == back
    await live.stop()


@cocotb.test()
async def survives_a_hostile_network(dut):
    """12 s with rekeys: what arrives is genuine, and arrives once. Then a session within 2 s that loses nothing."""
    link, live = await alive(dut, Hostile(), t_rekey=4000, t_max=8000)
    out, back = await crossing(live, 12_000, pause=100)
    assert len(set(live.arrived)) == len(live.arrived) and set(live.arrived) <= set(back)
    assert set(link.peer.delivered) <= set(out) and len(set(link.peer.delivered)) == len(link.peer.delivered)
    assert live.arrived and link.peer.delivered
    live.network = clean
    live.on_the_way.clear()
    await live.wait(20)
    await live.connect()
    live.arrived.clear()
    link.peer.delivered.clear()
    out, back = await crossing(live, 1000)
    await live.wait(50)
    counts = await live.stop()
    assert link.peer.delivered == out and live.arrived == back
    assert counts["drop_short"] and counts["drop_session"] and counts["drop_replay"] + counts["drop_auth"]
