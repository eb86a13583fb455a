# SPDX-License-Identifier: Apache-2.0
"""One link between a board, simulated from pin to pin with its firmware, and a gateway, in either role."""

import signal
import time

import pytest
from lab_net import assert_traffic_resumed, noise_keys, noise_section, run, wait_for
from rtl_end import MixedNet
from test_interop import ATTACK

pytestmark = pytest.mark.exhaustive
ROLES = pytest.mark.parametrize("board_net", ["a", "b"], indirect=True, ids=["board-calls", "board-answers"])
#: Seconds between packets: the board has 100,000 cycles in a second.
PAUSE = 0.02
#: Seconds in which the board makes an R, at most.
NEW_R = 5


@ROLES
def test_carries_files_both_ways_over_bare_ethernet(board_net: MixedNet) -> None:
    net = board_net
    net.start_ethernet()
    for sender, receiver, seed in ((net.a, net.b, 1), (net.b, net.a, 2)):
        taking = net.traffic(receiver, "tcp-receive", receiver.inner, "7001")
        giving = net.traffic(sender, "tcp-send", receiver.inner, "7001", str(20_000), str(seed))
        given, taken = giving.answer(timeout=60), taking.answer(timeout=60)
        assert taken == {"sha256": given["sha256"], "bytes": 20_000}
        giving.end()
        taking.end()
    net.lossless()


@ROLES
def test_new_keys_under_traffic_lose_nothing(board_net: MixedNet) -> None:
    board_net.start_ethernet(rekey="after-seconds = 4")
    came = board_net.datagrams(count=300, pause=PAUSE, seconds=20)
    assert (came["received"], came["different"], came["strange"]) == (300, 300, 0)
    a, b = board_net.lossless()
    assert a["sessions_taken"] == b["sessions_taken"] >= 2


@ROLES
def test_survives_an_attack_and_resumes(board_net: MixedNet) -> None:
    net, seconds = board_net, 3
    net.start_ethernet(relayed=True)
    receiver = net.traffic(net.b, "udp-receive", net.b.inner, "7000", str(seconds + NEW_R + 60))
    sender = net.traffic(
        net.a, "udp-send", net.b.inner, "7000", str(int((seconds + NEW_R + 3) / PAUSE)), str(PAUSE), "200"
    )
    net.attack(**ATTACK)
    time.sleep(seconds)
    assert net.attack()["injected"] > 50
    stopped = time.time()
    sent = sender.answer(timeout=60)["sent"]
    ended = time.time()
    time.sleep(1)
    receiver.tell("")
    came = receiver.answer()
    sender.end()
    receiver.end()
    assert came["strange"] == 0, "something was delivered that nobody sent"
    assert 0 < came["received"] == came["different"] <= sent
    # The board's processor makes R in what are seconds here; on a board they are milliseconds.
    assert_traffic_resumed(came["times"], stopped, ended, within=NEW_R)
    a, b = net.a.check_balance(), net.b.check_balance()
    assert b["delivered"] <= a["sealed"] and a["delivered"] <= b["sealed"]
    dropped = {cause for c in (a, b) for cause, count in c["untrusted_drops"].items() if count}
    assert {"session", "replay", "auth"} <= dropped


@ROLES
def test_comes_back_after_a_power_cycle(board_net: MixedNet) -> None:
    net = board_net
    net.start_ethernet()
    board, gateway = (net.a, net.b) if net.rtl == "a" else (net.b, net.a)
    sessions = gateway.counters()["sessions_taken"]
    board.stop(signal.SIGKILL)
    board.start()
    wait_for(lambda: board.is_up() and gateway.counters()["sessions_taken"] > sessions, 5, gateway.said)
    assert net.datagrams(count=20, pause=PAUSE, seconds=5)["different"] == 20


@pytest.mark.parametrize("served_net", ["a", "b"], indirect=True, ids=["board-calls", "board-answers"])
def test_sessions_with_forward_secrecy_come_through_a_host(served_net: MixedNet) -> None:
    """A first one, one by age under traffic without loss, another after a power cycle."""
    net = served_net
    public = noise_keys(net.a.folder, "a", "b")
    macs = net.bridge()
    address = {"a": "10.78.0.1", "b": "10.78.0.2"}
    for place, other, card in (("a", "b", "out1"), ("b", "a", "out2")):
        run("ip", "-n", net.spaces[place], "addr", "add", f"{address[place]}/24", "dev", card)
        end = net.a if place == "a" else net.b
        end.write(
            rekey="after-seconds = 10",
            untrusted=f'device = "{card}"\npeer-mac = "{macs[other]}"',
            noise=noise_section(f"{address[place]}:4501", f"{address[other]}:4501", place, public[other]),
        )
    board, gateway = (net.a, net.b) if net.rtl == "a" else (net.b, net.a)
    for end in (gateway, board):
        end.start()
    net.wait_up(60)
    for _ in range(20):  # a simulated board has shorter seconds
        came = net.datagrams(count=100, pause=3 * PAUSE, seconds=30)
        assert (came["received"], came["different"], came["strange"]) == (100, 100, 0)
        a, b = net.lossless()
        assert a["sessions_taken"] == b["sessions_taken"]
        if a["sessions_taken"] >= 2:
            break
    assert a["sessions_taken"] >= 2
    sessions = gateway.counters()["sessions_taken"]
    board.stop(signal.SIGKILL)
    board.start()
    wait_for(lambda: board.is_up() and gateway.counters()["sessions_taken"] > sessions, 60, gateway.said)
    assert net.datagrams(count=20, pause=PAUSE, seconds=5)["different"] == 20
    assert "forward secrecy by key pairs" in gateway.said()
