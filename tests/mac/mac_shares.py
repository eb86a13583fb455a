# SPDX-License-Identifier: Apache-2.0
"""What a MAC core in shares takes at its ports beside what the others take, in cocotb."""

from __future__ import annotations

import random
from typing import Any

from cocotb.triggers import FallingEdge


def split(key: bytes) -> bytes:
    """A key as its port takes it: two random shares whose sum is the key."""
    share = random.randbytes(len(key))
    return bytes(a ^ b for a, b in zip(key, share, strict=True)) + share


async def seeds(dut: Any) -> None:
    """A new seed whenever one is asked for."""
    while True:
        dut.seed_valid.value = 1
        dut.seed_data.value = random.getrandbits(160)
        await FallingEdge(dut.clk)
