# SPDX-License-Identifier: Apache-2.0
"""What one end of the link does with what arrives: receive rules, replay window, sessions, zeroise, reset, overload."""

import random
from collections import Counter

import cocotb
from cocotb.triggers import ClockCycles, FallingEdge, RisingEdge
from link_bench import (
    BEAT,
    DROPS,
    NUMBERS,
    OUTER,
    OWN_MAC,
    PEER_MAC,
    PSK,
    R_I,
    R_R,
    ROLE,
    SUITE,
    TAG,
    WINDOW,
    Link,
    frame_of,
    random_frame,
)
from sealwire_model.wire import ETHERTYPE, HEADER, header

SEEN = [
    "untrusted_in", "delivered", "keepalives_in", "keepalives_out", "handshakes_in", "handshakes_out",
    "sessions_installed", "sessions_taken", *DROPS,
]  # fmt: skip


async def agree(link, packets):
    """The link and the model get the same packets: same counters, same frames in the same order."""
    for packet in packets:
        link.own.receive(packet)
    link.send_untrusted(*packets)
    return await compare(link)


async def compare(link):
    counts = await link.at_rest(100_000 + 4000 * link.own.counts["untrusted_in"])
    differ = {name: (counts[name], link.own.counts[name]) for name in SEEN if counts[name] != link.own.counts[name]}
    assert not differ, f"counted, expected: {differ}"
    assert link.delivered() == link.own.delivered
    link.own.delivered.clear()
    return counts


def flip(packet, bit):
    changed = bytearray(packet)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def fresh(seed):
    """Two random values that no other session here has."""
    source = random.Random(seed)
    return source.randbytes(32), source.randbytes(32)


@cocotb.test()
async def seals_frames_as_the_model_does(dut):
    link = await Link.start(dut, 0.3)
    frames = [random_frame(size) for size in (14, 15, 16, 17, 63, 64, 65, 127, 128, 129, 200, 777, 1514)]
    link.send_trusted(*frames)
    counts = await link.at_rest()
    assert link.sealed() == [link.own.seal(frame) for frame in frames]
    assert counts["sealed"] == len(frames) and counts["sealed_bytes"] == sum(map(len, frames))
    assert counts["trusted_in_bytes"] == sum(map(len, frames))


@cocotb.test()
async def opens_packets_of_the_model(dut):
    link = await Link.start(dut, 0.3)
    frames = [random_frame(size) for size in (14, 15, 16, 17, 63, 64, 65, 127, 128, 129, 200, 777, 1514)]
    packets = [link.peer.seal(frame) for frame in frames]
    before = link.counts()["untrusted_in_bytes"]
    counts = await agree(link, packets)
    assert counts["delivered"] == len(frames) and counts["delivered_bytes"] == sum(map(len, frames))
    outer = 14 if OUTER else 0
    assert counts["untrusted_in_bytes"] - before == sum(len(packet) + outer for packet in packets)


@cocotb.test()
async def counts_the_first_rule_that_fails(dut):
    """A packet that breaks a rule and all later ones is counted under the first, with and without a sound rest."""
    link = await Link.start(dut)
    sid, size = link.own.rx.sid, 52
    body = random.randbytes(size)
    heads = [
        (0x35, 9, 60000, b"zzzz", 2**63), (0x35, 9, 1, b"zzzz", 2**63), (0x25, 9, 1, b"zzzz", 2**63),
        (0x20, 9, 1, b"zzzz", 2**63), (0x20, SUITE, 1, b"zzzz", 2**63), (0x20, SUITE, TAG, b"zzzz", 2**63),
        (0x20, SUITE, size, b"zzzz", 2**63), (0x20, SUITE, size, sid, NUMBERS), (0x20, SUITE, size, sid, 2**64 - 1),
        (0x20, SUITE, size, sid, 5), (0x10, SUITE, size, sid, 6), (0x30, SUITE, size, sid, 6), (0x20, 3, size, sid, 6),
        *((0x20 + kind, SUITE, size, sid, 6) for kind in range(1, 16)),
        (0x20, SUITE, 0, sid, 6), (0x20, SUITE, size, bytes(4), 6),
    ]  # fmt: skip
    packets = [header(suite, length, where, number, first) + body for first, suite, length, where, number in heads]
    good = link.peer.seal(random.randbytes(20))
    packets += [good, good, header(SUITE, size, sid, 0, 0x20) + body]
    counts = await agree(link, packets)
    for name in ("short", "version", "type", "suite", "length", "session", "number", "replay", "auth"):
        assert counts[f"drop_{name}"], name
    assert counts["delivered"] == 1


@cocotb.test()
async def drops_lengths_beyond_the_largest_frame(dut):
    """A message of 9600 bytes passes; one of 9601 bytes, though authentic, is of a wrong length."""
    link = await Link.start(dut)
    assert link.peer.tx
    await agree(
        link, [link.peer.tx.seal(1, bytes(9600)), link.peer.tx.seal(2, bytes(9601)), link.peer.tx.seal(3, bytes(14))]
    )
    assert link.own.counts["drop_length"] == 1 and link.own.counts["delivered"] == 2


@cocotb.test()
async def replay_window_has_its_size(dut):
    link = await Link.start(dut)
    w, far, top = WINDOW, 10**6, NUMBERS - 1
    numbers = [0, 0, 1, 1, w + 6, w + 6, 6, 7, 7, 5, w + 5, 8, w + 7, 7, 8]
    numbers += [far, far - w + 1, far - w, far - w + 1, far, far + 1, far - w + 2, w + 7, far + w + 1]
    numbers += [far + 2, far + 1, far + 2 * w + 1, far + w + 1]
    numbers += [top, top, top - w + 1, top - w, top + 1, top - w + 2, top - w + 1, 0, NUMBERS // 2]
    packets = [link.peer.tx.seal(number, bytes([index]) * 14) for index, number in enumerate(numbers)]
    counts = await agree(link, packets)
    assert counts["drop_number"] == 1 and counts["drop_replay"] >= 12


@cocotb.test()
async def replay_window_follows_any_order(dut):
    """A random walk of packet numbers with repeats, reordering and jumps of about the window's size."""
    link = await Link.start(dut)
    at, packets = 0, []
    for index in range(250):
        at = max(0, at + random.choice((1, 1, 1, 1, 2, 3, 40, WINDOW - 1, WINDOW, WINDOW + 1, WINDOW + 2, 3 * WINDOW)))
        number = max(0, at - random.choice((0, 0, 0, 1, 2, 5, WINDOW - 2, WINDOW - 1, WINDOW, WINDOW + 1, WINDOW + 2)))
        packets.append(link.peer.tx.seal(number, index.to_bytes(14, "big")))
    await agree(link, packets)


@cocotb.test()
async def what_comes_late_within_the_window_is_not_lost(dut):
    """Packets up to WINDOW - 1 places out of order, none of them twice."""
    link = await Link.start(dut)
    numbers = sorted(range(1, 2 * WINDOW + 65), key=lambda number: number + random.random() * (WINDOW - 1))
    counts = await agree(link, [link.peer.tx.seal(number, number.to_bytes(14, "big")) for number in numbers])
    assert counts["delivered"] == len(numbers) and not counts["drop_replay"]


@cocotb.test()
async def a_forged_number_does_not_move_the_window(dut):
    """Only an authentic packet marks its number."""
    link = await Link.start(dut)
    packets = [link.peer.tx.seal(1, bytes(14))]
    forged = bytearray(link.peer.tx.seal(5000, bytes(14)))
    forged[-1] ^= 1
    packets += [bytes(forged), link.peer.tx.seal(2, bytes(14)), link.peer.tx.seal(5000, bytes(14))]
    counts = await agree(link, packets)
    assert counts["delivered"] == 3 and counts["drop_auth"] == 1


@cocotb.test()
async def drops_a_packet_with_any_bit_flipped(dut):
    link = await Link.start(dut)
    good = link.peer.seal(random.randbytes(17))
    packets = [flip(good, bit) for bit in range(8 * len(good))]
    counts = await agree(link, packets)
    assert counts["delivered"] == 0 and counts["keepalives_in"] == 1  # that of the handshake
    await agree(link, [good])
    assert link.own.counts["delivered"] == 1


@cocotb.test()
async def drops_a_long_packet_with_some_bit_flipped(dut):
    link = await Link.start(dut)
    good = link.peer.seal(random.randbytes(1500))
    packets = [flip(good, random.randrange(8 * HEADER, 8 * len(good))) for _ in range(12)]
    counts = await agree(link, [*packets, good])
    assert counts["drop_auth"] == 12 and counts["delivered"] == 1


@cocotb.test()
async def drops_a_truncated_packet(dut):
    link = await Link.start(dut)
    good = link.peer.seal(random.randbytes(30))
    shortest = 0 if OUTER else 1
    counts = await agree(link, [good[:size] for size in range(shortest, len(good))])
    assert counts["drop_short"] == len(good) - shortest
    await agree(link, [good])


@cocotb.test()
async def ignores_padding_behind_a_packet(dut):
    link = await Link.start(dut)
    packets = [link.peer.seal(random.randbytes(20 + size)) + random.randbytes(size) for size in range(1, 20)]
    packets.append(link.peer.seal(random.randbytes(14)) + random.randbytes(9700))
    counts = await agree(link, packets)
    assert counts["delivered"] == len(packets)


@cocotb.test()
async def drops_its_own_packets_sent_back(dut):
    link = await Link.start(dut)
    link.send_trusted(*[random_frame(60) for _ in range(5)])
    await link.at_rest()
    sent = link.sealed()
    mine = [packet[:4] + link.own.rx.sid + packet[8:] for packet in sent]
    counts = await agree(link, [*sent, *mine])
    assert counts["drop_session"] == 5 and counts["drop_auth"] == 5


@cocotb.test()
async def messages_under_14_bytes_show_life_only(dut):
    link = await Link.start(dut)
    counts = await agree(link, [link.peer.seal(random.randbytes(size)) for size in range(1, 18)])
    assert counts["keepalives_in"] == 1 + 13 and counts["delivered"] == 4


@cocotb.test()
async def keepalives_and_frames_share_the_numbers(dut):
    link = await Link.start(dut)
    expected = []
    for _ in range(6):
        frame = random_frame(random.randint(14, 90))
        link.send_trusted(frame)
        await link.at_rest()
        expected.append(link.own.seal(frame))
        for _ in range(random.randint(0, 2)):
            await link.keepalive()
            expected.append(link.own.seal(b"\0"))
    counts = await link.at_rest()
    assert link.sealed() == expected
    assert counts["keepalives_out"] + counts["sealed"] == 1 + len(expected)  # and the handshake's


@cocotb.test()
async def drops_and_counts_foreign_and_tiny_frames(dut):
    if not OUTER:
        return
    link = await Link.start(dut)
    good = OWN_MAC + PEER_MAC + ETHERTYPE + link.peer.seal(random.randbytes(40))
    frames = [good[:size] for size in range(1, 20)]
    frames += [
        good[:12] + kind + good[14:] for kind in (b"\x08\x00", b"\x88\xb4", b"\xb5\x88", b"\x88\xb7", b"\x08\xb5")
    ]
    frames += [good[:12] + b"\x08\x06" + good[14 : 14 + size] for size in range(0, 12)]
    frames.append(good)
    for frame in frames:
        link.own.receive_frame(frame)
    link.send_outer(*frames)
    counts = await compare(link)
    assert counts["delivered"] == 1


@cocotb.test()
async def drops_trusted_frames_of_wrong_size(dut):
    link = await Link.start(dut)
    sizes = [1, 7, 8, 13, 14, 9600, 9601, 9608, 9609, 20000, 14]
    frames = [random_frame(size) for size in sizes]
    good = [frame for frame in frames if 14 <= len(frame) <= 9600]
    for frame in frames:
        link.send_trusted(frame)
        await link.at_rest()
    counts = await link.at_rest()
    assert link.sealed() == [link.own.seal(frame) for frame in good]
    assert counts["drop_trusted_size"] == len(frames) - len(good)
    assert counts["trusted_in_bytes"] == sum(sizes)


@cocotb.test()
async def without_a_session_everything_is_dropped(dut):
    link = await Link.start(dut, session=False)
    link.peer.psk = PSK
    link.peer.install(R_I, R_R)
    link.peer.promote(link.peer.alt)
    link.send_trusted(*[random_frame(60) for _ in range(5)])
    counts = await agree(link, [link.peer.seal(random.randbytes(60)) for _ in range(5)])
    assert counts["drop_trusted_session"] == counts["drop_session"] == 5
    await no_handshake(link)


async def no_handshake(link):
    """Without a pre-shared key an initiator says nothing and a responder answers nothing, however long."""
    assert not link.dut.status_psk.value and not link.dut.session_up.value
    link.sealed()
    if ROLE == "r":
        link.give(random.randbytes(32))
        link.peer.psk = PSK
        link.peer.start()
        await agree(link, link.peer.out)
        link.peer.out.clear()
    await link.pass_time(1500)
    await link.at_rest()
    assert not link.sealed() and (ROLE == "r" or not link.dut.random_ready.value)


@cocotb.test()
async def no_handshake_without_a_key(dut):
    link = await Link.start(dut, session=False)
    await no_handshake(link)
    await link.load_psk(PSK)
    await link.session(R_I, R_R)


@cocotb.test()
async def draws_its_random_value_again_while_it_is_no_good(dut):
    """Session id 0, one that lives in a slot, the same value again: refused, and another one asked for."""
    link = await Link.start(dut, session=False)
    await link.load_psk(PSK)
    used = [random.randbytes(32) for _ in range(4)]

    def no_good(index):
        """Before the value of this place: 0, session ids that live by then, the value before."""
        before = used[max(0, index - 2) : index]
        return [bytes(4) + used[index][4:], *(value[:4] + used[index][4:] for value in before), *before[-1:]]

    if ROLE == "r":
        link.give(*no_good(0), used[0])
    for index in range(3):
        if ROLE == "i":
            await link.until_hello()
            link.give(*no_good(index), used[index])
            link.own.start()
            link.peer.r = random.randbytes(32)
        else:
            link.give(*no_good(index + 1), used[index + 1])
            await link.core(100)
            link.peer.start()
        await link.converse()
        assert link.own.rx.sid == used[index][:4]
    given = [value for index in range(3 + (ROLE == "r")) for value in (*no_good(index), used[index])]
    assert link.drawn == given


@cocotb.test()
async def a_new_session_starts_from_zero_and_the_old_one_goes_on(dut):
    """What was sealed in the old one passes beside the new one, once; the session before the old one is gone."""
    link = await Link.start(dut)
    late = []
    for round_number in range(3):
        frame = random_frame(40)
        link.send_trusted(frame)
        await agree(link, [link.peer.seal(random.randbytes(40))])
        assert link.sealed() == [link.own.tx.seal(1, frame)]
        link.own.cur.number = 2
        link.peer.cur.number += 100  # far into the window, which the session after next in this slot must not inherit
        late.append([link.peer.seal(random.randbytes(40)) for _ in range(4)])
        await link.session(*fresh(2 + round_number))
        new = [link.peer.seal(random.randbytes(40)) for _ in range(3)]
        mixed = [packet for pair in zip(late[-1], new, strict=False) for packet in pair]
        await agree(link, [*mixed, *mixed])
        frame = random_frame(40)
        link.send_trusted(frame)
        counts = await agree(link, [late[-1][-1], *(late[-2][:1] if round_number else [])])
        assert link.sealed() == [link.own.seal(frame)]
        await link.session(*fresh(20 + round_number))
    assert counts["drop_session"] == 2


@cocotb.test()
async def a_new_key_counts_from_the_next_session(dut):
    link = await Link.start(dut)
    await link.load_psk(random.randbytes(64))
    await agree(link, [link.peer.seal(random.randbytes(40))])
    await link.session(*fresh(3))
    await agree(link, [link.peer.seal(random.randbytes(40))])
    assert link.own.counts["delivered"] == 2


@cocotb.test()
async def nothing_of_a_forged_packet_ever_shows(dut):
    """Long forged packets between good ones, under back-pressure: every byte on the trusted side is of a good one."""
    link = await Link.start(dut, 0.4)
    packets = []
    for index in range(16):
        packet = link.peer.seal(bytes([index]) * random.choice((20, 300, 1500)))
        if index % 2:
            packet = flip(
                packet, random.choice((8 * HEADER, 8 * len(packet) - 1, random.randrange(8 * HEADER, 8 * len(packet))))
            )
        packets.append(packet)
    counts = await agree(link, packets)
    assert counts["delivered"] == 8 and counts["drop_auth"] == 8


@cocotb.test()
async def a_bad_packet_right_behind_a_good_one_keeps_the_books(dut):
    """The good one's last beat leaves the store at any distance from the bad one's verdict, the same cycle included."""
    link = await Link.start(dut)
    for first in range(14, 700, 64):  # no more at once than the entrance holds
        packets = []
        for size in range(first, first + 64, 4):
            forged = flip(link.peer.seal(random.randbytes(14)), 8 * (HEADER + 3))
            packets += [link.peer.seal(random.randbytes(size)), forged]
        await agree(link, packets)
    assert link.own.counts["drop_auth"] == link.own.counts["delivered"] == 11 * 16


@cocotb.test()
async def a_forged_packet_alone_leaves_the_trusted_side_still(dut):
    link = await Link.start(dut)
    link.send_untrusted(flip(link.peer.seal(b"\xee" * 3000), 8 * (HEADER + 3000)))
    shown = cocotb.start_soon(wait_for(dut.m_axis_trusted_tvalid))
    counts = await link.at_rest()
    await link.core(1000)
    assert counts["drop_auth"] == 1 and not shown.done()


async def wait_for(signal):
    await RisingEdge(signal)


@cocotb.test()
async def overload_drops_whole_packets_and_totals_balance(dut):
    """Both exits stand still while both entrances are flooded: no entrance stalls, what passes is whole."""
    link = await Link.start(dut)
    before = link.counts()["untrusted_in"]
    stalled = []

    async def never_stalls(ready):
        assert ready.value
        await FallingEdge(ready)
        stalled.append(ready._name)

    cocotb.start_soon(never_stalls(dut.s_axis_trusted_tready))
    cocotb.start_soon(never_stalls(dut.s_axis_untrusted_tready))
    link.trusted_sink.pause = link.untrusted_sink.pause = True
    await ClockCycles(dut.core_clk, 10)
    frames, sealed, messages = [], [], []
    while not all(link.counts()[cause] for cause in ("drop_trusted_overload", "drop_overload")):
        assert len(frames) < 500, "the link holds more than all of its memories together"
        plain = [random_frame(random.choice((14, 60, 1000, 9600))) for _ in range(34)]
        packets = [link.peer.seal(random.randbytes(random.choice((14, 60, 1000, 9600)))) for _ in range(56)]
        link.send_trusted(*plain)
        link.send_untrusted(*packets)
        frames += plain
        sealed += packets
        messages += [link.own.rx.open(packet) for packet in packets]
        while not (link.trusted_source.idle() and link.untrusted_source.idle()):
            await link.core(200)
        await link.core(3000)
    link.trusted_sink.pause = link.untrusted_sink.pause = False
    counts = await link.at_rest(400000)
    assert not stalled
    assert counts["trusted_in"] == len(frames) and counts["untrusted_in"] - before == len(sealed)
    passed = [link.peer.rx.open(packet) for packet in link.sealed()]
    assert is_subsequence(passed, frames) and len(passed) == counts["sealed"]
    delivered = link.delivered()
    assert is_subsequence(delivered, messages) and len(delivered) == counts["delivered"]
    assert counts["drop_trusted_overload"] == len(frames) - len(passed)
    assert counts["drop_overload"] == len(sealed) - len(delivered)


def is_subsequence(part, whole):
    rest = iter(whole)
    return all(any(item == other for other in rest) for item in part)


@cocotb.test()
async def zeroise_in_traffic_forgets_everything(dut):
    link = await Link.start(dut, 0.3)
    for round_number in range(3):
        frames = [random_frame(random.choice((20, 300))) for _ in range(25)]
        messages = [random.randbytes(random.choice((20, 300))) for _ in range(25)]
        sealed_before = (await link.at_rest())["sealed"]
        opener = link.peer.rx
        link.send_trusted(*frames)
        link.send_untrusted(*[link.peer.seal(message) for message in messages])
        await link.core(random.randint(100, 2500))
        await link.zeroise()
        assert not dut.session_up.value
        counts = await link.at_rest()
        delivered, passed = link.delivered(), link.sealed()
        assert delivered == messages[: len(delivered)]
        assert [opener.open(packet) for packet in passed] == frames[: len(passed)]
        assert counts["sealed"] - sealed_before == len(passed)
        link.send_trusted(random_frame(50))
        link.send_untrusted(link.peer.seal(random.randbytes(50)))
        await link.at_rest()
        assert not link.delivered() and not link.sealed()
        link.own.counts = Counter(await link.at_rest())  # where each packet was when it happened is not its business
        await no_handshake(link)
        await link.load_psk(PSK)
        await link.session(*fresh(10 * round_number + 1))


@cocotb.test()
async def zeroise_empties_the_release_store(dut):
    """Verified frames that wait for a stalled trusted side are gone after zeroise, but for the one offered."""
    link = await Link.start(dut)
    link.trusted_sink.pause = True
    messages = [bytes([index]) * 600 for index in range(40)]
    link.send_untrusted(*[link.peer.seal(message) for message in messages])
    while not link.untrusted_source.idle():
        await link.core(100)
    await link.core(36000 if SUITE in (1, 3) else 8000)
    await RisingEdge(dut.core_clk)
    dut.zeroise.value = 1
    await RisingEdge(dut.core_clk)
    dut.zeroise.value = 0
    await link.core(1500)
    link.trusted_sink.pause = False
    counts = await link.at_rest()
    delivered = link.delivered()
    assert len(delivered) <= 2 and delivered == messages[: len(delivered)]
    assert counts["drop_session"] == len(messages) - len(delivered)


async def reset_in_traffic(dut, which):
    link = await Link.start(dut, 0.3)
    for round_number in range(2):
        link.send_trusted(*[random_frame(random.choice((20, 300))) for _ in range(25)])
        link.send_untrusted(*[link.peer.seal(random.randbytes(random.choice((20, 300)))) for _ in range(25)])
        await link.core(random.randint(300, 2500))
        await link.reset(which)
        assert not dut.session_up.value
        assert not any(link.counts().values())
        link.own.forget()
        link.own.counts.clear()
        link.own.delivered.clear()
        link.send_trusted(random_frame(50))
        counts = await agree(link, [link.peer.seal(random.randbytes(50))])
        assert counts["drop_session"] == counts["drop_trusted_session"] == 1 and not link.sealed()
        await no_handshake(link)
        await link.load_psk(PSK)
        await link.session(*fresh(round_number))
        frame = random_frame(100)
        link.send_trusted(frame)
        await agree(link, [link.peer.seal(random.randbytes(100))])
        assert link.sealed() == [link.own.seal(frame)]


@cocotb.test()
async def after_a_core_reset_nothing_passes_until_a_new_session(dut):
    await reset_in_traffic(dut, "core")


@cocotb.test()
async def after_a_trusted_reset_nothing_passes_until_a_new_session(dut):
    await reset_in_traffic(dut, "trusted")


@cocotb.test()
async def after_an_untrusted_reset_nothing_passes_until_a_new_session(dut):
    await reset_in_traffic(dut, "untrusted")


@cocotb.test()
async def malformed_beats_from_the_trusted_side_are_dropped(dut):
    """A partial beat in mid-frame is a frame of a wrong size; the next frame is not harmed."""
    link = await Link.start(dut)
    for place in (0, BEAT, 40 // BEAT * BEAT):
        bad = frame_of(random.randbytes(64))
        bad.tkeep[place + BEAT - 4 : place + BEAT] = [0] * 4
        link.trusted_source.send_nowait(bad)
        frame = random_frame(60)
        link.send_trusted(frame)
        counts = await link.at_rest()
        assert link.sealed() == [link.own.seal(frame)]
    assert counts["drop_trusted_size"] == 3


def flagged(data, bad):
    """A frame whose last beat says whether it arrived damaged; on other beats the flag means nothing."""
    frame = frame_of(data)
    last = (len(frame.tdata) - 1) // BEAT
    flags = [random.random() < 0.5 for _ in range(last)] + [bad]
    frame.tuser = [int(flags[place // BEAT]) for place in range(len(frame.tdata))]
    return frame


@cocotb.test()
async def damaged_frames_of_either_side_are_dropped_and_counted_apart(dut):
    link = await Link.start(dut)
    frames, packets = [], []
    for size in (14, 15, 60, 64, 200, 9600, 9601, 13):
        link.trusted_source.send_nowait(flagged(random.randbytes(size), True))
        frames.append(random_frame(60))
        link.trusted_source.send_nowait(flagged(frames[-1], False))
        await link.at_rest()
    counts = await link.at_rest()
    assert link.sealed() == [link.own.seal(frame) for frame in frames]
    assert counts["drop_trusted_bad"] == 8 and not counts["drop_trusted_size"] and not counts["drop_trusted_overload"]
    outer = OWN_MAC + PEER_MAC + ETHERTYPE if OUTER else b""
    for length in range(40, 64):  # the last beat may need one more cycle behind the outer header
        packet = link.peer.seal(random.randbytes(length))
        link.untrusted_source.send_nowait(flagged(outer + packet, True))
        packets.append(link.peer.seal(random.randbytes(length)))
        link.own.receive(packets[-1])
        link.untrusted_source.send_nowait(flagged(outer + packets[-1], False))
    lost = [outer + bytes(3), outer + link.peer.seal(random.randbytes(40))[:9]]
    if OUTER:
        lost += [OWN_MAC, OWN_MAC + PEER_MAC + b"\x08\x06" + bytes(46)]
    for frame in lost:
        link.untrusted_source.send_nowait(flagged(frame, True))
    counts = await link.at_rest()
    assert link.delivered() == link.own.delivered and counts["delivered"] == len(packets)
    link.own.delivered.clear()
    assert counts["drop_bad"] == 24 + len(lost)
    assert not any(counts[name] for name in DROPS if name != "drop_bad"), counts


@cocotb.test()
async def frames_of_mac_control_do_not_enter(dut):
    """PAUSE and its like are of one cable; the type stands in bytes 12 and 13, and nowhere else."""
    link = await Link.start(dut)
    pause = bytes.fromhex("0180c2000001") + OWN_MAC + b"\x88\x08"
    near = [OWN_MAC + PEER_MAC + kind + bytes(46) for kind in (b"\x88\x09", b"\x89\x08", b"\x08\x88", b"\x08\x00")]
    near.append(OWN_MAC + PEER_MAC + b"\x08\x00" + b"\x88\x08" * 23)
    for size in (0, 1, 2, 3, 46, 1500, 9700):
        link.send_trusted(pause + random.randbytes(size))
        await link.at_rest()
    link.send_trusted(*near)
    counts = await link.at_rest()
    assert link.sealed() == [link.own.seal(frame) for frame in near]
    assert counts["drop_trusted_control"] == 7 and counts["sealed"] == len(near)
