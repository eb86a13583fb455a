# SPDX-License-Identifier: Apache-2.0
"""A hub with two peers in namespaces: each gets what is its own, and nobody speaks for another."""

import json
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hub_net import End, HubNet
from lab_net import ROOT, binary, run, wait_for


@pytest.fixture
def hubs(namespaces: None, folder: Path) -> Iterator[list[HubNet]]:
    """Where a test puts its net, so that it goes with the test."""
    made: list[HubNet] = []
    try:
        yield made
    finally:
        for net in made:
            net.close()


@pytest.fixture
def net(hubs: list[HubNet], folder: Path) -> HubNet:
    hubs.append(HubNet(folder, "ip"))
    hubs[0].start()
    return hubs[0]


def test_peers_reach_the_hub_and_each_other_and_move_and_come_back(net: HubNet) -> None:
    one, two = net.spokes
    assert net.hub.reaches("10.99.0.2") and net.hub.reaches("10.99.0.3")
    assert one.reaches("10.99.0.3"), "by way of the hub"
    peers = net.hub.peers()
    assert all(peer["up"] and peer["counters"]["sealed"] >= 2 for peer in peers.values())
    assert peers["spoke1"]["peer"] == "10.78.1.2:4500"
    said = run(str(binary()), "link", "status", str(net.hub.config))
    assert "peers up              2 of 2" in said and "spoke2" in said
    # A spoke comes from elsewhere: the hub follows.
    net.move_first(7)
    # The hub is killed and comes back: the spokes find out by what is not answered.
    net.hub.stop(signal.SIGKILL)
    net.hub.start()
    assert two.reaches("10.99.0.1"), "within two seconds"
    assert net.hub.stop() == 0


def test_nobody_speaks_for_another(net: HubNet) -> None:
    one, two = net.spokes
    before = net.hub.peers()["spoke1"]["counters"]
    one.ip("addr", "add", "10.99.0.3/32", "dev", "seal0")
    net.datagram(one, "10.99.0.3", "10.99.0.1")
    net.datagram(one, "10.99.0.2", "10.99.0.1")
    wait_for(lambda: net.hub.peers()["spoke1"]["counters"]["source_drops"] == before["source_drops"] + 1, 2)
    after = net.hub.peers()["spoke1"]["counters"]
    assert after["delivered"] == before["delivered"] + 1
    # For an address of the hub's network that no peer has.
    status = net.hub.status()["counters"]
    assert not net.hub.reaches("10.99.0.77", 0.2)
    assert net.hub.status()["counters"]["no_peer"] > status["no_peer"]
    assert two.reaches("10.99.0.1")


def test_a_name_is_looked_up_again_when_the_hub_has_moved(hubs: list[HubNet], folder: Path) -> None:
    hubs.append(net := HubNet(folder, "ip"))
    one = net.spokes[0]
    net.write_spoke(1, named=True)
    net.name(one, "10.78.1.1")
    net.start()
    assert one.reaches("10.99.0.1")
    # Another address of the hub, and the old one is gone.
    net.hub.ip("addr", "del", "10.78.1.1/24", "dev", "in1")
    net.hub.ip("addr", "add", "10.78.1.9/24", "dev", "in1")
    net.name(one, "10.78.1.9")
    assert one.reaches("10.99.0.1", 3), one.said()
    assert one.peers()["ff00"]["peer"] == "10.78.1.9:4500"
    assert net.spokes[1].reaches("10.99.0.1")


def test_each_peer_has_a_key_pair_and_both_ends_may_move(hubs: list[HubNet], folder: Path) -> None:
    """Sessions through the Noise channel: one port of the hub for all, a pre-shared key mixed in for one of them."""
    hubs.append(net := HubNet(folder, "ip", pairs=True))
    one, two = net.spokes
    net.write_spoke(2, named=True)
    net.name(two, "10.78.2.1")
    said = run(str(binary()), "link", "check", str(net.hub.config))
    assert f"own key  {net.public['hub']}" in said
    assert (
        "spoke1: calls, from anywhere; 10.99.0.2/32; forward secrecy by key pairs, the pre-shared key mixed in" in said
    )
    net.start()
    assert one.reaches("10.99.0.1") and two.reaches("10.99.0.2") and net.hub.reaches("10.99.0.3")
    peers = net.hub.peers()
    assert [peer["state"] for peer in peers.values()] == ["loaded", "loaded"]
    assert all(peer["noise_channel"]["sessions_loaded"] == 1 for peer in peers.values())
    # A spoke comes from elsewhere: its packets first, then a new channel, for it is restarted.
    net.move_first(7)
    one.stop(signal.SIGKILL)
    one.start()
    assert one.reaches("10.99.0.1", 3), one.said()
    # The hub has another address, and its name leads there.
    net.hub.ip("addr", "del", "10.78.2.1/24", "dev", "in2")
    net.hub.ip("addr", "add", "10.78.2.9/24", "dev", "in2")
    net.name(two, "10.78.2.9")
    assert two.reaches("10.99.0.1", 8), two.said()
    assert two.peers()["ff00"]["peer"] == "10.78.2.9:4500"
    # The hub is killed and comes back.
    net.hub.stop(signal.SIGKILL)
    net.hub.start()
    assert one.reaches("10.99.0.1", 2), "a new session"
    balance = net.hub.status()["noise_channel"]
    assert balance["received"] == balance["taken"] + sum(balance["drops"].values())
    assert "nothing" not in net.hub.said() and net.hub.stop() == 0


def test_a_peer_has_its_own_key_pair_only(hubs: list[HubNet], folder: Path) -> None:
    """Another's id, an id of nobody or a new key: no session, a count that says why, and the others go on."""
    hubs.append(net := HubNet(folder, "ip", pairs=True))
    one, two = net.spokes
    net.start()
    # Spoke 1 takes spoke 2's id, and has not its key.
    one.stop()
    text = one.config.read_text()
    one.config.write_text(text.replace('id = "1"', 'id = "2"').replace("10.99.0.2/24", "10.99.0.3/24"))
    one.start()
    auth = lambda: net.hub.peers()["spoke2"]["noise_channel"]["drops"]["auth"]  # noqa: E731
    wait_for(lambda: auth() >= 2, 5, net.hub.said)
    assert not one.reaches("10.99.0.1", 0.5) and two.reaches("10.99.0.1")
    # Of an id that the hub does not have.
    one.stop()
    one.config.write_text(text.replace('id = "1"', 'id = "77"'))
    one.start()
    wait_for(lambda: net.hub.status()["noise_channel"]["drops"]["peer"] >= 2, 5, net.hub.said)
    # Of its own id, with a new key that the hub was not told of.
    one.stop()
    net.key_pair("spoke1")
    one.config.write_text(text)
    one.start()
    wait_for(lambda: net.hub.peers()["spoke1"]["noise_channel"]["drops"]["auth"] >= 2, 5, net.hub.said)
    assert not one.reaches("10.99.0.1", 0.5) and two.reaches("10.99.0.1")
    # Without the pre-shared key that the hub mixes in, or with a hello in place of a channel.
    assert net.hub.peers()["spoke1"]["counters"]["sessions_installed"] == 1, "the one of the beginning"


def test_cards_are_learnt_where_ethernet_is_carried(hubs: list[HubNet], folder: Path) -> None:
    hubs.append(net := HubNet(folder, "ethernet"))
    net.start()
    one, two = net.spokes
    assert one.reaches("10.99.0.1") and two.reaches("10.99.0.1")
    assert not net.hub.reaches("10.99.0.77", 0.2), "nobody has it"
    assert net.hub.status()["counters"]["copies"] > 0, "the question for it was copied for all"
    sealed = net.hub.peers()["spoke2"]["counters"]["sealed"]
    assert net.hub.reaches("10.99.0.2")
    assert net.hub.peers()["spoke2"]["counters"]["sealed"] <= sealed + 1, "nothing of it went to the other"
    # A spoke takes the other's card: what it says does not pass, and the other keeps its traffic.
    card = two.ip("-o", "link", "show", "seal0").split("link/ether ")[1].split()[0]
    one.ip("link", "set", "seal0", "address", card)
    assert not one.reaches("10.99.0.1", 0.5)
    assert net.hub.peers()["spoke1"]["counters"]["source_drops"] > 0
    assert two.reaches("10.99.0.1")


def test_a_new_key_of_one_peer_loses_no_frame_of_another(net: HubNet) -> None:
    one, two = net.spokes
    net.key("spoke1.key", 77)
    said = run(str(binary()), "link", "rekey", str(net.hub.config))
    assert re.fullmatch(r"pre-shared key in place, fingerprint \w{16} \(new\), \w{16} \(unchanged\)\n", said), said
    run(str(binary()), "link", "rekey", str(one.config))
    assert one.reaches("10.99.0.1") and two.reaches("10.99.0.1")
    peers = net.hub.peers()
    assert (peers["spoke1"]["key"]["renewals"], peers["spoke2"]["key"]["renewals"]) == (1, 0)
    # A peer that the running hub does not know is no secret of its.
    net.key("later.key", 78)
    network = 'allowed-ips = ["10.99.0.77/32"]\n' if 'carries = "ip"' in net.hub.config.read_text() else ""
    with net.hub.config.open("a") as config:
        config.write(f'\n[[peer]]\nid = "77"\nname = "later"\nkey-file = "later.key"\n{network}')
    rekey = [str(binary()), "link", "rekey", str(net.hub.config)]
    done = subprocess.run(rekey, capture_output=True, text=True, timeout=20, check=False)
    assert done.returncode == 0 and "does not know later, added since its start" in done.stderr, done
    assert "restart it" in done.stderr and "later" not in done.stdout
    # Whoever sends the signal is told by the log.
    told = net.hub.said().count("does not know later, added since its start")
    assert told > 0 and net.hub.process is not None
    net.hub.process.send_signal(signal.SIGHUP)
    wait_for(lambda: net.hub.said().count("does not know later") > told, 2, net.hub.said)


def test_the_guide_is_a_configuration_that_can_be_run(folder: Path) -> None:
    """The hub of docs/link.md, with pre-shared keys and with a key pair, and its peer with a name."""
    section = (ROOT / "docs/link.md").read_text().split("## A hub:")[1].split("\n## ")[0]
    hub, pair, peer = re.findall(r"```toml\n(.*?)```", section, re.DOTALL)

    def check(name: str, text: str) -> str:
        path = folder / f"{name}.toml"
        # The guide's user is not on every machine.
        path.write_text(text.replace('user = "sealwire"', 'user = "root"'))
        return run(str(binary()), "link", "check", str(path))

    for name in ("branch", "laptop"):
        run(str(binary()), "link", "keygen", str(folder / f"{name}.key"))
    made = {
        name: run(str(binary()), "link", "noise-key", str(folder / f"{name}.noise-key")) for name in ("hub", "laptop")
    }
    assert 'user = "sealwire"' in hub, "root must name one"
    assert "role     hub of 2 peers" in check("hub", hub)
    head = hub[: hub.index('[[peer]]\nname = "laptop"')]
    said = check("pairs", head + pair.replace("3f0c...(64 digits)", made["laptop"].split()[-1]))
    assert f"own key  {made['hub'].split()[-1]}" in said and "laptop: calls, from anywhere" in said
    ends = '[link]\nid = "2"\nsuite = "omd-blake2b"\n[trusted]\ndevice = "seal0"\ncarries = "ip"\n'
    said = check("laptop", f'{ends}[untrusted]\nlisten = "0.0.0.0:4500"\n[run]\nuser = "root"\n{peer}')
    assert "called at hub.example.net:4500, looked up for each call" in said


@pytest.mark.parametrize("pairs", [False, True], ids=["shared-key", "key-pairs"])
def test_a_wrong_key_of_one_peer_is_named_at_both_ends(hubs: list[HubNet], folder: Path, pairs: bool) -> None:
    net = HubNet(folder, "ip", pairs=pairs)
    hubs.append(net)
    one, hub = net.spokes[0], net.hub
    text = hub.config.read_text()
    if pairs:
        wrong = text.replace(net.public["spoke1"], net.key_pair("stranger"))
    else:
        net.key("other.key", 7)
        wrong = text.replace("spoke1.key", "other.key")
    assert wrong != text
    hub.config.write_text(wrong)
    net.write_spoke(1, named=True)
    net.name(one, "10.78.1.1")
    for end in (hub, *net.spokes):
        end.start()
    one.ping("10.99.0.1", 1)

    def warnings(end: End) -> list[dict[str, Any]]:
        lines = [json.loads(line) for line in end.said().splitlines()]
        words = ("Noise channel's messages do not fit", "another pre-shared key", "no answer from")
        return [line for line in lines if any(word in line["message"] for word in words)]

    wait_for(lambda: warnings(hub) and warnings(one), 8, lambda: hub.said() + one.said())
    assert {line["peer"] for line in warnings(hub)} == {"spoke1"}, "the other spoke is well"
    peers = hub.peers()
    assert peers["spoke1"]["advice"] == warnings(hub)[-1]["message"] and peers["spoke2"]["advice"] is None


def told(end: End, words: str) -> list[str]:
    """Warnings of an end that say these words."""
    messages = [json.loads(line) for line in end.said().splitlines()]
    return [line["message"] for line in messages if line["level"] == "WARN" and words in line["message"]]


@pytest.mark.parametrize("pairs", [False, True], ids=["shared-key", "key-pairs"])
def test_an_end_with_the_hub_s_own_id_is_named_in_its_log(hubs: list[HubNet], folder: Path, pairs: bool) -> None:
    """Spoke 2 has the id of the hub, and takes somebody with a larger one for its peer."""
    hubs.append(net := HubNet(folder, "ip", pairs=pairs))
    hub, two = net.hub, net.spokes[1]
    text = two.config.read_text()
    text = re.sub(r'^id = ".*"', 'id = "ff00"', text, flags=re.MULTILINE)
    two.config.write_text(text.replace('peer-id = "ff00"', 'peer-id = "ff01"'))
    for end in (hub, *net.spokes):
        end.start()
    assert net.spokes[0].reaches("10.99.0.1"), "the other spoke is well"
    wait_for(lambda: told(hub, "that has this hub's id"), 6, hub.said)
    (said,) = told(hub, "that has this hub's id")
    port = 4501 if pairs else 4500
    assert f'an end calls, from 10.78.2.2:{port}, that has this hub\'s id "ff00": give it an id of its own' in said
    assert hub.status()["advice"] == said
    assert f"advice                {said}" in run(str(binary()), "link", "status", str(hub.config))
    assert all(peer["advice"] is None for peer in hub.peers().values())


def test_two_peers_with_one_id_are_named_in_the_hub_s_log(hubs: list[HubNet], folder: Path) -> None:
    """Spoke 2 was made from spoke 1's configuration and key: both call, and each takes the session from the other."""
    hubs.append(net := HubNet(folder, "ip"))
    hub, (one, two) = net.hub, net.spokes
    text = one.config.read_text().replace("10.78.1.1:4500", "10.78.2.1:4500")
    two.config.write_text(text.replace(str(one.socket), str(two.socket)))
    for end in (hub, one, two):
        end.start()
    words = "two ends have the id"
    wait_for(lambda: [end.ping("10.99.0.1", 0.2) for end in (one, two)] and told(hub, words), 40, hub.said)
    (said,) = told(hub, words)
    assert 'two ends have the id "1" and one key; give each its own' in said
    assert all(address in said for address in ("10.78.1.2:4500", "10.78.2.2:4500"))
    assert hub.peers()["spoke1"]["advice"] == said
    assert f"spoke1: {said}" in run(str(binary()), "link", "status", str(hub.config))


def test_two_peers_with_one_id_and_two_keys_are_named_in_the_hub_s_log(hubs: list[HubNet], folder: Path) -> None:
    hubs.append(net := HubNet(folder, "ip"))
    hub, (one, two) = net.hub, net.spokes
    text = two.config.read_text()
    two.config.write_text(re.sub(r'^id = ".*"', 'id = "1"', text, flags=re.MULTILINE))
    for end in (hub, one, two):
        end.start()
    assert one.reaches("10.99.0.1"), "its key is the hub's"
    wait_for(lambda: told(hub, 'or two ends have the id "1"'), 8, hub.said)
    assert "another pre-shared key" in told(hub, 'or two ends have the id "1"')[0]
