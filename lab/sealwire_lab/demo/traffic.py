# SPDX-License-Identifier: Apache-2.0
"""What both kinds of traffic can do, whether from real network stacks or from a capture file."""

import random
from dataclasses import dataclass
from typing import Protocol

from .worker import MARKER

_MARKER_EVERY = 8192  # bytes
_MARKERS = 16  # in a row, so that some lie whole within one packet wherever the packets are cut


@dataclass(frozen=True)
class Pings:
    """Echo requests sent, and the round-trip time of each one answered (milliseconds of wall clock)."""

    sent: int
    round_trips_ms: list[float]


@dataclass(frozen=True)
class Transfer:
    """A file that crossed from A to B over TCP."""

    name: str
    bytes: int
    sent_sha256: str
    received_sha256: str
    seconds: float  # wall clock, from the accepted connection to its end
    error: str = ""  # why it did not arrive

    @property
    def unchanged(self) -> bool:
        """The file that arrived is the one that was sent."""
        return not self.error and self.sent_sha256 == self.received_sha256

    @property
    def goodput_bits(self) -> float:
        """File bits a second of wall clock."""
        return self.bytes * 8 / self.seconds if self.seconds else 0.0


class Traffic(Protocol):
    """Sends through the links; every call returns when the answer is in, or raises LabError after a bounded wait."""

    #: One line about where the packets come from.
    source: str
    #: Size of the file of the clean transfer, and of the one under attack.
    file_bytes: tuple[int, int]

    def ping(self, count: int, size: int) -> Pings:
        """Echo requests from A to B, with `size` bytes of payload."""

    def transfer(self, name: str, data_bytes: int) -> Transfer:
        """A file of random data with the marker in it, from A to B."""


def marked_data(rng: random.Random, size: int) -> bytes:
    """Random bytes with the marker at known places."""
    data = bytearray(rng.randbytes(size))
    run = MARKER * _MARKERS
    for offset in range(0, size - len(run) + 1, _MARKER_EVERY):
        data[offset : offset + len(run)] = run
    return bytes(data)
