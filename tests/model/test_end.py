# SPDX-License-Identifier: Apache-2.0
"""A whole end of the executable specification against the worked messages, and under attack."""

import random
from collections import Counter

import pytest
from sealwire_model import worked
from sealwire_model.end import End
from sealwire_model.schedule import Schedule
from sealwire_model.suites import SUITES
from sealwire_model.wire import HELLO, REPLY, header, message
from support.worked_messages import of_suite

IDS = (1).to_bytes(8, "big"), (2).to_bytes(8, "big")
PSK, (R_I, R_R) = worked.psk(2), worked.randoms(2)
DROPS = [
    "short",
    "version",
    "type",
    "suite",
    "length",
    "session",
    "peer",
    "number",
    "replay",
    "auth",
    "stale",
    "surplus",
]


def pair(suite: int = 2, seed: int = 0) -> tuple[End, End]:
    source = random.Random(seed)
    ends = tuple(
        End(suite, *ids, draw=lambda: source.randbytes(SUITES[suite].random_bytes)) for ids in (IDS, IDS[::-1])
    )
    for end in ends:
        end.psk = PSK
    return ends  # type: ignore[return-value]


def settle(*ends: End) -> list[bytes]:
    """Delivers what the ends say until both are silent; returns all of it."""
    said = []
    while any(end.out for end in ends):
        for end, other in zip(ends, ends[::-1], strict=True):
            packets, end.out = end.out, []
            said += packets
            for packet in packets:
                other.receive(packet)
    return said


def step(ends: tuple[End, End], now: float) -> list[bytes]:
    for end in ends:
        end.poll(now)
    return settle(*ends)


def up(suite: int = 2, seed: int = 0) -> tuple[End, End]:
    ends = pair(suite, seed)
    ends[1].poll(0)
    step(ends, 0)
    assert all(end.cur for end in ends)
    return ends


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("suite", SUITES)
def test_says_the_worked_messages(suite: int, version: int) -> None:
    r_i, r_r = worked.randoms(suite)
    initiator, responder = (
        End(suite, *ids, draw=lambda: r_i, version=version, wall_clock=lambda: worked.HELLO_NUMBER)
        for ids in (IDS, IDS[::-1])
    )
    values = iter([r_r])
    responder.draw = lambda: next(values, None) or random.randbytes(len(r_r))
    initiator.psk = responder.psk = worked.psk(suite)
    responder.poll(0)
    said = step((initiator, responder), 0)
    names = ["hello", "hello-reply", "confirm", "keep-alive-i-r", "keep-alive-r-i"]
    messages = of_suite(suite, version)
    assert said == [messages[name] for name in names]
    assert initiator.seal(worked.FRAME) == messages["frame-i-r"]
    assert responder.seal(worked.FRAME) == messages["frame-r-i"]


def test_old_handshake_messages_change_no_state() -> None:
    ends = pair()
    ends[1].poll(0)
    said = step(ends, 0)
    for end in ends:
        before = end.cur, end.alt, end.r, end.state, end.counts["sessions_installed"]
        for packet in said:
            end.receive(packet)
        end.out.clear()
        assert before == (end.cur, end.alt, end.r, end.state, end.counts["sessions_installed"])


def test_counts_the_first_rule_that_a_message_breaks() -> None:
    """Each message breaks one rule and all later ones; none of them changes a session or R."""
    initiator, responder = up()
    assert responder.r
    own, peer, mac = responder.r[:4], responder.peer_id, bytes(16)
    cases = [
        ("short", 0x15, 9, 60_000, b"zzzz", 1, IDS[1]), ("version", 0x15, 9, 1, b"zzzz", 1, IDS[1]),
        ("type", 0x22, 9, 1, b"zzzz", 1, IDS[1]), ("suite", 0x23, 9, 1, b"zzzz", 1, IDS[1]),
        ("length", 0x23, 2, 55, b"zzzz", 1, IDS[1]), ("length", 0x20, 2, 32, b"zzzz", 1, IDS[1]),
        ("session", 0x23, 2, 56, b"zzzz", 1, IDS[1]), ("session", 0x21, 2, 56, b"zzzz", 1, IDS[1]),
        ("peer", 0x23, 2, 56, own, 1, IDS[1]), ("peer", 0x21, 2, 56, bytes(4), 1, IDS[1]),
        ("number", 0x23, 2, 56, own, 1, peer), ("auth", 0x23, 2, 56, own, 0, peer),
        ("auth", 0x21, 2, 56, bytes(4), 0, peer), ("auth", 0x21, 2, 56, bytes(4), 2**64 - 1, peer),
    ]  # fmt: skip
    before = responder.cur, responder.alt, responder.r
    for cause, first, suite, length, sid, number, sender in cases:
        packet = header(suite, length, sid, number, first) + sender + R_I + mac
        assert responder.receive(packet) == f"drop_{cause}", packet.hex()
    initiator.state, initiator.r = "hello", R_I
    assert initiator.receive(header(2, 56, R_I[:4], 0, 0x22) + IDS[1] + R_R + mac) == "drop_auth"
    assert before == (responder.cur, responder.alt, responder.r) and not responder.out + initiator.out


def hello(number: int, version: int = 2, mac: bytes | None = None) -> bytes:
    schedule = Schedule(2, PSK, *IDS, version)
    return message(2, HELLO, bytes(4), IDS[0], R_I, mac or schedule.hello_mac(R_I, number), number, version)


def test_hellos_are_answered_whose_number_is_above_all_before() -> None:
    """A wrong MAC raises nothing, and a hello of version 1 finds no ear."""
    _, responder = pair()
    responder.poll(0)
    cases = [
        ("drop_stale", hello(0)), ("handshakes_in", hello(5)), ("drop_stale", hello(5)), ("drop_stale", hello(4)),
        ("drop_auth", hello(2**64 - 1, mac=bytes(16))), ("handshakes_in", hello(6)), ("drop_stale", hello(6)),
        ("drop_version", hello(0, version=1)), ("handshakes_in", hello(2**64 - 1)), ("drop_stale", hello(2**64 - 1)),
    ]  # fmt: skip
    for cause, packet in cases:
        said = len(responder.out)
        assert responder.receive(packet) == cause, packet.hex()
        assert len(responder.out) - said == (cause == "handshakes_in")


def test_a_second_has_sixteen_answers() -> None:
    """What comes beyond them still makes everything older stale."""
    _, responder = pair()
    for now in (0, 999, 1000):
        responder.poll(now)
        start = 100 * now + 1
        causes = [responder.receive(hello(number)) for number in range(start, start + 20)]
        answered = 0 if now == 999 else 16
        assert causes == ["handshakes_in"] * answered + ["drop_surplus"] * (20 - answered)
        assert responder.receive(hello(start + 19)) == "drop_stale"


def test_a_recorded_hello_is_answered_once_after_a_restart_and_opens_nothing() -> None:
    ends = pair()
    ends[1].poll(0)
    said = step(ends, 0)
    ends[1].forget()
    ends[1].psk = PSK
    ends[1].poll(0)
    verdicts = [ends[1].receive(packet) for packet in 2 * said if packet[0] & 15 != REPLY and packet[4:8] != R_I[:4]]
    assert verdicts[0] == "handshakes_in" and "handshakes_in" not in verdicts[1:]
    assert len(ends[1].out) == 1 and not ends[1].sessions


def test_silence_starts_a_handshake_and_a_confirm_is_given_up() -> None:
    """No packet arrives: hello after 750 ms and every 250 ms; after a reply confirms, then, 500 ms later, a hello."""
    ends = up()
    heard: dict[int, list[int]] = {}
    for now in range(0, 1800, 10):
        ends[0].poll(now)
        for packet in ends[0].out:
            heard.setdefault(packet[0] & 15, []).append(now)
            if packet[0] == 0x21 and now == 1000:
                ends[1].receive(packet)
        ends[0].out.clear()
        if now == 1000:
            ends[0].receive(ends[1].out.pop())
    # The first confirm was said at 1000 and is seen with the next look.
    assert heard[1] == [750, 1000, 1500, 1750] and heard[3] == [1010, 1250] and heard[0][:3] == [250, 500, 750]


@pytest.mark.parametrize("restarted", [0, 1])
def test_a_restarted_end_is_found_again_within_two_seconds(restarted: int) -> None:
    ends = up()
    ends[restarted].forget()
    ends[restarted].psk = PSK
    first = ends[1 - restarted].cur
    for now in range(0, 2000, 10):
        step(ends, now)
    assert all(end.cur for end in ends) and ends[1 - restarted].cur is not first
    assert ends[0].tx.key == ends[1].rx.key and ends[0].rx.key == ends[1].tx.key


def test_a_rekey_loses_no_packet() -> None:
    """Frames both ways every 10 ms, 30 ms under way; three sessions follow one another."""
    ends = up()
    for end in ends:
        end.t_rekey, end.t_max = 4000, 8000
    wire: list[tuple[int, int, bytes]] = []
    sent: tuple[list[bytes], list[bytes]] = ([], [])
    for now in range(0, 13_000, 10):
        for i, end in enumerate(ends):
            end.poll(now)
            sent[i].append(now.to_bytes(14, "big"))
            wire += [(now + 30, 1 - i, packet) for packet in [*end.out, end.seal(sent[i][-1])]]
            end.out.clear()
        due = [item for item in wire if item[0] <= now]
        wire = [item for item in wire if item[0] > now]
        for _, to, packet in due:
            ends[to].receive(packet)
    for i, end in enumerate(ends):
        assert end.counts["sessions_taken"] == 4
        assert end.delivered == sent[1 - i][: len(end.delivered)] and len(end.delivered) >= len(sent[i]) - 4
        assert not any(end.counts[f"drop_{name}"] for name in DROPS)


def test_a_session_of_an_end_that_is_gone_is_erased_at_t_max() -> None:
    ends = up()
    for now, alive in ((179_990, True), (180_000, False)):
        ends[1].poll(now)
        assert (ends[1].cur is not None) == alive


@pytest.mark.parametrize("seed", range(4))
def test_survives_an_adversarial_network(seed: int) -> None:
    """Loss, replay, reflection, corruption, restarts: nothing twice or reflected, back within two seconds."""
    source = random.Random(seed)
    ends = up(seed=seed)
    for end in ends:
        end.t_rekey, end.t_max = 4000, 8000
    seen: list[bytes] = []
    nonces: Counter[bytes] = Counter()
    wire: list[tuple[int, int, bytes]] = []
    number = 0
    for now in range(0, 8000, 20):
        attack = now < 5000
        for i, end in enumerate(ends):
            end.poll(now)
            if attack and source.random() < 0.002:
                end.forget()
                end.psk = PSK
                end.poll(now)
            if end.cur:
                number += 1
                end.out.append(end.seal(i.to_bytes(1) + number.to_bytes(13, "big")))
            for packet in end.out:
                if packet[0] & 15 == 0:
                    nonces[packet[:16]] += 1
                seen.append(packet)
                if not (attack and source.random() < 0.4):
                    wire.append((now + source.choice((0, 20, 40)), 1 - i, packet))
            end.out.clear()
        if attack:
            bad = bytearray(source.choice(seen))
            bad[source.randrange(len(bad))] ^= 1 << source.randrange(8)
            wire += [(now, source.randrange(2), packet) for packet in (bytes(bad), source.choice(seen))]
        due = [item for item in wire if item[0] <= now]
        wire = [item for item in wire if item[0] > now]
        for _, to, packet in due:
            ends[to].receive(packet)
        if now == 7000:
            resumed = [len(end.delivered) for end in ends]
    assert max(nonces.values()) == 1
    for i, end in enumerate(ends):
        assert len(set(end.delivered)) == len(end.delivered)
        assert all(text[0] == 1 - i for text in end.delivered)
        assert len(end.delivered) - resumed[i] >= 40
        good = sum(end.counts[name] for name in ("delivered", "keepalives_in", "handshakes_in"))
        assert end.counts["untrusted_in"] == good + sum(end.counts[f"drop_{name}"] for name in DROPS)
