# SPDX-License-Identifier: Apache-2.0
"""The longest strings of a SCREAM core.  Runs inside the simulation; test_scream.py starts it."""

from __future__ import annotations

import os
from typing import Any

import cocotb
from aead_bench import OPEN, SEAL, Bench, Command, beats
from sealwire_model.scream import SCHEMES, Scream
from sealwire_model.strings import xor

BLOCK = 16
STEPS = SCHEMES[os.environ["SEALWIRE_SCHEME"]]
#: Whole blocks of the longest string: a last block that is short, and the tag, take the number that is left of 2^32.
MOST = 2**32 - 1


def skip(dut: Any) -> None:
    """A write to the register skips all but two of the first MOST - 1 blocks."""
    number = dut.u_core.u_schedule.number_q
    assert int(number.value) == 2
    number.value = MOST - 1


async def long_message(bench: Bench, dut: Any, op: int, after: bytes) -> tuple[Command, bytes]:
    """MOST - 1 blocks, of which two are sent, and `after`; what the command gives, and the message."""
    text = bench.bytes(2 * BLOCK) + after
    queue, at = beats(text, bench.width), 2 * BLOCK // bench.width
    nonce = bench.bytes(bench.nonce_len)
    command = bench.submit(op, nonce, b"", queue[:at], bytes(bench.tag_len) if op == OPEN else None)
    await bench.cycle(250)
    skip(dut)
    await bench.cycle(2)
    bench.sources["msg"].queue += queue[at:]
    await bench.finish(command)
    return command, nonce + text


def encipher(bench: Bench, nonce: bytes, number: int, control: int, block: bytes) -> bytes:
    return Scream(bench.key_bytes, STEPS).encipher(nonce + number.to_bytes(4, "big") + bytes([control]), block)


@cocotb.test()
async def takes_the_last_numbers_that_a_tweak_has(dut: Any) -> None:
    bench = await Bench.start(dut)
    command, string = await long_message(bench, dut, SEAL, bench.bytes(BLOCK + 15))
    nonce, text = string[: bench.nonce_len], string[bench.nonce_len :]
    blocks = [text[at : at + BLOCK] for at in range(0, len(text), BLOCK)]
    made = [encipher(bench, nonce, number, 0, block) for number, block in zip((0, 1, MOST - 1), blocks, strict=False)]
    stream = encipher(bench, nonce, MOST, 0, bytes([120]).rjust(BLOCK, b"\0"))
    total = bytes(BLOCK)
    for block in blocks:
        total = xor(total, block.ljust(BLOCK, b"\0"))
    assert command.ok and command.out == b"".join(made) + xor(blocks[3], stream[:15])
    assert command.tag == encipher(bench, nonce, MOST, 0xF1, total)


@cocotb.test()
async def refuses_a_message_whose_blocks_need_more_numbers(dut: Any) -> None:
    bench = await Bench.start(dut)
    for op in (SEAL, OPEN):
        for size in (2 * BLOCK, 3 * BLOCK + 1):
            command, _ = await long_message(bench, dut, op, bench.bytes(size))
            assert command.done and not command.ok and not any(command.tag)
            assert command.out_done and len(command.out) == 3 * BLOCK
    nonce, msg = bench.bytes(bench.nonce_len), bench.bytes(100)
    command = bench.seal(nonce, b"", msg)
    await bench.finish(command)
    assert command.ok and (command.out, command.tag) == bench.model().seal(nonce, b"", msg)


@cocotb.test()
async def refuses_associated_data_whose_blocks_need_more_numbers(dut: Any) -> None:
    bench = await Bench.start(dut)
    for size, good in ((BLOCK + 15, True), (2 * BLOCK, False)):
        queue, at = beats(bench.bytes(2 * BLOCK + size), bench.width), 2 * BLOCK // bench.width
        command = bench.submit(SEAL, bench.bytes(bench.nonce_len), queue[:at], b"text")
        await bench.cycle(250)
        skip(dut)
        await bench.cycle(2)
        bench.sources["ad"].queue += queue[at:]
        await bench.finish(command)
        assert command.done and command.ok == good and command.out_done
