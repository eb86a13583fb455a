# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of hdl/link/tx/outer_add: the outer header before a packet of any length, and nothing in a reset."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer
from sealwire_model.wire import ETHERTYPE
from support.hdl_bench import BEAT, beat_t, beats, bytes_of, valid_of

OWN, PEER = (random.Random(number).randbytes(6) for number in (1, 2))
#: settings_t: both ids, then the MAC addresses, then 85 bits
SETTINGS = (int.from_bytes(OWN, "little") << 48 | int.from_bytes(PEER, "little")) << 85


async def start(dut):
    cocotb.start_soon(Clock(dut.untrusted_clk, 10, unit="ns").start())
    dut.settings.value, dut.leaving.value, dut.framed_ready.value = SETTINGS, 0, 1
    await reset(dut)


async def reset(dut):
    """Two cycles; what is offered is not taken, and nothing shows."""
    dut.rst_untrusted.value = 1
    for _ in range(2):
        await Timer(1, "ns")
        assert not valid_of(int(dut.framed.value)), "a beat shows in reset"
        assert not dut.leaving_ready.value, "a beat is taken in reset"
        await FallingEdge(dut.untrusted_clk)
    dut.rst_untrusted.value = 0


async def send(dut, packet, cycles=1000):
    """The frame that a packet becomes, or None when so many cycles pass before its end."""
    frame, words = b"", list(beats(packet))
    for _ in range(cycles):
        data, size, last = words[0] if words else (random.getrandbits(8 * BEAT), BEAT, 0)
        dut.leaving.value = beat_t(data, size, last, bool(words))
        dut.framed_ready.value = ready = random.randrange(2)
        await Timer(1, "ns")
        beat, taken = int(dut.framed.value), bool(words and dut.leaving_ready.value)
        await FallingEdge(dut.untrusted_clk)
        if taken:
            words.pop(0)
        if valid_of(beat) and ready:
            frame += bytes_of(beat)
            if beat & 1:
                assert not words
                return frame
    return None


@cocotb.test()
async def every_packet_has_the_outer_header(dut):
    await start(dut)
    for size in (*range(17, 41), 200):
        packet = random.randbytes(size)
        assert await send(dut, packet) == PEER + OWN + ETHERTYPE + packet


@cocotb.test()
async def a_reset_ends_a_frame_anywhere(dut):
    await start(dut)
    for cycles in range(1, 16):
        await send(dut, random.randbytes(60), cycles)
        await reset(dut)
        packet = random.randbytes(20)
        assert await send(dut, packet) == PEER + OWN + ETHERTYPE + packet
