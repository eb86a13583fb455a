# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of hdl/interfaces/lwc_writer: strings and their verdicts to the words of the LWC hardware API."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly
from lwc_bench import words
from sealwire_model import lwc
from sealwire_model.lwc import Case

TAG = bytes(range(1, 17))


async def begin(dut):
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    dut.clear.value, dut.done_valid.value, dut.s_valid.value, dut.do_ready.value = 1, 0, 0, 0
    await FallingEdge(dut.clk)
    await FallingEdge(dut.clk)
    dut.clear.value = 0


def beats(string, width):
    """The string as full beats and a last one, which says so."""
    parts = [string[at : at + width] for at in range(0, len(string), width)] or [b""]
    return [(part, number == len(parts)) for number, part in enumerate(parts, 1)]


async def written(dut, strings, opens, ok=True, accept=1.0):
    """The words for these strings and their verdict, and whether each is the last. What is offered holds."""
    width, out, told, taken = len(dut.s_data) // 8, [], False, 0
    offered = [beat for string in strings for beat in beats(string, width)]
    dut.done_open.value, dut.done_ok.value = int(opens), int(ok)
    dut.done_length.value = sum(len(string) for string in strings)
    while not (out and out[-1][1]):
        beat, last = offered[taken] if taken < len(offered) else (b"", False)
        dut.done_valid.value, dut.s_valid.value = int(not told), int(taken < len(offered))
        dut.s_data.value, dut.s_bytes.value = int.from_bytes(beat, "little"), len(beat)
        dut.s_last.value, dut.do_ready.value = int(last), int(random.random() < accept)
        await ReadOnly()
        told = told or bool(dut.done_ready.value)
        taken += int(dut.s_valid.value) & int(dut.s_ready.value)
        if int(dut.do_valid.value) and int(dut.do_ready.value):
            out.append((int(dut.do_data.value), bool(dut.do_last.value)))
        await FallingEdge(dut.clk)
        assert len(out) <= sum(map(len, strings)) + 100, "no end"
    assert taken == len(offered)
    return out


async def check(dut, text, accept=1.0):
    """Sealed and opened, the text comes as docs/interfaces.md has it: segments, tag, status."""
    width = len(dut.do_data)
    sealed = Case(b"", b"", b"", b"", None, text, TAG)
    assert await written(dut, [text, TAG], opens=False, accept=accept) == words(lwc.output_lines(sealed, width), width)
    opened = Case(b"", b"", b"", b"", TAG, text)
    assert await written(dut, [text], opens=True, accept=accept) == words(lwc.output_lines(opened, width), width)


@cocotb.test()
async def writes_strings_of_any_length(dut):
    await begin(dut)
    for accept in (1, 0.5):
        for size in (0, 1, 15, 16, 17, 100):
            await check(dut, random.randbytes(size), accept)


@cocotb.test()
async def cuts_strings_at_the_longest_segment(dut):
    await begin(dut)
    for size in (lwc.SEGMENT - 1, lwc.SEGMENT, lwc.SEGMENT + 1, 2 * lwc.SEGMENT, 2 * lwc.SEGMENT + 16):
        await check(dut, random.randbytes(size))


@cocotb.test()
async def tells_nothing_but_the_failure(dut):
    await begin(dut)
    width = len(dut.do_data)
    for opens in (False, True):
        assert await written(dut, [], opens, ok=False) == [(int(lwc.instruction(lwc.FAILURE, width), 16), True)]
    await check(dut, b"afterwards")
