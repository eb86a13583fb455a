# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of hdl/interfaces/aead_repack: beats of any number of bytes to full beats of another width."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly


async def begin(dut):
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    dut.clear.value, dut.s_valid.value, dut.m_ready.value = 1, 0, 0
    await FallingEdge(dut.clk)
    await FallingEdge(dut.clk)
    dut.clear.value = 0


async def send(dut, beats, offer=1.0, accept=1.0):
    """A string as these beats, offered and accepted with these probabilities: what comes, and in how many cycles."""
    out, cycles, taken, offering = b"", 0, 0, False
    width = len(dut.m_data) // 8
    while True:
        offering = offering or (taken < len(beats) and random.random() < offer)
        beat = beats[taken] if offering else random.randbytes(1)
        dut.s_valid.value, dut.s_bytes.value = int(offering), len(beat)
        dut.s_data.value = int.from_bytes(beat, "little")
        dut.s_last.value = int(taken == len(beats) - 1) if offering else random.getrandbits(1)
        dut.m_ready.value = int(random.random() < accept)
        await ReadOnly()
        if offering and int(dut.s_ready.value):
            offering, taken = False, taken + 1
        last = False
        if int(dut.m_valid.value) and int(dut.m_ready.value):
            data, count, last = int(dut.m_data.value), int(dut.m_bytes.value), bool(dut.m_last.value)
            assert last or count == width, "a short beat is not the last"
            assert data >> 8 * count == 0, "bytes beyond the string"
            out += data.to_bytes(width, "little")[:count]
        await FallingEdge(dut.clk)
        cycles += 1
        if last:
            return out, cycles
        assert cycles < 40 * len(beats) + 1000, "stuck"


@cocotb.test()
async def joins_beats_of_any_number_of_bytes(dut):
    await begin(dut)
    width = len(dut.s_data) // 8
    for offer, accept in ((1, 1), (0.3, 1), (1, 0.3), (0.5, 0.5)):
        for count in (1, 1, 2, 3, 7, 30):
            beats = [random.randbytes(random.choice((0, width, random.randrange(width + 1)))) for _ in range(count)]
            out, _ = await send(dut, beats, offer, accept)
            assert out == b"".join(beats)


@cocotb.test()
async def sustains_a_beat_of_the_wider_side_a_cycle(dut):
    await begin(dut)
    widths = len(dut.s_data), len(dut.m_data)
    for wide in (10, 100):
        string = random.randbytes(wide * max(widths) // 8)
        step = widths[0] // 8
        out, cycles = await send(dut, [string[at : at + step] for at in range(0, len(string), step)])
        assert out == string
        narrow = wide * max(widths) // min(widths)
        assert cycles <= narrow + 3, (cycles, narrow)
