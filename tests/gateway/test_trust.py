# SPDX-License-Identifier: Apache-2.0
"""What a gateway does about its own keys, its memory and those who look at it."""

import os
import pwd
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from lab_net import KEY, Gateway, Net, binary, run, wait_for

NOBODY = pwd.getpwnam("nobody")

# Connections that ask for nothing, then one that asks.
CROWD = """
import resource, socket, sys, urllib.request
resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
idle = [socket.create_connection(("127.0.0.1", 9473)) for _ in range(int(sys.argv[1]))]
print("there", flush=True)
sys.stdin.readline()
print(urllib.request.urlopen("http://127.0.0.1:9473/metrics", timeout=5).read().decode())
"""


def rekey(gateway: Gateway, *options: str) -> str:
    """The fingerprint of a new key."""
    answer = run(str(binary()), "link", "rekey", *options, str(gateway.config))
    fingerprint, news = answer.split("fingerprint ")[1].split()
    assert news == "(new)", answer
    return fingerprint


def fingerprints(net: Net) -> list[str]:
    return [gateway.status()["key"]["fingerprint"] for gateway in (net.a, net.b)]


def own_by_nobody(folder: Path) -> Path:
    key = folder / "link.key"
    os.chown(key, NOBODY.pw_uid, -1)
    return key


def test_a_new_key_is_put_in_place_and_named(net: Net, folder: Path) -> None:
    key = own_by_nobody(folder)
    net.start(run='user = "nobody"')
    before = fingerprints(net)
    assert before[0] == before[1]
    key.write_text(KEY[::-1])
    taken = net.a.counters()["sessions_taken"]
    new = rekey(net.b)
    assert fingerprints(net) == [before[0], new] and new != before[0]
    assert rekey(net.a) == new
    # The handshake under it begins at once, not when the session is old.
    wait_for(lambda: net.a.counters()["sessions_taken"] > taken, 2, net.a.said)
    assert net.a.is_up() and net.b.is_up()
    taken = net.a.counters()["sessions_taken"]
    # A key that is already in use is no renewal, and no reason for a handshake.
    assert f"{new} (unchanged)" in run(str(binary()), "link", "rekey", str(net.a.config))
    state = net.a.status()["key"]
    assert (state["renewals"], state["failures"]) == (1, 0)
    time.sleep(0.5)
    assert net.a.counters()["sessions_taken"] == taken
    assert f"{new}, in place for" in run(str(binary()), "link", "status", str(net.a.config))


def test_a_key_that_cannot_be_had_is_told_of(net: Net, folder: Path) -> None:
    key = own_by_nobody(folder)
    net.start(run='user = "nobody"')
    before = fingerprints(net)
    key.write_text("no key")
    with pytest.raises(AssertionError, match="the old pre-shared key stays"):
        rekey(net.a)
    net.a.send_signal(signal.SIGHUP)
    wait_for(lambda: net.a.status()["key"]["failures"] == 2, 2, net.a.said)
    assert fingerprints(net) == before and net.a.is_up()


def test_a_key_that_is_in_other_hands_ends_at_once(net: Net, folder: Path) -> None:
    key = folder / "link.key"
    net.start()
    key.write_text(KEY[::-1])
    rekey(net.b, "--now")
    assert not net.b.is_up() and net.a.is_up()
    rekey(net.a, "--now")
    net.wait_up()


def test_refuses_a_key_that_its_user_could_not_read_again(net: Net) -> None:
    net.a.write(run='user = "nobody"')
    with pytest.raises(AssertionError, match="could take no new key"):
        run("ip", "netns", "exec", net.a.namespace, str(binary()), "link", "up", str(net.a.config))


def test_stays_root_only_when_told(net: Net) -> None:
    net.a.write()
    net.a.config.write_text(net.a.config.read_text().replace('user = "root"', ""))
    with pytest.raises(AssertionError, match=r"\[run\] user is missing"):
        run("ip", "netns", "exec", net.a.namespace, str(binary()), "link", "up", str(net.a.config))


def test_memory_is_shut_to_others(net: Net, folder: Path) -> None:
    own_by_nobody(folder)
    net.start(run='user = "nobody"')
    limits = Path(f"/proc/{net.a.pid}/limits").read_text().splitlines()
    cores = next(line for line in limits if line.startswith("Max core file size"))
    assert cores.split()[4:6] == ["0", "0"]
    # The kernel gives the files of a process that cannot be traced to root.
    assert Path(f"/proc/{net.a.pid}/environ").stat().st_uid == 0
    status = Path(f"/proc/{net.a.pid}/status").read_text()
    locked = int(next(line for line in status.splitlines() if line.startswith("VmLck")).split()[1])
    assert (locked > 0) == ("memory is locked" in net.a.said()) != ("memory is not locked" in net.a.said())


def test_a_crowd_at_the_metrics_takes_nothing_from_the_gateway(net: Net, folder: Path) -> None:
    net.start(run='metrics = "127.0.0.1:9473"')
    key = folder / "link.key"
    visit = ["ip", "netns", "exec", net.a.namespace, sys.executable, "-c", CROWD]
    with subprocess.Popen([*visit, "1100"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as crowd:
        assert crowd.stdout is not None and crowd.stdout.readline() == "there\n"
        open_files = len(list(Path(f"/proc/{net.a.pid}/fd").iterdir()))
        assert open_files < 64
        key.write_text(KEY[::-1])
        rekey(net.a)
        answer, _ = crowd.communicate("go on\n", timeout=10)
    assert "sealwire_key_renewals_total 1\n" in answer and "sealwire_key_failures_total 0\n" in answer
    # Without a descriptor left it waits for one, and does not spin meanwhile.
    limit = resource.prlimit(net.a.pid, resource.RLIMIT_NOFILE)
    used = len(list(Path(f"/proc/{net.a.pid}/fd").iterdir()))
    resource.prlimit(net.a.pid, resource.RLIMIT_NOFILE, (used, limit[1]))
    with subprocess.Popen([*visit, "3"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as crowd:
        assert crowd.stdout is not None and crowd.stdout.readline() == "there\n"
        spent = processor_time(net.a)
        with pytest.raises(subprocess.TimeoutExpired):
            crowd.wait(timeout=1)
        assert processor_time(net.a) - spent < 0.3
        resource.prlimit(net.a.pid, resource.RLIMIT_NOFILE, limit)
        answer, _ = crowd.communicate("go on\n", timeout=10)
    assert "sealwire_up " in answer


@pytest.mark.parametrize(("address", "warned"), [("0.0.0.0", True), ("127.0.0.1", False)])
def test_warns_of_metrics_that_others_can_read(net: Net, address: str, warned: bool) -> None:
    net.start(run=f'metrics = "{address}:9473"')
    assert ("metrics is not a loopback address" in net.a.said()) == warned


def processor_time(gateway: Gateway) -> float:
    """Seconds of user and system time."""
    fields = Path(f"/proc/{gateway.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
