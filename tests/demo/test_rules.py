# SPDX-License-Identifier: Apache-2.0
"""The onlooker's receive rules and the attacker, without any RTL."""

import random
from itertools import pairwise

import pytest
from sealwire_demo import attacks
from sealwire_demo.rules import CAUSES, DELIVERED, HANDSHAKE, KEEPALIVE, NEVER, SUITES
from sealwire_model.onlooker import Receiver

SID = bytes.fromhex("c0c1c2c3")
R_I, R_R = bytes(range(0xA0, 0xC0)), bytes(range(0xC0, 0xE0))
ID_I, ID_R = (n.to_bytes(8, "big") for n in (1, 2))
OUTER = bytes.fromhex("02000000bb0202000000aa0188b5")


def frame(number: int, message: int = 60, sid: bytes = SID, suite: int = 1) -> bytes:
    """An outer frame as an end of suite 01 would make it, with recognisable ciphertext."""
    length = message + 32
    header = bytes([0x20, suite]) + length.to_bytes(2, "big") + sid + number.to_bytes(8, "big")
    return OUTER + header + bytes([number & 255]) * length


def handshake(kind: int, sid: bytes, sender: bytes, r: bytes, number: int = 0, mac: bytes = bytes(16)) -> bytes:
    header = bytes([0x20 | kind, 1]) + (56).to_bytes(2, "big") + sid + number.to_bytes(8, "big")
    return OUTER + header + sender + r + mac


HELLO = handshake(1, bytes(4), ID_I, R_I, number=7)
REPLY = handshake(2, R_I[:4], ID_R, R_R)
CONFIRM = handshake(3, R_R[:4], ID_I, R_I)


def receiver(*made: bytes) -> Receiver:
    """A responder with one session."""
    end = Receiver(1, ID_R, ID_I)
    end.made |= {each[14:] for each in made}
    end.open(SID)
    return end


def meet(*messages: bytes) -> tuple[Receiver, Receiver]:
    """Initiator and responder; each message, made by who may make it, reaches the other."""
    ends = (Receiver(1, ID_I, ID_R), Receiver(1, ID_R, ID_I))
    for message in messages:
        sender, other = ends if message[14] & 15 != 2 else ends[::-1]
        sender.said(message)
        other.made.add(message[14:])
        assert other.receive_frame(message) == HANDSHAKE
    return ends


def test_delivers_each_packet_once():
    packets = [frame(n) for n in range(10)]
    end = receiver(*packets)
    assert [end.receive_frame(each) for each in packets + packets] == [DELIVERED] * 10 + ["drop_replay"] * 10


def test_window_is_64_packets():
    end = receiver(frame(100), frame(37), frame(36))
    assert end.receive_frame(frame(100)) == DELIVERED
    assert end.receive_frame(frame(37)) == DELIVERED  # next is 101: 64 behind
    assert end.receive_frame(frame(36)) == "drop_replay"  # 65 behind


def test_forged_number_does_not_move_the_window():
    end = receiver(frame(0))
    assert end.receive_frame(frame(1 << 40)) == "drop_auth"
    assert end.receive_frame(frame(0)) == DELIVERED


def test_padding_is_ignored_and_short_messages_only_show_life():
    end = receiver(frame(0), frame(1, message=1))
    assert end.receive_frame(frame(0) + bytes(20)) == DELIVERED
    assert end.receive_frame(frame(1, message=1)) == KEEPALIVE


@pytest.mark.parametrize(
    ("damaged", "cause"),
    [
        (OUTER[:12] + b"\x08\x00" + bytes(60), "drop_foreign"),
        (OUTER, "drop_short"),
        (frame(0)[:-1], "drop_short"),
        (OUTER + b"\x10" + frame(0)[15:], "drop_version"),
        (OUTER + b"\x22" + frame(0)[15:], "drop_type"),
        (frame(0, suite=2), "drop_suite"),
        (frame(0, message=0), "drop_length"),
        (frame(0, message=9601), "drop_length"),
        (frame(0, sid=b"\0\0\0\1"), "drop_session"),
        (frame(SUITES["omd-sha512"].n_max), "drop_number"),
        (frame(3)[:-1] + b"!", "drop_auth"),
    ],
)
def test_first_rule_that_fails_names_the_cause(damaged, cause):
    end = receiver(*(frame(n) for n in range(5)))
    assert end.receive_frame(damaged) == cause


def test_handshake_opens_a_session_in_which_data_passes():
    initiator, responder = meet(HELLO, REPLY, CONFIRM)
    for end, sid in ((initiator, R_I[:4]), (responder, R_R[:4])):
        end.made.add(frame(0, sid=sid)[14:])
        assert end.receive_frame(frame(0, sid=sid)) == DELIVERED


def test_of_hellos_only_one_of_a_greater_number_is_answered():
    _, responder = meet(HELLO)
    older, newer = (handshake(1, bytes(4), ID_I, R_I, number) for number in (6, 8))
    responder.made |= {older[14:], newer[14:]}
    assert [responder.receive_frame(each) for each in (older, newer, HELLO, newer)] == [
        "drop_stale",
        HANDSHAKE,
        "drop_stale",
        "drop_stale",
    ]


def test_replayed_handshake_opens_nothing():
    initiator, responder = meet(HELLO, REPLY, CONFIRM)
    before = responder.sessions
    assert [responder.receive_frame(each) for each in (HELLO, HELLO, CONFIRM)] == [
        "drop_stale",
        "drop_stale",
        "drop_session",
    ]
    assert initiator.receive_frame(REPLY) == "drop_session"
    assert responder.sessions == before


@pytest.mark.parametrize(
    ("before", "message", "cause"),
    [
        ([], HELLO[:-1], "drop_short"),
        ([], REPLY, "drop_type"),
        ([HELLO], frame(0)[:14] + b"\x21\x01\x00\x37" + HELLO[18:], "drop_length"),
        ([], handshake(1, b"\0\0\0\1", ID_I, R_I), "drop_session"),
        ([HELLO], CONFIRM, "drop_session"),
        ([HELLO, REPLY, CONFIRM], CONFIRM, "drop_session"),
        ([], handshake(1, bytes(4), ID_R, R_I), "drop_peer"),
        ([], handshake(1, bytes(4), ID_I, R_I, number=8), "drop_auth"),
        ([], handshake(1, bytes(4), ID_I, R_R, number=7), "drop_auth"),
        ([HELLO], HELLO, "drop_stale"),
        ([HELLO, REPLY], handshake(3, R_R[:4], ID_I, R_I, number=7), "drop_number"),
        ([HELLO, REPLY], handshake(3, R_R[:4], ID_I, R_I, mac=b"!" * 16), "drop_auth"),
    ],
)
def test_first_rule_that_a_handshake_message_fails_names_the_cause(before, message, cause):
    _, responder = meet(*before)
    assert responder.receive_frame(message) == cause


@pytest.mark.parametrize("seed", range(20))
def test_no_packet_of_the_attacker_is_good(seed):
    rng = random.Random(seed)
    packets = [frame(n, message=rng.randrange(14, 200)) for n in range(50)]
    end = receiver(*packets)
    for each in packets:
        end.receive_frame(each)
    made = [
        *attacks.forgeries(rng, packets, 3),
        *attacks.replays(rng, packets, 30),
        *attacks.truncations(rng, packets, 10),
        *attacks.strangers(rng, packets[0], 5),
    ]
    made += attacks.forged_handshakes(rng, [HELLO, CONFIRM], 5)
    end.r = R_R
    end.made |= {HELLO[14:], CONFIRM[14:]}
    assert end.receive_frame(HELLO) == HANDSHAKE
    made += [HELLO] * 2
    verdicts = {end.receive_frame(each) for each in made}
    assert not verdicts & {DELIVERED, KEEPALIVE, HANDSHAKE}
    assert verdicts == {f"drop_{cause}" for cause in CAUSES if cause not in NEVER}


def test_attacker_in_flight_does_each_deed_in_every_period():
    attacker = attacks.InFlight(random.Random(1))
    deeds = [attacker.action("a") for _ in range(48)]
    for deed in attacks.InFlight.ACTIONS:
        assert deeds[:24].count(deed) == 1
        assert deeds[24:].count(deed) == 1


def test_attacker_in_flight_lets_the_packet_after_a_loss_pass():
    """A TCP segment that is lost again and again waits twice as long each time: the file would take minutes."""
    attacker = attacks.InFlight(random.Random(1))
    lost = [attacker.action("a") in attacks.InFlight.LOSSES for _ in range(24 * 1000)]
    assert not any(one and after for one, after in pairwise(lost))
    assert {place % 24 for place, one in enumerate(lost) if one} == set(range(23))


@pytest.mark.parametrize("deed", ["flip", "header", "truncate"])
def test_damage_in_flight_is_never_delivered(deed):
    attacker = attacks.InFlight(random.Random(2))
    for number in range(300):
        good = frame(number)
        end = receiver(good)
        assert end.receive_frame(attacker.damage(deed, good)) not in (DELIVERED, KEEPALIVE)
