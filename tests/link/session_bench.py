# SPDX-License-Identifier: Apache-2.0
"""Sessions over time, with a live model as the other end: timers, rekey, expiry, restarts, a hostile network."""

import random
from itertools import pairwise

import cocotb
from cocotb.triggers import RisingEdge
from link_bench import PSK, ROLE, Link
from link_model import Direction
from live_peer import Hostile, Live, clean, silent

MS = 20  # cycles of core_clk in a millisecond


async def alive(dut, network=clean, t_rekey=120_000, t_max=180_000, stall=0.0):
    """Both ends with a key, and time moving."""
    link = await Link.start(dut, stall, session=False, t_rekey=t_rekey, t_max=t_max)
    link.peer.t_rekey = max(t_rekey, 4000)
    link.peer.t_max = max(t_max, link.peer.t_rekey + 4000)
    await link.load_psk(PSK)
    return link, Live(link, MS, network)


def kinds(said, kind):
    """(time, packet) of this type among what was said."""
    return [(when, packet) for when, packet in said if packet[0] == 0x10 + kind]


def steps(times):
    return [round(b - a) for a, b in pairwise(times)]


def near(times, want):
    return len(times) == len(want) and all(abs(a - b) <= 20 for a, b in zip(times, want, strict=True))


async def crossing(live, ms, pause=60):
    """Frames both ways for so long; all of them."""
    out, back = [], []
    stop = live.now + ms
    while live.now < stop:
        frame = random.randbytes(random.choice((14, 60, 200)))
        if random.random() < 0.5 and live.link.dut.session_up.value:
            out.append(frame)
            live.link.send_trusted(frame)
        elif live.say(frame):
            back.append(frame)
        await live.wait(random.uniform(0, pause))
    return out, back


@cocotb.test()
async def connects_and_stays_up_in_silence(dut):
    """A session within a round trip; then nothing but keep-alives, one every 250 ms each way, for 3 s."""
    link, live = await alive(dut)
    assert await live.connect() < 100
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
    """Initiator: the same hello every 250 ms; confirms every 250 ms and, after 500 ms, a hello with a new R."""
    if ROLE == "r":
        return
    _, live = await alive(dut, silent)
    await live.wait(1100)
    hellos = kinds(live.said, 1)
    assert near(steps([when for when, _ in hellos]), [250] * 4) and len({packet for _, packet in hellos}) == 1
    live.network = lambda to_link, packet: [(0, packet)] if to_link or packet[0] == 0x11 else []
    await live.until(lambda: kinds(live.said, 3), 300)
    start = live.now
    await live.wait(1100)
    after = [(when - start, packet[0] & 15) for when, packet in live.said if when > start - 5 and packet[0] != 0x10]
    # Its reply comes at once, so CONFIRM begins anew with the hello.
    assert near([when for when, _ in after], [0, 250, 500, 505, 755, 1005, 1010]), after
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
        assert hellos and 500 <= hellos[0] <= 760, hellos
    else:
        assert not hellos and dut.session_up.value
    live.network = clean
    assert await live.connect() <= 2000
    await live.stop()


@cocotb.test()
async def rekey_by_age_loses_nothing(dut):
    """T_rekey of 4 s, frames both ways without pause: every one crosses once and in order, nothing is dropped."""
    link, live = await alive(dut, t_rekey=1, t_max=1, stall=0.1)  # both are raised to what the specification asks for
    await live.connect()
    out, back = await crossing(live, 13_000)
    await live.wait(100)
    counts = await live.stop()
    assert link.peer.delivered == out and live.arrived == back
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
    await live.wait(20)
    assert link.counts()["delivered"] == 1 and dut.status_alt_up.value
    await live.until(lambda: not dut.status_alt_up.value, 400)
    assert abs(live.now - start - 2000) < 60
    link.send_untrusted(late[1])
    counts = await live.stop()
    assert counts["delivered"] == 1 and counts["drop_session"] == 1


@cocotb.test()
async def a_session_ends_at_t_max(dut):
    """No handshake gets through, data does: 8 s after its installation the session is gone at both ends."""
    link, live = await alive(dut, t_rekey=4000, t_max=8000)
    await live.connect()
    start = live.now
    live.network = lambda to_link, packet: [(0, packet)] if packet[0] == 0x10 else []
    await live.until(lambda: not dut.session_up.value, 8200)
    assert abs(live.now - start - 8000) < 60
    link.send_trusted(bytes(60))
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
            link.watching = False
            await RisingEdge(link.clocks["core"])
            link.resets["core"].value = 1
            for end in (link.trusted_source, link.untrusted_source, link.trusted_sink, link.untrusted_sink):
                end.clear()
                end.assert_reset()
            await RisingEdge(link.clocks["core"])
            await link.release()
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
    for name in ("short", "session", "replay", "auth"):
        assert counts[f"drop_{name}"], name


# ------------------------------------------------------------------------------------------------ loaded sessions


def values(r_i=None, r_r=None):
    """Values of a loaded session, as any source of random bytes could give them."""
    return [random.randbytes(size) for size in (64, 64, 24, 24)] + [
        r_i or random.randbytes(4),
        r_r or random.randbytes(4),
    ]


async def load(link, parts, leave_out=(), commit=True):
    """Write the words and commit; True for load_done, False for load_error."""
    dut = link.dut
    text = b"".join(parts)
    assert dut.load_ready.value
    order = [index for index in range(46) if index not in leave_out]
    random.shuffle(order)
    for index in order:
        dut.load_write.value, dut.load_index.value = 1, index
        dut.load_data.value = int.from_bytes(text[4 * index : 4 * index + 4], "little")
        await RisingEdge(dut.core_clk)
    dut.load_write.value = 0
    dut.load_commit.value = int(commit)
    await RisingEdge(dut.core_clk)
    dut.load_commit.value = 0
    if commit:
        return await answer(dut)
    return None


async def answer(dut):
    for _ in range(4000):
        await RisingEdge(dut.core_clk)
        done, error = bool(dut.load_done.value), bool(dut.load_error.value)
        assert not (done and error)
        if done or error:
            await RisingEdge(dut.core_clk)
            assert not (dut.load_done.value or dut.load_error.value)
            return done
    raise AssertionError("a commit without an answer")


def give_peer(link, parts):
    """The same session to the model."""
    key_ir, key_ri, salt_ir, salt_ri, sid_i, sid_r = parts
    schedule = link.peer.schedule
    out = Direction(schedule.suite, key_ir, salt_ir, schedule.ad(1, sid_r), sid_r)
    back = Direction(schedule.suite, key_ri, salt_ri, schedule.ad(2, sid_i), sid_i)
    link.peer.load(*((out, back) if link.peer.initiator else (back, out)))


async def loadable(dut):
    link = await Link.start(dut, session=False, handshake=False)
    link.peer.psk = PSK  # only for its schedule's ids
    return link, Live(link, MS)


@cocotb.test()
async def loaded_sessions_carry_traffic(dut):
    """Responder first, then the initiator, which knocks until it is heard; the next one beside it, without loss."""
    link, live = await loadable(dut)
    all_out, all_back = [], []
    for round_number in range(3):
        parts = values()
        first, second = (give_peer, load) if ROLE == "i" else (load, give_peer)
        for step in (first, second):
            if step is load:
                assert await load(link, parts)
            else:
                give_peer(link, parts)
            await live.wait(30)
        await live.until(lambda sid=parts[4 if ROLE == "r" else 5]: live.up() and live.peer.rx.sid == sid, 400)
        out, back = await crossing(live, 500)
        all_out, all_back = all_out + out, all_back + back
        assert int(dut.count_sessions_installed.value) == round_number + 1
    await live.wait(50)
    counts = await live.stop()
    assert link.peer.delivered == all_out and live.arrived == all_back
    assert not any(value for name, value in counts.items() if name.startswith("drop")), counts
    assert not counts["handshakes_out"] and not kinds(live.said, 1) + kinds(live.said, 2) + kinds(live.said, 3)


@cocotb.test()
async def an_initiator_knocks_every_250_ms(dut):
    if ROLE == "r":
        return
    link, live = await loadable(dut)
    parts = values()
    assert await load(link, parts)
    await live.wait(1100)
    times = [when for when, _ in live.said]
    assert near(steps(times), [250] * 4) and not dut.session_up.value
    give_peer(link, parts)
    await live.connect(400)
    await live.stop()


@cocotb.test()
async def a_commit_is_refused_unless_all_is_right(dut):
    """A missing word, words used once, a session id of 0 or one that lives, a commit within a commit, zeroise."""
    link, _ = await loadable(dut)
    parts = values()
    for missing in (0, 15, 16, 31, 32, 43, 44, 45, random.randrange(46)):
        assert not await load(link, parts, leave_out={missing})
    assert not await load(link, values(r_i=bytes(4)))
    assert not await load(link, values(r_r=bytes(4)))
    assert not dut.status_alt_up.value and not dut.session_up.value
    assert await load(link, parts)
    assert dut.status_alt_up.value
    # The words are gone.
    assert not await load(link, parts, leave_out=range(46))
    # This end's session id lives.
    assert not await load(link, values(*({"i": (parts[4], None), "r": (None, parts[5])}[ROLE])))
    # The other end's is its own business.
    assert await load(link, values(*({"r": (parts[4], None), "i": (None, parts[5])}[ROLE])))
    # A commit while one is under way is refused, the one under way is not.
    await load(link, values(), commit=False)
    dut.load_commit.value = 1
    await RisingEdge(dut.core_clk)
    await RisingEdge(dut.core_clk)
    dut.load_commit.value = 0
    answers = []
    for _ in range(200):
        await RisingEdge(dut.core_clk)
        answers += [True] * bool(dut.load_done.value) + [False] * bool(dut.load_error.value)
    assert sorted(answers) == [False, True], answers
    # Zeroise wipes the words.
    await load(link, values(), commit=False)
    await link.zeroise()
    assert not await load(link, parts, leave_out=range(46))
    assert not dut.status_alt_up.value


@cocotb.test()
async def a_commit_is_refused_while_handshakes_are_on(dut):
    link = await Link.start(dut)
    assert not await load(link, values())
    assert int(dut.count_sessions_installed.value) == 1


@cocotb.test()
async def handshake_messages_are_of_a_wrong_type_without_handshakes(dut):
    link, live = await loadable(dut)
    for kind in range(1, 4):
        link.send_untrusted(bytes([0x10 + kind, link.peer.suite, 0, 56]) + bytes(68))
    counts = await live.stop()
    assert counts["drop_type"] == 3 and not counts["handshakes_in"]
