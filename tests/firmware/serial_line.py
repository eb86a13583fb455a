# SPDX-License-Identifier: Apache-2.0
"""The host's end of a serial line, 8N1: bytes to the module's rxd, and all that come from its txd."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, Timer


class SerialLine:
    def __init__(self, rxd: Any, txd: Any, bit: int, unit: str = "ns") -> None:
        self._rxd, self._txd, self._bit, self._unit = rxd, txd, bit, unit
        self.got = bytearray()
        rxd.value = 1
        cocotb.start_soon(self._listen())

    async def send(self, data: bytes) -> None:
        for byte in data:
            for bit in (0, *(byte >> i & 1 for i in range(8)), 1):
                self._rxd.value = bit
                await Timer(self._bit, self._unit)

    async def _listen(self) -> None:
        while True:
            await FallingEdge(self._txd)
            await Timer(self._bit * 3 // 2, self._unit)
            byte = 0
            for i in range(8):
                byte |= int(self._txd.value) << i
                await Timer(self._bit, self._unit)
            assert int(self._txd.value), "no stop bit"
            self.got.append(byte)

    async def wait(self, enough: Any, bytes_of_time: int) -> bytes:
        """What came, taken away, once `enough` of it says so; fails after the time of some bytes."""
        for _ in range(bytes_of_time):
            if enough(bytes(self.got)):
                break
            await Timer(10 * self._bit, self._unit)
        else:
            raise AssertionError(f"the line gave only {bytes(self.got)!r}")
        taken = bytes(self.got)
        self.got.clear()
        return taken
