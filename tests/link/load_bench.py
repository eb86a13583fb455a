# SPDX-License-Identifier: Apache-2.0
"""Sessions that software loads: traffic, knocking, every cause to refuse a commit."""

import random

import cocotb
from cocotb.triggers import RisingEdge
from link_bench import PSK, ROLE, Link
from live_peer import Live
from session_bench import MS, crossing, kinds, near, queued, steps


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
    """Load the session of these parts into the model."""
    key_ir, key_ri, salt_ir, salt_ri, sid_i, sid_r = parts
    schedule = link.peer.schedule
    out = schedule.direction(1, key_ir, salt_ir, sid_r)
    back = schedule.direction(2, key_ri, salt_ri, sid_i)
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
async def frames_in_line_do_not_stop_a_session_that_is_loaded(dut):
    """Frames without a gap while the initiator knocks in sessions that nobody hears, and in one that the peer has."""
    link, live = await loadable(dut)
    async with queued(link):
        for _ in range(4):
            parts = values()
            assert await load(link, parts)
            await live.wait(20)
        give_peer(link, parts)
        await live.connect(400)
    link.peer.delivered.clear()
    out, back = await crossing(live, 300)
    await live.wait(50)
    counts = await live.stop()
    assert link.peer.delivered[-len(out) :] == out and live.arrived[-len(back) :] == back
    assert counts["drop_trusted_session"] and not counts["drop_auth"]


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
    # The other end chooses its own session id, so a live one in its place is no reason to refuse.
    assert await load(link, values(*({"r": (parts[4], None), "i": (None, parts[5])}[ROLE])))
    # A commit while one is under way is refused, the one under way is not.
    await load(link, values(), commit=False)
    dut.load_commit.value = 1
    await RisingEdge(dut.core_clk)
    await RisingEdge(dut.core_clk)
    dut.load_commit.value = 0
    answers = []
    for _ in range(1400):  # rings of packets in work, which lanes have, are wiped with a session
        await RisingEdge(dut.core_clk)
        answers += [True] * bool(dut.load_done.value) + [False] * bool(dut.load_error.value)
    assert sorted(answers) == [False, True], answers
    # Zeroise wipes the words.
    await load(link, values(), commit=False)
    await link.zeroise()
    assert not await load(link, parts, leave_out=range(46))
    assert not dut.status_alt_up.value


def own(parts):
    """Where this end's session id stands among the parts."""
    return parts[4 if ROLE == "i" else 5]


@cocotb.test()
async def what_was_loaded_is_not_loaded_again(dut):
    """The last eight sessions are refused, wiped or not, also with other keys under this end's session id."""
    link, live = await loadable(dut)
    loaded = [values() for _ in range(9)]
    for parts in loaded:
        assert await load(link, parts)
    await link.zeroise()
    assert not dut.status_alt_up.value
    for parts in loaded[1:]:
        assert not await load(link, parts)
        assert not await load(link, values(*((own(parts), None) if ROLE == "i" else (None, own(parts)))))
    assert not dut.status_alt_up.value
    assert await load(link, values())
    await live.stop()


@cocotb.test()
async def one_key_for_both_directions_is_refused(dut):
    link, _ = await loadable(dut)
    parts = values()
    parts[1] = parts[0]
    assert not await load(link, parts)
    parts = values()
    parts[1] = bytes([parts[0][0] ^ 1]) + parts[0][1:]
    assert await load(link, parts)


@cocotb.test()
async def a_write_in_the_cycle_of_a_commit_does_not_land(dut):
    """It neither completes the words nor changes one of them."""
    link, _ = await loadable(dut)
    for missing in ({7}, set()):
        parts = values()
        await load(link, parts, leave_out=missing, commit=False)
        dut.load_write.value, dut.load_index.value, dut.load_data.value = 1, 7, 0
        dut.load_commit.value = 1
        await RisingEdge(dut.core_clk)
        dut.load_write.value = dut.load_commit.value = 0
        assert await answer(dut) == (not missing)
    live = Live(link, MS)
    link.peer.psk = PSK
    give_peer(link, parts)
    await live.connect(400)
    await live.stop()


@cocotb.test()
async def a_commit_is_refused_while_handshakes_are_on(dut):
    link = await Link.start(dut)
    assert not await load(link, values())
    assert int(dut.count_sessions_installed.value) == 1


@cocotb.test()
async def handshake_messages_are_of_a_wrong_type_without_handshakes(dut):
    link, live = await loadable(dut)
    for kind in range(1, 4):
        link.send_untrusted(bytes([0x20 + kind, link.peer.suite, 0, 56]) + bytes(68))
    counts = await live.stop()
    assert counts["drop_type"] == 3 and not counts["handshakes_in"]
