# SPDX-License-Identifier: Apache-2.0
"""Message authentication codes over Ascon-p, with the calls of ``HMAC`` and ``Poly1305`` in ``cryptography``.

The classes whose names begin with ``Experimental`` are instances of our own choice, which nobody has analysed. Keys
have 16 bytes, and a key serves one scheme.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, ClassVar, Self

from ._sealwire import BaseMAC

if TYPE_CHECKING:
    from typing_extensions import Buffer

KEY_LENGTH = 16


class MAC(BaseMAC):
    """Any MAC by canonical name or alias: ``MAC("ascon-mac", key)``."""

    @staticmethod
    def generate_key() -> bytes:
        """A fresh random key of 16 bytes."""
        return os.urandom(KEY_LENGTH)


class _Named(BaseMAC):
    """A MAC whose class is its name."""

    _name: ClassVar[str]

    def __new__(cls, key: Buffer) -> Self:
        return super().__new__(cls, cls._name, key)

    @staticmethod
    def generate_key() -> bytes:
        """A fresh random key of 16 bytes."""
        return os.urandom(KEY_LENGTH)

    @classmethod
    def generate_tag(cls, key: Buffer, data: Buffer) -> bytes:
        """The tag of one message."""
        mac = cls(key)
        mac.update(data)
        return mac.finalize()

    @classmethod
    def verify_tag(cls, key: Buffer, data: Buffer, tag: Buffer) -> None:
        """InvalidSignature if the tag is not that of the message."""
        mac = cls(key)
        mac.update(data)
        mac.verify(tag)


class _Published(_Named):
    """A MAC of the designers, in both conventions."""

    def __new__(cls, key: Buffer, *, convention: str = "v13") -> Self:
        if convention not in ("v12", "v13"):
            raise ValueError(f"wrong convention: given {convention}, allowed v12 and v13")
        return super(_Named, cls).__new__(cls, cls._name + convention, key)


class _PRF(_Named):
    """A PRF of the designers, in both conventions, with an output of any length."""

    def __new__(cls, key: Buffer, *, tag_length: int = 16, convention: str = "v13") -> Self:
        if convention not in ("v12", "v13"):
            raise ValueError(f"wrong convention: given {convention}, allowed v12 and v13")
        return super(_Named, cls).__new__(cls, cls._name + convention, key, tag_length=tag_length)


class AsconMAC(_Published):
    """Ascon-MAC (ePrint 2021/1574), tags of 16 bytes.

    ``convention`` is ``"v13"``, words and initial value in the manner of SP 800-232, or ``"v12"``, those of the paper.
    """

    _name = "asconmac"


class AsconMACa(_Published):
    """Ascon-MACa: longer blocks and fewer rounds. For ``"v13"`` the designers publish no answers."""

    _name = "asconmaca"


class AsconPRF(_PRF):
    """Ascon-PRF: as Ascon-MAC, with an output of any ``tag_length``."""

    _name = "asconprf"


class AsconPRFa(_PRF):
    """Ascon-PRFa: longer blocks and fewer rounds. For ``"v13"`` the designers publish no answers."""

    _name = "asconprfa"


class AsconPRFshort(_PRF):
    """Ascon-PRFshort: messages of at most 16 bytes, ``tag_length`` 1 to 16."""

    _name = "asconprfs"


class ExperimentalFSKS64(_Named):
    """Experimental: full-state keyed sponge over Ascon-p, 64 bits squeezed a call."""

    _name = "fsks64"


class ExperimentalFSKS128(_Named):
    """Experimental: full-state keyed sponge over Ascon-p, 128 bits squeezed."""

    _name = "fsks128"


class ExperimentalAsconPRF192(_Named):
    """Experimental: Ascon-PRF with blocks of 24 bytes and 8 rounds."""

    _name = "asconprf192"


class ExperimentalAsconPRF64(_Named):
    """Experimental: Ascon-PRF with blocks of 8 bytes and 6 rounds."""

    _name = "asconprf64"


class ExperimentalAsconFarfalle(_Named):
    """Experimental: Farfalle over six-round Ascon-p; parallel, and 64-bit security is claimed."""

    _name = "asconfarfalle"
