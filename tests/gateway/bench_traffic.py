# SPDX-License-Identifier: Apache-2.0
"""Traffic for bench.py, one program for each end. The answer is one line of JSON on standard output.

bench_traffic.py sink ADDRESS                     says `ready`, counts until a line is read
bench_traffic.py flood ADDRESS SIZE SECONDS [RATE]  datagrams, each with a call of its own, so many a second at most
bench_traffic.py echo ADDRESS                     says `ready`, sends back what comes until it is killed
bench_traffic.py ask ADDRESS SIZE COUNT           times COUNT round trips
bench_traffic.py reach ADDRESS SECONDS            sends until one comes back, for so long at most
bench_traffic.py take ADDRESS                     says `ready`, takes one TCP connection to its end
bench_traffic.py give ADDRESS SECONDS             fills one TCP connection
bench_traffic.py count ADDRESS                    says `ready`, counts what comes until a line is read
bench_traffic.py pace ADDRESS SECONDS RATE        numbered datagrams, so many a second
bench_traffic.py cross ADDRESS SECONDS            says `ready`, then one flow both ways; counts what was overtaken
"""

from __future__ import annotations

import json
import select
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path

PORT = 7000


def udp() -> socket.socket:
    return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)


def sink(host: str) -> dict[str, object]:
    """Nobody reads, so the kernel counts each datagram as dropped for want of room, at the least cost."""
    with udp() as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        sock.bind((host, PORT))
        inode = str(Path(f"/proc/self/fd/{sock.fileno()}").readlink())[len("socket:[") : -1]
        print("ready", flush=True)
        sys.stdin.readline()
        table = (line.split() for line in Path("/proc/self/net/udp").read_text().splitlines())
        dropped = next(int(row[12]) for row in table if row[9] == inode)
        sock.setblocking(False)
        waiting = 0
        try:
            while sock.recv(65535):
                waiting += 1
        except BlockingIOError:
            pass
    return {"delivered": dropped + waiting}


def flood(host: str, size: int, seconds: float, rate: float = float("inf")) -> dict[str, object]:
    data, sent = bytes(size), 0
    with udp() as sock:
        sock.connect((host, PORT))
        began = time.monotonic()
        while time.monotonic() < began + seconds:
            for _ in range(64):
                try:
                    sock.send(data)
                except OSError:
                    time.sleep(0.0002)
            sent += 64
            time.sleep(max(0.0, began + sent / rate - time.monotonic()))
        return {"seconds": time.monotonic() - began}


def echo(host: str) -> dict[str, object]:
    with udp() as sock:
        sock.bind((host, PORT))
        print("ready", flush=True)
        while True:
            data, whence = sock.recvfrom(65535)
            sock.sendto(data, whence)


def ask(host: str, size: int, count: int) -> dict[str, object]:
    times = []
    with udp() as sock:
        sock.connect((host, PORT))
        sock.settimeout(1)
        data = bytes(size)
        for number in range(count + 50):
            began = time.perf_counter_ns()
            sock.send(data)
            try:
                sock.recv(65535)
            except TimeoutError:
                continue  # lost; the next answers to it are not mistaken for others', since there are none
            if number >= 50:  # the first ones warm everything up
                times.append((time.perf_counter_ns() - began) / 1e3)
    return {"microseconds": times, "sent": count + 50}


def reach(host: str, seconds: float) -> dict[str, object]:
    ends = time.monotonic() + seconds
    with udp() as sock:
        sock.connect((host, PORT))
        sock.settimeout(0.1)
        while time.monotonic() < ends:
            # Without a session a device may refuse what is sent.
            with suppress(OSError):
                sock.send(bytes(100))
                sock.recv(65535)
                return {"answered": True}
            time.sleep(0.05)
    return {"answered": False}


def take(host: str) -> dict[str, object]:
    length = 0
    buffer = bytearray(1 << 20)
    with socket.create_server((host, PORT)) as server:
        print("ready", flush=True)
        connection, _ = server.accept()
        with connection:
            while count := connection.recv_into(buffer):
                length += count
    return {"bytes": length}


def give(host: str, seconds: float) -> dict[str, object]:
    data = bytes(1 << 18)
    with socket.create_connection((host, PORT), timeout=20) as connection:
        began = time.monotonic()
        while time.monotonic() < began + seconds:
            connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        connection.recv(1)
        return {"seconds": time.monotonic() - began}


def count(host: str) -> dict[str, object]:
    """How many different datagrams came, the longest time between two, and when the last came, by `pace`'s clock."""
    came: set[bytes] = set()
    gap, last = 0.0, None
    with udp() as sock:
        sock.bind((host, PORT))
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        print("ready", flush=True)
        while True:
            ready, _, _ = select.select([sock, sys.stdin], [], [])
            if sock in ready:
                came.add(sock.recv(65535))
                now = time.monotonic()
                gap = max(gap, now - (last or now))
                last = now
            elif sys.stdin in ready:
                return {"received": len(came), "longest_gap": gap, "last": last}


def pace(host: str, seconds: float, rate: float) -> dict[str, object]:
    """What is late is not sent in a burst: each datagram has its time, or the next one's."""
    sent = 0
    with udp() as sock:
        sock.connect((host, PORT))
        began = time.monotonic()
        while (now := time.monotonic()) < began + seconds:
            # If the device is gone for a moment, or has no room, the datagram is lost as on the way.
            with suppress(OSError):
                sock.send(sent.to_bytes(8) + bytes(92))
            sent += 1
            time.sleep(max(0.0, (int((now - began) * rate) + 1) / rate - (time.monotonic() - began)))
    return {"sent": sent, "began": began, "ended": time.monotonic()}


def cross(host: str, seconds: float) -> dict[str, object]:
    """Bursts, as fast as they come in; both ends use one port, so that both directions are one flow."""
    sent = received = overtaken = 0
    newest = -1
    with udp() as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        sock.bind(("0.0.0.0", PORT))
        sock.connect((host, PORT))
        print("ready", flush=True)
        sys.stdin.readline()
        sock.settimeout(0.001)
        ends = time.monotonic() + seconds
        while (now := time.monotonic()) < ends + 0.5:
            for _ in range(8 if now < ends else 0):
                with suppress(OSError):
                    sock.send(sent.to_bytes(8) + bytes(92))
                    sent += 1
            with suppress(OSError):
                for _ in range(64):
                    number = int.from_bytes(sock.recv(65535)[:8])
                    received += 1
                    overtaken += number < newest
                    newest = max(newest, number)
    return {"sent": sent, "received": received, "overtaken": overtaken}


if __name__ == "__main__":
    what, host, *rest = sys.argv[1:]
    match what:
        case "sink":
            answer = sink(host)
        case "flood":
            answer = flood(host, int(rest[0]), *map(float, rest[1:]))
        case "echo":
            answer = echo(host)
        case "ask":
            answer = ask(host, int(rest[0]), int(rest[1]))
        case "reach":
            answer = reach(host, float(rest[0]))
        case "take":
            answer = take(host)
        case "give":
            answer = give(host, float(rest[0]))
        case "count":
            answer = count(host)
        case "cross":
            answer = cross(host, float(rest[0]))
        case "pace":
            answer = pace(host, float(rest[0]), float(rest[1]))
        case _:
            sys.exit(f"bench_traffic.py: no such thing: {what}")
    print(json.dumps(answer), flush=True)
