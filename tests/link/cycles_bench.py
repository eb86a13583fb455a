# SPDX-License-Identifier: Apache-2.0
"""Core cycles a frame in steady state, back-to-back frames of one size, both ways at once; the log has the figures, and
a file has those of sealing and opening by size, if one is named."""

import json
import os
import random
from pathlib import Path

import cocotb
from cocotb.utils import get_sim_time
from link_bench import PERIODS, Link, random_frame

SIZES = [int(size) for size in os.environ.get("SIZES", "64 128 256 512 1024 1500 4096 9600").split()]
#: How many bytes of frames each size has one way, about
BYTES = int(os.environ.get("BYTES", 120_000))
#: Cycles that sealing and opening may take, by size
MOST = json.loads(os.environ.get("MOST", "{}"))


async def rate(count, from_value, to_value):
    """Core cycles for each unit that `count` grows by, between two values."""
    start = None
    while True:
        await count.value_change
        value = int(count.value)
        if start is None and value >= from_value:
            start = value, get_sim_time("ps")
        if value >= to_value:
            return (get_sim_time("ps") - start[1]) / PERIODS["core"] / (value - start[0])


@cocotb.test()
async def cycles_of_a_frame_in_steady_state(dut):
    link = await Link.start(dut)
    figures = {}
    for size in SIZES:
        number = max(56, min(240, BYTES // size))
        window = 16, 16 + (number - 24) // 8 * 8  # a multiple of any core's contexts, whose packets end together
        before = link.counts()
        link.send_trusted(*[random_frame(size)] * number)
        link.send_untrusted(*[link.peer.seal(random.randbytes(size)) for _ in range(number)])
        tasks = [
            cocotb.start_soon(rate(count, *(before[name] + edge for edge in window)))
            for name, count in (("sealed", dut.count_sealed), ("delivered", dut.count_delivered))
        ]
        sealing, opening = [await task for task in tasks]
        await link.at_rest(4_000_000)
        link.sealed(), link.delivered()
        dut._log.warning(f"CYCLES bytes {size} sealing {sealing:.1f} opening {opening:.1f}")
        figures[size] = {"sealing": sealing, "opening": opening}
        for what, most in MOST.get(str(size), {}).items():
            assert figures[size][what] <= most, f"{what} {size} bytes takes {figures[size][what]:.1f} cycles"
    if "FIGURES" in os.environ:
        Path(os.environ["FIGURES"]).write_text(json.dumps(figures), encoding="utf-8")


@cocotb.test()
async def cycles_of_a_change_of_keys(dut):
    """Packets of 64 bytes, of old and new session in turn: each brings its key into the core, which is empty then."""
    link = await Link.start(dut)
    await link.session(random.randbytes(32), random.randbytes(32))
    for slots in [link.peer.cur], [link.peer.cur, link.peer.alt]:
        before = link.counts()["delivered"]
        for slot in slots * (48 // len(slots)):
            link.send_untrusted(link.peer.seal_in(slot, random.randbytes(64)))
        cycles = await rate(dut.count_delivered, before + 8, before + 40)
        await link.at_rest()
        dut._log.warning(f"CYCLES bytes 64 opening, sessions {len(slots)}: {cycles:.1f}")
