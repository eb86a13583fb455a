# SPDX-License-Identifier: Apache-2.0
"""Sessions through a Noise channel, between two gateways in namespaces and for an RTL end."""

import re
import stat
import subprocess
import time
from pathlib import Path

from lab_net import Gateway, Net, binary, forget_hosts, name_host, noise_keys, noise_section, run, wait_for

PORT = 4501


def make_keys(folder: Path) -> dict[str, str]:
    """A key for each end and for a stranger; gives the public ones."""
    return noise_keys(folder, "a", "b", "stranger")


def write(gateway: Gateway, public: dict[str, str], peer_key: str, rekey: str = "") -> None:
    """A configuration with the channel, both ends directly joined."""
    addresses = {"a": "10.77.1.1", "b": "10.77.2.2"}
    mine, theirs = addresses[gateway.name], addresses[{"a": "b", "b": "a"}[gateway.name]]
    gateway.write(
        rekey=rekey,
        untrusted=f'listen = "{mine}:4500"\npeer = "{theirs}:4500"',
        noise=noise_section(f"{mine}:{PORT}", f"{theirs}:{PORT}", gateway.name, public[peer_key]),
    )


def test_a_peer_with_a_name_is_called_through_the_channel_there(routed: Net, folder: Path) -> None:
    net = routed
    public = make_keys(folder)
    for gateway, peer in ((net.b, "a"), (net.a, "b")):
        write(gateway, public, peer)
    # Both ports follow from the name; the channel's is the next one.
    text = net.a.config.read_text()
    text = text.replace(f'listen = "10.77.1.1:{PORT}"\npeer = "10.77.2.2:{PORT}"\n', "")
    net.a.config.write_text(text.replace("10.77.2.2:4500", "branch.test:4500"))
    try:
        name_host(net.a.namespace, "branch.test", "10.77.2.2")
        for gateway in (net.b, net.a):
            gateway.start()
        net.wait_up()
        assert net.a.status()["noise_channel"]["sessions_loaded"] == 1
        assert net.a.status()["peer"] == "10.77.2.2:4500"
    finally:
        forget_hosts(net.a.namespace)


def send(space: str, address: str, datagrams: list[bytes]) -> None:
    """Datagrams from a third party."""
    program = """
import socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for line in sys.stdin:
    s.sendto(bytes.fromhex(line), (sys.argv[1], int(sys.argv[2])))
"""
    lines = "\n".join(datagram.hex() for datagram in datagrams)
    command = ["ip", "netns", "exec", space, "python3", "-c", program, address, str(PORT)]
    subprocess.run(command, input=lines, text=True, check=True)


def test_sessions_come_through_the_channel_and_are_renewed(routed: Net, folder: Path) -> None:
    net = routed
    public = make_keys(folder)
    for gateway, peer in ((net.b, "a"), (net.a, "b")):
        write(gateway, public, peer, rekey="after-packets = 400")
        gateway.start()
    net.wait_up()
    came = net.datagrams(count=2000, pause=0.001, seconds=20)
    assert (came["received"], came["different"], came["strange"]) == (2000, 2000, 0)
    a, b = net.a.check_balance(), net.b.check_balance()
    assert a["sessions_taken"] >= 3 and b["sessions_taken"] == a["sessions_taken"]
    # The end that is called may have asked for that before the other was there.
    assert a["handshakes_in"] + a["handshakes_out"] + b["handshakes_in"] == 0
    assert net.a.status()["state"] == "loaded"
    # Garbage, a beginning that is none, and one that is too long: dropped and counted; traffic goes on.
    before = net.b.status()["noise_channel"]
    caller = (1).to_bytes(8)
    datagrams = [bytes([kind]) + caller + bytes(length) for kind, length in ((0x18, 56), (0x18, 55), (0x1A, 200))]
    send(net.spaces["m"], "10.77.2.2", [*datagrams, b"\x18" * 65, b"\x00", bytes(2000)])
    wait_for(lambda: net.b.status()["noise_channel"]["received"] >= before["received"] + 6, 2)
    after = net.b.status()["noise_channel"]
    drops = {cause: count - before["drops"][cause] for cause, count in after["drops"].items()}
    assert (drops["auth"], drops["format"], drops["peer"]) == (2, 3, 1)
    assert after["received"] == after["taken"] + sum(after["drops"].values())
    # An end that restarts gets a session again.
    net.b.stop()
    net.b.start()
    # The caller finds out when it has something to say.
    assert (answered := net.ping(net.a)) is not None and answered < 3
    net.wait_up()
    assert net.datagrams(count=50, pause=0.002, seconds=5)["different"] == 50


def test_nothing_comes_up_between_ends_that_do_not_agree(routed: Net, folder: Path) -> None:
    """Another key, or a handshake at one end only: no session, no traffic, and a count that says why."""
    net = routed
    public = make_keys(folder)
    write(net.a, public, "b")
    write(net.b, public, "stranger")
    net.b.start()
    net.a.start()
    wait_for(lambda: net.b.status()["noise_channel"]["drops"]["auth"] >= 2, 3, net.b.said)
    assert not net.a.is_up() and not net.b.is_up()
    b = net.b.check_balance()
    # Requests to be called are no secret.
    assert (b["untrusted_out"] - b["handshakes_out"], b["sessions_installed"]) == (0, 0)
    net.b.stop()
    net.a.stop()
    net.a.write(untrusted='listen = "10.77.1.1:4500"\npeer = "10.77.2.2:4500"')
    write(net.b, public, "a")
    net.b.start()
    net.a.start()
    wait_for(lambda: net.b.counters()["untrusted_drops"]["type"] >= 2, 3, net.b.said)
    assert not net.a.is_up() and not net.b.is_up()
    b = net.b.check_balance()
    assert (b["untrusted_out"] - b["handshakes_out"], b["sessions_installed"]) == (0, 0)


def test_writes_a_session_for_an_rtl_end(routed: Net, folder: Path) -> None:
    net = routed
    public = make_keys(folder)
    write(net.a, public, "b")
    write(net.b, public, "a")
    net.a.start()
    words = folder / "session.words"
    command = [str(binary()), "link", "load", str(net.b.config), "--words", str(words)]
    inside = ["ip", "netns", "exec", net.b.namespace]
    done = subprocess.run([*inside, *command], capture_output=True, text=True, timeout=20)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), done.stderr
    assert stat.S_IMODE(words.stat().st_mode) == 0o600
    lines = words.read_text().split()
    assert len(lines) == 46 and all(len(line) == 8 for line in lines)
    # The end beside it has loaded the same session, and sends keep-alives in it: to the sid of the last word.
    wait_for(lambda: net.a.counters()["keep_alives_out"] > 0, 2, net.a.said)
    assert net.a.status()["noise_channel"]["sessions_loaded"] >= 1
    said = net.a.said()
    assert not any(line in said for line in lines), "no secret in the log"
    # Once more over the same file is an error before anything is sent.
    again = subprocess.run([*inside, *command], capture_output=True, text=True, timeout=20)
    assert again.returncode != 0 and "exists" in again.stderr
    net.a.stop()
    began = time.monotonic()
    late = [*inside, *command, "--force", "--timeout", "1"]
    with subprocess.Popen(late, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as waiting:
        # It holds keys as a gateway does: without core dumps.
        limits = Path(f"/proc/{waiting.pid}/limits")
        wait_for(lambda: re.search(r"Max core file size +0 +0 ", limits.read_text()) is not None, 1)
        _, said = waiting.communicate(timeout=20)
    assert waiting.returncode == 1 and "no session within 1 s" in said and time.monotonic() - began < 3
    assert words.read_text().split() == lines, "what is there stays"


def test_key_pairs_take_few_lines_and_the_pre_shared_key_too(routed: Net, folder: Path) -> None:
    """Ports and addresses by default; both ends need the pre-shared key, or neither."""
    net = routed
    public = make_keys(folder)

    def start(gateway: Gateway, peer: str, key: str | None) -> None:
        write(gateway, public, peer)
        text = gateway.config.read_text()
        head, noise = text.split("[noise]")
        noise = "".join(line for line in noise.splitlines(keepends=True) if "10.77" not in line)
        if key is not None:
            head = head.replace("[trusted]", f'key-file = "{key}"\n[trusted]', 1)
        gateway.config.write_text(f"{head}[noise]{noise}")
        gateway.start()

    for keys, comes in (
        (("link.key", "link.key"), True),
        (("link.key", "other.key"), False),
        ((None, "link.key"), False),
    ):
        start(net.b, "a", keys[1])
        start(net.a, "b", keys[0])
        if comes:
            net.wait_up()
            assert "pre-shared key mixed in" in net.a.said() and net.a.status()["state"] == "loaded"
            assert net.ping(net.a) is not None
        else:
            wait_for(lambda: net.b.status()["noise_channel"]["drops"]["auth"] >= 2, 3, net.b.said)
            assert not net.a.is_up() and not net.b.is_up()
            wait_for(lambda: "the Noise channel's messages do not fit" in net.b.said(), 5, net.b.said)
        net.a.stop()
        net.b.stop()


def test_a_pre_shared_key_alone_says_what_it_lacks(net: Net) -> None:
    net.start()
    assert "no forward secrecy" in net.a.said()
    assert "no forward secrecy" in run(str(binary()), "link", "check", str(net.a.config))
