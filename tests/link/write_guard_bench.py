# SPDX-License-Identifier: Apache-2.0
"""axil_write_guard before a memory: which writes reach it, and what the others are answered."""

import itertools
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiLiteMasterWrite, AxiLiteRamWrite, AxiLiteWriteBus, AxiProt, AxiResp


def pauses():
    return itertools.cycle(random.choices((0, 1), k=257))


async def start(dut, stall=False):
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    master = AxiLiteMasterWrite(AxiLiteWriteBus.from_prefix(dut, "s"), dut.clk, dut.rst)
    memory = AxiLiteRamWrite(AxiLiteWriteBus.from_prefix(dut, "m"), dut.clk, dut.rst, size=4096)
    if stall:
        channels = (master.aw_channel, master.w_channel, master.b_channel)
        for channel in (*channels, memory.aw_channel, memory.w_channel, memory.b_channel):
            channel.set_pause_generator(pauses())
    dut.rst.value = 1
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0
    await ClockCycles(dut.clk, 2)
    return master, memory


async def addresses(dut, seen):
    """Address and protection of every write that reaches the memory."""
    while True:
        await RisingEdge(dut.clk)
        if int(dut.m_awvalid.value) and int(dut.m_awready.value):
            seen.append((int(dut.m_awaddr.value), int(dut.m_awprot.value)))


async def traffic(dut, stall):
    """Random writes of every protection; the privileged and secure ones reach the memory as they are, and no other."""
    master, memory = await start(dut, stall)
    expected, given, seen = bytearray(4096), [], []
    cocotb.start_soon(addresses(dut, seen))
    for _ in range(200):
        address, data, prot = 4 * random.randrange(1024), random.randbytes(4), AxiProt(random.randrange(8))
        answer = await master.write(address, data, prot=prot)
        if prot in (AxiProt.PRIVILEGED, AxiProt.PRIVILEGED | AxiProt.INSTRUCTION):
            assert answer.resp == AxiResp.OKAY
            expected[address : address + 4] = data
            given.append((address, int(prot)))
        else:
            assert answer.resp == AxiResp.SLVERR, prot
    assert memory.read(0, 4096) == bytes(expected)
    assert seen == given


@cocotb.test()
async def only_privileged_and_secure_writes_arrive(dut):
    await traffic(dut, stall=False)


@cocotb.test()
async def only_privileged_and_secure_writes_arrive_under_stalls(dut):
    await traffic(dut, stall=True)


@cocotb.test()
async def a_reset_ends_a_write_that_waits(dut):
    """An address without data does not outlive a reset."""
    master, memory = await start(dut)
    master.w_channel.pause = True
    cocotb.start_soon(master.write(0, b"lost", prot=AxiProt.PRIVILEGED))
    await ClockCycles(dut.clk, 10)
    dut.rst.value = 1
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0
    master.w_channel.pause = False
    answer = await master.write(8, b"kept", prot=AxiProt.PRIVILEGED)
    assert answer.resp == AxiResp.OKAY and memory.read(0, 12) == bytes(8) + b"kept"
