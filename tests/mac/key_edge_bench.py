# SPDX-License-Identifier: Apache-2.0
"""A MAC core that is offered a new key and a command in the same cycles, in cocotb."""

from __future__ import annotations

import os
import random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge
from sealwire_model import macs
from support import shares

PATIENCE = 400


class Core:
    """Offers one message a command, and notes the edges at which key and command are taken."""

    def __init__(self, dut: Any) -> None:
        self.dut, self.scheme = dut, os.environ["SCHEME"]
        self.edge = 0
        self.in_shares = hasattr(dut, "seed_valid")

    async def start(self) -> None:
        cocotb.start_soon(Clock(self.dut.clk, 10, unit="ns").start())
        if self.in_shares:
            cocotb.start_soon(shares.seeds(self.dut))
        for name in ("key", "cmd", "msg", "tag_in"):
            getattr(self.dut, f"{name}_valid").value = 0
        self.dut.clear.value = self.dut.result_ready.value = 0
        self.dut.rst.value = 1
        await RisingEdge(self.dut.clk)
        await FallingEdge(self.dut.clk)
        self.dut.rst.value = 0

    async def offer(self, key: bytes | None, command: int | None, msg: bytes) -> tuple[int, int, bytes]:
        """A key now, a command so many cycles later (or None); returns the edges that took them, and the tag."""
        dut, taken = self.dut, {"key": -1, "cmd": -1}
        width = len(dut.msg_data) // 8
        key_data = int.from_bytes(shares.split(key or bytes(16)) if self.in_shares else key or b"", "little")
        beats = [msg[at : at + width] for at in range(0, len(msg), width)]
        for cycle in range(PATIENCE):
            dut.key_valid.value = int(key is not None and taken["key"] < 0)
            dut.key_data.value = key_data
            dut.cmd_valid.value = int(command is not None and cycle >= command and taken["cmd"] < 0)
            dut.cmd_verify.value = 0
            dut.msg_valid.value = int(bool(beats))
            if beats:
                dut.msg_data.value = int.from_bytes(beats[0], "little")
                dut.msg_bytes.value = len(beats[0])
                dut.msg_last.value = int(len(beats) == 1)
            await RisingEdge(dut.clk)  # what a flip-flop sees there
            for name in taken:
                if getattr(dut, f"{name}_valid").value and getattr(dut, f"{name}_ready").value:
                    taken[name] = cycle
            if beats and dut.msg_ready.value:
                beats.pop(0)
            dut.result_ready.value = 1
            if dut.result_valid.value and dut.result_ready.value:
                tag = int(dut.result_tag.value).to_bytes(16, "little")
                await FallingEdge(dut.clk)
                dut.result_ready.value = 0
                if taken["key"] >= 0 or key is None:
                    return taken["key"], taken["cmd"], tag
                seen = tag
            elif command is None and taken["key"] >= 0:
                await FallingEdge(dut.clk)
                dut.key_valid.value = 0
                return taken["key"], -1, b""
            elif taken["key"] >= 0 and taken["cmd"] >= 0 and taken["cmd"] < taken["key"]:
                return taken["key"], taken["cmd"], seen
            await FallingEdge(dut.clk)
        raise AssertionError(f"{self.scheme}: no end within {PATIENCE} cycles")


@cocotb.test()
async def a_command_beside_a_new_key_uses_the_key_that_was_taken_last(dut: Any) -> None:
    core = Core(dut)
    await core.start()
    old = random.randbytes(16)
    await core.offer(old, None, b"")
    together = 0
    for wait in range(30):
        new, text = random.randbytes(16), random.randbytes(50)
        key_edge, cmd_edge, tag = await core.offer(new, wait, text)
        used = old if cmd_edge < key_edge else new
        together += cmd_edge == key_edge
        assert tag == macs.tag(core.scheme, used, text), (wait, key_edge, cmd_edge)
        old = new
        for _ in range(random.randrange(40)):  # at rest, or in key work
            await FallingEdge(dut.clk)
    assert together, "no command was taken with a key"
