# SPDX-License-Identifier: Apache-2.0
"""The model of every scheme by its name."""

from __future__ import annotations

from typing import Protocol

from omd_model import BLOCK_BYTES as OMD_BLOCK_BYTES
from omd_model import COMPRESS, Omd
from otr_model import Otr, SerialOtr
from pomd_model import Pomd
from sivomd_model import ParallelSivOmd, SerialSivOmd


class Model(Protocol):
    """What a bench asks of a model; sizes are bytes."""

    def seal(self, nonce: bytes, ad: bytes, text: bytes) -> tuple[bytes, bytes]:
        """(ciphertext, tag)."""

    def open(self, nonce: bytes, ad: bytes, text: bytes, tag: bytes) -> tuple[bytes, bytes]:
        """(plaintext, the tag it ought to have)."""


MODES: dict[str, type[Omd]] = {"omd": Omd, "pomd": Pomd, "sivomdp": ParallelSivOmd, "sivomds": SerialSivOmd}
MODE_OF = {scheme: MODES[mode] for mode in MODES for scheme in COMPRESS if scheme.startswith(mode)}
OTR: dict[str, type[Otr]] = {
    f"aes{bits}otr{letter}": kind for bits in (128, 256) for letter, kind in (("p", Otr), ("s", SerialOtr))
}
#: What a core takes at once: a block of the message, of AES-OTR a chunk of two; and of associated data
BLOCK_BYTES = {**OMD_BLOCK_BYTES, **dict.fromkeys(OTR, 32)}
AD_BLOCK_BYTES = {**{scheme: 2 * size for scheme, size in OMD_BLOCK_BYTES.items()}, **dict.fromkeys(OTR, 32)}


def model(scheme: str, key: bytes, tag_len: int, version: int) -> Model:
    """The model of a scheme, as the manifest of cores names it, under a key."""
    if scheme in OTR:
        return OTR[scheme](key, tag_len)
    return MODE_OF[scheme](COMPRESS[scheme], key, tag_len, version, OMD_BLOCK_BYTES[scheme])
