# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of uart_axil: commands as a host says them, and bytes that are none."""

import os
import random

import cocotb
from axil_registers import Registers
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, Timer
from serial_line import SerialLine

BIT = int(os.environ.get("BIT_CYCLES", 8))
PERIOD = 10
PAUSE = 4  # bytes


def crc8(data):
    """CRC-8 of polynomial 107 (hex), beginning at ff."""
    crc = 0xFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc << 1 ^ (0x107 if crc & 0x80 else 0)
    return crc


def checked(data):
    return bytes(data) + bytes([crc8(data)])


def write_command(address, word):
    return checked(b"W" + address.to_bytes(2, "big") + word.to_bytes(4, "big"))


def read_command(address):
    return checked(b"R" + address.to_bytes(2, "big"))


def is_command(data):
    """Whether these bytes, by themselves, are a command."""
    size = {0x57: 8, 0x52: 4}.get(data[0]) if data else None
    return len(data) == size and crc8(data[:-1]) == data[-1] and data[1] < 16 and data[2] % 4 == 0


def contains_command(data):
    return any(is_command(data[i : i + size]) for i in range(len(data)) for size in (4, 8))


async def begin(dut):
    cocotb.start_soon(Clock(dut.clk, PERIOD, unit="ns").start())
    line = SerialLine(dut.rxd, dut.txd, BIT * PERIOD)
    dut.rst.value = 1
    registers = Registers(dut, "m_axil")
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0
    await ClockCycles(dut.clk, 3)
    return line, registers


async def pause():
    await Timer((PAUSE + 2) * 10 * BIT * PERIOD, "ns")


async def say(line, command, size):
    await line.send(command)
    return await line.wait(lambda got: len(got) >= size, 30)


@cocotb.test()
async def writes_and_reads_any_register(dut):
    line, registers = await begin(dut)
    words = {
        address: random.getrandbits(32) for address in (0, 4, 0xFFC, *(4 * random.randrange(1024) for _ in range(20)))
    }
    for address, word in words.items():
        assert await say(line, write_command(address, word), 3) == checked(b"w\0")
    for address, word in words.items():
        assert await say(line, read_command(address), 7) == checked(b"r\0" + word.to_bytes(4, "big"))
    assert registers.memory == words and registers.protection == {1}


@cocotb.test()
async def the_check_is_the_published_crc_8(dut):
    # CRC-8 with this polynomial from 0 of "123456789" is f4 (catalogue of parametrised CRC algorithms, CRC-8/SMBUS).
    crc = 0
    for byte in b"123456789":
        crc ^= byte
        for _ in range(8):
            crc = crc << 1 ^ (0x107 if crc & 0x80 else 0)
    assert crc == 0xF4


@cocotb.test()
async def says_what_the_register_answers(dut):
    line, registers = await begin(dut)
    registers.read = lambda address: None
    registers.write = lambda address, word: None
    assert await say(line, write_command(0x10, 5), 3) == checked(b"w\2")
    assert await say(line, read_command(0x10), 7) == checked(b"r\2" + bytes(4))


@cocotb.test()
async def no_spoilt_command_reaches_a_register(dut):
    line, registers = await begin(dut)
    good = [write_command(0x28, 0x80), read_command(0x28)]
    for command in good:
        spoilt = [
            command[:i] + bytes([command[i] ^ 1 << random.randrange(8)]) + command[i + 1 :] for i in range(len(command))
        ]
        spoilt += [command[:i] for i in range(len(command))]
        spoilt += [checked(command[:1] + bad + command[3:-1]) for bad in (b"\x10\x00", b"\x00\x29", b"\xff\xfc")]
        for data in spoilt:
            await line.send(data)
            await pause()
            assert not registers.writes and not registers.reads and not line.got, data.hex()
    assert await say(line, good[0], 3) == checked(b"w\0")


@cocotb.test()
async def random_bytes_change_no_register(dut):
    line, registers = await begin(dut)
    for _ in range(60):
        data = bytes(random.choice((0x57, 0x52, 0, 1, 4, *random.randbytes(3))) for _ in range(random.randrange(1, 40)))
        if contains_command(data):
            continue
        await line.send(data)
        await pause()
        assert not registers.writes and not registers.reads and not line.got, data.hex()
    assert await say(line, write_command(0x64, 9), 3) == checked(b"w\0")
    assert registers.writes == [(0x64, 9)]


@cocotb.test()
async def a_pause_within_a_command_ends_it(dut):
    line, registers = await begin(dut)
    command = write_command(0x28, 0x80)
    for cut in range(1, len(command)):
        await line.send(command[:cut])
        await pause()
        await line.send(command[cut:])
        await pause()
    assert not registers.writes
    await line.send(command[:5])
    await Timer((PAUSE - 2) * 10 * BIT * PERIOD, "ns")
    await line.send(command[5:])
    await pause()
    assert registers.writes == [(0x28, 0x80)]
