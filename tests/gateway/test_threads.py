# SPDX-License-Identifier: Apache-2.0
"""A hub whose packets are carried by several threads."""

import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hub_net import HubNet, grown
from lab_net import HERE, Program, binary, wait_for


@pytest.fixture
def net(namespaces: None, folder: Path) -> Iterator[HubNet]:
    made = HubNet(folder, "ip")
    made.hub.config.write_text(made.hub.config.read_text().replace("[run]\n", "[run]\nthreads = 3\n"))
    try:
        yield made
    finally:
        made.close()


def stream(net: HubNet, spoke: int, seconds: float) -> tuple[int, int]:
    """Datagrams from a spoke to the hub and how many of them came."""
    taking = Program(net.hub.namespace, "python3", str(HERE / "bench_traffic.py"), "count", "0.0.0.0")
    try:
        assert taking.line() == "ready"
        names = (net.spokes[spoke].namespace, "python3", str(HERE / "bench_traffic.py"))
        giving = Program(*names, "pace", "10.99.0.1", str(seconds), "1000")
        sent = giving.answer(timeout=seconds + 60)["sent"]
        giving.end()
        time.sleep(0.5)
        taking.tell("")
        return sent, taking.answer()["received"]
    finally:
        taking.end()


def test_peers_are_served_while_they_move_and_the_hub_comes_back(net: HubNet) -> None:
    net.start()
    one, two = net.spokes
    assert len(net.tasks()) == 3
    # From other addresses the kernel leads a peer to other threads.
    for number in range(6):
        assert one.reaches("10.99.0.3") and two.reaches("10.99.0.2"), "by way of the hub"
        net.move_first(20 + number)
    assert net.hub.reaches("10.99.0.2") and net.hub.reaches("10.99.0.3")
    sent, came = stream(net, 1, 2)
    assert sent > 100 and came == sent, "none is lost between the threads"
    net.hub.peers()
    net.hub.stop(signal.SIGKILL)
    net.hub.start()
    assert two.reaches("10.99.0.1")
    began = time.monotonic()
    assert net.hub.stop() == 0
    assert time.monotonic() < began + 2, "all threads end at once"


def test_a_flow_from_peer_to_peer_keeps_its_order(net: HubNet) -> None:
    """Two threads deliver the packets of the two directions; one thread reads the frames of both."""
    net.start()
    net.lead_to_two_threads()
    before = {which: net.calls(which) for which in ("syscr", "syscw")}
    traffic = str(HERE / "bench_traffic.py")
    others = ("10.99.0.3", "10.99.0.2")
    ends = [
        Program(spoke.namespace, "python3", traffic, "cross", other, "2")
        for spoke, other in zip(net.spokes, others, strict=True)
    ]
    try:
        assert all(end.line() == "ready" for end in ends)
        for end in ends:
            end.tell("")
        told = [end.answer() for end in ends]
    finally:
        for end in ends:
            end.end()
    readers, writers = (grown(before[which], net.calls(which)) for which in ("syscr", "syscw"))
    assert len(writers) == 2, writers
    assert all(end["received"] > 100 for end in told), told
    assert len(readers) == 1, readers
    # The kernel learns where a flow goes from the first packet, which alone may be late.
    assert all(end["overtaken"] <= 1 for end in told), told


def test_new_keys_lose_no_packet(net: HubNet) -> None:
    for end in (net.hub, *net.spokes):
        text = end.config.read_text()
        end.config.write_text(f"{text}\n[rekey]\nafter-seconds = 4\nmax-age-seconds = 9\n")
    net.start()
    before = net.hub.peers()["spoke1"]["counters"]["sessions_taken"]
    sent, came = stream(net, 0, 9)
    assert came == sent
    assert net.hub.peers()["spoke1"]["counters"]["sessions_taken"] >= before + 2


def test_nobody_opens_a_second_hub_at_the_same_port(net: HubNet) -> None:
    net.start()
    other = net.folder / "other.toml"
    other.write_text(net.hub.config.read_text().replace("seal0", "seal1").replace("hub.sock", "other.sock"))
    words = ("ip", "netns", "exec", net.hub.namespace, str(binary()), "link", "up", str(other))
    second = subprocess.run(words, capture_output=True, text=True, timeout=10, check=False)
    assert second.returncode == 1 and "[untrusted] listen" in second.stderr, second.stderr
    assert "is up already" in second.stderr, second.stderr
    wait_for(lambda: net.spokes[0].reaches("10.99.0.1"), 2)


def test_the_end_of_its_device_ends_every_thread(net: HubNet) -> None:
    net.start()
    assert net.hub.process is not None
    net.hub.ip("link", "del", "seal0")
    net.spokes[0].ping("10.99.0.1", 0.2)
    assert net.hub.process.wait(timeout=5) == 1
    assert "the network device is gone" in net.hub.said()
