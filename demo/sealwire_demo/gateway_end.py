# SPDX-License-Identifier: Apache-2.0
"""An end that is the software gateway: a program with the options, lines and answers of host/host.hpp.

    wire (a socket) - this program - TAP device, the gateway's card - `sealwire link up` - TAP device of the gateway

It sees what the gateway's devices see, and asks the gateway for its counters. The other end's time stands still while
it rests. The gateway takes no silence on an idle line for a loss, as `keep-alive` is "off" by default.
"""

import argparse
import contextlib
import fcntl
import io
import json
import os
import selectors
import socket
import struct
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from scapy.utils import RawPcapWriter  # not later: in a user namespace some users' Python is out of reach
from sealwire_model.end import OUTER
from sealwire_model.wire import DATA

from .pcap import ETHERNET
from .worker import die_with_parent, enter_own_namespace, say

_CARD = "wire0"
_CARD_MTU = 9700  # bytes: the largest frame inside, and what the link adds
_RENEWAL_SECONDS = 600  # longer than any job
_TURN_SECONDS = 0.02  # in which it judges a handshake message: of few that wait, more would be overload
_PATIENCE = 10.0
_LAST_PATIENCE = 2.0
_BUFFER = 8 << 20
_MAX_FRAME = 16384  # bytes


class _Device:
    """A TAP device, seen from where its cable would be."""

    def __init__(self, name: str) -> None:
        set_name, tap_without_header, non_blocking = 0x400454CA, 0x1002, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC
        self.file = os.open("/dev/net/tun", non_blocking)
        fcntl.ioctl(self.file, set_name, struct.pack("16sH22x", name.encode(), tap_without_header))

    def read(self) -> bytes | None:
        try:
            return os.read(self.file, _MAX_FRAME)
        except BlockingIOError:
            return None

    def write(self, frame: bytes) -> None:
        with contextlib.suppress(OSError):  # the system takes no frame without an Ethernet header
            os.write(self.file, frame)


def _ip(*words: str) -> None:
    done = subprocess.run(["ip", *words], capture_output=True, text=True)
    if done.returncode:
        raise OSError(f"ip {' '.join(words)}: {done.stderr.strip()}")


def _mac(digits: str) -> str:
    return bytes.fromhex(digits).hex(":")


class GatewayEnd:
    """The gateway, its card on the wire, and an onlooker at its own device."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._folder = Path(options.pcap_in).parent / f"gateway-{options.id}"
        self._folder.mkdir()
        self._config, self._log = self._folder / "link.toml", self._folder / "log"
        self._wire = socket.socket(fileno=options.wire_fd)
        self._card = _Device(_CARD)
        _ip("link", "set", _CARD, "address", _mac(options.mac), "mtu", str(_CARD_MTU), "up")
        self._gateway: subprocess.Popen[bytes] | None = None
        self._counts: Counter[str] = Counter()
        self._captures = [RawPcapWriter(path, ETHERNET, endianness="<") for path in (options.pcap_in, options.pcap_out)]
        for capture in self._captures:
            capture.write_header(b"")

    def start(self, key: str) -> None:
        """Writes the key and the configuration where only their owner reads them, and starts the gateway."""
        o = self._options
        for name, text in (("link.key", key), ("link.toml", self._text())):
            with os.fdopen(os.open(self._folder / name, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
                file.write(text)
        with self._log.open("wb") as log:
            self._gateway = subprocess.Popen(
                [o.command, "link", "up", str(self._config)],
                stdin=subprocess.DEVNULL, stderr=log, start_new_session=True, preexec_fn=die_with_parent,
            )  # fmt: skip
        deadline = time.monotonic() + _PATIENCE
        while not self._asked().stdout:  # it answers once it has read its key for the last time
            if self._gateway.poll() is not None or time.monotonic() > deadline:
                silent = f"no word within {_PATIENCE:.0f} s" if self._gateway.poll() is None else "it ended"
                raise OSError(f"the gateway does not start: {self._said() or silent}")
            time.sleep(0.02)
        (self._folder / "link.key").unlink()
        self._seen = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))  # every EtherType
        self._seen.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
        self._seen.bind((o.tap, 0))
        self._seen.setblocking(False)

    def _said(self) -> str:
        return self._log.read_text(errors="replace").strip()

    def _text(self) -> str:
        o = self._options
        return f"""
[link]
id = "{o.id}"
peer-id = "{o.peer_id}"
suite = "{o.suite}"
key-file = "link.key"
[trusted]
device = "{o.tap}"
mac = "{_mac(o.tap_mac)}"
mtu = {o.mtu}
addresses = ["{o.address}/24"]
[untrusted]
device = "{_CARD}"
peer-mac = "{_mac(o.peer_mac)}"
[rekey]
after-seconds = {_RENEWAL_SECONDS}
max-age-seconds = {2 * _RENEWAL_SECONDS}
[run]
status-socket = {json.dumps(str(self._folder / "status"))}
user = "root"
"""

    def serve(self, commands: io.FileIO) -> None:
        """Carries frames and answers commands, until they end."""
        with selectors.DefaultSelector() as selector:
            for file in (commands, self._card.file, self._wire, self._seen):
                selector.register(file, selectors.EVENT_READ)
            while True:
                ready = {key.fileobj for key, _ in selector.select()}
                self._carry()
                if commands in ready:
                    line = commands.readline()
                    if not line:
                        return
                    self._command(line.decode().strip())

    def _carry(self) -> None:
        """What waits at the card, at the wire and at the gateway's own device."""
        while frame := self._card.read():
            self._counts["packets_out"] += 1
            self._wire.send(frame)
        with contextlib.suppress(BlockingIOError):
            while frame := self._wire.recv(_MAX_FRAME, socket.MSG_DONTWAIT):
                self._counts["packets_in"] += 1
                self._card.write(frame)
                if len(frame) > OUTER and frame[OUTER] & 15 != DATA:
                    time.sleep(_TURN_SECONDS)
        with contextlib.suppress(OSError):  # nothing waits, or the device is down
            while True:
                frame, address = self._seen.recvfrom(_MAX_FRAME)
                out = address[2] != socket.PACKET_OUTGOING
                self._captures[out].write(frame)
                self._counts["frames_out" if out else "frames_in"] += 1
                self._counts["bytes_out" if out else "bytes_in"] += len(frame)

    def _command(self, line: str) -> None:
        if line == "stats":
            say(**self._stats())
        elif line == "hold":
            _ip("link", "set", self._options.tap, "down")
        else:
            raise OSError(f"unknown command: {line}")

    def _asked(self) -> subprocess.CompletedProcess[str]:
        """Asks the gateway for its status, as its owner would."""
        command = [self._options.command, "link", "status", "--json", str(self._config)]
        return subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE, preexec_fn=die_with_parent)

    def _stats(self) -> dict[str, Any]:
        """As host.hpp has them. What no link counts, because card or system kept it, counts as `foreign`."""
        done = self._asked()
        if done.returncode:
            raise OSError(f"the gateway does not answer: {done.stderr.strip()} {self._said()}")
        status = json.loads(done.stdout)
        self._carry()
        counters = status["counters"]
        drops = {f"drop_{cause}": count for cause, count in counters.pop("untrusted_drops").items()}
        drops |= {f"drop_trusted_{cause}": count for cause, count in counters.pop("trusted_drops").items()}
        foreign = self._counts["packets_in"] - counters["untrusted_in"]
        counters["untrusted_in"] += foreign
        return {
            "idle": True, "session_up": status["current_session"] is not None,
            "core_cycles": 0, "simulating_seconds": 0,
            **{f"{what}_{way}": self._counts[f"{what}_{way}"]
               for what in ("packets", "frames", "bytes") for way in ("in", "out")},
            "counters": {
                **{name.replace("keep_alives", "keepalives"): count for name, count in counters.items()},
                **drops, "drop_foreign": foreign, "drop_bad": 0,
            },
        }  # fmt: skip

    def stop(self) -> int:
        """Ends the gateway. Returns its exit status."""
        for capture in self._captures:
            capture.close()
        if self._gateway is None:
            return 0
        self._gateway.terminate()
        try:
            return self._gateway.wait(timeout=_LAST_PATIENCE)
        except subprocess.TimeoutExpired:
            self._gateway.kill()
            return self._gateway.wait()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="gateway_end", description=__doc__, allow_abbrev=False)
    texts = "command suite mac peer-mac id peer-id pcap-in pcap-out tap address tap-mac"
    for name in texts.split():
        parser.add_argument(f"--{name}", required=True)
    for name in ("mtu", "wire-fd"):
        parser.add_argument(f"--{name}", type=int, required=True)
    return parser.parse_args()


def main() -> int:
    options = _options()
    die_with_parent()
    try:
        enter_own_namespace()
        die_with_parent()  # a change of user namespace cancels it
        with contextlib.suppress(FileNotFoundError):  # a system without IPv6
            Path("/proc/sys/net/ipv6/conf/default/disable_ipv6").write_bytes(b"1\n")
        end = GatewayEnd(options)
        say(ready=True)
        commands = io.FileIO(sys.stdin.fileno())  # no line is read ahead
        try:
            end.start(commands.readline().decode().strip())
            say(key=True)
            end.serve(commands)
        finally:
            code = end.stop()
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        say(error=str(error))
        return 1
    return code


if __name__ == "__main__":
    sys.exit(main())
