# SPDX-License-Identifier: Apache-2.0
"""How fast packets follow each other through the AXI4-Stream adapter; test_pace.py starts it."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import cocotb
from axis_bench import OPEN, SEAL, Bench
from cocotb.triggers import RisingEdge


@cocotb.test()
async def counts_cycles_a_packet(dut):
    bench = await Bench.start(dut)
    figures: dict[str, dict[int, float]] = {"seal": {}, "open": {}}
    for blocks in (1, 24):
        nonce, msg = bench.nonce(), random.randbytes(64 * blocks)
        sealed = bench.sealed(nonce, b"", msg)
        for name, op, given in (("seal", SEAL, msg), ("open", OPEN, sealed)):
            edges, edge, count = [], 0, 6 * max(bench.contexts, 2)
            for _ in range(count):
                bench.submit(op, nonce, b"", given)
            while len(edges) < count:
                await RisingEdge(dut.clk)
                edge += 1
                edges += [edge] * (len(bench.status_sink.beats) - len(edges))
            _, packets = await bench.outcome(count)
            assert packets == [sealed if op == SEAL else msg] * count
            steady = slice(2 * bench.contexts, 4 * bench.contexts + 1)  # begins and ends with the same context
            ends = edges[steady]
            figures[name][blocks] = (ends[-1] - ends[0]) / (len(ends) - 1)
    Path(os.environ["FIGURES"]).write_text(json.dumps(figures))
