# SPDX-License-Identifier: Apache-2.0
"""The stanzas of sealed files (docs/file-format.md): a secret for recipients or under a passphrase."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable

from .primitives.argon2id import argon2id
from .primitives.mlkem768 import TEXT, decapsulate, encapsulate, public_key
from .primitives.x25519 import BASE, x25519

#: Gives so many fresh random bytes
Random = Callable[[int], bytes]

POINT, WRAPPED = 32, 64  # bytes
RECIPIENT = POINT + TEXT + WRAPPED
PASSPHRASE = 4 + 16 + WRAPPED


def extract(salt: bytes, secret: bytes) -> bytes:
    """HKDF-Extract of RFC 5869 over SHA-512."""
    return hmac.digest(salt, secret, "sha512")


def expand(prk: bytes, info: bytes, length: int) -> bytes:
    """HKDF-Expand, of one block."""
    assert length <= hashlib.sha512().digest_size
    return hmac.digest(prk, info + b"\1", "sha512")[:length]


def key_id(purpose: int, key: bytes) -> bytes:
    """The short name of a key for one purpose."""
    return expand(extract(b"sealwire key id", key), b"sealwire key id\0" + bytes([purpose]), 8)


def private_keys(seed: bytes) -> tuple[bytes, bytes]:
    """An identity's private key of X25519 and seed of ML-KEM-768."""
    prk = extract(b"sealwire identity", seed)
    return expand(prk, b"x25519\0", 32), expand(prk, b"ml-kem-768\0", 64)


def recipient(seed: bytes) -> bytes:
    """The public key that belongs to an identity."""
    private, kem = private_keys(seed)
    return x25519(private, BASE) + public_key(kem)


def xor(a: bytes, b: bytes) -> bytes:
    """Byte by byte."""
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def wrap(shared: bytes, context: bytes, secret: bytes) -> bytes:
    """The secret and its MAC."""
    prk = extract(b"sealwire file wrap", shared)
    padded = xor(secret, expand(prk, b"pad\0" + context, 32))
    return padded + expand(prk, b"mac\0" + context + padded, 32)


def unwrap(shared: bytes, context: bytes, wrapped: bytes) -> bytes | None:
    """The secret, or nothing if the MAC differs."""
    prk = extract(b"sealwire file wrap", shared)
    padded, mac = wrapped[:32], wrapped[32:]
    if mac != expand(prk, b"mac\0" + context + padded, 32):
        return None
    return xor(padded, expand(prk, b"pad\0" + context, 32))


def for_recipient(prologue: bytes, public: bytes, secret: bytes, random: Random) -> bytes:
    """A recipient's stanza."""
    private, m = random(32), random(32)
    by_point = x25519(private, public[:POINT])
    by_kem, text = encapsulate(public[POINT:], m)
    carrier = x25519(private, BASE) + text
    return carrier + wrap(by_kem + by_point, prologue + carrier + public, secret)


def by_identity(prologue: bytes, stanzas: bytes, seed: bytes) -> bytes | None:
    """The secret, if one of the stanzas is for this identity."""
    private, kem = private_keys(seed)
    public = recipient(seed)
    for at in range(0, len(stanzas), RECIPIENT):
        carrier, wrapped = stanzas[at : at + POINT + TEXT], stanzas[at + POINT + TEXT : at + RECIPIENT]
        by_point = x25519(private, carrier[:POINT])
        if not any(by_point):
            continue
        by_kem = decapsulate(kem, carrier[POINT:])
        secret = unwrap(by_kem + by_point, prologue + carrier + public, wrapped)
        if secret is not None:
            return secret
    return None


def stretch(passphrase: bytes, head: bytes) -> bytes:
    """What Argon2id makes of a passphrase at the cost and with the salt of a stanza."""
    return argon2id(passphrase, head[4:20], head[1], 1 << head[0], head[2], 64)


def for_passphrase(
    prologue: bytes, passphrase: bytes, cost: tuple[int, int, int], secret: bytes, random: Random
) -> bytes:
    """A passphrase's stanza; the cost is log2 of KiB, passes, lanes."""
    head = bytes([*cost, 0]) + random(16)
    return head + wrap(stretch(passphrase, head), prologue + head, secret)


def by_passphrase(prologue: bytes, stanza: bytes, passphrase: bytes) -> bytes | None:
    """The secret, if the passphrase is right."""
    head, wrapped = stanza[:20], stanza[20:]
    return unwrap(stretch(passphrase, head), prologue + head, wrapped)
