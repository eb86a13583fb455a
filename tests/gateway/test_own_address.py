# SPDX-License-Identifier: Apache-2.0
"""An end that listens at every address answers from the one that was called, which need not be that of the route."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hub_net import HubNet
from lab_net import Net, run


@pytest.fixture(params=["pre-shared keys", "key pairs"])
def hub_net(namespaces: None, folder: Path, request: pytest.FixtureRequest) -> Iterator[HubNet]:
    with closing(HubNet(folder, "ip", pairs=request.param == "key pairs")) as made:
        yield made


def deaf(namespace: str, source: str) -> None:
    """Drops what comes from this address, as a firewall does that knows only where its host has called."""
    run("ip", "-n", namespace, "rule", "add", "from", source, "blackhole")


def test_a_hub_answers_from_the_address_that_each_peer_has_called(hub_net: HubNet) -> None:
    """Spoke 1 calls an address that no route prefers, spoke 2 that of another network."""
    hub_net.hub.ip("addr", "add", "10.78.1.9/24", "dev", "in1")
    for spoke, called, of_route in zip(
        hub_net.spokes, ("10.78.1.9", "10.78.1.1"), ("10.78.1.1", "10.78.2.1"), strict=True
    ):
        deaf(spoke.namespace, of_route)
        text = spoke.config.read_text()
        spoke.config.write_text(text.replace(f'peer = "{of_route}:4500"', f'peer = "{called}:4500"'))
    hub_net.start()
    first, second = hub_net.spokes
    called = {name: peer["peer_calls"] for name, peer in hub_net.hub.peers().items()}
    assert called == {"spoke1": "10.78.1.9", "spoke2": "10.78.1.1"} and first.status()["peer_calls"] is None
    assert first.reaches("10.99.0.1") and second.reaches("10.99.0.1") and first.reaches("10.99.0.3")
    assert hub_net.hub.reaches("10.99.0.2") and hub_net.hub.reaches("10.99.0.3")
    for spoke in hub_net.spokes:
        status = spoke.status()
        assert status["counters"]["untrusted_drops"]["peer"] == 0
    # A spoke that calls elsewhere is answered from there.
    assert second.stop() == 0
    run("ip", "-n", second.namespace, "rule", "del", "from", "10.78.2.1")
    deaf(second.namespace, "10.78.1.1")
    second.config.write_text(second.config.read_text().replace("10.78.1.1:4500", "10.78.2.1:4500"))
    second.start()
    assert second.reaches("10.99.0.1", 5)


@pytest.mark.parametrize("prefers", ["10.77.2.2", "10.77.2.9"])
def test_a_single_peer_is_answered_from_the_address_that_it_has_called(linked: Net, prefers: str) -> None:
    """Where the route leads through the second socket, and where it would send from another address."""
    space = linked.spaces["b"]
    run("ip", "-n", space, "addr", "add", "10.77.2.9/24", "dev", "out2")
    for route in (["10.77.2.0/24"], ["default", "via", "10.77.2.1"]):
        run("ip", "-n", space, "route", "replace", *route, "dev", "out2", "src", prefers)
    deaf(linked.spaces["a"], "10.77.2.9")
    linked.b.write(untrusted='listen = "0.0.0.0:4500"')
    linked.b.start()
    linked.a.write()
    linked.a.start()
    linked.wait_up()
    # Many more each way than it takes to connect the second socket.
    for back in (False, True):
        came = linked.datagrams(500, 0.001, 4, back=back)
        assert came["received"] == came["sent"] == 500
    a, b = linked.lossless()
    assert a["untrusted_drops"]["peer"] == 0 and b["unsent"] == 0
