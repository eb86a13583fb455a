# SPDX-License-Identifier: Apache-2.0
"""Handshake messages against the model, with time standing still: rules, replays, floods, zeroise in every state."""

import random

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge
from link_bench import FIRST_NUMBER, IDS, OTHER, PSK, ROLE, SUITE, VERSION, Link, random_frame
from rules_bench import agree, flip
from sealwire_model.end import REPLIES
from sealwire_model.wire import CONFIRM, HELLO, REPLY, header, message

PEER_ID = IDS[OTHER[ROLE]]
ZERO = bytes(4)


async def asked(dut):
    """A link that waits for a handshake message: the initiator in HELLO, the responder with a value of its own."""
    link = await Link.start(dut, session=False)
    await link.load_psk(PSK)
    link.give(random.randbytes(32))
    if ROLE == "i":
        link.own.start()
    await link.at_rest()
    assert link.sealed() == link.own.out
    link.own.out.clear()
    return link


async def told(link, packets):
    """This end and its model hear the same and say the same; a few at a time, as the queue has four places."""
    for start in range(0, len(packets), 4):
        if ROLE == "r" and not link.own_draws:
            link.give(random.randbytes(32))
        counts = await agree(link, packets[start : start + 4])
        assert link.sealed() == link.own.out
        link.own.out.clear()
    return counts


def hello(link, r=None, number=None):
    """A hello of the peer; without a number given, one above all before."""
    peer, r = link.peer, r or random.randbytes(32)
    if number is None:
        peer.hello_number = number = max(peer.wall_clock(), peer.hello_number + 1)
    return message(SUITE, HELLO, ZERO, PEER_ID, r, peer.schedule.hello_mac(r, number), number, VERSION)


async def next_second(link):
    """The second goes by in which the responder answers so many hellos; keep-alives may come."""
    await link.pass_time(1010)
    await link.at_rest()
    for packet in link.sealed():
        assert packet == link.own.seal(b"\0"), "a keep-alive"
        link.own.counts["keepalives_out"] += 1


def valid(link, r=None):
    """A message that this end must accept now: hello-reply, or hello and confirm."""
    r = r or random.randbytes(32)
    own, schedule = link.own.r, link.peer.schedule
    if ROLE == "i":
        return [message(SUITE, REPLY, own[:4], PEER_ID, r, schedule.reply_mac(own, r), 0, VERSION)]
    return [
        hello(link, r),
        message(SUITE, CONFIRM, own[:4], PEER_ID, r, schedule.confirm_mac(r, own), 0, VERSION),
    ]


@cocotb.test()
async def counts_the_first_rule_that_a_message_breaks(dut):
    """Each message breaks one rule and all later ones; none of them changes a session or R."""
    link = await asked(dut)
    own, r, mac = link.own.r[:4], random.randbytes(32), bytes(16)
    kinds = {"i": [(REPLY, own)], "r": [(HELLO, ZERO), (CONFIRM, own)]}[ROLE]
    packets = []
    for kind, sid in kinds:
        for version, what, suite, length, where, number, sender in [
            (1, kind, 9, 60_000, b"zzzz", 1, IDS[ROLE]), (1, kind, 9, 1, b"zzzz", 1, IDS[ROLE]),
            (2, 7, 9, 1, b"zzzz", 1, IDS[ROLE]), (2, kind, 9, 1, b"zzzz", 1, IDS[ROLE]),
            (2, kind, SUITE, 55, b"zzzz", 1, IDS[ROLE]), (2, kind, SUITE, 57, b"zzzz", 1, IDS[ROLE]),
            (2, kind, SUITE, 56, b"zzzz", 1, IDS[ROLE]),
            (2, kind, SUITE, 56, own if kind == HELLO else ZERO, 0, PEER_ID),
            (2, kind, SUITE, 56, sid, 1, IDS[ROLE]), (2, kind, SUITE, 56, sid, 2**63, PEER_ID),
            (2, kind, SUITE, 56, sid, 1, PEER_ID), (2, kind, SUITE, 56, sid, 0, PEER_ID),
        ]:  # fmt: skip
            packets.append(header(suite, length, where, number, 16 * version + what) + sender + r + mac + bytes(8))
    # Types that only the other role takes.
    packets += [header(SUITE, 56, own, 0, 0x20 + kind) + PEER_ID + r + mac for kind in range(1, 4)]
    counts = await told(link, packets)
    for name in ("short", "version", "type", "suite", "length", "session", "peer", "number", "auth"):
        assert counts[f"drop_{name}"], name
    assert not counts["sessions_installed"]
    await told(link, valid(link))
    assert link.own.counts["sessions_installed"] == 1


@cocotb.test()
async def drops_a_message_with_a_bit_flipped(dut):
    """Every bit of the MAC and a sample of the others, of each message that this end takes; then itself it passes."""
    link = await asked(dut)
    for good in valid(link):
        packets = [flip(good, bit) for bit in (*random.sample(range(448), 64), *range(448, 576))]
        before = link.own.counts["handshakes_in"]
        await told(link, packets)
        assert link.own.counts["handshakes_in"] == before
        await told(link, [good])
        assert link.own.counts["handshakes_in"] == before + 1


@cocotb.test()
async def drops_a_session_id_of_zero_though_authentic(dut):
    link = await asked(dut)
    await told(link, valid(link, ZERO + random.randbytes(28))[-1:])
    assert link.own.counts["drop_auth"] == 1 and not link.own.counts["sessions_installed"]


@cocotb.test()
async def survives_any_bytes(dut):
    """Bytes without sense, with the beginning of a good packet, good packets cut, padded and changed."""
    link = await asked(dut)
    own, r = link.own.r, random.randbytes(32)
    goods = valid(link, r)
    await told(link, goods)
    link.peer.install(*((own, r) if ROLE == "i" else (r, own)))
    goods += [link.peer.alt.tx.seal(number, random.randbytes(30)) for number in range(3)]
    # One at a time: behind a good packet whose verdict is out, a forgery of its number is no replay yet.
    for _ in range(160):
        good = random.choice(goods)
        cut = random.randint(1, len(good))
        changed = flip(good, random.randrange(8 * len(good)))
        garbage = random.randbytes(cut), good[:cut], good[:cut] + random.randbytes(90), changed, good + b"\0" * cut
        await told(link, [random.choice(garbage)])


@cocotb.test()
async def an_old_handshake_opens_nothing(dut):
    """Every message of a handshake, said again in any order: state, sessions and R stay, and nothing is answered."""
    link = await Link.start(dut, session=False)
    await link.load_psk(PSK)
    heard = []
    send = link.send_untrusted
    link.send_untrusted = lambda *packets: (heard.extend(packets), send(*packets))
    await link.session(random.randbytes(32), random.randbytes(32))
    link.send_untrusted = send
    installed, said = link.own.counts["sessions_installed"], dut.count_handshakes_out.value
    for _ in range(3):
        await told(link, random.sample(heard, len(heard)))
    assert dut.count_handshakes_out.value == said and (ROLE == "i" or dut.count_drop_stale.value == 3)
    assert link.own.counts["sessions_installed"] == installed and dut.count_sessions_installed.value == installed
    link.send_trusted(bytes(60))
    await link.at_rest()
    assert link.sealed() == [link.own.seal(bytes(60))]


async def answered(link, *hellos):
    """How many replies these hellos get, and how many are `stale` and `surplus`; the model does the same."""
    before = link.counts()
    counts = await told(link, hellos)
    names = "handshakes_out", "drop_stale", "drop_surplus"
    return tuple(counts[name] - before[name] for name in names)


@cocotb.test()
async def a_recorded_hello_is_answered_once(dut):
    """Copies, and authentic hellos of another R with a number that is not above the greatest so far, get no answer."""
    if ROLE == "i":
        return
    link = await asked(dut)
    old = [hello(link, number=number) for number in (5, 7, 2**40, 2**63 + 9)]
    for each in old:
        assert await answered(link, each) == (1, 0, 0)
    assert await answered(link, *old, *old) == (0, 8, 0)
    lower = (0, 1, 2**40 + 1, 2**63 - 1, 2**63, 2**63 + 8, 2**63 + 9)
    assert await answered(link, *(hello(link, number=number) for number in lower)) == (0, len(lower), 0)
    assert await answered(link, hello(link, number=2**63 + 10)) == (1, 0, 0)
    assert await answered(link, hello(link, number=2**64 - 1)) == (1, 0, 0)
    assert await answered(link, *old, hello(link, number=2**64 - 1)) == (0, 5, 0)


@cocotb.test()
async def a_hello_of_number_zero_is_never_answered(dut):
    if ROLE == "i":
        return
    link = await asked(dut)
    assert await answered(link, hello(link, number=0)) == (0, 1, 0)
    assert await answered(link, hello(link, number=1)) == (1, 0, 0)


@cocotb.test()
async def a_forged_number_does_not_raise_the_mark(dut):
    """The number is under the MAC: any other one makes the hello forged, whichever bit of it differs."""
    if ROLE == "i":
        return
    link = await asked(dut)
    good = hello(link, number=1000)
    forged = [flip(good, 8 * 8 + bit) for bit in range(64)]
    assert await answered(link, *forged) == (0, 0, 0) and link.own.counts["drop_auth"] == 64
    assert await answered(link, good) == (1, 0, 0)
    assert await answered(link, *forged, hello(link, number=1001)) == (1, 0, 0)


@cocotb.test()
async def so_many_hellos_are_answered_in_a_second(dut):
    """Those above that are `surplus`, but raise the mark; the next second has as many answers again."""
    if ROLE == "i":
        return
    link = await asked(dut)
    for second in range(1, 4):
        fresh = [hello(link, number=100 * second + place) for place in range(REPLIES + 5)]
        assert await answered(link, *fresh[:-1]) == (REPLIES, 0, 4)
        assert await answered(link, *fresh[-3:-1]) == (0, 2, 0)
        assert await answered(link, *fresh[-1:]) == (0, 0, 1)
        await next_second(link)


@cocotb.test()
async def stale_and_forged_hellos_take_none_of_the_answers(dut):
    if ROLE == "i":
        return
    link = await asked(dut)
    old = hello(link, number=1)
    assert await answered(link, old, *[old] * 40, *[flip(old, 60 * 8)] * 40) == (1, 40, 0)
    fresh = [hello(link, number=2 + place) for place in range(REPLIES)]
    assert await answered(link, *fresh) == (REPLIES - 1, 0, 1)


@cocotb.test()
async def a_mark_belongs_to_its_key(dut):
    """The same key given again keeps it, another key begins with 0, and a zeroise forgets it with the key."""
    if ROLE == "i":
        return
    link = await asked(dut)
    old = hello(link, number=50)
    assert await answered(link, old) == (1, 0, 0)
    await link.load_psk(PSK)
    assert await answered(link, old, hello(link, number=49)) == (0, 2, 0)
    for place, bit in enumerate((0, 7, 255, 256, 511), start=1):
        await link.load_psk(PSK)
        assert await answered(link, hello(link, number=50 + place)) == (1, 0, 0)
        await link.load_psk(flip(PSK, bit))
        assert await answered(link, hello(link, number=3)) == (1, 0, 0)
    await next_second(link)
    for psk in PSK, bytes(64):
        await link.load_psk(psk)
        old = hello(link, number=100)
        assert await answered(link, old) == (1, 0, 0)
        await link.zeroise()
        await link.load_psk(psk)
        link.give(random.randbytes(32))
        assert await answered(link, old) == (1, 0, 0)
        assert await answered(link, old, hello(link, number=100)) == (0, 2, 0)


@cocotb.test()
async def the_numbers_of_hellos_only_grow(dut):
    """They begin above the one that came with the key, and go on where they are when a later key brings less."""
    if ROLE == "r":
        return
    link = await asked(dut)
    say, top = FIRST_NUMBER, 2**64 - 2**60

    async def says(number):
        link.give(random.randbytes(32))
        link.own.start()
        await link.at_rest()
        sent = link.sealed()
        assert sent == link.own.out and int.from_bytes(sent[0][8:16], "big") == number
        link.own.out.clear()

    for first, number in ((say + 50, say + 50), (say, say + 51), (1, say + 52), (say + 53, say + 53), (top, top)):
        await link.load_psk(random.randbytes(64), first)  # a handshake is under way, so it begins anew
        await says(number)
    await link.zeroise()
    await link.load_psk(PSK, 7)
    await says(top + 1)
    await link.reset("core")
    link.own.forget()
    link.own.counts.clear()
    await link.load_psk(PSK, 7)
    await says(7)


@cocotb.test()
async def of_two_copies_one_opens_a_session(dut):
    link = await asked(dut)
    goods = valid(link)
    await told(link, [*goods, goods[-1]])
    assert link.own.counts["sessions_installed"] == 1 and link.own.counts["drop_session"] == 1


@cocotb.test()
async def a_flood_keeps_no_state_and_holds_up_no_data(dut):
    """Handshake messages at line rate, forged and authentic: every data packet between them passes, in time, and the
    handshake that was possible before is possible after."""
    link = await Link.start(dut)
    before = link.counts()
    held, sids = link.own.r, [session.rx.sid for session in link.own.sessions]
    frames, flood, replies = [], 0, 0
    for index in range(400):
        r = random.randbytes(32)
        reply = header(SUITE, 56, r[:4], 0, 0x22) + PEER_ID + r + bytes(16)
        good = hello(link, r) if ROLE == "r" else reply
        flood += 1
        link.send_untrusted(good if index % 2 else flip(good, 8 * 60))
        if index % 10 == 0:
            frames.append(random_frame(60))
            link.send_untrusted(link.peer.seal(frames[-1]))
    counts = await link.at_rest()
    assert link.delivered() == frames
    for packet in link.sealed():
        assert packet[0] == 0x22 and len(packet) == 72 and packet[24:56] == held
        replies += 1
    new = {name: counts[name] - before[name] for name in counts}
    assert new["handshakes_out"] == new["handshakes_in"] == replies
    dropped = new["drop_overload"] + new["drop_auth"] + new["drop_session"] + new["drop_surplus"]
    assert new["handshakes_in"] + dropped == flood
    assert replies <= REPLIES and bool(new["drop_surplus"]) == (ROLE == "r")
    assert bool(new["drop_overload"]) == (ROLE == "r"), "an initiator that asked nothing spends nothing on an answer"
    assert not new["sessions_installed"] and link.own.r == held
    assert sids == [session.rx.sid for session in link.own.sessions]
    link.own.counts = type(link.own.counts)(counts)
    if ROLE == "r":
        await next_second(link)
    await link.session(random.randbytes(32), random.randbytes(32))


@cocotb.test()
async def forged_confirms_hold_up_data_once(dut):
    """Confirms with the right id and a wrong MAC, each before a packet of that id: only the first makes it wait."""
    if ROLE == "i":
        return
    link = await asked(dut)

    async def cycles(sid):
        """From a forged confirm and a packet with this id to that packet's drop."""
        r, mac = random.randbytes(32), random.randbytes(16)
        confirm = message(SUITE, CONFIRM, link.own.r[:4], PEER_ID, r, mac, 0, VERSION)
        link.send_untrusted(confirm, header(SUITE, 33, sid, 0, 0x20) + random.randbytes(33))
        before, passed = dut.count_drop_session.value, 0
        while dut.count_drop_session.value == before:
            await RisingEdge(dut.core_clk)
            passed += 1
        await link.at_rest()
        return passed

    awaited, other = link.own.r[:4], bytes(byte ^ 0xFF for byte in link.own.r[:4])
    first = await cycles(awaited)
    later = [await cycles(awaited) for _ in range(10)]
    without = [await cycles(other) for _ in range(10)]
    assert first > max(without) + 5 and max(later) <= max(without) + 3, (first, later, without)


@cocotb.test()
async def zeroise_in_every_state_of_a_handshake(dut):
    """Whenever it comes, nothing of the handshake survives, every message has a fate, and the next handshake works."""
    link = await Link.start(dut, session=False)
    for delay in range(0, 900 if SUITE in (1, 3) else 420, 23):
        link.sealed()
        await next_second(link)
        await link.load_psk(PSK)
        link.give(random.randbytes(32))
        await link.core(20)
        if ROLE == "i":
            link.own.start()
            await link.at_rest()
        link.send_untrusted(*valid(link))
        await link.core(delay)
        await link.zeroise()
        await link.at_rest()
        assert not (dut.session_up.value or dut.status_alt_up.value or dut.status_psk.value or dut.status_state.value)
        link.draws.clear()
        link.own_draws.clear()
        if random.random() < 0.7 and delay:
            continue
        link.sealed()
        link.own.out.clear()
        await link.load_psk(PSK)
        link.peer.cur = link.peer.alt = None
        await link.session(random.randbytes(32), random.randbytes(32))
        await link.zeroise()


@cocotb.test()
async def a_handshake_under_way_begins_anew_with_a_new_key(dut):
    """The initiator says hello again under the new key; the responder keeps no state of a handshake."""
    link = await asked(dut)
    old = valid(link)
    await link.load_psk(random.randbytes(64))
    if ROLE == "i":
        link.give(random.randbytes(32))
        link.own.start()
        await link.at_rest()
        assert link.sealed() == link.own.out
        link.own.out.clear()
    await told(link, old)
    assert not link.own.counts["handshakes_in"]
    await told(link, valid(link))
    assert link.own.counts["sessions_installed"] == 1


@cocotb.test()
async def a_load_in_the_midst_of_a_handshake_is_refused_and_harms_nothing(dut):
    """Software commits and writes a session while the handshake derives one: the keys are the handshake's."""
    link = await asked(dut)
    link.send_untrusted = lambda *packets, send=link.send_untrusted: (cocotb.start_soon(meddle()), send(*packets))

    async def meddle():
        for _ in range(120):
            dut.load_write.value, dut.load_index.value = 1, random.randrange(46)
            dut.load_data.value, dut.load_commit.value = random.getrandbits(32), random.random() < 0.5
            await ClockCycles(dut.core_clk, random.randint(1, 6))
        dut.load_write.value = dut.load_commit.value = 0

    own, r = link.own.r, random.randbytes(32)
    await told(link, valid(link, r))
    link.peer.install(*((own, r) if ROLE == "i" else (r, own)))
    await told(link, [link.peer.alt.tx.seal(0, random.randbytes(30))])
    assert link.own.counts["delivered"] == 1 and dut.session_up.value
