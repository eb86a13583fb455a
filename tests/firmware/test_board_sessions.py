# SPDX-License-Identifier: Apache-2.0
"""`sealwire link board`: sessions through the Noise channel for the firmware behind a pseudo-terminal."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import host
import pytest
from console_line import Line
from generated.sealwire_link_regs import REGISTERS
from lab_net import binary, noise_keys, noise_section, wait_for

SEED = bytes(range(7, 39))
IDS = {"1": b"\0" * 7 + b"\1", "2": b"\0" * 7 + b"\2"}
SUITE = 0x11


def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Ends:
    """The board's end, which is served, and the other one, which takes a session now and then."""

    def __init__(self, folder: Path, line: Line, number: str) -> None:
        self.folder, self.line, self.number = folder, line, number
        self.other = "1" if number == "2" else "2"
        self.ports = {end: free_port() for end in IDS}
        self.public = noise_keys(folder, *IDS)
        for end in IDS:
            self.write(end)
        self.host: subprocess.Popen[str] | None = None
        self.provision()

    def sealwire(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([str(binary()), *command], cwd=self.folder, capture_output=True, text=True, timeout=60)

    def write(self, end: str, suite: str = "otr-aes128-p", change: tuple[str, str] = ("", "")) -> None:
        peer = "1" if end == "2" else "2"
        text = f"""
[link]
id = "{end}"
peer-id = "{peer}"
suite = "{suite}"
[trusted]
device = "seal0"
[untrusted]
device = "out0"
peer-mac = "02:00:5e:10:00:07"
{noise_section(f"127.0.0.1:{self.ports[end]}", f"127.0.0.1:{self.ports[peer]}", end, self.public[peer])}
[rekey]
after-seconds = 60
max-age-seconds = 90
[run]
{'user = "root"' if os.geteuid() == 0 else ""}
"""
        (self.folder / f"{end}.toml").write_text(text.replace(*change))

    def provision(self, psk: bytes = bytes(64)) -> None:
        content = host.payload(psk, SEED, local_id=IDS[self.number], peer_id=IDS[self.other])
        with self.line.lock:
            assert self.line.board.say(host.provision(content)).endswith("ok\n")
            self.register("capabilities", SUITE)

    def register(self, name: str, value: int) -> None:
        self.line.board.board.link[REGISTERS[name].address // 4] = value

    def serve(self) -> subprocess.Popen[str]:
        command = [str(binary()), "link", "board", f"{self.number}.toml", "--port", self.line.port]
        self.host = subprocess.Popen(command, cwd=self.folder, stderr=subprocess.PIPE, text=True)
        return self.host

    def end(self) -> tuple[int, str]:
        assert self.host is not None
        if self.host.poll() is None:
            self.host.send_signal(signal.SIGTERM)
        _, said = self.host.communicate(timeout=10)
        code, self.host = self.host.returncode, None
        return code, said

    def take(self) -> bytes:
        """A session as the other end has it, once both have it."""
        done = self.sealwire("link", "load", f"{self.other}.toml", "--words", "words", "--force", "--timeout", "20")
        assert done.returncode == 0, done.stderr
        words = (self.folder / "words").read_text().split()
        session = b"".join(int(word, 16).to_bytes(4, "little") for word in words)
        wait_for(lambda: self.line.board.session() == session, 5, self.line.board.session)
        return session


@pytest.fixture(params=["1", "2"], ids=["board-calls", "board-answers"])
def ends(request: pytest.FixtureRequest, tmp_path: Path, line: Line) -> Iterator[Ends]:
    made = Ends(tmp_path, line, request.param)
    yield made
    if made.host is not None:
        made.host.kill()
        made.host.communicate()


@pytest.fixture
def refused(tmp_path: Path, line: Line) -> Ends:
    return Ends(tmp_path, line, "1")


def test_both_ends_get_one_session_and_another_each_time(ends: Ends) -> None:
    ends.serve()
    first = ends.take()
    assert any(first[:16]) and not any(first[16:64]), "a key of 16 bytes, where the link's registers have it"
    assert ends.take() != first
    code, said = ends.end()
    assert code == 0 and "the board has a new session" in said
    assert not any(first[i : i + 4].hex() in said for i in range(0, 16, 4)), "no secret in the log"


def test_a_board_that_booted_gets_a_new_session(ends: Ends) -> None:
    ends.serve()
    first = ends.take()
    with ends.line.lock:
        ends.line.board.boot(1)
        ends.register("capabilities", SUITE)
        assert ends.line.board.session() == bytes(184)
    assert ends.take() not in (first, bytes(184))


def test_an_empty_board_is_waited_for(ends: Ends) -> None:
    with ends.line.lock:
        assert ends.line.board.say("zeroise now") == "ok\n"
    ends.serve()
    time.sleep(1)
    assert ends.host is not None and ends.host.poll() is None
    ends.provision()
    ends.take()
    assert "it says: empty" in ends.end()[1]


def test_a_caller_brings_new_sessions_when_they_are_due_and_not_before(tmp_path: Path, line: Line) -> None:
    """A live session that is young, and in which the other end is heard, stays."""
    ends = Ends(tmp_path, line, "1")
    ends.serve()
    ends.take()
    heard = 0

    def live(seconds: float, age: int, sealed: int = 0, silent: bool = False) -> int:
        nonlocal heard
        before, end = line.board.board.sessions, time.monotonic() + seconds
        other = subprocess.Popen(
            [str(binary()), "link", "load", "2.toml", "--words", "more", "--force", "--timeout", str(int(seconds))],
            cwd=tmp_path, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        while time.monotonic() < end:
            is_new = line.board.board.sessions > before
            heard += is_new or not silent
            with line.lock:
                ends.register("counters.delivered", heard)
                ends.register("session_age", 0 if is_new else age)
                ends.register("counters.session_sent", 0 if is_new else sealed)
            time.sleep(0.1)
        other.wait()
        return int(line.board.board.sessions - before)

    try:
        live(3, 0)
        assert live(3, 59_000, 2**26) == 0
        assert live(3, 60_000) == 1, "by age"
        assert live(2, 0) == 0
        assert live(3, 0, 2**28) == 1, "by packets"
        assert live(2, 0) == 0
        assert live(4, 0, silent=True) == 1, "nobody is heard"
    finally:
        ends.end()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('id = "1"', 'id = "3"'), "the board has the ids 0000000000000001 0000000000000002, the configuration"),
        (("otr-aes128-p", "omd-sha512"), "the board has suite 11, the configuration omd-sha512"),
    ],
)
def test_a_board_that_is_another_end_is_refused(refused: Ends, change: tuple[str, str], said: str) -> None:
    refused.write("1", change=change)
    refused.serve()
    code, told = refused.end() if refused.host and refused.host.wait(20) is not None else (0, "")
    assert code == 1 and said in told


def test_a_board_with_a_pre_shared_key_is_refused(refused: Ends) -> None:
    refused.provision(psk=bytes(range(64)))
    done = refused.sealwire("link", "board", "1.toml", "--port", refused.line.port)
    assert done.returncode == 1 and "without forward secrecy" in done.stderr


@pytest.mark.parametrize(
    ("port", "said"),
    [("nothing", "No such file"), ("1.toml", "is no serial line"), ("/dev/null", "is no serial line")],
)
def test_a_port_that_is_none_is_said_to_be_so(refused: Ends, port: str, said: str) -> None:
    done = refused.sealwire("link", "board", "1.toml", "--port", port)
    assert done.returncode == 1 and said in done.stderr


def test_one_program_has_the_port(refused: Ends) -> None:
    refused.serve()
    time.sleep(0.5)
    done = refused.sealwire("link", "board", "1.toml", "--port", refused.line.port)
    assert done.returncode == 1
    refused.write("1", change=(str(refused.ports["1"]), str(free_port())))
    done = refused.sealwire("link", "board", "1.toml", "--port", refused.line.port)
    assert done.returncode == 1 and "another program has it" in done.stderr
    assert refused.end()[0] == 0


def test_a_board_that_is_silent_is_waited_for_and_one_that_is_gone_is_not(refused: Ends) -> None:
    refused.line.garbles = lambda sent, said: b""
    refused.serve()
    time.sleep(9)
    assert refused.host is not None and refused.host.poll() is None
    refused.line.hang_up()
    assert refused.host.wait(20) == 1
    assert "does not answer" in (said := refused.end()[1]) and "still connected" in said


def test_an_echo_is_no_answer(refused: Ends) -> None:
    refused.line.garbles = lambda sent, said: sent + said
    refused.serve()
    time.sleep(3)
    assert refused.line.board.board.sessions == 0
    assert "gives back what is sent" in refused.end()[1]


def test_without_noise_there_is_nothing_to_bring(refused: Ends) -> None:
    text = (refused.folder / "1.toml").read_text()
    head, rest = text.split("[noise]")
    refused.sealwire("link", "keygen", "--suite", "otr-aes128-p", "psk.key")
    (refused.folder / "1.toml").write_text(
        head.replace("[trusted]", 'key-file = "psk.key"\n[trusted]') + "[rekey]" + rest.split("[rekey]")[1]
    )
    done = refused.sealwire("link", "board", "1.toml", "--port", refused.line.port)
    assert done.returncode == 1 and "no [noise]" in done.stderr
