# SPDX-License-Identifier: Apache-2.0
"""Registers on AXI4-Lite as a master meets them: each answer comes some cycles late, every access is kept."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import cocotb
from cocotb.triggers import First, RisingEdge

OKAY, SLVERR = 0, 2


class Registers:
    """Answers at `prefix` of the module. `read` and `write` may replace the plain memory; None from them is SLVERR."""

    def __init__(self, dut: Any, prefix: str, most_wait: int = 3) -> None:
        self.memory: dict[int, int] = {}
        self.writes: list[tuple[int, int]] = []
        self.reads: list[int] = []
        self.protection: set[int] = set()
        self.read: Callable[[int], int | None] = lambda address: self.memory.get(address, 0)
        self.write: Callable[[int, int], int | None] = self._store
        self._port = {
            name: getattr(dut, f"{prefix}_{name}")
            for name in (
                "awaddr", "awprot", "awvalid", "awready", "wdata", "wstrb", "wvalid", "wready",
                "bresp", "bvalid", "bready",
                "araddr", "arvalid", "arready", "rdata", "rresp", "rvalid", "rready",
            )
        }  # fmt: skip
        for name in ("awready", "wready", "bvalid", "arready", "rvalid"):
            self._port[name].value = 0
        self._edge, self._most_wait = RisingEdge(dut.clk), most_wait
        cocotb.start_soon(self._run())

    def _store(self, address: int, word: int) -> int:
        self.memory[address] = word
        return OKAY

    def _get(self, name: str) -> int:
        return int(self._port[name].value)

    async def _transfer(self, ready: str, valid: str) -> None:
        """One transfer that this end takes (ready, valid) or gives (valid, ready): raises one, waits for the other."""
        for _ in range(random.randint(0, self._most_wait)):
            await self._edge
        self._port[ready].value = 1
        await self._edge
        while not self._get(valid):
            await self._edge
        self._port[ready].value = 0

    async def _run(self) -> None:
        while True:
            await First(*(RisingEdge(self._port[name]) for name in ("arvalid", "awvalid")))
            await self._edge
            if self._get("arvalid"):
                address = self._get("araddr")
                await self._transfer("arready", "arvalid")
                self.reads.append(address)
                word = self.read(address)
                self._port["rdata"].value = word or 0
                self._port["rresp"].value = SLVERR if word is None else OKAY
                await self._transfer("rvalid", "rready")
            elif self._get("awvalid"):
                address = self._get("awaddr")
                self.protection.add(self._get("awprot"))
                await self._transfer("awready", "awvalid")
                word = self._get("wdata")
                assert self._get("wvalid") and self._get("wstrb") == 0xF
                await self._transfer("wready", "wvalid")
                self.writes.append((address, word))
                done = self.write(address, word)
                self._port["bresp"].value = SLVERR if done is None else OKAY
                await self._transfer("bvalid", "bready")
