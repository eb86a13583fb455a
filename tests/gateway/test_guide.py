# SPDX-License-Identifier: Apache-2.0
"""The five minutes of docs/link.md, word for word, at two ends with file systems of their own.

Where `sudo` is installed, a user without rights types them; without it root does, and `sudo` is a stand-in.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from lab_net import HERE, ROOT, binary, run, wait_for

ADDRESSES = ("198.51.100.1", "203.0.113.2")
"""Of the two ends, as the page has them."""


def section() -> str:
    return (ROOT / "docs/link.md").read_text().split("## Five minutes\n")[1].split("\n## ")[0]


def commands() -> list[str]:
    """The lines that are printed apart."""
    return re.findall(r"^    (.+)$", re.sub(r"```toml.*?```", "", section(), flags=re.DOTALL), re.MULTILINE)


def configuration(own: int, peer_key: str) -> str:
    """The printed file for the end that calls, and for the other what the page says to change."""
    found = re.search(r"```toml\n(.*?)```", section(), re.DOTALL)
    assert found
    text = found[1].replace("3f0c...(64 digits)", peer_key)
    if own == 1:
        changes = {'id = "1"': 'id = "2"', 'peer-id = "2"': 'peer-id = "1"', ADDRESSES[1]: ADDRESSES[0]}
        changes["10.99.0.1/24"] = "10.99.0.2/24"
        assert all(old in text for old in changes)
        text = re.sub("|".join(map(re.escape, sorted(changes, key=len, reverse=True))), lambda m: changes[m[0]], text)
    return text


class End:
    """A shell in a namespace where /etc, /run and /usr/local are its own."""

    def __init__(self, space: str, tools: Path, user: str | None) -> None:
        """With a user, whom only `sudo` makes root."""
        self.user = user
        self.shell = subprocess.Popen(
            ["ip", "netns", "exec", space, "bash"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PATH": f"{tools}:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
        )
        self.as_root("mount -t tmpfs none /mnt && mount -t tmpfs none /run")
        for folder in ("/etc", "/usr/local"):
            work = f"/mnt{folder}"
            self.as_root(f"mkdir -p {work}/upper {work}/work")
            layers = f"lowerdir={folder},upperdir={work}/upper,workdir={work}/work"
            self.as_root(f"mount -t overlay overlay -o {layers} {folder}")
        if user is not None:
            self.as_root(f"useradd --system {user}")
            rules = (
                f'{user} ALL=(ALL) NOPASSWD: ALL\nDefaults secure_path="{tools}:/usr/local/bin:/usr/sbin:/usr/bin"\n'
            )
            self.as_root(f"printf %s {shlex.quote(rules)} > /etc/sudoers.d/{user}")
            self.as_root(f"chmod 440 /etc/sudoers.d/{user}")
            assert self("id -u").strip() != "0" and self("sudo id -u").split()[-1] == "0"

    def __call__(self, command: str, background: str = "") -> str:
        """What a command says that its user types, and that succeeds."""
        words = "" if self.user is None else f"runuser -u {self.user} -- "
        return self.as_root(f"{words}bash -c {shlex.quote(command)} {background}")

    def as_root(self, command: str) -> str:
        assert self.shell.stdin is not None and self.shell.stdout is not None
        self.shell.stdin.write(f"{command}\necho :ended $?\n")
        self.shell.stdin.flush()
        said = ""
        for line in self.shell.stdout:
            if line.startswith(":ended"):
                assert line.split()[1] == "0", f"{command}: {said}"
                break
            said += line
        return said

    def close(self) -> None:
        self.shell.communicate("exit\n", timeout=10)


@pytest.fixture
def ends(namespaces: None, folder: Path) -> Iterator[list[End]]:
    if not binary().exists():
        pytest.skip(f"{binary()} is not built: cargo build -p sealwire-cli")
    user = "guide" if shutil.which("sudo") else None
    tools = {
        "make": f'[ "$1" = target/release/sealwire ] || exec /usr/bin/make -s -C {ROOT} COMMAND={binary()} "$@"',
        # The system's own has the right to send echo requests.
        "ping": f'sudo python3 {HERE}/traffic.py ping "$1" 5 | grep "answered_after.: [0-9]"',
    }
    if user is None:
        tools["sudo"] = 'exec "$@"'
    for name, text in tools.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
    spaces = [f"swg{os.getpid()}{number}" for number in range(2)]
    made: list[End] = []
    try:
        for space in spaces:
            run("ip", "netns", "add", space)
        run("ip", "-n", spaces[0], "link", "add", "out", "type", "veth", "peer", "out", "netns", spaces[1])
        for space, own, other in zip(spaces, ADDRESSES, reversed(ADDRESSES), strict=True):
            run("ip", "-n", space, "link", "set", "lo", "up")
            run("ip", "-n", space, "addr", "add", own, "peer", other, "dev", "out")
            run("ip", "-n", space, "link", "set", "out", "up")
        made.extend(End(space, folder, user) for space in spaces)
        yield made
    finally:
        for space in spaces:
            for pid in run("ip", "netns", "pids", space).split():
                if int(pid) not in [end.shell.pid for end in made]:
                    os.kill(int(pid), signal.SIGKILL)
        for end in made:
            end.close()
        for space in spaces:
            subprocess.run(["ip", "netns", "del", space], check=False)


def test_the_page_is_followed_to_the_letter(ends: list[End]) -> None:
    """Where there is no `sudo`, the last lines of the run say that root typed it."""
    follow(ends)
    if ends[0].user is None:
        pytest.skip("the page was followed by root, for there is no sudo (scripts/test-tools.sh installs it)")


def follow(ends: list[End]) -> None:
    install, folder, key, user, check, up, ping = commands()
    assert install.startswith("make target/release/sealwire && sudo make install")
    public = []
    for end in ends:
        end(install)
        end(folder)
        public.append(end(key).split()[-1])
        if "no such user" in end("id sealwire 2>&1 || true"):
            end(user)
    for number, end in enumerate(ends):
        text = configuration(number, public[1 - number])
        end(f"printf %s {shlex.quote(text)} | sudo tee /etc/sealwire/office.toml")
        assert "forward secrecy by key pairs" in end(check)
        if end.user is not None:
            unprivileged = check.removeprefix("sudo ").partition(" #")[0]
            refused = end(f"{unprivileged} 2>&1 || true")
            assert "office.noise-key: Permission denied; only its owner can read it: say it with `sudo`" in refused
        end(up, "> /run/log 2>&1 &")
    ends[0](ping)
    status = "sudo sealwire link status /etc/sealwire/office.toml"
    wait_for(lambda: all("sessions" in end(status) for end in ends), 2)
    # The pre-shared key that is mixed in, as the page says it.
    keygen = "sudo sealwire link keygen /etc/sealwire/office.key"
    assert f"`{keygen}`" in section() and '`key-file = "office.key"`' in section()
    ends[0](keygen)
    mixed = 's/^suite = .*/&\\nkey-file = "office.key"/'
    ends[0](f"sudo sed -i '{mixed}' /etc/sealwire/office.toml")
    assert "the pre-shared key mixed in" in ends[0](check)
    # How the page says that it ends.
    down = "sudo sealwire link down /etc/sealwire/office.toml"
    assert f"`{down}`" in section()
    for end in ends:
        end(down)
        end.as_root("wait")
