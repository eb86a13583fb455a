# SPDX-License-Identifier: Apache-2.0
"""What follows from a clock and counted cycles: throughput, latency, throughput per LUT."""

from ..cycles import Cycles
from ..results.record import PACKET_BYTES


def blocks_of_packets(block_bytes: int) -> list[int]:
    """Numbers of blocks of the messages that a record has figures for."""
    return [-(-size // block_bytes) for size in PACKET_BYTES]


def speeds(cycles: Cycles, block_bytes: int, lut: int, fmax_mhz: float, fmax_mhz_median: float) -> dict[str, float]:
    """The fields of a record that are throughput (Gbit/s), latency (ns) and throughput per LUT (Mbit/s).

    A packet under the key of the one before takes packet(n): the next ones are waiting.  Under a new key it takes key
    set-up and total(n), because a key is taken only with nothing in flight, and never less than packet(n): total(n)
    ends with the edge that raises the result, which is still to be taken.  Associated data is not counted.
    """
    gbit_s = block_bytes * 8 / cycles.message * fmax_mhz / 1000
    found = {
        "gbit_s": gbit_s,
        "gbit_s_median": gbit_s * fmax_mhz_median / fmax_mhz,
        "mbit_s_per_lut": gbit_s * 1000 / lut,
    }
    for size, blocks in zip(PACKET_BYTES, blocks_of_packets(block_bytes), strict=True):
        # Counted at that length in bytes, or for as many whole blocks.
        total = cycles.total_bytes[size] if cycles.total_bytes else cycles.total[blocks]
        packet = cycles.packet_bytes[size] if cycles.packet_bytes else cycles.packet[blocks]
        found[f"gbit_s_{size}"] = size * 8 / packet * fmax_mhz / 1000
        found[f"gbit_s_{size}_new_key"] = size * 8 / max(packet, cycles.key_setup + total) * fmax_mhz / 1000
        found[f"latency_ns_{size}"] = total / fmax_mhz * 1000
    return {name: round(value, 1 if name.startswith("latency") else 4) for name, value in found.items()}
