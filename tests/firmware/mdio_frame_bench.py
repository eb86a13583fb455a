# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of mdio_frame beside PHYs made from IEEE 802.3, clause 22.2.4.5."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, ReadOnly, RisingEdge, Timer
from cocotb.utils import get_sim_time

HALF = int(os.environ.get("HALF_CYCLES", 20))
PERIOD = 10


class Phy:
    """Answers at one address; its registers are a dictionary. Every bit that the station sends is kept."""

    def __init__(self, dut, address):
        self.dut, self.address, self.registers = dut, address, {}
        self.frames = []
        cocotb.start_soon(self._run())

    def line(self):
        """The line with its pull-up."""
        return int(self.dut.mdio_out.value) if int(self.dut.mdio_en.value) else 1

    async def bits(self, count):
        value = 0
        for _ in range(count):
            await RisingEdge(self.dut.mdc)
            value = value << 1 | self.line()
        return value

    async def _drive(self, value, count):
        """Bits from this end: each 300 ns behind a rising edge, the latest that the standard allows."""
        for i in reversed(range(count)):
            await Timer(300, "ns")
            self.dut.mdio_in.value = value >> i & 1
            await RisingEdge(self.dut.mdc)
            assert not int(self.dut.mdio_en.value), "both ends drive the line"

    async def _run(self):
        self.dut.mdio_in.value = 1
        ones = 0
        while True:
            bit = await self.bits(1)
            if bit or ones < 32:
                ones = ones + 1 if bit else 0
                continue
            ones = 0
            assert await self.bits(1) == 1, "start of frame is not 01"
            operation, phy, register = await self.bits(2), await self.bits(5), await self.bits(5)
            if operation == 0b01:
                assert await self.bits(2) == 0b10, "turnaround of a write is not 10"
                value = await self.bits(16)
                self.frames.append(("write", phy, register, value))
                if phy == self.address:
                    self.registers[register] = value
            else:
                assert operation == 0b10
                self.frames.append(("read", phy, register))
                if phy == self.address:
                    await RisingEdge(self.dut.mdc)
                    assert not int(self.dut.mdio_en.value), "the first bit of a read's turnaround belongs to nobody"
                    await self._drive(self.registers.get(register, 0xFFFF), 17)  # its 17th bit is the turnaround's 0
                    await Timer(300, "ns")
                    self.dut.mdio_in.value = 1


async def begin(dut):
    cocotb.start_soon(Clock(dut.clk, PERIOD, unit="ns").start())
    dut.rst.value, dut.start.value, dut.mdio_in.value = 1, 0, 1
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0
    await ClockCycles(dut.clk, 2)
    return Phy(dut, 5)


async def frame(dut, phy, register, value=None):
    dut.start.value, dut.write.value, dut.phy.value, dut.reg_addr.value = 1, int(value is not None), phy, register
    dut.send.value = random.getrandbits(16) if value is None else value
    await RisingEdge(dut.clk)
    dut.start.value = 0
    cycles = 0
    await ReadOnly()
    while int(dut.busy.value):
        await RisingEdge(dut.clk)
        await ReadOnly()
        cycles += 1
    assert cycles == 128 * HALF
    answer = int(dut.answered.value), int(dut.received.value)
    await RisingEdge(dut.clk)
    return answer


@cocotb.test()
async def writes_and_reads_every_register_of_a_phy(dut):
    phy = await begin(dut)
    wanted = {register: random.getrandbits(16) for register in range(32)}
    for register, value in wanted.items():
        await frame(dut, 5, register, value)
    assert phy.registers == wanted
    for register, value in wanted.items():
        assert await frame(dut, 5, register) == (1, value)


@cocotb.test()
async def nobody_answers_at_another_address(dut):
    phy = await begin(dut)
    for address in (0, 4, 7, 21, 31):
        await frame(dut, address, 2, 0x1234)
        answered, value = await frame(dut, address, 2)
        assert (answered, value) == (0, 0xFFFF)
    assert phy.registers == {}
    assert phy.frames[-1] == ("read", 31, 2)


@cocotb.test()
async def the_clock_is_at_most_2_5_megahertz_and_the_line_changes_at_its_falling_edge(dut):
    await begin(dut)
    task = cocotb.start_soon(frame(dut, 5, 9, 0xA5A5))
    last = None
    for _ in range(64):
        await RisingEdge(dut.mdc)
        now = get_sim_time("ns")
        assert last is None or now - last >= 400
        last = now
        held = int(dut.mdio_out.value)
        await Timer(HALF * PERIOD - 1, "ns")
        assert int(dut.mdio_out.value) == held, "the line changes while MDC is high"
    await task
