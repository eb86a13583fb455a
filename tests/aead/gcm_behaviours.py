# SPDX-License-Identifier: Apache-2.0
"""The longest message of an AES-GCM core.  Runs inside the simulation; test_gcm.py starts it."""

from __future__ import annotations

from typing import Any

import cocotb
from aead_bench import OPEN, SEAL, Bench, Command, beats

BLOCK = 16
#: Blocks that a nonce has counters for: of 2^32, one masks the tag and one, 0, is never reached
MOST = 2**32 - 2


async def long_message(bench: Bench, dut: Any, op: int, after: int) -> tuple[Command, bytes]:
    """A message of MOST - 1 blocks and `after` more; a write to the register skips all but two of the first ones."""
    text = bench.bytes((2 + after) * BLOCK)
    queue = beats(text, bench.width)
    at = 2 * BLOCK // bench.width
    nonce = bench.bytes(bench.nonce_len)
    command = bench.submit(op, nonce, b"ad", queue[:at], bytes(bench.tag_len) if op == OPEN else None)
    await bench.cycle(200)
    count = dut.u_core.u_schedule.blocks_q
    assert int(count.value) == 2
    count.value = MOST - 1
    await bench.cycle(2)
    bench.sources["msg"].queue += queue[at:]
    await bench.finish(command)
    return command, bench.model().seal(nonce, b"ad", text)[0]


@cocotb.test()
async def takes_the_last_block_that_has_a_counter(dut: Any) -> None:
    bench = await Bench.start(dut)
    command, expected = await long_message(bench, dut, SEAL, 1)
    assert command.ok and command.out == expected


@cocotb.test()
async def refuses_a_block_that_has_no_counter(dut: Any) -> None:
    bench = await Bench.start(dut)
    for op in (SEAL, OPEN):
        for after in (2, 3):
            command, expected = await long_message(bench, dut, op, after)
            assert command.done and not command.ok and not any(command.tag)
            assert command.out_done and command.out == expected[: 3 * BLOCK]
    nonce, msg = bench.bytes(bench.nonce_len), bench.bytes(100)
    command = bench.seal(nonce, b"", msg)
    await bench.finish(command)
    assert command.ok and (command.out, command.tag) == bench.model().seal(nonce, b"", msg)
