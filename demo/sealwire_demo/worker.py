# SPDX-License-Identifier: Apache-2.0
"""What runs inside an end's namespace: ping, send a file, receive a file. A program of its own, standard library only.

    worker.py PID ping ADDRESS COUNT BYTES      echo requests with BYTES of payload, one after the other
    worker.py PID receive ADDRESS PORT FILE     accepts one TCP connection and stores what comes
    worker.py PID send ADDRESS PORT FILE        sends a file over TCP

PID is the process whose network namespace is joined. Answers are JSON objects, one a line.
"""

import contextlib
import ctypes
import hashlib
import json
import os
import signal
import socket
import struct
import sys
import time
from pathlib import Path

MARKER = b"SEALWIRE-MARKER:"  # 16 bytes; fills every ping
_PATIENCE = 60.0  # seconds for any one socket call: TCP waits twice as long after each loss in a row, 13 s after seven
_BUFFER = 96 * 1024  # bytes; bounds the queue in front of the link, or round trips would measure only that


def _libc_call(name: str, *args: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name)(*args) != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{name}: {os.strerror(error)}")


def die_with_parent() -> None:
    """This process is killed when its parent ends. A change of user namespace cancels it."""
    parent_death = 1
    _libc_call("prctl", parent_death, signal.SIGKILL, 0, 0, 0)


def enter_own_namespace() -> None:
    """Moves this process into a new network namespace, without root in a user namespace whose root it is."""
    new_user, new_net = 0x10000000, 0x40000000
    user, group = os.geteuid(), os.getegid()
    with contextlib.suppress(OSError):
        _libc_call("unshare", new_net)
        return
    try:
        _libc_call("unshare", new_user | new_net)
        for file, text in (("setgroups", b"deny"), ("uid_map", b"0 %d 1\n" % user), ("gid_map", b"0 %d 1\n" % group)):
            Path("/proc/self", file).write_bytes(text)
    except OSError as error:
        raise OSError(f"cannot make a network namespace: {error.strerror}") from error


def join_namespace(pid: int) -> None:
    """Moves this process into the network namespace of `pid` (and its user namespace, if it has its own)."""
    for kind in ("user", "net"):
        theirs = Path(f"/proc/{pid}/ns/{kind}")
        if theirs.stat().st_ino == Path(f"/proc/self/ns/{kind}").stat().st_ino:
            continue
        with theirs.open("rb") as handle:
            _libc_call("setns", handle.fileno(), 0)


def say(**fields: object) -> None:
    print(json.dumps(fields), flush=True)


def _checksum(data: bytes) -> int:
    words: int = sum(struct.unpack(f"!{len(data) // 2}H", data[: len(data) // 2 * 2]))
    words += data[-1] << 8 if len(data) % 2 else 0
    while words >> 16:
        words = (words & 0xFFFF) + (words >> 16)
    return ~words & 0xFFFF


def ping(address: str, count: int, bytes_: str) -> None:
    """Sends `count` echo requests with `bytes_`, each after the answer to the one before; a lost one costs a second."""
    ident = os.getpid() & 0xFFFF
    size = int(bytes_)
    payload = (MARKER * (size // len(MARKER) + 1))[:size]
    times = []
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP) as raw:
        for number in range(count):
            header = struct.pack("!BBHHH", 8, 0, 0, ident, number)
            header = struct.pack("!BBHHH", 8, 0, _checksum(header + payload), ident, number)
            start = time.perf_counter()
            raw.sendto(header + payload, (address, 0))
            while (left := start + 1.0 - time.perf_counter()) > 0:
                raw.settimeout(left)
                try:
                    packet = raw.recv(65536)
                except TimeoutError:
                    break
                reply = packet[(packet[0] & 15) * 4 :]
                if reply[0] == 0 and reply[4:8] == struct.pack("!HH", ident, number) and reply[8:] == payload:
                    times.append((time.perf_counter() - start) * 1e3)
                    break
    say(sent=count, round_trips_ms=times)


def receive(address: str, port: int, file: str) -> None:
    digest = hashlib.sha256()
    size = 0
    with socket.create_server((address, port)) as server:
        server.settimeout(_PATIENCE)
        server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
        say(listening=True)
        connection, _ = server.accept()
        with connection, Path(file).open("wb") as out:
            connection.settimeout(_PATIENCE)
            start = time.perf_counter()
            while data := connection.recv(65536):
                out.write(data)
                digest.update(data)
                size += len(data)
            say(bytes=size, sha256=digest.hexdigest(), seconds=time.perf_counter() - start)


def send(address: str, port: int, file: str) -> None:
    data = Path(file).read_bytes()
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER)
        connection.settimeout(_PATIENCE)
        connection.connect((address, port))
        for offset in range(0, len(data), 65536):
            connection.sendall(data[offset : offset + 65536])
        connection.shutdown(socket.SHUT_WR)
        connection.recv(1)  # the other end has read everything and closed
    say(bytes=len(data))


def main() -> None:
    die_with_parent()
    pid, role, address, *rest = sys.argv[1:]
    try:
        join_namespace(int(pid))
        die_with_parent()
        {"ping": ping, "receive": receive, "send": send}[role](address, int(rest[0]), rest[1])
    except BrokenPipeError:
        os._exit(1)  # who asked has been stopped: nobody to tell
    except OSError as error:
        say(error=f"{role}: {error}")
        sys.exit(1)


if __name__ == "__main__":
    main()
