# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of hdl/link/rx/receive_ctxt: receive rules 1 and 2 at the boundaries of header and stated length."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, Timer
from sealwire_model.wire import header
from support.hdl_bench import beats

SUITE, TAG = 2, 32
#: Of counter_e in hdl/link/link_types_pkg.sv
SHORT, VERSION, LENGTH, BAD = 15, 16, 19, 34


class Bench:
    def __init__(self, dut):
        self.dut, self.drops, self.passed, self.part = dut, [], [], b""

    @classmethod
    async def start(cls, dut):
        cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
        bench = cls(dut)
        dut.arriving.value, dut.arriving_bad.value, dut.rst.value = 0, 0, 1
        await ClockCycles(dut.clk, 20)
        await FallingEdge(dut.clk)
        dut.rst.value = 0
        cocotb.start_soon(bench.watch())
        await ClockCycles(dut.clk, 300)  # the FIFOs are wiped
        return bench

    async def watch(self):
        """Notes the cause of every drop, and every packet that passes."""
        while True:
            await FallingEdge(self.dut.clk)
            await Timer(1, "ns")
            dropped, ctxt = int(self.dut.dropped.value), int(self.dut.ctxt.value)
            self.drops += [at for at in range(37) if dropped >> 4 * at & 15]
            if ctxt >> 69:
                self.part += (ctxt >> 5 & 2**64 - 1).to_bytes(8, "little")[: ctxt >> 1 & 15]
            if ctxt >> 69 and ctxt & 1:
                self.passed.append(self.part)
                self.part = b""

    async def fate(self, packet, bad=False):
        """The cause that drops a packet, or the packet as it passes; `bad`: its frame is damaged."""
        self.drops.clear()
        self.passed.clear()
        for data, size, last in beats(packet):
            await FallingEdge(self.dut.clk)
            self.dut.arriving.value = 1 << 69 | data << 5 | size << 1 | last
            self.dut.arriving_bad.value = bad if last else random.getrandbits(1)
        await FallingEdge(self.dut.clk)
        self.dut.arriving.value = 0
        await ClockCycles(self.dut.clk, 30)
        assert len(self.drops) + len(self.passed) == 1, (self.drops, self.passed)
        return (self.drops or self.passed)[0]


def head(length, **more):
    return header(SUITE, length, random.randbytes(4), random.getrandbits(40), **more)


@cocotb.test()
async def a_header_alone_is_no_short_packet(dut):
    """With a stated length of 0 it is whole, and of a wrong length."""
    bench = await Bench.start(dut)
    assert await bench.fate(head(0)) == LENGTH
    assert await bench.fate(head(0, first=0x30)) == VERSION
    for size in range(1, 16):
        assert await bench.fate(head(0)[:size]) == SHORT, size
    assert await bench.fate(head(1)) == SHORT


@cocotb.test()
async def packets_are_cut_to_their_stated_length(dut):
    bench = await Bench.start(dut)
    for size in (TAG, TAG + 1, TAG + 7, TAG + 8, TAG + 9):
        packet = head(size) + random.randbytes(size)
        whole = LENGTH if size == TAG else packet
        assert await bench.fate(packet) == whole
        assert await bench.fate(packet + random.randbytes(11)) == whole
        assert await bench.fate(packet[:-1]) == SHORT


@cocotb.test()
async def a_damaged_frame_is_dropped_as_such_whatever_it_says(dut):
    """Only the flag of its last beat counts, and the next packet is not harmed."""
    bench = await Bench.start(dut)
    good = head(TAG + 9) + random.randbytes(TAG + 9)
    for packet in (good, good[:-1], head(0), head(0, first=0x30), good[:9], good + bytes(40)):
        assert await bench.fate(packet, bad=True) == BAD
        assert await bench.fate(good) == good
