# SPDX-License-Identifier: Apache-2.0
"""What an operator relies on from day to day: restarts, messages, addresses, idle lines."""

import json
import os
import pwd
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from lab_net import KEY, Gateway, Net, binary, forget_hosts, name_host, run, wait_for


def device(gateway: Gateway) -> dict[str, object]:
    """The trusted device, as `ip` shows it."""
    shown: list[dict[str, object]] = json.loads(run("ip", "-n", gateway.namespace, "-j", "link", "show", "seal0"))
    return shown[0]


@pytest.mark.parametrize("killed", ["a", "b"])
def test_ping_answers_within_two_seconds_of_a_restart(linked: Net, killed: str) -> None:
    net = linked
    net.start()
    gateway: Gateway = getattr(net, killed)
    other = net.b if killed == "a" else net.a
    # Both neighbour tables know the other side now, and keep what they know.
    for at in (gateway, other):
        assert net.ping(at) is not None
    address = device(gateway)["address"]
    assert address != device(other)["address"]
    # The system takes its time to end a process: the next one begins before that.
    old = gateway.process
    gateway.send_signal(signal.SIGKILL)
    gateway.start()
    assert old is not None and old.wait(5) == -signal.SIGKILL
    answered = net.ping(other)
    assert answered is not None and answered < 2
    assert device(gateway)["address"] == address
    assert net.ping(gateway) is not None


def test_a_device_takes_the_address_of_its_configuration(net: Net) -> None:
    net.a.write(trusted='mac = "02:00:5e:10:00:07"')
    net.a.start()
    assert device(net.a)["address"] == "02:00:5e:10:00:07"


def advice(gateway: Gateway) -> list[str]:
    """What the log advised, without the lines that any end writes."""
    begins = "the other end|the Noise channel's|both ends|no answer|nobody calls|an end with"
    known = re.compile(f'"message":"((?:{begins})[^"]*)')
    return known.findall(gateway.said().replace('\\"', "'"))


@pytest.mark.parametrize(
    ("linked", "wrong"), [("pre-shared key", "a"), ("key pairs", "a"), ("key pairs", "b")], indirect=["linked"]
)
def test_a_wrong_key_shows_at_both_ends_within_five_seconds_and_once(linked: Net, wrong: str) -> None:
    net = linked
    mistaken: Gateway = getattr(net, wrong)
    right = mistaken.peer_key
    if right is not None:
        mistaken.peer_key = net.public["stranger"]
    for gateway in (net.a, net.b):
        gateway.write(key="other.key" if gateway is mistaken else "link.key")
    net.b.start()
    net.a.start()
    wait_for(lambda: advice(net.a) and advice(net.b), 5, lambda: net.a.said() + net.b.said())
    time.sleep(4)
    (a,), (b,) = advice(net.a), advice(net.b)
    assert a.startswith("no answer from 10.77.2.2:4500") and "another key" in a
    if right is None:
        assert b.startswith("the other end holds another pre-shared key") and "sealwire link rekey" in b
        assert all(gateway.status()["key"]["fingerprint"] in said for gateway, said in ((net.a, a), (net.b, b)))
    else:
        assert b.startswith("the Noise channel's messages do not fit: peer-key here must be")
    for gateway, said in ((net.a, a), (net.b, b)):
        assert said in gateway.status()["advice"].replace('"', "'")
        assert f"advice                {said[:30]}" in run(str(binary()), "link", "status", str(gateway.config))
    # With the right key at both ends nothing is left of it.
    if right is None:
        (net.a.folder / "other.key").write_text(KEY)
        run(str(binary()), "link", "rekey", str(net.a.config))
    else:
        mistaken.peer_key = right
        mistaken.write()
        mistaken.stop()
        mistaken.start()
    net.wait_up()


@pytest.mark.parametrize("number", ["1", "2"])
def test_two_ends_with_one_id_are_told_so(linked: Net, number: str) -> None:
    net = linked
    for gateway in (net.a, net.b):
        gateway.write()
        text = gateway.config.read_text()
        text = re.sub(r'^id = ".*"', f'id = "{number}"', text, flags=re.MULTILINE)
        other = {"1": "2", "2": "1"}[number]
        gateway.config.write_text(re.sub(r'peer-id = ".*"', f'peer-id = "{other}"', text))
        gateway.start()
    wait_for(lambda: advice(net.a) and advice(net.b), 6, lambda: net.a.said() + net.b.said())
    # Two callers hear each other; two ends that wait hear nothing, and are told what may be the cause.
    expected = f"oth ends have the id '{number}'" if number == "1" else f"Both ends having the id '{number}'"
    for gateway in (net.a, net.b):
        assert any(expected in said for said in advice(gateway)), advice(gateway)


def test_up_needs_something_heard_from_the_peer(net: Net) -> None:
    net.start()
    net.attack(loss=1.0)
    # An idle line says nothing; what gets no answer tells that nobody is there.
    for gateway in (net.a, net.b):
        assert net.ping(gateway, seconds=0.5) is None
    wait_for(lambda: not net.a.is_up() and not net.b.is_up(), 5)
    assert all(gateway.status()["current_session"] for gateway in (net.a, net.b)), "the sessions live still"
    wait_for(lambda: "no answer from" in (net.a.status()["advice"] or ""), 5, net.a.said)
    net.attack()
    net.wait_up()
    assert '"message":"link down"' in net.b.said()


def test_the_status_socket_is_there_without_being_named(net: Net, folder: Path) -> None:
    name = f"sealwire-test-{os.getpid()}"
    net.a.write()
    config = folder / f"{name}.toml"
    config.write_text(re.sub(r"status-socket = .*", "", net.a.config.read_text()))
    socket = Path(f"/run/sealwire/{name}.sock")
    command = ["ip", "netns", "exec", net.a.namespace, str(binary()), "link", "up", str(config)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            wait_for(socket.exists, 5)
            assert "link                  down" in run(str(binary()), "link", "status", str(config))
        finally:
            process.terminate()
    assert not socket.exists()


def test_an_end_that_is_told_to_end_while_it_starts_leaves_no_socket(net: Net) -> None:
    net.a.write(run='[hooks]\nup = ["sleep 1"]')
    command = ["ip", "netns", "exec", net.a.namespace, str(binary()), "link", "up", str(net.a.config)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        wait_for(net.a.socket.exists, 5)
        process.terminate()
        assert process.wait(10) == 0
    assert not net.a.socket.exists()


def test_a_peer_with_a_name_is_looked_up_when_it_is_called(net: Net) -> None:
    try:
        name_host(net.a.namespace, "branch.test", "10.77.1.77")
        net.a.write(untrusted='listen = "10.77.1.1:4500"\npeer = "branch.test:4500"')
        net.b.write()
        command = ["ip", "netns", "exec", net.a.namespace, str(binary()), "link", "check", str(net.a.config)]
        assert "look-up  branch.test:4500 is 10.77.1.77:4500 now" in run(*command)
        net.a.start()
        net.b.start()
        wait_for(lambda: net.a.status()["peer"] == "10.77.1.77:4500", 5, net.a.said)
        assert not net.a.is_up()
        # The other end is somewhere else now, and this end calls still.
        name_host(net.a.namespace, "branch.test", "10.77.1.2")
        # The name is asked for again every 5 s while nobody answers.
        wait_for(lambda: net.a.is_up() and net.b.is_up(), 8, net.a.said)
        assert net.a.status()["peer"] == "10.77.1.2:4500"
        name_host(net.a.namespace, "other.test", "10.77.1.2")
        assert "branch.test:4500: the peer's name leads nowhere" in run(*command)
    finally:
        forget_hosts(net.a.namespace)


def check(gateway: Gateway) -> str:
    """What `link check` complains of, in the namespace of the gateway; nothing if all is well."""
    command = ["ip", "netns", "exec", gateway.namespace, str(binary()), "link", "check", str(gateway.config)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    assert done.returncode == bool(done.stderr) and bool(done.stdout) != bool(done.stderr)
    return done.stderr


def warnings(gateway: Gateway) -> str:
    """What `link check` warns of, in the namespace of the gateway."""
    command = ["ip", "netns", "exec", gateway.namespace, str(binary()), "link", "check", str(gateway.config)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)
    return done.stderr


def test_check_finds_what_has_the_device_s_name_or_a_route(net: Net) -> None:
    net.a.write(trusted='routes = ["10.5.0.0/16"]')
    assert not warnings(net.a)
    run("ip", "-n", net.a.namespace, "route", "add", "blackhole", "10.5.0.0/16")
    assert "[trusted] routes 10.5.0.0/16: this machine has that route by another device" in warnings(net.a)
    run("ip", "-n", net.a.namespace, "tuntap", "add", "seal0", "mode", "tap")
    assert "another kind" not in warnings(net.a), "one that was made to stay"
    net.a.write(trusted='carries = "ip"')
    assert "a device of another kind has this name already" in warnings(net.a)
    run("ip", "-n", net.a.namespace, "link", "del", "seal0")
    run("ip", "-n", net.a.namespace, "link", "add", "seal0", "type", "bridge")
    assert "a device of another kind has this name already" in warnings(net.a)


def test_check_looks_for_the_bridge_in_the_configuration(net: Net) -> None:
    net.a.write(trusted='bridge = "br0"')
    assert "bridge br0: there is no such device here" in (said := check(net.a))
    assert "ip link add br0 type bridge" in said
    run("ip", "-n", net.a.namespace, "link", "add", "br0", "type", "bridge")
    assert not check(net.a)
    net.a.write(trusted='bridge = "lo"')
    assert "bridge lo: this device is no bridge" in check(net.a)


def down(gateway: Gateway) -> str:
    """What `link down` complains of; nothing if all is well."""
    done = subprocess.run(
        [str(binary()), "link", "down", str(gateway.config)], capture_output=True, text=True, timeout=20, check=False
    )
    assert done.returncode == bool(done.stderr) and not done.stdout
    assert done.stderr.count("\n") <= 1, "one line"
    return done.stderr


def test_an_end_goes_down_when_asked_and_a_second_time_says_what_to_do(net: Net) -> None:
    net.start()
    assert not down(net.a)
    assert "seal0" not in run("ip", "-n", net.a.namespace, "link", "show"), "all is over before the answer"
    assert not net.a.socket.exists() and net.a.stop() == 0
    assert "this end is not up" in (said := down(net.a)) and "sealwire link up" in said
    net.b.stop(signal.SIGKILL)
    assert net.b.socket.exists() and "this end is not up" in down(net.b), "its socket is left behind"
    assert net.b.socket.exists(), "one so young may be that of an end in its start"
    long_ago = time.time() - 60
    os.utime(net.b.socket, (long_ago, long_ago))
    assert "this end is not up" in down(net.b) and not net.b.socket.exists()
    net.a.config.unlink()
    assert "configuration file" in down(net.a)


def test_who_ends_an_end_that_gave_up_root_removes_its_socket(net: Net, folder: Path) -> None:
    os.chown(folder / "link.key", pwd.getpwnam("nobody").pw_uid, -1)
    net.a.write(run='user = "nobody"')
    net.a.start()
    wait_for(net.a.socket.exists, 5)
    assert not down(net.a)
    assert not net.a.socket.exists() and net.a.stop() == 0


def test_a_service_is_not_ended_behind_the_back_of_its_manager(net: Net) -> None:
    net.a.write()
    command = ["sh", "-c", 'SYSTEMD_EXEC_PID=$$ exec "$@"', "sh", "ip", "netns", "exec", net.a.namespace]
    with subprocess.Popen([*command, str(binary()), "link", "up", str(net.a.config)]) as process:
        try:
            wait_for(net.a.socket.exists, 5)
            assert f"systemctl stop sealwire@{net.a.config.stem}" in down(net.a)
            assert "link                  down" in run(str(binary()), "link", "status", str(net.a.config))
        finally:
            process.terminate()


@pytest.mark.parametrize(
    ("user", "expected"),
    [
        ('user = "nosuchuser"', 'there is no user "nosuchuser" here; `useradd --system nosuchuser` makes it'),
        ("", r"\[run\] user is missing"),
        ('user = "nobody"', "say `chown nobody"),
    ],
)
def test_check_finds_a_user_that_cannot_be_had(net: Net, user: str, expected: str) -> None:
    net.a.write(run=user)
    if not user:
        net.a.config.write_text(net.a.config.read_text().replace('user = "root"', ""))
    with pytest.raises(AssertionError, match=expected):
        run(str(binary()), "link", "check", str(net.a.config))
    net.a.write()
    assert "user     root" in run(str(binary()), "link", "check", str(net.a.config))


def refusal(gateway: Gateway) -> str:
    """What `up` says that does not start."""
    command = ["ip", "netns", "exec", gateway.namespace, str(binary()), "link", "up", str(gateway.config)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20)
    assert done.returncode == 1
    return done.stderr


def test_addresses_routes_and_hooks_come_back_with_a_restart_and_go_with_a_stop(net: Net, folder: Path) -> None:
    """As its user, too, who could set none of it."""
    nobody = pwd.getpwnam("nobody")
    os.chown(folder / "link.key", nobody.pw_uid, -1)
    marks = folder / "marks"
    for gateway in (net.a, net.b):
        gateway.write(
            run='user = "nobody"',
            trusted=f'''mtu = 1300
addresses = ["{gateway.inner}/24", "fd99::{gateway.inner[-1]}/64"]
routes = ["10.5.0.0/16", "10.6.0.0/16 via {gateway.other}", "fd05::/16"]
''',
        )
    with net.a.config.open("a") as config:
        config.write(f"""
[hooks]
up = ["echo said by a hook", "ip address show dev $SEALWIRE_DEVICE | grep -q fd99::1 && echo up $(id -u) >> {marks}"]
down = ["sleep 0.2", "echo down $SEALWIRE_DEVICE $(id -u) >> {marks}"]
""")

    def routes() -> set[str]:
        shown = [json.loads(run("ip", "-n", net.a.namespace, family, "-j", "route")) for family in ("-4", "-6")]
        return {
            f"{route['dst']} {route.get('gateway', '')}".strip()
            for family in shown
            for route in family
            if route["dev"] == "seal0" and route["dst"][:4] in ("10.5", "10.6", "fd05")
        }

    net.b.start()
    net.a.start()
    net.wait_up()
    assert "said by a hook" in net.a.said()
    expected = {"10.5.0.0/16", "10.6.0.0/16 10.99.0.2", "fd05::/16"}
    assert net.ping(net.b) is not None and routes() == expected
    assert device(net.a)["mtu"] == 1300
    for number, stop in enumerate((signal.SIGKILL, signal.SIGTERM, signal.SIGKILL), start=1):
        net.a.stop(stop)
        wait_for(lambda n=number: marks.read_text() == "up 0\ndown seal0 0\n" * n, 3, marks.read_text)
        assert routes() == set()
        assert "seal0" not in run("ip", "-n", net.a.namespace, "link", "show")
        net.a.start()
        assert (answered := net.ping(net.b)) is not None and answered < 2
        assert routes() == expected


def test_an_end_that_cannot_have_its_network_does_not_start(net: Net, folder: Path) -> None:
    marks = folder / "marks"
    net.a.write(trusted='bridge = "nobridge"')
    assert "[trusted] bridge nobridge: `ip link set dev seal0 master nobridge` says" in refusal(net.a)
    net.a.write(trusted='routes = ["10.77.1.0/24"]\naddresses = ["10.99.0.1/24"]')
    assert "[trusted] routes 10.77.1.0/24: `ip -4 route add" in refusal(net.a), (
        "a route that is there is nobody's to take"
    )
    net.a.write(trusted='routes = ["10.7.0.0/24 via 10.98.0.1"]\naddresses = ["10.99.0.1/24"]')
    assert "[trusted] routes 10.7.0.0/24 via 10.98.0.1: `ip -4 route add" in refusal(net.a)
    net.a.write()
    with net.a.config.open("a") as config:
        config.write(f'\n[hooks]\nup = ["false"]\ndown = ["echo down >> {marks}"]\n')
    assert "[hooks] up: `false` failed" in refusal(net.a)
    assert marks.read_text() == "down\n" and "seal0" not in run("ip", "-n", net.a.namespace, "link", "show")


def test_the_device_joins_its_bridge_anew_after_a_restart(net: Net) -> None:
    run("ip", "-n", net.a.namespace, "link", "add", "br0", "type", "bridge")
    net.a.write(trusted='bridge = "br0"')
    for stop in (signal.SIGKILL, signal.SIGTERM):
        net.a.start()
        assert device(net.a)["master"] == "br0"
        net.a.stop(stop)


def packets(gateway: Gateway) -> int:
    """What the end sent, and what came to it through the Noise channel if there is one."""
    status = gateway.status()
    sent: int = status["counters"]["untrusted_out"]
    return sent + (status["noise_channel"]["received"] if gateway.peer_key is not None else 0)


def chatter_off(gateway: Gateway) -> None:
    """The kernel looks for routers on a new device: frames that are not the gateway's."""
    command = "echo 1 > /proc/sys/net/ipv6/conf/seal0/disable_ipv6"
    run("ip", "netns", "exec", gateway.namespace, "sh", "-c", command)


@pytest.mark.parametrize(("keep_alive", "least", "most"), [(None, 0, 0), ("2", 4, 8), ('"prompt"', 40, 70)])
def test_an_idle_line_is_as_quiet_as_told(linked: Net, keep_alive: str | None, least: int, most: int) -> None:
    net = linked
    for gateway in (net.b, net.a):
        gateway.write()
        if keep_alive is not None:
            text = gateway.config.read_text()
            gateway.config.write_text(text.replace("[trusted]", f"keep-alive = {keep_alive}\n[trusted]", 1))
        gateway.start()
        chatter_off(gateway)
    net.wait_up()
    time.sleep(1)
    before = packets(net.a) + packets(net.b)
    time.sleep(6)
    assert least <= packets(net.a) + packets(net.b) - before <= most
    assert net.a.is_up() and net.b.is_up()
    assert (answered := net.ping(net.b)) is not None and answered < 0.5


def test_a_network_that_holds_the_other_end_is_warned_of(net: Net) -> None:
    """Unless the system has a nearer route to it: the link's own packets would go into the link."""

    def warned() -> bool:
        command = ["ip", "netns", "exec", net.a.namespace, str(binary()), "link", "check", str(net.a.config)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        words = "holds the peer's own address 10.77.1.2, and no route to it is nearer"
        assert (words in done.stderr) == ("warning" in done.stderr), done.stderr
        return words in done.stderr

    # 10.77.1.0/24 is on the cable, with a route of its own.
    for trusted, holds in [
        ('routes = ["0.0.0.0/0"]', False),
        ('routes = ["10.77.0.0/16", "10.5.0.0/16"]', False),
        ('routes = ["10.77.1.0/24"]', True),
        ('routes = ["10.77.1.2/32"]', True),
        ('routes = ["10.77.1.4/30"]', False),
        ('addresses = ["10.77.1.9/28"]', True),
    ]:
        net.a.write(trusted=trusted)
        assert warned() == holds, trusted
    run("ip", "-n", net.a.namespace, "route", "add", "10.77.1.2/32", "dev", "out1")
    net.a.write(trusted='routes = ["10.77.1.0/28"]')
    assert not warned()
    net.b.write()
    net.b.start()
    net.a.write(trusted='addresses = ["10.99.0.1/24", "10.77.1.2/32"]')
    net.a.start()
    assert "addresses 10.77.1.2/32 holds the peer's own address" in net.a.said()
