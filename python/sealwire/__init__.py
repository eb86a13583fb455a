# SPDX-License-Identifier: Apache-2.0
"""Authenticated encryption: OMD, p-OMD, AES-OTR, OCB, AES-GCM, AEGIS, Deoxys, COLM, AES-COPA, Minalpher, SCREAM, Ascon.

The classes for encryption have the calls of ``cryptography.hazmat.primitives.ciphers.aead``, those for authentication
alone (:mod:`sealwire.mac`) the calls of ``HMAC`` and ``Poly1305`` there. A nonce must never serve twice with one key,
and a key serves one scheme. The classes whose names begin with ``Experimental`` are our own construction or choice,
which nobody has analysed.
"""

from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING, ClassVar, Self

from . import files
from ._sealwire import (
    VERSION,
    AlreadyFinalized,
    BaseAEAD,
    InvalidSignature,
    InvalidTag,
    MACScheme,
    Scheme,
    SessionAD,
    ascon_p,
    compress,
    find,
    find_mac,
    mac_schemes,
    schemes,
)
from .mac import (
    MAC,
    AsconMAC,
    AsconMACa,
    AsconPRF,
    AsconPRFa,
    AsconPRFshort,
    ExperimentalAsconFarfalle,
    ExperimentalAsconPRF64,
    ExperimentalAsconPRF192,
    ExperimentalFSKS64,
    ExperimentalFSKS128,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from typing_extensions import Buffer

__all__ = [
    "AEAD",
    "AEGIS128L",
    "AEGIS256",
    "AESCOPA",
    "AESGCM",
    "AESOCB",
    "AESOTRC",
    "AESOTRP",
    "AESOTRS",
    "COLM0",
    "MAC",
    "OMDSHA256",
    "OMDSHA512",
    "POMDSHA256",
    "POMDSHA512",
    "SCREAM10",
    "SCREAM12",
    "AlreadyFinalized",
    "Ascon128",
    "AsconAEAD128",
    "AsconMAC",
    "AsconMACa",
    "AsconPRF",
    "AsconPRFa",
    "AsconPRFshort",
    "DeoxysI",
    "DeoxysII",
    "ExperimentalAsconFarfalle",
    "ExperimentalAsconPRF64",
    "ExperimentalAsconPRF192",
    "ExperimentalFSKS64",
    "ExperimentalFSKS128",
    "ExperimentalSIVOMDPBLAKE2b",
    "ExperimentalSIVOMDPSHA256",
    "ExperimentalSIVOMDPSHA512",
    "ExperimentalSIVOMDSSHA256",
    "ExperimentalSIVOMDSSHA512",
    "InvalidSignature",
    "InvalidTag",
    "MACScheme",
    "Minalpher",
    "OMDBLAKE2b",
    "POMDBLAKE2b",
    "Scheme",
    "SessionAD",
    "ascon_p",
    "compress",
    "files",
    "find",
    "find_mac",
    "mac_schemes",
    "schemes",
]
__version__ = VERSION


class AEAD(BaseAEAD):
    """Any scheme by canonical name or alias: ``AEAD("omd-sha512", key)``. All sizes are the scheme's."""

    @staticmethod
    def generate_key(scheme: str) -> bytes:
        """A fresh random key of the scheme's length."""
        return os.urandom(find(scheme).key_length)


def _check(what: str, given: int, allowed: Iterable[int], unit: str = "bytes", hint: str = "") -> None:
    """Raises ValueError unless the size is one of those allowed."""
    sizes = sorted(set(allowed))
    if given not in sizes:
        listed = ", ".join(map(str, sizes[:-1])) + (" and " if sizes[1:] else "") + str(sizes[-1])
        raise ValueError(f"wrong {what}: given {given} {unit}, allowed {listed} {unit}{hint}")


def _length(key: Buffer) -> int:
    try:
        with memoryview(key) as view:
            return view.nbytes
    except TypeError:
        raise TypeError(f"key must be bytes-like, not {type(key).__name__}") from None


@functools.cache
def _published(prefix: str) -> frozenset[tuple[int, int, int]]:
    """Key, nonce and tag of the parameter sets whose names begin so, in bytes."""
    found = (scheme for scheme in schemes() if scheme.name.startswith(f"{prefix}k"))
    return frozenset((scheme.key_length, scheme.nonce_length, scheme.tag_length) for scheme in found)


class _Sized(BaseAEAD):
    """A mode over one compression function, in published sizes; the key's length chooses the parameter set."""

    _mode: ClassVar[str]
    _function: ClassVar[str]
    _defaults: ClassVar[tuple[int, int, int]]  # key, nonce and tag in bytes

    def __new__(
        cls, key: Buffer, *, nonce_length: int | None = None, tag_length: int | None = None, _suffix: str = ""
    ) -> Self:
        prefix = cls._mode + cls._function
        hint = f"; {cls.__name__}.generate_key() makes a key, which a password is not (other sizes: AEAD)"
        key_length = _length(key)
        _check("key length", key_length, (sizes[0] for sizes in _published(prefix)), hint=hint)
        fitting = [sizes for sizes in _published(prefix) if sizes[0] == key_length]
        given = f" with a key of {key_length} bytes"
        if nonce_length is not None:
            _check("nonce length", nonce_length, (sizes[1] for sizes in fitting), hint=given)
            fitting = [sizes for sizes in fitting if sizes[1] == nonce_length]
            given += f" and a nonce of {nonce_length}"
        if tag_length is not None:
            _check("tag length", tag_length, (sizes[2] for sizes in fitting), hint=given)
            fitting = [sizes for sizes in fitting if sizes[2] == tag_length]
        _, nonce, tag = cls._defaults if cls._defaults in fitting else max(fitting)
        return super().__new__(cls, f"{prefix}k{8 * key_length}n{8 * nonce}tau{8 * tag}{_suffix}", key)

    @classmethod
    def generate_key(cls, bit_length: int | None = None) -> bytes:
        """A fresh random key of ``bit_length`` bits, by default the size that the class is made for."""
        bits = 8 * cls._defaults[0] if bit_length is None else bit_length
        _check("key size", bits, (8 * sizes[0] for sizes in _published(cls._mode + cls._function)), "bits")
        return os.urandom(bits // 8)


class _OMD(_Sized):
    """OMD over one compression function."""

    _mode = "omd"

    def __new__(
        cls, key: Buffer, *, nonce_length: int | None = None, tag_length: int | None = None, version: int = 2
    ) -> Self:
        if version not in (1, 2):
            raise ValueError(f"wrong version: given {version}, allowed 1 and 2")
        return super().__new__(cls, key, nonce_length=nonce_length, tag_length=tag_length, _suffix=f"v{version}")


class OMDSHA256(_OMD):
    """OMD over SHA-256's compression function.

    Keys have 16, 24 or 32 bytes, nonces 12, 13 or 31, tags 8, 12, 16, 20 or 32. The defaults are those of the key's
    published set; with a 32-byte key ``omdsha256k256n104tau160v2``.
    """

    _function = "sha256"
    _defaults = (32, 13, 20)


class OMDSHA512(_OMD):
    """OMD over SHA-512's compression function.

    Keys have 16, 32 or 64 bytes, nonces 16 or 32, tags 16, 32 or 64. The defaults are those of the key's published
    set; with a 64-byte key ``omdsha512k512n256tau256v2``.
    """

    _function = "sha512"
    _defaults = (64, 32, 32)


class OMDBLAKE2b(_OMD):
    """OMD over BLAKE2b's compression function.

    Keys have 32 or 64 bytes, nonces 16 or 32, tags 16, 32 or 64. The defaults are those of the key's published set;
    with a 64-byte key ``omdblake2bk512n256tau256v2``.
    """

    _function = "blake2b"
    _defaults = (64, 32, 32)


class POMDSHA256(_Sized):
    """p-OMD over SHA-256's compression function: associated data that is not longer than the message is almost free.

    No authenticity if a nonce repeats, nor if unverified plaintext gets out (which this class does not let happen).
    There is no session associated data.

    Keys have 16 or 32 bytes, nonces 12 or 31, tags 16 or 32. The defaults are those of the key's published set; with
    a 32-byte key ``pomdsha256k256n248tau256``.
    """

    _mode = "pomd"
    _function = "sha256"
    _defaults = (32, 31, 32)


class POMDSHA512(_Sized):
    """p-OMD over SHA-512's compression function: associated data that is not longer than the message is almost free.

    No authenticity if a nonce repeats, nor if unverified plaintext gets out (which this class does not let happen).
    There is no session associated data.

    Keys have 64 bytes, nonces 32, tags 32: ``pomdsha512k512n256tau256``.
    """

    _mode = "pomd"
    _function = "sha512"
    _defaults = (64, 32, 32)


class POMDBLAKE2b(_Sized):
    """p-OMD over BLAKE2b's compression function: associated data that is not longer than the message is almost free.

    No authenticity if a nonce repeats, nor if unverified plaintext gets out (which this class does not let happen).
    There is no session associated data.

    Keys have 64 bytes, nonces 32, tags 32: ``pomdblake2bk512n256tau256``.
    """

    _mode = "pomd"
    _function = "blake2b"
    _defaults = (64, 32, 32)


class ExperimentalSIVOMDPSHA256(_Sized):
    """Experimental: SIV-OMD, parallel encryption, over SHA-256's compression function; tolerates a repeated nonce.

    Our own construction, which nobody has analysed: for experiments only. It may change.

    Keys have 32 bytes, nonces 12, tags 32: ``sivomdpsha256k256n96tau256``.
    """

    _mode = "sivomdp"
    _function = "sha256"
    _defaults = (32, 12, 32)


class ExperimentalSIVOMDPSHA512(_Sized):
    """Experimental: SIV-OMD, parallel encryption, over SHA-512's compression function; tolerates a repeated nonce.

    Our own construction, which nobody has analysed: for experiments only. It may change.

    Keys have 64 bytes, nonces 32, tags 32: ``sivomdpsha512k512n256tau256``.
    """

    _mode = "sivomdp"
    _function = "sha512"
    _defaults = (64, 32, 32)


class ExperimentalSIVOMDPBLAKE2b(_Sized):
    """Experimental: SIV-OMD, parallel encryption, over BLAKE2b's compression function; tolerates a repeated nonce.

    Our own construction, which nobody has analysed: for experiments only. It may change.

    Keys have 64 bytes, nonces 32, tags 32: ``sivomdpblake2bk512n256tau256``.
    """

    _mode = "sivomdp"
    _function = "blake2b"
    _defaults = (64, 32, 32)


class ExperimentalSIVOMDSSHA256(_Sized):
    """Experimental: SIV-OMD, serial encryption, over SHA-256's compression function; tolerates a repeated nonce.

    Our own construction, which nobody has analysed: for experiments only. It may change.

    Keys have 32 bytes, nonces 12, tags 32: ``sivomdssha256k256n96tau256``.
    """

    _mode = "sivomds"
    _function = "sha256"
    _defaults = (32, 12, 32)


class ExperimentalSIVOMDSSHA512(_Sized):
    """Experimental: SIV-OMD, serial encryption, over SHA-512's compression function; tolerates a repeated nonce.

    Our own construction, which nobody has analysed: for experiments only. It may change.

    Keys have 64 bytes, nonces 32, tags 32: ``sivomdssha512k512n256tau256``.
    """

    _mode = "sivomds"
    _function = "sha512"
    _defaults = (64, 32, 32)


class _OfKey(BaseAEAD):
    """A scheme whose key length chooses the cipher."""

    _keys: ClassVar[tuple[int, ...]] = (16, 32)
    _tags: ClassVar[tuple[int, ...]] = (16,)
    _name: ClassVar[str]  # with places for the bits of key and tag

    def __new__(cls, key: Buffer, *, _tag_length: int = 16) -> Self:
        _check("key length", _length(key), cls._keys)
        _check("tag length", _tag_length, cls._tags)
        return super().__new__(cls, cls._name.format(8 * _length(key), 8 * _tag_length), key)

    @classmethod
    def generate_key(cls, bit_length: int = 128) -> bytes:
        """A fresh random key of ``bit_length`` bits."""
        _check("key size", bit_length, (8 * length for length in cls._keys), "bits")
        return os.urandom(bit_length // 8)


class AESOTRP(_OfKey):
    """AES-OTR version 3, associated data in parallel (ADP = P); fast on CPUs with AES instructions.

    Keys have 16 or 32 bytes, nonces 12, tags 16: with a 16-byte key ``aes128otrpv3``; other sizes through
    :class:`AEAD`. A repeated nonce costs secrecy and authenticity, as in GCM.
    """

    _name = "aes{}otrpv3"


class AESOTRS(_OfKey):
    """AES-OTR version 3, associated data one block after the other (ADP = S).

    Keys have 16 or 32 bytes, nonces 12, tags 16: with a 16-byte key ``aes128otrsv3``; other sizes through
    :class:`AEAD`. A repeated nonce costs secrecy and authenticity, as in GCM.
    """

    _name = "aes{}otrsv3"


class AESOTRC(_OfKey):
    """AES-OTR version 3, associated data through the mode itself (ADP = C).

    Keys have 16 or 32 bytes, nonces 12, tags 16: with a 16-byte key ``aes128otrcv3``; other sizes through
    :class:`AEAD`. A repeated nonce costs secrecy and authenticity, as in GCM.
    """

    _name = "aes{}otrcv3"


class _OfName(BaseAEAD):
    """A scheme without a choice; its keys have 16 bytes."""

    _name: ClassVar[str]

    def __new__(cls, key: Buffer) -> Self:
        return super().__new__(cls, cls._name, key)

    @classmethod
    def generate_key(cls) -> bytes:
        """A fresh random key of 128 bits."""
        return os.urandom(16)


class AsconAEAD128(_OfName):
    """Ascon-AEAD128 of NIST SP 800-232.

    Key, nonce and tag have 16 bytes each. A repeated nonce reveals the difference of the first blocks in which two
    messages differ.
    """

    _name = "asconaead128"


class Ascon128(_OfName):
    """Ascon-128 version 1.2, for what was sealed before the standard; :class:`AsconAEAD128` for all that is new.

    Key, nonce and tag have 16 bytes each. A repeated nonce reveals the difference of the first blocks in which two
    messages differ.
    """

    _name = "ascon128v12"


class COLM0(_OfName):
    """COLM_0 over AES-128: two calls a block; a repeated nonce shows how far two messages begin alike.

    Keys have 16 bytes, nonces 8, tags 16: the last 16 bytes of the designers' ciphertext.
    """

    _name = "colm0v1"


class AESCOPA(_OfName):
    """AES-COPA version 2: two calls a block; a repeated nonce shows how far two messages begin alike.

    Keys have 16 bytes, nonces 16, tags 33: what the designers' ciphertext has beyond the length of the message, and
    zeros.
    """

    _name = "aescopav2"


class Minalpher(_OfName):
    """Minalpher version 1.1: a permutation between masks, then a MAC of the ciphertext; not in use.

    Keys have 16 bytes, nonces 13, tags 48: what the designers' ciphertext has beyond the length of the message, and
    zeros. A repeated nonce shows which blocks are equal at the same place.
    """

    _name = "minalpherv11"


class SCREAM10(_OfName):
    """SCREAM version 3 with 10 steps, historical: it has weak keys and is not for use.

    Keys have 16 bytes, nonces 11, tags 16.
    """

    _name = "scream10v3"


class SCREAM12(_OfName):
    """SCREAM version 3 with 12 steps, historical: it has weak keys and is not for use.

    Keys have 16 bytes, nonces 11, tags 16.
    """

    _name = "scream12v3"


class DeoxysI(_OfKey):
    """Deoxys-I version 1.43: one pass, for nonces that never repeat.

    Keys have 16 or 32 bytes, nonces 8, tags 16. A repeated nonce costs secrecy and authenticity.
    """

    _name = "deoxysi{}v143"


class DeoxysII(_OfKey):
    """Deoxys-II version 1.43: two passes; a repeated nonce shows only whether two packets are equal.

    Keys have 16 or 32 bytes, nonces 15, tags 16.
    """

    _name = "deoxysii{}v143"


class AESGCM(_OfKey):
    """AES-GCM of NIST SP 800-38D, the class of that name in ``cryptography``, for nonces of 12 bytes.

    Keys have 16 or 32 bytes, nonces 12, tags 16. A repeated nonce costs secrecy and, for the key, authenticity.
    """

    _name = "aes{}gcmv1"


class _Aegis(_OfKey):
    """A cipher of the family; the length of the tag is a choice."""

    _tags = (16, 32)

    def __new__(cls, key: Buffer, *, tag_length: int = 16) -> Self:
        return super().__new__(cls, key, _tag_length=tag_length)


class AEGIS128L(_Aegis):
    """AEGIS-128L of RFC 10032; the fastest here for short messages on CPUs with AES instructions.

    Keys have 16 bytes, nonces 16, tags 16 or 32. From a few messages under one nonce an attacker computes its state:
    secrecy and authenticity are lost.
    """

    _keys = (16,)
    _name = "aegis{}ltau{}"


class AEGIS256(_Aegis):
    """AEGIS-256 of RFC 10032, with nonces long enough to be drawn at random.

    Keys have 32 bytes, nonces 32, tags 16 or 32. From a few messages under one nonce an attacker computes its state:
    secrecy and authenticity are lost.
    """

    _keys = (32,)
    _name = "aegis{}tau{}"

    @classmethod
    def generate_key(cls, bit_length: int = 256) -> bytes:
        """A fresh random key of ``bit_length`` bits."""
        return super().generate_key(bit_length)


class AESOCB(_OfKey):
    """OCB of RFC 7253; the key's length chooses AES-128, AES-192 or AES-256.

    Keys have 16, 24 or 32 bytes, nonces 12, tags 8, 12 or 16. A repeated nonce costs secrecy and authenticity.
    """

    _keys = (16, 24, 32)
    _tags = (8, 12, 16)
    _name = "aeadaes{}ocbtaglen{}v1"

    def __new__(cls, key: Buffer, *, tag_length: int = 16) -> Self:
        return super().__new__(cls, key, _tag_length=tag_length)
