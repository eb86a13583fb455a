# SPDX-License-Identifier: Apache-2.0
"""The suites of the link, from the table suites.toml: sizes, schedule function, the AEAD under a key."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from .primitives import Compress
from .schemes import COMPRESS, Aead, Name

TABLE = Path(__file__).with_name("suites.toml")
NUMBER_BYTES = 8  # of a packet number


@dataclass(frozen=True)
class Suite:
    """An entry of the table, and what follows from it."""

    code: int
    scheme: str
    name: str
    key_bits: int
    nonce_bits: int
    tag_bits: int
    schedule: str
    packet_number_bits: int
    caches_ad: bool
    cores: dict[str, str]  # by the RTL's number of an architecture

    @property
    def key_bytes(self) -> int:
        return self.key_bits // 8

    @property
    def nonce_bytes(self) -> int:
        return self.nonce_bits // 8

    @property
    def salt_bytes(self) -> int:
        """What stands before the packet number in a nonce."""
        return self.nonce_bytes - NUMBER_BYTES

    @property
    def tag_bytes(self) -> int:
        return self.tag_bits // 8

    @property
    def n_max(self) -> int:
        """Packet numbers are below it."""
        return 1 << self.packet_number_bits

    @property
    def compress(self) -> Compress:
        """F', the function of the key schedule."""
        return COMPRESS[self.schedule][0]

    @property
    def n(self) -> int:
        """Bytes of the chaining value of F', and of the pre-shared key."""
        return COMPRESS[self.schedule][1]

    @property
    def random_bytes(self) -> int:
        """Length of R_i and of R_r."""
        return self.n // 2

    def aead(self, key: bytes) -> Aead:
        """The scheme under a key."""
        return Name.parse(self.scheme).under(key)


def load(table: Path = TABLE) -> dict[int, Suite]:
    """All suites by code."""
    entries = tomllib.loads(table.read_text(encoding="utf-8"))["suite"]
    return {entry["code"]: Suite(**entry) for entry in entries}


SUITES = load()
BY_NAME = {suite.name: suite for suite in SUITES.values()}
