# SPDX-License-Identifier: Apache-2.0
"""The onlooker's receive rules and the attacker, without any RTL."""

import random

import pytest
from sealwire_lab.demo import attacks
from sealwire_lab.demo.rules import DELIVERED, KEEPALIVE, PN_LIMIT, Receiver

SID = bytes.fromhex("c0c1c2c3")
OUTER = bytes.fromhex("02000000bb0202000000aa0188b5")


def frame(number: int, message: int = 60, sid: bytes = SID, suite: int = 1) -> bytes:
    """An outer frame as an end of suite 01 would make it, with recognisable ciphertext."""
    length = message + 32
    header = bytes([0x10, suite]) + length.to_bytes(2, "big") + sid + number.to_bytes(8, "big")
    return OUTER + header + bytes([number & 255]) * length


def receiver(*made: bytes) -> Receiver:
    return Receiver(1, SID, made={each[14:] for each in made})


def test_delivers_each_packet_once():
    packets = [frame(n) for n in range(10)]
    end = receiver(*packets)
    assert [end.judge(each) for each in packets + packets] == [DELIVERED] * 10 + ["replay"] * 10


def test_window_is_64_packets():
    end = receiver(frame(100), frame(37), frame(36))
    assert end.judge(frame(100)) == DELIVERED
    assert end.judge(frame(37)) == DELIVERED  # next is 101: 64 behind
    assert end.judge(frame(36)) == "replay"  # 65 behind


def test_forged_number_does_not_move_the_window():
    end = receiver(frame(0))
    assert end.judge(frame(1 << 40)) == "auth"
    assert end.judge(frame(0)) == DELIVERED


def test_padding_is_ignored_and_short_messages_only_show_life():
    end = receiver(frame(0), frame(1, message=1))
    assert end.judge(frame(0) + bytes(20)) == DELIVERED
    assert end.judge(frame(1, message=1)) == KEEPALIVE


@pytest.mark.parametrize(
    ("damaged", "cause"),
    [
        (OUTER[:12] + b"\x08\x00" + bytes(60), "foreign"),
        (OUTER, "short"),
        (frame(0)[:-1], "short"),
        (OUTER + b"\x20" + frame(0)[15:], "version"),
        (OUTER + b"\x12" + frame(0)[15:], "type"),
        (frame(0, suite=2), "suite"),
        (frame(0, message=0), "length"),
        (frame(0, message=9601), "length"),
        (frame(0, sid=b"\0\0\0\1"), "session"),
        (frame(PN_LIMIT), "number"),
        (frame(3)[:-1] + b"!", "auth"),
    ],
)
def test_first_rule_that_fails_names_the_cause(damaged, cause):
    end = receiver(*(frame(n) for n in range(5)))
    assert end.judge(damaged) == cause


@pytest.mark.parametrize("seed", range(20))
def test_no_packet_of_the_attacker_is_good(seed):
    rng = random.Random(seed)
    packets = [frame(n, message=rng.randrange(14, 200)) for n in range(50)]
    end = receiver(*packets)
    for each in packets:
        end.judge(each)
    made = [
        *attacks.forgeries(rng, packets, 3),
        *attacks.replays(rng, packets, 30),
        *attacks.truncations(rng, packets, 10),
        *attacks.strangers(rng, packets[0], 5),
    ]
    verdicts = {end.judge(each) for each in made}
    assert DELIVERED not in verdicts and KEEPALIVE not in verdicts
    assert {"short", "version", "type", "suite", "length", "session", "number", "replay", "auth", "foreign"} <= verdicts


def test_attacker_in_flight_does_each_deed_in_every_period():
    attacker = attacks.InFlight(random.Random(1))
    deeds = [attacker.action("a") for _ in range(48)]
    for deed in attacks.InFlight.ACTIONS:
        assert deeds[:24].count(deed) == 1
        assert deeds[24:].count(deed) == 1


@pytest.mark.parametrize("deed", ["flip", "header", "truncate"])
def test_damage_in_flight_is_never_delivered(deed):
    attacker = attacks.InFlight(random.Random(2))
    for number in range(300):
        good = frame(number)
        end = receiver(good)
        assert end.judge(attacker.damage(deed, good)) not in (DELIVERED, KEEPALIVE)
