# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the commands of hdl/link/aead/link_interleave: one a packet, and none that a stop dropped.

As docs/core-ports.md asks of a core, no ready is high in the cycle of a clear.
"""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, Timer
from support.hdl_bench import beat_t, beats, bytes_of

WIPE = 3000  # cycles; longer than both rings take


async def start(dut):
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    for port in ("clear", "cmd_valid", "cmd_nonce", "cmd_length", "msg", "core_cmd_ready"):
        getattr(dut, port).value = 0
    await stop(dut, "rst")


async def stop(dut, name):
    """One cycle of a clear or reset, and the wipe behind it; no command shows in it or later."""
    dut.core_cmd_ready.value = dut.cmd_valid.value = dut.msg.value = 0
    getattr(dut, name).value = 1
    await FallingEdge(dut.clk)
    getattr(dut, name).value = 0
    for _ in range(WIPE):
        await Timer(1, "ns")
        assert not dut.core_cmd_valid.value, f"a command outlives {name}"
        if not dut.busy.value:
            break
        await FallingEdge(dut.clk)
    assert not dut.busy.value
    dut.core_cmd_ready.value = 3
    for _ in range(10):
        await FallingEdge(dut.clk)
        assert not dut.core_cmd_valid.value, f"a command outlives {name}"


async def enter(dut):
    """A packet of one beat goes in; returns its nonce when the command for it shows."""
    nonce = random.getrandbits(256)
    dut.cmd_nonce.value, dut.cmd_length.value, dut.cmd_valid.value = nonce, 8, 1
    await FallingEdge(dut.clk)
    dut.cmd_valid.value = 0
    dut.msg.value = beat_t(random.getrandbits(64), 8, 1)
    for _ in range(20):
        await Timer(1, "ns")
        if dut.core_cmd_valid.value:
            break
        taken = dut.msg_ready.value
        await FallingEdge(dut.clk)
        if taken:
            dut.msg.value = 0
    assert dut.core_cmd_valid.value and dut.core_cmd_nonce.value == nonce


@cocotb.test()
async def a_stop_takes_back_the_command_that_stands(dut):
    await start(dut)
    for name in ("clear", "rst"):
        await enter(dut)
        await stop(dut, name)


async def note(dut, nonces, packets):
    """Notes the nonce of every command that is taken, and every packet that leaves."""
    part = b""
    while True:
        await FallingEdge(dut.clk)
        await Timer(1, "ns")
        if dut.core_cmd_valid.value and int(dut.core_cmd_ready.value) >> int(dut.core_cmd_ctx.value) & 1:
            nonces.append(int(dut.core_cmd_nonce.value))
        out = int(dut.out.value)
        if out >> 69:
            part += bytes_of(out)
            if out & 1:
                packets.append(part)
                part = b""


@cocotb.test()
async def packets_leave_as_they_came_with_one_command_each(dut):
    await start(dut)
    nonces, packets = [], []
    cocotb.start_soon(note(dut, nonces, packets))
    given = [(random.getrandbits(256), random.randbytes(random.randrange(1, 100))) for _ in range(30)]
    for nonce, message in given:
        dut.cmd_nonce.value, dut.cmd_length.value, dut.cmd_valid.value = nonce, len(message), 1
        await take(dut, dut.cmd_ready)
        dut.cmd_valid.value = 0
        for data, size, last in beats(message):
            dut.msg.value = beat_t(data, size, last)
            await take(dut, dut.msg_ready)
        dut.msg.value = 0
    await ClockCycles(dut.clk, 200)
    assert nonces == [nonce for nonce, _ in given]
    assert packets == [message for _, message in given]


async def take(dut, ready):
    """Waits for the edge at which what is offered is taken; the core takes commands at a random pace."""
    taken = False
    while not taken:
        dut.core_cmd_ready.value = random.randrange(4)
        await Timer(1, "ns")
        taken = ready.value
        await FallingEdge(dut.clk)
    dut.core_cmd_ready.value = 3
