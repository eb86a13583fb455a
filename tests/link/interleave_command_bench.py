# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the commands of hdl/link/aead/link_interleave: one a packet, and none that a stop dropped.

As docs/core-ports.md asks of a core, no ready is high in the cycle of a clear.
"""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, Timer

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
    dut.msg.value = 1 << 69 | random.getrandbits(64) << 5 | 8 << 1 | 1
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


@cocotb.test()
async def every_packet_has_one_command(dut):
    await start(dut)
    contexts = []
    for _ in range(2):
        await enter(dut)
        contexts.append(int(dut.core_cmd_ctx.value))
        await ClockCycles(dut.clk, 1)
        await FallingEdge(dut.clk)
        for _ in range(10):
            assert not dut.core_cmd_valid.value
            await FallingEdge(dut.clk)
            dut.msg.value = 0
    assert sorted(contexts) == [0, 1]
