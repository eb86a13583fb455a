# SPDX-License-Identifier: Apache-2.0
"""The AXI4-Stream ends of cocotbext-axi, without the handles of cocotb, which take half of the time of a simulation."""

from typing import Any

import cocotb
from cocotbext.axi import AxiStreamBus, AxiStreamSink, AxiStreamSource

from support.raw_port import Port


async def _ports(bus: Any) -> None:
    for name in ("tdata", "tvalid", "tready", "tlast", "tkeep", "tuser"):
        if hasattr(bus, name):
            setattr(bus, name, Port(getattr(bus, name)))


def _end(kind: Any, dut: Any, prefix: str, clock: Any, reset: Any) -> Any:
    end = kind(AxiStreamBus.from_prefix(dut, prefix), clock, reset)
    end.log.setLevel("ERROR")
    cocotb.start_soon(_ports(end.bus))  # behind the tasks of the end, which take their triggers from the handles
    return end


def source(dut: Any, prefix: str, clock: Any, reset: Any = None) -> AxiStreamSource:
    """Gives packets to the ports `<prefix>_t...`."""
    return _end(AxiStreamSource, dut, prefix, clock, reset)


def sink(dut: Any, prefix: str, clock: Any, reset: Any = None) -> AxiStreamSink:
    """Takes packets from the ports `<prefix>_t...`."""
    return _end(AxiStreamSink, dut, prefix, clock, reset)
