# SPDX-License-Identifier: Apache-2.0
"""Traffic for the tests, one program for each end. The answer is one line of JSON on standard output.

traffic.py udp-receive ADDRESS PORT SECONDS [COUNT]
                                                  says `ready`, counts until COUNT came, SECONDS pass without any, or a
                                                  line is read
traffic.py udp-send ADDRESS PORT COUNT PAUSE SIZE
traffic.py tcp-receive ADDRESS PORT               says `ready`, takes one connection
traffic.py tcp-send ADDRESS PORT BYTES SEED
traffic.py ping ADDRESS SECONDS                   echo requests, ten a second, until the first answer
traffic.py ethernet-send DEVICE MAC COUNT         bare frames of the link's EtherType, with garbage in them
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import random
import select
import socket
import sys
import time

KEY = b"the tests' own mark"


def payload(number: int, size: int) -> bytes:
    """A number, a filling, and a checksum that nobody outside makes by chance."""
    body = number.to_bytes(8, "big").ljust(max(size - 16, 8), b"\x5a")
    return body + hashlib.blake2b(body, key=KEY, digest_size=16).digest()


def number_of(data: bytes) -> int | None:
    body, mark = data[:-16], data[-16:]
    good = hashlib.blake2b(body, key=KEY, digest_size=16).digest() == mark
    return int.from_bytes(body[:8], "big") if good and len(body) >= 8 else None


#: Seconds in which a datagram that comes twice would show.
LINGER = 0.2


def udp_receive(host: str, port: int, seconds: float, count: float = float("inf")) -> dict[str, object]:
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
    sock.bind((host, port))
    print("ready", flush=True)
    end = time.monotonic() + seconds
    numbers: list[int] = []
    times: list[float] = []
    strange = 0
    while (left := end - time.monotonic()) > 0:
        readable, _, _ = select.select([sock, sys.stdin], [], [], left)
        if sock in readable:
            number = number_of(sock.recv(65535))
            if number is None:
                strange += 1
            else:
                numbers.append(number)
                times.append(time.time())
            end = time.monotonic() + (LINGER if len(numbers) >= count else seconds)
        elif sys.stdin in readable:
            break
    return {
        "received": len(numbers),
        "different": len(set(numbers)),
        "strange": strange,
        "numbers": numbers[-5:],
        "times": times,
    }


def udp_send(host: str, port: int, count: int, pause: float, size: int) -> dict[str, object]:
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.connect((host, port))
    sent = 0
    began = time.monotonic()
    for number in range(count):
        with contextlib.suppress(OSError):  # not sent, not counted
            sock.send(payload(number, size))
            sent += 1
        ahead = began + (number + 1) * pause - time.monotonic()
        if ahead > 0:
            time.sleep(ahead)
    return {"sent": sent}


def tcp_receive(host: str, port: int) -> dict[str, object]:
    server = socket.create_server((host, port))
    print("ready", flush=True)
    connection, _ = server.accept()
    digest, length = hashlib.sha256(), 0
    while data := connection.recv(1 << 16):
        digest.update(data)
        length += len(data)
    return {"sha256": digest.hexdigest(), "bytes": length}


def tcp_send(host: str, port: int, length: int, seed: int) -> dict[str, object]:
    data = random.Random(seed).randbytes(length)
    with socket.create_connection((host, port), timeout=20) as connection:
        began = time.monotonic()
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        connection.recv(1)
    return {"sha256": hashlib.sha256(data).hexdigest(), "bytes": length, "seconds": time.monotonic() - began}


def ping(host: str, seconds: float) -> dict[str, object]:
    """Seconds until the first echo reply came to one of many requests, `null` if none came."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
    mark = random.randbytes(16)
    request = b"\x08\x00\x00\x00" + mark
    total = sum(int.from_bytes(request[i : i + 2], "big") for i in range(0, len(request), 2))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    request = request[:2] + (total ^ 0xFFFF).to_bytes(2, "big") + mark
    began = time.monotonic()
    while (spent := time.monotonic() - began) < seconds:
        with contextlib.suppress(OSError):  # no way there yet
            sock.sendto(request, (host, 0))
        until = spent + 0.1
        while (left := until - (time.monotonic() - began)) > 0 and select.select([sock], [], [], left)[0]:
            packet = sock.recv(65535)
            reply = packet[4 * (packet[0] & 15) :]
            if reply[0] == 0 and reply[4:] == mark:
                return {"answered_after": time.monotonic() - began}
    return {"answered_after": None}


def ethernet_send(device: str, mac: str, count: int) -> dict[str, object]:
    sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    sock.bind((device, 0))
    header = bytes.fromhex(mac.replace(":", "")) + bytes.fromhex("02005e10000988b5")
    dice = random.Random(count)
    for _ in range(count):
        sock.send(header + dice.randbytes(dice.randrange(1, 1400)))
    return {"sent": count}


if __name__ == "__main__":
    what, host, port, *rest = sys.argv[1:]
    match what:
        case "ethernet-send":
            answer = ethernet_send(host, port, int(rest[0]))
        case "ping":
            answer = ping(host, float(port))
        case "udp-receive":
            answer = udp_receive(host, int(port), float(rest[0]), *map(int, rest[1:]))
        case "udp-send":
            answer = udp_send(host, int(port), int(rest[0]), float(rest[1]), int(rest[2]))
        case "tcp-receive":
            answer = tcp_receive(host, int(port))
        case "tcp-send":
            answer = tcp_send(host, int(port), int(rest[0]), int(rest[1]))
        case _:
            sys.exit(f"traffic.py: no such thing: {what}")
    print(json.dumps(answer), flush=True)
