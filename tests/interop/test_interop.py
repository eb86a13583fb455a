# SPDX-License-Identifier: Apache-2.0
"""One link between an end in RTL (simulated) and a gateway, over UDP with a man in the middle; and RTL at both ends."""

import signal
import time

import pytest
from lab_net import assert_traffic_resumed, wait_for
from rtl_end import MixedNet

ROLES = pytest.mark.parametrize("net", ["a", "b"], indirect=True, ids=["rtl-calls", "rtl-answers"])
#: The attack that two gateways meet, at a pace that a simulation keeps up with.
ATTACK = {
    "loss": 0.1,
    "duplicate": 0.2,
    "reorder": 0.2,
    "late": 0.05,
    "corrupt": 0.1,
    "garbage": 1,
    "replay": 1,
    "hellos": 1,
    "oversize": 1,
}
PAUSE = 0.01


@ROLES
def test_carries_files_both_ways(net: MixedNet) -> None:
    net.start()
    for sender, receiver, seed in ((net.a, net.b, 1), (net.b, net.a, 2)):
        taking = net.traffic(receiver, "tcp-receive", receiver.inner, "7001")
        giving = net.traffic(sender, "tcp-send", receiver.inner, "7001", str(100_000), str(seed))
        given, taken = giving.answer(), taking.answer()
        assert taken == {"sha256": given["sha256"], "bytes": 100_000}
        giving.end()
        taking.end()
    a, b = net.lossless()
    for c in (a, b):
        # A gateway that takes confirm and keep-alive in one batch may judge the keep-alive first; both come again.
        assert sum(n for cause, n in c["untrusted_drops"].items() if cause != "session") == 0, c


@pytest.mark.parametrize("net", ["b"], indirect=True, ids=["rtl-answers"])
def test_carries_datagrams_over_bare_ethernet(net: MixedNet) -> None:
    net.start_ethernet()
    came = net.datagrams(count=100, pause=PAUSE, seconds=5, size=1300)
    assert (came["received"], came["different"], came["strange"]) == (100, 100, 0)
    net.lossless()


@pytest.mark.parametrize(
    ("net", "rekey", "count"),
    [
        pytest.param("a", "after-seconds = 4", 450, id="rtl-calls"),
        pytest.param("b", "after-packets = 100", 250, id="rtl-answers"),
    ],
    indirect=["net"],
)
def test_new_keys_under_traffic_lose_nothing(net: MixedNet, rekey: str, count: int) -> None:
    net.start(rekey=rekey)
    came = net.datagrams(count=count, pause=PAUSE, seconds=15)
    assert (came["received"], came["different"], came["strange"]) == (count, count, 0)
    a, b = net.lossless()
    assert a["sessions_taken"] == b["sessions_taken"] >= 2


@pytest.mark.parametrize(
    ("net", "end"),
    [
        pytest.param("a", "a", id="rtl-calls"),
        pytest.param("b", "b", id="rtl-answers"),
        pytest.param("a", "b", id="gateway-answers", marks=pytest.mark.exhaustive),
        pytest.param("b", "a", id="gateway-calls", marks=pytest.mark.exhaustive),
    ],
    indirect=["net"],
)
def test_recovers_when_an_end_restarts(net: MixedNet, end: str) -> None:
    net.start()
    gateway, other = (net.a, net.b) if end == "a" else (net.b, net.a)
    sessions = other.counters()["sessions_taken"]
    gateway.stop(signal.SIGKILL)
    gateway.start()
    took = wait_for(lambda: gateway.is_up() and other.counters()["sessions_taken"] > sessions, 5, other.said)
    assert took < 2
    assert net.datagrams(count=50, pause=PAUSE, seconds=5)["different"] == 50
    net.a.check_balance()
    net.b.check_balance()


@pytest.mark.parametrize(
    "net",
    [
        pytest.param("a", id="rtl-calls"),
        pytest.param("b", id="rtl-answers", marks=pytest.mark.exhaustive),
        pytest.param("ab", id="rtl-rtl"),
    ],
    indirect=True,
)
def test_survives_an_attack_and_resumes(net: MixedNet) -> None:
    net.start(rekey="after-seconds = 4")
    seconds = 2
    receiver = net.traffic(net.b, "udp-receive", net.b.inner, "7000", str(seconds + 30))
    sender = net.traffic(net.a, "udp-send", net.b.inner, "7000", str(int((seconds + 3) / PAUSE)), str(PAUSE), "200")
    net.attack(**ATTACK)
    time.sleep(seconds)
    assert net.attack()["injected"] > 300
    stopped = time.time()
    sent = sender.answer(timeout=60)["sent"]
    ended = time.time()
    time.sleep(0.5)
    receiver.tell("")
    came = receiver.answer()
    sender.end()
    receiver.end()
    assert came["strange"] == 0, "something was delivered that nobody sent"
    assert came["received"] == came["different"], "something was delivered twice"
    assert 0 < came["received"] <= sent
    assert_traffic_resumed(came["times"], stopped, ended)
    a, b = net.a.check_balance(), net.b.check_balance()
    assert b["delivered"] <= a["sealed"] and a["delivered"] <= b["sealed"]
    dropped = {cause for c in (a, b) for cause, count in c["untrusted_drops"].items() if count}
    assert {"short", "session", "replay", "auth", "stale"} <= dropped
