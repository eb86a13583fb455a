# SPDX-License-Identifier: Apache-2.0
"""Two gateways in namespaces, joined by a relay that attacks when told to."""

import json
import os
import pwd
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import bench
import pytest
from lab_net import HERE, KEY, ROOT, Gateway, Net, Program, assert_traffic_resumed, binary, run, wait_for

ATTACK = {
    "loss": 0.1,
    "duplicate": 0.2,
    "reorder": 0.2,
    "late": 0.05,
    "corrupt": 0.1,
    "garbage": 5,
    "replay": 10,
    "hellos": 5,
    "oversize": 1,
}


@pytest.mark.parametrize("offload", [True, False])
def test_carries_files_both_ways(net: Net, offload: bool) -> None:
    net.start(offload=offload)
    assert f'"cuts":{str(offload).lower()},"joins":{str(offload).lower()}' in net.a.said()
    for sender, receiver, seed in ((net.a, net.b, 1), (net.b, net.a, 2)):
        taking = net.traffic(receiver, "tcp-receive", receiver.inner, "7001")
        giving = net.traffic(sender, "tcp-send", receiver.inner, "7001", str(4 << 20), str(seed))
        given, taken = giving.answer(), taking.answer()
        assert taken == {"sha256": given["sha256"], "bytes": 4 << 20}
        giving.end()
        taking.end()
    for c in net.lossless():
        assert (c["unsent"], c["undelivered"]) == (0, 0)
        # A second reply to a hello that was sent twice has no session any more.
        assert sum(n for cause, n in c["untrusted_drops"].items() if cause != "session") == 0, c


@pytest.mark.parametrize("offload", [True, False])
def test_loses_nothing_where_the_kernel_cuts_and_joins_packets(routed: Net, offload: bool) -> None:
    net = routed
    for gateway, mine, theirs in ((net.b, "10.77.2.2", "10.77.1.1"), (net.a, "10.77.1.1", "10.77.2.2")):
        switch = str(offload).lower()
        gateway.write(untrusted=f'listen = "{mine}:4500"\npeer = "{theirs}:4500"\noffload = {switch}')
        gateway.start()
    net.wait_up()
    taking = net.traffic(net.b, "tcp-receive", net.b.inner, "7001")
    giving = net.traffic(net.a, "tcp-send", net.b.inner, "7001", str(16 << 20), "3")
    given, taken = giving.answer(), taking.answer()
    giving.end()
    taking.end()
    assert taken == {"sha256": given["sha256"], "bytes": 16 << 20}
    b = net.b.check_balance()
    messages = messages_in(net.b.namespace)
    net.a.check_balance()
    if offload:
        assert messages < b["untrusted_in"] / 2, "many packets came as one message"
    else:
        assert messages >= b["untrusted_in"]


def messages_in(namespace: str) -> int:
    """UDP messages that programs have received in a namespace."""
    lines = run("ip", "netns", "exec", namespace, "cat", "/proc/net/snmp").splitlines()
    names, values = (line.split() for line in lines if line.startswith("Udp:"))
    return int(values[names.index("InDatagrams")])


def test_rekeys_every_second_without_loss(net: Net) -> None:
    net.start(rekey="after-packets = 400")
    came = net.datagrams(count=3000, pause=0.002, seconds=20)
    assert (came["received"], came["different"], came["strange"]) == (3000, 3000, 0)
    a, b = net.lossless()
    assert a["sessions_taken"] >= 5 and b["sessions_taken"] == a["sessions_taken"]


@pytest.mark.parametrize("end", ["a", "b"])
def test_recovers_when_an_end_restarts(net: Net, end: str) -> None:
    net.start()
    gateway: Gateway = getattr(net, end)
    other = net.b if end == "a" else net.a
    sessions = other.counters()["sessions_taken"]
    gateway.stop(signal.SIGKILL)
    gateway.start()
    # Without keep-alives a caller finds out when it has something to say.
    began = time.monotonic()
    assert net.ping(net.a) is not None
    wait_for(lambda: gateway.is_up() and other.counters()["sessions_taken"] > sessions, 3, other.said)
    assert time.monotonic() - began < 2
    came = net.datagrams(count=50, pause=0.002, seconds=5)
    assert came["different"] == 50
    net.a.check_balance()
    net.b.check_balance()


def test_an_end_that_is_called_comes_back_when_it_alone_has_something_to_say(linked: Net) -> None:
    net = linked
    net.start()
    assert net.ping(net.a) is not None
    time.sleep(1.5)
    net.b.stop(signal.SIGKILL)
    net.b.start()
    answered = net.ping(net.b)
    assert answered is not None and answered < 2
    assert net.b.check_balance()["handshakes_out"] >= 1
    assert net.a.check_balance()["untrusted_drops"]["session"] >= 1


def test_survives_an_attack_and_resumes(net: Net) -> None:
    net.start(rekey="after-packets = 400")
    stats = attack_and_resume(net, ATTACK, 4)
    assert stats["injected"] > 2000
    a, b = net.a.counters(), net.b.counters()
    dropped = {cause for c in (a, b) for cause, count in c["untrusted_drops"].items() if count}
    assert {"short", "version", "type", "suite", "length", "session", "replay", "auth"} <= dropped


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", [*ATTACK, "all", "silence"])
def test_survives_each_attack_for_long(net: Net, kind: str) -> None:
    """One attack alone, at its worst, over many rekeys; the log holds up, the process stays, memory does not grow."""
    worst = {name: 0.6 if isinstance(how, float) else 20 * how for name, how in ATTACK.items()}
    how = {"all": ATTACK, "silence": {"loss": 1.0}}.get(kind, {kind: worst.get(kind, 0)})
    net.start(rekey="after-packets = 300")
    attack_and_resume(net, how, 3)
    before = [gateway.memory() for gateway in (net.a, net.b)]
    for _ in range(3):
        attack_and_resume(net, how, 10)
    assert all(gateway.memory() < kib + 1024 for gateway, kib in zip((net.a, net.b), before, strict=True))


def attack_and_resume(net: Net, how: dict[str, float], seconds: float) -> dict[str, int]:
    """Attacks while datagrams flow: nothing altered or twice comes out, and all flows again two seconds later."""
    count = int((seconds + 4) / 0.002)
    receiver = net.traffic(net.b, "udp-receive", net.b.inner, "7000", str(seconds + 30))
    sender = net.traffic(net.a, "udp-send", net.b.inner, "7000", str(count), "0.002", "200")
    net.attack(**how)
    time.sleep(seconds)
    stats: dict[str, int] = net.attack()
    stopped = time.time()
    sent = sender.answer(timeout=seconds + 60)["sent"]
    ended = time.time()
    time.sleep(0.2)
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
    for gateway in (net.a, net.b):
        assert gateway.process is not None and gateway.process.poll() is None
    return stats


def test_a_flood_of_hellos_gets_no_answer_and_leaves_nothing_behind(net: Net) -> None:
    net.start()
    net.b.stop()
    net.b.start()  # so that the relay has seen a hello that this responder answers
    assert net.ping(net.a) is not None
    net.wait_up()
    before, counted = net.b.memory(), net.b.counters()
    net.attack(hellos=100)
    came = net.datagrams(count=500, pause=0.002, seconds=8)
    net.attack()
    assert came["different"] == 500, "data is not held up"
    b = net.b.check_balance()
    assert b["untrusted_drops"]["stale"] > 100 and b["untrusted_drops"]["auth"] > 100
    for name in ("handshakes_in", "handshakes_out", "sessions_installed"):
        assert b[name] == counted[name], name
    assert net.b.memory() - before < 1024, "kilobytes"


def test_frames_held_back_over_a_rekey_are_delivered_at_most_once(net: Net) -> None:
    net.start(rekey="after-packets = 300")
    net.attack(late=0.3)
    came = net.datagrams(count=1500, pause=0.001, seconds=1)
    net.attack(replay=200)
    time.sleep(0.5)
    net.attack()
    assert came["received"] == came["different"] and came["strange"] == 0
    a, b = net.a.check_balance(), net.b.check_balance()
    assert b["untrusted_drops"]["replay"] > 0 and b["untrusted_drops"]["session"] > 0
    assert b["delivered"] <= a["sealed"]


def test_another_key_gets_no_word_in(net: Net) -> None:
    net.a.write(key="other.key")
    net.b.write()
    net.b.start()
    net.a.start()
    wait_for(lambda: net.b.counters()["untrusted_drops"]["auth"] >= 2, 3, net.b.said)
    assert not net.a.is_up() and not net.b.is_up()
    assert net.b.check_balance()["untrusted_out"] == 0


def test_gives_up_root_and_takes_a_new_key(net: Net, folder: Path) -> None:
    nobody = pwd.getpwnam("nobody")
    key = folder / "link.key"
    os.chown(key, nobody.pw_uid, -1)
    net.start(run='user = "nobody"\nmetrics = "127.0.0.1:9473"', rekey="after-packets = 100")
    status = dict(
        line.split(":\t", 1) for line in Path(f"/proc/{net.a.pid}/status").read_text().splitlines() if ":\t" in line
    )
    assert status["Uid"].split() == [str(nobody.pw_uid)] * 4
    assert int(status["CapEff"], 16) == 0 and int(status["CapPrm"], 16) == 0 and status["Groups"].strip() == ""
    # The key is renewed at both ends; the running session goes on, the next handshake is under the new key.
    key.write_text(KEY[::-1])
    for gateway in (net.a, net.b):
        gateway.send_signal(signal.SIGHUP)
    wait_for(lambda: all("new pre-shared key" in g.said() for g in (net.a, net.b)), 2, net.a.said)
    before = net.a.counters()["sessions_taken"]
    came = net.datagrams(count=300, pause=0.001, seconds=5)
    assert came["different"] == 300 and net.a.counters()["sessions_taken"] > before
    fetch = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:9473/metrics').read().decode())"
    metrics = run("ip", "netns", "exec", net.a.namespace, "python3", "-c", fetch)
    sealed = next(line for line in metrics.splitlines() if line.startswith("sealwire_sealed_total "))
    assert int(sealed.split()[1]) >= 300 and "sealwire_up 1" in metrics


def test_ends_in_order_and_says_what_is_wrong(net: Net) -> None:
    net.start()
    assert "link                  up" in run(str(binary()), "link", "status", str(net.a.config))
    assert net.a.stop(signal.SIGTERM) == 0
    assert not net.a.socket.exists() and '"balance":true' in net.a.said()
    assert "seal0" not in run("ip", "-n", net.a.namespace, "link", "show")
    with pytest.raises(AssertionError, match="this end is not up"):
        net.a.status()
    net.a.config.write_text(net.a.config.read_text().replace("10.77.1.1", "10.77.9.9"))
    with pytest.raises(AssertionError, match=r"listen 10\.77\.9\.9:4500"):
        run("ip", "netns", "exec", net.a.namespace, str(binary()), "link", "up", str(net.a.config))


def test_carries_frames_over_bare_ethernet(net: Net) -> None:
    macs = net.start_ethernet()
    assert net.a.status()["peer"] == macs["b"] and net.b.status()["peer"] == macs["a"]
    came = net.datagrams(count=500, pause=0.001, seconds=5, size=1300)
    assert (came["received"], came["different"], came["strange"]) == (500, 500, 0)
    # A frame of the link's type for this card is counted, whatever is in it; one for another card is not.
    before = net.b.counters()["untrusted_drops"]
    for mac, count in ((macs["b"], 100), ("02:00:5e:10:00:07", 200)):
        sender = Program(
            net.spaces["m"], sys.executable, str(HERE / "traffic.py"), "ethernet-send", "br0", mac, str(count)
        )
        assert sender.answer() == {"sent": count}
        sender.end()
    wait_for(lambda: net.b.is_up(), 1)
    time.sleep(0.3)
    b = net.b.check_balance()
    assert sum(b["untrusted_drops"].values()) - sum(before.values()) == 100
    assert net.datagrams(count=50, pause=0.001, seconds=5)["different"] == 50
    a, b = net.lossless()
    assert (a["unsent"], b["undelivered"]) == (0, 0)


def test_the_bench_measures_each_thing_once(namespaces: None) -> None:
    command = [
        sys.executable,
        str(HERE / "bench.py"),
        *["--rounds", "1", "--seconds", "0.2", "--trips", "50", "--sizes", "512", "--rekey-seconds", "2"],
        *["--event-seconds", "5", "--json"],
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["mode"] == "key pairs (Noise)"
    names = list(dict.fromkeys(row["tunnel"] for row in answer["measures"]))
    assert names[0] == "sealwire omd-blake2b"
    missing = [line for line in done.stderr.splitlines() if line.startswith("without the kernel's WireGuard: ")]
    assert len(names) + len(missing) == 2, "a column, or one line that says why not"
    assert all("WireGuard of Linux" in name for name in names[1:])
    check_table(bench.table(answer["measures"]), names)
    measures = [row for row in answer["measures"] if row["tunnel"] == names[0]]
    assert [row["measure"] for row in measures] == [
        "datagrams",
        "round trips",
        "TCP stream",
        "events",
        "events",
        "events",
    ]
    quiet, restart, move = measures[3:]
    assert 0 < restart["lost"] < restart["sent"] and restart["longest_gap_milliseconds"] < 4000
    # A restart loses something for certain, a move little, and a stream that nothing disturbs next to nothing.
    assert move["lost"] < move["sent"] / 2 and quiet["lost"] < quiet["sent"] / 10
    assert 0.5 < measures[0]["delivered_of_taken"] <= 1.001
    assert all(0 < value < 1e9 for row in measures for key, value in row.items() if "_" in key)


def check_table(text: str, tunnels: list[str]) -> None:
    """One table: a row for each figure, a column for each tunnel."""
    head, rule, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]
    assert head == ["measure", *tunnels] and set(rule) == {"---"}
    titles = [row[0] for row in rows]
    expected = ["datagrams, 512 bytes: packets/s", "TCP stream: Gbit/s", "round trips, 512 bytes: median us"]
    expected += ["round trips, 512 bytes: CPU us, both ends"]
    expected += [f"{event}: datagrams lost" for event in ("restart of the other end", "move", "new keys")]
    assert all(titles.count(title) == 1 for title in expected) and len(set(titles)) == len(titles), titles
    assert all(len(row) == len(head) and re.match(r"\d", row[1]) for row in rows), rows


def test_the_bench_shows_a_figure_that_a_tunnel_cannot_have_as_missing() -> None:
    trip = {"measure": "round trips", "bytes": 64, "round_trip_median_microseconds": 50}
    rows = [{**trip, "tunnel": "one", "cpu_microseconds": 40.0 + n, "round": n} for n in range(3)]
    rows += [{**trip, "tunnel": "other", "round": n} for n in range(3)]
    shown = bench.table(rows).splitlines()
    assert "| round trips, 64 bytes: CPU us, both ends | 41.0 (40.0 to 42.0) | – |" in shown
    assert "| round trips, 64 bytes: median us | 50.0 (50.0 to 50.0) | 50.0 (50.0 to 50.0) |" in shown


def test_an_idle_hub_is_measured_with_key_pairs(namespaces: None) -> None:
    spokes = ROOT / "target/debug/examples/spokes"
    if not spokes.exists():
        pytest.skip(f"{spokes} is not built: make target/debug/sealwire")
    words = ["--peers", "20", "--seconds", "1", "--key-pairs", "--spokes", str(spokes)]
    said = run(sys.executable, str(HERE / "idle_hub.py"), *words)
    assert "peers: up 20 after" in said
    found = re.search(r"hub: ([\d.]+) MB resident .* ([\d.]+) % of a core", said)
    assert found and 5 < float(found[1]) < 20 and float(found[2]) < 20, said


def test_ends_when_its_card_is_gone(net: Net) -> None:
    net.start_ethernet()
    run("ip", "-n", net.a.namespace, "link", "del", "out1")
    assert net.a.process is not None and net.a.process.wait(timeout=5) == 1
    assert "is gone" in net.a.said()
    net.b.check_balance()
