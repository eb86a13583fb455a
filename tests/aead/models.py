# SPDX-License-Identifier: Apache-2.0
"""The model of every scheme by its name."""

from __future__ import annotations

from omd_model import BLOCK_BYTES, COMPRESS, Omd
from pomd_model import Pomd
from sivomd_model import ParallelSivOmd, SerialSivOmd

MODES: dict[str, type[Omd]] = {"omd": Omd, "pomd": Pomd, "sivomdp": ParallelSivOmd, "sivomds": SerialSivOmd}
MODE_OF = {scheme: MODES[mode] for mode in MODES for scheme in COMPRESS if scheme.startswith(mode)}


def model(scheme: str, key: bytes, tag_len: int, version: int) -> Omd:
    """The model of a scheme, as the manifest of cores names it, under a key."""
    return MODE_OF[scheme](COMPRESS[scheme], key, tag_len, version, BLOCK_BYTES[scheme])
