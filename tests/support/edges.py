# SPDX-License-Identifier: Apache-2.0
"""Waiting for many edges of a running clock: time passes in the simulator, without a step of Python every cycle."""

from typing import Any

from cocotb.triggers import RisingEdge, Timer


async def edges(clock: Any, period: int, count: int) -> None:
    """From an edge of the clock to the `count`-th behind it; `period` in picoseconds."""
    if count > 1:
        await Timer(count * period - period // 2, "ps")
    if count > 0:
        await RisingEdge(clock)
