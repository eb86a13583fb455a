# SPDX-License-Identifier: Apache-2.0
"""What a packet costs that comes alone: calls of the system, counted by the kernel."""

import sys
from pathlib import Path

from lab_net import HERE, Gateway, Net, Program

TRIPS = 300


def reads(gateway: Gateway) -> int:
    """Calls that read from the device, or from a pipe, so far."""
    lines = Path(f"/proc/{gateway.pid}/io").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("syscr:")).split()[1])


def test_a_frame_that_comes_alone_is_read_once(net: Net) -> None:
    """No call in vain behind it: the wait that follows says whether there is another."""
    net.start()
    traffic = str(HERE / "bench_traffic.py")
    echo = Program(net.spaces["b"], sys.executable, traffic, "echo", net.b.inner)
    try:
        assert echo.line() == "ready"
        before = [reads(gateway) for gateway in (net.a, net.b)]
        asking = Program(net.spaces["a"], sys.executable, traffic, "ask", net.b.inner, "100", str(TRIPS))
        answered = len(asking.answer(timeout=60)["microseconds"])
        asking.end()
        after = [reads(gateway) for gateway in (net.a, net.b)]
    finally:
        echo.end()
    assert answered > 0.9 * TRIPS
    # Some frames meet others, and each wait for the report reads nothing.
    for early, late in zip(before, after, strict=True):
        assert late - early < 1.4 * (TRIPS + 50)
