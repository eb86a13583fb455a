# SPDX-License-Identifier: Apache-2.0
"""How many copies of a core a line rate takes, from its record: cycles of packets, clock, LUTs."""

import math
from collections.abc import Callable

from ..results.record import Record

#: Gbit/s of messages, and bytes of a message, of which packets of the least and the usual length are shown.
RATES = (1, 10, 25, 100)
SIZES = (64, 512, 1536)


def gbit_s(record: Record, size: int) -> float | None:
    """Throughput of messages of `size` bytes one after another under one key; None without clock or count."""
    if record.fmax_mhz is None or not record.cycles or not record.block_bits:
        return None
    cycles = (record.cycles.get("packet_bytes") or {}).get(size)
    if cycles is None:
        cycles = record.cycles["packet"].get(math.ceil(size * 8 / record.block_bits))
    return None if cycles is None else size * 8 / cycles * record.fmax_mhz / 1000


def copies(record: Record, rate: float, size: int) -> int | None:
    """Whole cores that carry `rate` Gbit/s in messages of `size` bytes."""
    each = gbit_s(record, size)
    return None if each is None else math.ceil(rate / each - 1e-9)


def _needed(rate: float) -> Callable[[Record], str]:
    def cell(record: Record) -> str:
        counts = [copies(record, rate, size) for size in SIZES]
        if counts[-1] is None or record.lut is None:
            return ""
        numbers = " / ".join("–" if count is None else str(count) for count in counts)
        thousands = counts[-1] * record.lut / 1000
        return f"{numbers} ({thousands:.{0 if thousands >= 100 else 1}f} k)"

    return cell


def _each(record: Record) -> str:
    return " / ".join("–" if (each := gbit_s(record, size)) is None else f"{each:.2f}" for size in SIZES)


#: Columns of the table by their heads, behind the core's name.
COLUMNS: dict[str, Callable[[Record], str]] = {
    f"Gbit/s of one at {' / '.join(map(str, SIZES))} bytes": _each,
    **{f"{rate} Gbit/s" if rate > 1 else "copies for 1 Gbit/s": _needed(rate) for rate in RATES},
}
