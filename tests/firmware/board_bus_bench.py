# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of board_bus: RAM, registers, the link and nowhere, as the processor reaches them."""

import random

import cocotb
from axil_registers import Registers
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge


class Bus:
    """The processor's side, a RAM, registers of the board, and a count of faults."""

    def __init__(self, dut):
        self.dut, self.ram, self.register_writes, self.register_reads, self.faults = dut, {}, [], [], 0
        cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
        for name in ("s_awvalid", "s_wvalid", "s_arvalid", "s_bready", "s_rready"):
            getattr(dut, name).value = 0
        dut.reg_r_data.value = 0x5EED
        self.link = Registers(dut, "m")
        cocotb.start_soon(self._serve())

    async def reset(self):
        self.dut.rst.value = 1
        await ClockCycles(self.dut.clk, 3)
        self.dut.rst.value = 0
        await RisingEdge(self.dut.clk)

    async def _serve(self):
        dut = self.dut
        while True:
            await RisingEdge(dut.clk)
            self.faults += int(dut.fault.value)
            if int(dut.ram_en.value):
                at, strobes = int(dut.ram_addr.value), int(dut.ram_write.value)
                if strobes:
                    mask = sum(0xFF << 8 * i for i in range(4) if strobes >> i & 1)
                    self.ram[at] = self.ram.get(at, 0) & ~mask | int(dut.w_data.value) & mask
                else:
                    dut.ram_r_data.value = self.ram.get(at, 0)
            if int(dut.reg_write.value):
                self.register_writes.append((int(dut.reg_index.value), int(dut.w_data.value)))
            if int(dut.reg_read.value):
                self.register_reads.append(int(dut.reg_index.value))

    async def write(self, address, word, strobes=15):
        dut = self.dut
        dut.s_awaddr.value, dut.s_wdata.value, dut.s_wstrb.value = address, word, strobes
        dut.s_awvalid.value = dut.s_wvalid.value = dut.s_bready.value = 1
        await RisingEdge(dut.clk)
        while not int(dut.s_awready.value):
            await RisingEdge(dut.clk)
        assert int(dut.s_wready.value)
        dut.s_awvalid.value = dut.s_wvalid.value = 0
        while not int(dut.s_bvalid.value):
            await RisingEdge(dut.clk)
        dut.s_bready.value = 0
        await RisingEdge(dut.clk)

    async def read(self, address):
        dut = self.dut
        dut.s_araddr.value, dut.s_arvalid.value, dut.s_rready.value = address, 1, 1
        await RisingEdge(dut.clk)
        while not int(dut.s_arready.value):
            await RisingEdge(dut.clk)
        dut.s_arvalid.value = 0
        while not int(dut.s_rvalid.value):
            await RisingEdge(dut.clk)
        word = int(dut.s_rdata.value)
        dut.s_rready.value = 0
        await RisingEdge(dut.clk)
        return word


@cocotb.test()
async def bytes_and_words_of_ram_are_written_and_read(dut):
    bus = Bus(dut)
    await bus.reset()
    await bus.write(0x3FFC, 0x11223344)
    await bus.write(0x3FFC, 0xAABBCCDD, 0b0101)
    assert await bus.read(0x3FFC) == 0x11BB33DD
    words = {4 * random.randrange(4096): random.getrandbits(32) for _ in range(30)}
    for address, word in words.items():
        await bus.write(address, word)
    for address, word in words.items():
        assert await bus.read(address) == word
    assert bus.faults == 0 and not bus.link.writes and not bus.register_writes


@cocotb.test()
async def the_link_is_reached_and_its_refusal_is_a_fault(dut):
    bus = Bus(dut)
    await bus.reset()
    for _ in range(20):
        address, word = 4 * random.randrange(1024), random.getrandbits(32)
        await bus.write(0x1000_0000 + address, word)
        assert await bus.read(0x1000_0000 + address) == word
        assert bus.link.writes[-1] == (address, word)
    assert bus.faults == 0 and bus.link.protection == {1}
    bus.link.write = lambda address, word: None
    bus.link.read = lambda address: None
    await bus.write(0x1000_0000, 1)
    assert await bus.read(0x1000_0000) == 0
    assert bus.faults == 2


@cocotb.test()
async def registers_take_whole_words_alone(dut):
    bus = Bus(dut)
    await bus.reset()
    await bus.write(0x2000_0604, 77)
    for strobes in range(15):
        await bus.write(0x2000_0604, 78, strobes)
    assert bus.register_writes == [(0x181, 77)]
    assert await bus.read(0x2000_0100) == 0x5EED
    assert bus.register_reads == [0x40] and bus.faults == 0


@cocotb.test()
async def an_access_to_nowhere_is_answered_does_nothing_and_is_a_fault(dut):
    bus = Bus(dut)
    await bus.reset()
    nowhere = (0x4000, 0x0FFF_FFFC, 0x1000_1000, 0x2000_1000, 0x3000_0000, 0xFFFF_FFFC)
    for address in nowhere:
        await bus.write(address, 1)
        assert await bus.read(address) == 0
    assert bus.faults == 2 * len(nowhere)
    assert not bus.ram and not bus.link.writes and not bus.register_writes and not bus.register_reads
