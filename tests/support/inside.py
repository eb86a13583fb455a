# SPDX-License-Identifier: Apache-2.0
"""What stands inside a design that was built with everything visible, in cocotb."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def snapshot(dut: Any) -> dict[str, str]:
    """Every register, wire and memory of a design below its ports, by path."""
    values: dict[str, str] = {}

    def visit(handle: Any) -> None:
        try:
            values[handle._path] = str(handle.value)
        except (AttributeError, TypeError, ValueError):
            for child in handle:
                visit(child)

    visit(dut)
    return values


def wires(handle: Any, bits: int) -> Iterator[Any]:
    """Everything of a module that has so many bits or more."""
    try:
        children = list(handle) if not hasattr(handle, "value") else []
        if not children and len(handle) >= bits:
            yield handle
    except (TypeError, ValueError, AttributeError):
        children = []
    for child in children:
        yield from wires(child, bits)
