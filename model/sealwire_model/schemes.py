# SPDX-License-Identifier: Apache-2.0
"""Every AEAD scheme by its name: mode and primitive (`omdsha512`), or all of it (`omdsha512k512n256tau256v2`)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from .aegis import KEY_BITS as AEGIS
from .aegis import Aegis
from .ascon_aead import VARIANTS as ASCON
from .ascon_aead import AsconAead
from .colm import Colm
from .copa import Copa
from .deoxys import SCHEMES as DEOXYS
from .deoxys import Deoxys
from .gcm import Gcm
from .minalpher import Minalpher
from .ocb import Ocb
from .omd import Omd
from .otr import Otr
from .pomd import Pomd
from .primitives import Compress
from .primitives.blake2b import blake2b
from .primitives.sha2 import sha256, sha512
from .scream import SCHEMES as SCREAM
from .scream import Scream
from .sivomd import ParallelSivOmd, SerialSivOmd


class Aead(Protocol):
    """A scheme under a key; sizes are bytes."""

    def seal(self, nonce: bytes, ad: bytes, text: bytes) -> tuple[bytes, bytes]:
        """(ciphertext, tag)."""

    def open(self, nonce: bytes, ad: bytes, text: bytes, tag: bytes) -> tuple[bytes, bytes]:
        """(plaintext, the tag it ought to have)."""


#: The compression functions, and n of each in bytes
COMPRESS: dict[str, tuple[Compress, int]] = {"sha256": (sha256, 32), "sha512": (sha512, 64), "blake2b": (blake2b, 64)}
OMD: dict[str, type[Omd]] = {"omd": Omd, "pomd": Pomd, "sivomdp": ParallelSivOmd, "sivomds": SerialSivOmd}
#: Schemes over a compression function: the mode and the function of each
COMPRESSING = {mode + function: (kind, function) for mode, kind in OMD.items() for function in COMPRESS}
#: AES-OTR: the form of each
OTR = {f"aes{bits}otr{form}": form for bits in (128, 256) for form in "psc"}
#: OCB with AES, by the bits of its key
OCB = {f"aeadaes{bits}ocb": bits for bits in (128, 192, 256)}
#: AES-GCM, by the bits of its key
GCM = {f"aes{bits}gcm": bits for bits in (128, 256)}
#: COLM_0 and AES-COPA version 2: the mode, and bits of nonce and tag of each
CHAINED: dict[str, tuple[type[Colm] | type[Copa], int, int]] = {
    "colm0v1": (Colm, 64, 128),
    "aescopav2": (Copa, 128, 264),
}
MINALPHER = "minalpherv11"
#: Modes of Deoxys, which size of key and version complete to the name of a scheme
DEOXYS_MODES = ("deoxysi", "deoxysii")
#: What a core takes at once: a block of the message, of AES-OTR a chunk of two; and of associated data
BLOCK_BYTES = {
    **{scheme: COMPRESS[function][1] for scheme, (_, function) in COMPRESSING.items()},
    **dict.fromkeys(OTR, 32),
    **dict.fromkeys(OCB, 16),
    **dict.fromkeys(GCM, 16),
    **{scheme: variant.rate for scheme, variant in ASCON.items()},
    **dict.fromkeys([*DEOXYS, *DEOXYS_MODES], 16),
    **dict.fromkeys(CHAINED, 16),
    **dict.fromkeys(SCREAM, 16),
    MINALPHER: 32,
    **{scheme: 32 if bits == 128 else 16 for scheme, bits in AEGIS.items()},
}
AD_BLOCK_BYTES = {scheme: 2 * size if scheme in COMPRESSING else size for scheme, size in BLOCK_BYTES.items()}


def model(scheme: str, key: bytes, tag_len: int, version: int) -> Aead:
    """The scheme of a mode and a primitive under a key."""
    if scheme in OTR:
        return Otr(key, OTR[scheme], tag_len)
    if scheme in OCB:
        return Ocb(key, tag_len)
    if scheme in GCM:
        return Gcm(key)
    if scheme in ASCON:
        return AsconAead(key, scheme)
    if scheme in DEOXYS:
        return Deoxys(key, scheme)
    if scheme in DEOXYS_MODES:
        return Deoxys(key, f"{scheme}{8 * len(key)}v{version}")
    if scheme in SCREAM:
        return Scream(key, SCREAM[scheme])
    if scheme == MINALPHER:
        return Minalpher(key)
    if scheme in AEGIS:
        return Aegis(key, tag_len)
    if scheme in CHAINED:
        return CHAINED[scheme][0](key)
    mode, function = COMPRESSING[scheme]
    compress, n = COMPRESS[function]
    return mode(compress, key, tag_len, version, n)


@dataclass(frozen=True)
class Name:
    """A canonical name taken apart.  Sizes are bits."""

    scheme: str
    key_bits: int
    nonce_bits: int
    tag_bits: int
    version: int

    @classmethod
    def parse(cls, name: str) -> Name:
        """Raises ValueError for a name that no model has."""
        if found := re.fullmatch(rf"({'|'.join(COMPRESSING)})k(\d+)n(\d+)tau(\d+)(?:v([12]))?", name):
            return cls(found[1], int(found[2]), int(found[3]), int(found[4]), int(found[5] or 1))
        if found := re.fullmatch(r"(aes(128|256)otr[psc])v3", name):
            return cls(found[1], int(found[2]), 96, 128, 3)
        if found := re.fullmatch(r"(aeadaes(128|192|256)ocb)taglen(128|96|64)v1", name):
            return cls(found[1], int(found[2]), 96, int(found[3]), 1)
        if found := re.fullmatch(r"(aes(128|256)gcm)v1", name):
            return cls(found[1], int(found[2]), 96, 128, 1)
        if name in ASCON:
            return cls(name, 128, 128, 128, 1)
        if name in DEOXYS and (found := re.fullmatch(r"deoxys(ii?)(\d+)v(\d+)", name)):
            return cls(name, int(found[2]), 64 if found[1] == "i" else 120, 128, int(found[3]))
        if name in SCREAM:
            return cls(name, 128, 88, 128, 3)
        if name == MINALPHER:
            return cls(name, 128, 104, 384, 1)
        if found := re.fullmatch(rf"({'|'.join(AEGIS)})tau(128|256)", name):
            return cls(found[1], AEGIS[found[1]], AEGIS[found[1]], int(found[2]), 1)
        if name in CHAINED:
            _, nonce_bits, tag_bits = CHAINED[name]
            return cls(name, 128, nonce_bits, tag_bits, int(name[-1]))
        raise ValueError(f"no model of a scheme named {name!r}; for example: omdsha512k512n256tau256v2, aes128otrpv3")

    def under(self, key: bytes) -> Aead:
        """The scheme under a key."""
        return model(self.scheme, key, self.tag_bits // 8, self.version)
