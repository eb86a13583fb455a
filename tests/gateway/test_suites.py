# SPDX-License-Identifier: Apache-2.0
"""Suites that software alone has, between gateways in namespaces: one of each mode, in every way that sessions come."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hub_net import HubNet
from lab_net import HERE, KEY, Net, Program, wait_for
from sealwire_model.suites import BY_NAME

SUITES = ["ocb-aes128", "gcm-aes256", "aegis-128l", "aegis-256", "ascon-aead128", "deoxys-ii-128"]


@pytest.fixture
def hub(namespaces: None, folder: Path, request: pytest.FixtureRequest) -> Iterator[HubNet]:
    """A hub on two threads and its spokes, with a key pair each, in the suite of the parameter."""
    made = HubNet(folder, "ip", pairs=True, suite=request.param)
    made.hub.config.write_text(made.hub.config.read_text().replace("[run]\n", "[run]\nthreads = 2\n"))
    try:
        yield made
    finally:
        made.close()


@pytest.mark.parametrize("suite", SUITES)
def test_loses_nothing_over_new_keys_and_drops_what_is_changed(net: Net, suite: str) -> None:
    net.start(suite=suite, rekey="after-packets = 200")
    came = net.datagrams(count=1000, pause=0.001, seconds=10)
    assert (came["received"], came["different"], came["strange"]) == (1000, 1000, 0)
    a, b = net.lossless()
    assert a["sessions_taken"] >= 3 and b["sessions_taken"] == a["sessions_taken"]
    assert (a["untrusted_drops"]["auth"], b["untrusted_drops"]["auth"]) == (0, 0)
    net.attack(corrupt=0.3, duplicate=0.3)
    came = net.datagrams(count=500, pause=0.001, seconds=10)
    net.attack()
    assert came["received"] == came["different"] < 500 and came["strange"] == 0
    drops = net.b.check_balance()["untrusted_drops"]
    assert drops["auth"] > 0 and drops["replay"] > 0
    net.a.check_balance()


@pytest.mark.parametrize("suite", SUITES)
def test_the_executable_model_is_the_other_end(net: Net, suite: str) -> None:
    """Handshake, keys, packets and keep-alives of an end that shares no code with the gateway."""
    net.b.keep_alive = "prompt"
    net.b.write(suite=suite)
    net.b.start()
    words = (suite, KEY, "10.77.1.1:4500", "10.77.1.2:4500", net.a.inner)
    model = Program(net.a.namespace, sys.executable, str(HERE / "model_end.py"), *words)
    try:
        wait_for(net.b.is_up, 5, net.b.said)
        assert net.ping(net.b) is not None
        model.tell("")
        counts = model.answer()
    finally:
        model.end()
    assert counts["delivered"] >= 2 and counts["keepalives_in"] >= 1
    assert counts["sessions_taken"] == 1 and counts.get("drop_auth", 0) == 0
    b = net.b.check_balance()
    assert b["delivered"] >= 2 and b["untrusted_drops"]["auth"] == 0


@pytest.mark.parametrize("suite", ["gcm-aes128", "aegis-256"])
def test_ends_of_two_suites_get_no_session(net: Net, suite: str) -> None:
    """The key file serves either suite, and the length of a hello is the same."""
    net.b.write(suite=suite)
    net.a.write(suite="ocb-aes128")
    net.b.start()
    net.a.start()
    wait_for(lambda: net.b.counters()["untrusted_drops"]["suite"] >= 2, 3, net.b.said)
    assert not net.a.is_up() and not net.b.is_up()
    assert net.b.check_balance()["untrusted_out"] == 0


@pytest.mark.parametrize("hub", ["aegis-128l", "deoxys-ii-256"], indirect=True)
def test_serves_a_hub_on_two_threads_through_the_channel(hub: HubNet) -> None:
    hub.start()
    one, two = hub.spokes
    assert one.reaches("10.99.0.3") and two.reaches("10.99.0.2"), "by way of the hub"
    hub.lead_to_two_threads()
    assert one.reaches("10.99.0.3") and hub.hub.reaches("10.99.0.3")
    for peer in hub.hub.peers().values():
        assert peer["counters"]["untrusted_drops"]["auth"] == 0 and peer["counters"]["sealed"] > 0


def test_every_mode_of_a_suite_without_a_core_is_here() -> None:
    modes = {suite.code >> 4 for suite in BY_NAME.values() if not suite.cores and suite.code >> 4}
    assert {BY_NAME[name].code >> 4 for name in SUITES} == modes
