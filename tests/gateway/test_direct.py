# SPDX-License-Identifier: Apache-2.0
"""The socket that is connected with the peer: packets in a row go through it, and the way may change under them."""

import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hub_net import End, HubNet
from lab_net import HERE, Program, wait_for

HUB = "0A4E0101:1194", "01014E0A:1194"
"""10.78.1.1, port 4500, as the kernel writes it on either order of bytes."""


@pytest.fixture
def net(namespaces: None, folder: Path) -> Iterator[HubNet]:
    with closing(HubNet(folder, "ip")) as made:
        made.start()
        yield made


@pytest.fixture
def stream(net: HubNet) -> Iterator[None]:
    """Datagrams from spoke 1 to the hub, 200 in a second, while the test runs."""
    words = (sys.executable, str(HERE / "bench_traffic.py"), "pace", "10.99.0.1", "30", "200")
    program = Program(net.spokes[0].namespace, *words)
    try:
        yield
    finally:
        program.end()


def connected(end: End) -> list[str]:
    """The peers of the gateway's connected sockets, as the kernel tells them."""
    assert end.process is not None
    lines = Path(f"/proc/{end.process.pid}/net/udp").read_text().splitlines()[1:]
    pairs = [line.split()[1:3] for line in lines]
    return [peer for own, peer in pairs if own.endswith(":1194") and not peer.endswith(":0000")]


def seen_from(net: HubNet) -> str:
    address: str = net.hub.peers()["spoke1"]["peer"]
    return address


def test_packets_in_a_row_leave_from_the_right_address(net: HubNet, stream: None) -> None:
    spoke = net.spokes[0]
    wait_for(lambda: any(peer in HUB for peer in connected(spoke)), 5, lambda: str(connected(spoke)))
    before = net.hub.peers()["spoke1"]["counters"]["delivered"]
    # The old address stays, and another one is now that of the way to the hub.
    spoke.ip("addr", "add", "10.78.1.30/24", "dev", "out")
    spoke.ip("route", "replace", "10.78.1.0/24", "dev", "out", "src", "10.78.1.30")
    wait_for(lambda: seen_from(net) == "10.78.1.30:4500", 3, lambda: seen_from(net))
    wait_for(lambda: any(peer in HUB for peer in connected(spoke)), 3)
    # That one is taken away under the connected socket.
    spoke.ip("addr", "flush", "dev", "out")
    spoke.ip("addr", "add", "10.78.1.31/24", "dev", "out")
    wait_for(lambda: seen_from(net) == "10.78.1.31:4500", 3, lambda: seen_from(net))
    after = net.hub.peers()["spoke1"]["counters"]["delivered"]
    assert after > before + 100
    assert spoke.status()["counters"]["unsent"] < 100, "those between the two addresses alone"


def test_the_hub_comes_back_and_is_heard(net: HubNet, stream: None) -> None:
    """While it is away its system says that the port is closed, which a connected socket hears."""
    spoke = net.spokes[0]
    wait_for(lambda: connected(spoke), 5)
    assert net.hub.stop() == 0
    net.hub.start()
    wait_for(lambda: net.hub.peers()["spoke1"]["counters"]["delivered"] > 100, 5, net.hub.said)
    assert spoke.status()["counters"]["unsent"] == 0
