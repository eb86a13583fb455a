# SPDX-License-Identifier: Apache-2.0
"""The comparison with WireGuard, shortened: what `make bench-link` runs, without a peer to measure beside."""

import json
import subprocess
import sys

import bench_tunnels
import pytest
from bench import table
from bench_measures import Row, disturbed
from bench_tunnels import Tunnel
from lab_net import HERE, binary, run

SHORT = "--seconds 0.2 --rounds 1 --trips 50 --sizes 64 --event-seconds 4 --rekey-seconds 1 --json"


@pytest.fixture(scope="module")
def rows(namespaces: None) -> list[Row]:
    command = [sys.executable, str(HERE / "bench.py"), "--beside", str(binary()), *SHORT.split()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    rows: list[Row] = json.loads(done.stdout)["measures"]
    return rows


def test_every_tunnel_has_every_figure_in_the_table(rows: list[Row]) -> None:
    head, _, *lines = table(rows).splitlines()
    assert head == "| measure | sealwire omd-blake2b | sealwire omd-blake2b, beside |"
    assert len(lines) == 5 + 3 + 3 + 3 * 3
    assert not [line for line in lines if "–" in line]


def test_an_event_is_the_loss_of_what_was_sent_meanwhile(rows: list[Row]) -> None:
    streams = [row for row in rows if row["measure"] == "events"]
    assert len(streams) == 2 * 3
    for row in streams:
        what, lost, sent, gap = (row[key] for key in ("bytes", "lost", "sent", "longest_gap_milliseconds"))
        assert 0 <= lost < sent / 2, f"{what}: it came back"
        if what.startswith("restart"):
            assert lost > 0 and gap > 20


def test_a_stream_that_does_not_come_back_has_a_gap_to_its_end(namespaces: None) -> None:
    """Between datagrams that came there is none. No tunnel: the datagrams go through the veth pair."""

    def cut(tunnel: Tunnel) -> None:
        run("ip", "-n", tunnel.spaces["b"], "link", "set", "out", "down")

    with bench_tunnels.namespaces(9) as spaces:
        row = disturbed(Tunnel("none", spaces, bench_tunnels.OUTER, {}), 2, cut)
    assert row["lost"] > row["sent"] / 3
    assert row["longest_gap_milliseconds"] > 1000


def test_does_not_measure_in_real_time(namespaces: None) -> None:
    """Nor waits for ever, as a flood or the end of a program may there."""
    command = ["chrt", "-f", "1", sys.executable, str(HERE / "bench.py"), *SHORT.split()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and "--real-time 10, without chrt" in done.stderr
