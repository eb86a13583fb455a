# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the processor with its firmware: it boots from a flash, while this bench plays link and console."""

import struct

import cocotb
from axil_registers import OKAY, Registers
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, Timer
from generated.sealwire_link_regs import REGISTERS
from host import entry, payload, provision, record
from serial_line import SerialLine

PERIOD = 10
BIT = 16 * PERIOD
SECTOR = 4096
PSK, SEED = bytes(range(64)), bytes(range(50, 82))
CONTENT = payload(PSK, SEED)
STATUS, COMMAND, EVENTS = (REGISTERS[name].address for name in ("status", "command", "events"))


def bit(register, field):
    return 1 << REGISTERS[register].fields[field][0]


class Link:
    """The registers of a link that takes a key and says that it holds it; R is taken whenever it is offered."""

    def __init__(self, dut):
        self.dut, self.psk, self.r, self.zeroised, self.key_held = dut, [], [], 0, 0
        self.registers = Registers(dut, "m_axil", most_wait=1)
        self.registers.memory[REGISTERS["identity"].address] = REGISTERS["identity"].resets["value"]
        self.registers.memory[REGISTERS["version"].address] = REGISTERS["version"].resets["major"] << 8
        self.registers.write = self._write
        dut.random_ready.value = 0
        cocotb.start_soon(self._take())

    def _write(self, address, word):
        memory = self.registers.memory
        memory[address] = word
        if address == COMMAND and word & bit("command", "restart"):
            memory[STATUS] = 0
        if address == COMMAND and word & bit("command", "commit_psk"):
            self.psk.append(b"".join(struct.pack("<I", memory[0x400 + 4 * i]) for i in range(16)))
            memory[STATUS] = bit("status", "psk_held")
        if address == COMMAND and word & bit("command", "zeroise"):
            memory[STATUS] = 0
            self.zeroised += 1
        if address == EVENTS:
            memory[EVENTS] = 0
        return OKAY

    async def _take(self):
        while True:
            await RisingEdge(self.dut.random_valid)
            await ClockCycles(self.dut.clk, 3)
            self.r.append(int(self.dut.random_data.value).to_bytes(32, "little"))
            self.dut.random_ready.value = 1
            await RisingEdge(self.dut.clk)
            self.dut.random_ready.value = 0


class Board:
    def __init__(self, dut):
        self.dut = dut
        cocotb.start_soon(Clock(dut.clk, PERIOD, unit="ns").start())
        self.line = SerialLine(dut.rxd, dut.txd, BIT)
        dut.rst.value, dut.button.value, dut.mdio_in.value = 1, 0, 1
        dut.flash_locked.value, dut.flash_poke.value, dut.line_counts.value = 0, 0, 0
        self.link = Link(dut)

    async def flash(self, *placed):
        """Write into the blank flash what somebody else's tool would have put there."""
        self.dut.flash_poke.value = 1
        content = {sector * SECTOR + i: 0xFF for sector in range(4) for i in range(512)}
        for start, part in placed:
            content |= {start + i: byte for i, byte in enumerate(part)}
        for address, byte in content.items():
            self.dut.flash_addr.value, self.dut.flash_poke_data.value = address, byte
            await RisingEdge(self.dut.clk)
        self.dut.flash_poke.value = 0
        await RisingEdge(self.dut.clk)

    async def flash_holds(self, address, count):
        found = bytearray()
        for i in range(count):
            self.dut.flash_addr.value = address + i
            await Timer(1, "ns")
            found.append(int(self.dut.flash_data.value))
        return bytes(found)

    async def power_on(self):
        self.dut.rst.value = 1
        self.link.r.clear()
        self.link.psk.clear()
        await ClockCycles(self.dut.clk, 10)
        self.dut.rst.value = 0

    async def until(self, what, cycles=3_000_000):
        for _ in range(cycles // 1000):
            if what():
                return
            await Timer(1000 * PERIOD, "ns")
            assert not int(self.dut.trap.value), "the processor has trapped"
        raise AssertionError("it takes too long")

    async def say(self, line):
        await self.line.send(line.encode() + b"\n")
        ends = ("ok\n", "error ")
        taken = await self.line.wait(lambda got: any(end in got.decode() for end in ends) and got[-1:] == b"\n", 60_000)
        return taken.decode()


@cocotb.test()
async def boots_counts_and_feeds_random_values_and_a_power_cycle_gives_others(dut):
    board = Board(dut)
    await board.flash((0, record(CONTENT)), (SECTOR, record(CONTENT)), (2 * SECTOR, entry(41)))
    seen = set()
    for counter in (42, 43):
        await board.power_on()
        await board.until(lambda: len(board.link.r) >= 3)
        assert await board.flash_holds(2 * SECTOR + 16 * (counter - 41), 16) == entry(counter)
        memory = board.link.registers.memory
        assert board.link.psk == [PSK]
        assert (
            memory[REGISTERS["hello_number"].address + 4] == counter and memory[REGISTERS["millisecond"].address] == 200
        )
        assert b"".join(struct.pack("<I", memory[0x40 + 4 * i]) for i in range(4)) == CONTENT[:16]
        assert int(dut.leds.value) == 1 and not int(dut.phy_reset.value)
        assert board.link.registers.protection == {1}
        assert not seen & set(board.link.r)
        seen |= set(board.link.r)


@cocotb.test()
async def a_flash_that_takes_no_writes_is_refused_before_key_and_random_value(dut):
    board = Board(dut)
    await board.flash((0, record(CONTENT)), (SECTOR, record(CONTENT)), (2 * SECTOR, entry(41)))
    dut.flash_locked.value = 1
    await board.power_on()
    await board.until(lambda: int(dut.leds.value) == 2)
    assert "state flash write failed\n" in await board.say("status")
    assert not board.link.r and not board.link.psk


@cocotb.test()
async def is_provisioned_over_the_console_and_forgets_all_by_the_button(dut):
    board = Board(dut)
    await board.flash()
    await board.power_on()
    await board.until(lambda: int(dut.leds.value) == 2)
    assert "state empty\n" in await board.say("status")
    assert await board.say(provision(CONTENT)) == "state runs\nok\n"
    assert board.link.psk == [PSK]
    counts = (1, 2, 3, 2**32 - 1)
    dut.line_counts.value = sum(count << 32 * i for i, count in enumerate(counts))
    assert [int(line.split()[1]) for line in (await board.say("counters")).splitlines()[-5:-1]] == list(counts)
    assert await board.flash_holds(SECTOR, 152) == record(CONTENT)
    dut.button.value = 1
    zeroised = board.link.zeroised
    await board.until(lambda: int(dut.leds.value) == 2)
    await board.until(lambda: board.link.zeroised > zeroised)
    assert "state empty\n" in await board.say("status")
    for sector in range(2):
        assert await board.flash_holds(SECTOR * sector, 256) == b"\xff" * 256
