# SPDX-License-Identifier: Apache-2.0
"""X25519 (RFC 7748): the Montgomery ladder over Python's integers. It is not constant-time."""

P = (1 << 255) - 19
A24 = 121665
BASE = (9).to_bytes(32, "little")


def x25519(scalar: bytes, point: bytes) -> bytes:
    """The u-coordinate of the product."""
    k = int.from_bytes(scalar, "little") & ~7 & ((1 << 254) - 1) | 1 << 254
    u = int.from_bytes(point, "little") & ((1 << 255) - 1)
    x2, z2, x3, z3, swapped = 1, 0, u, 1, 0
    for t in reversed(range(255)):
        bit = k >> t & 1
        if swapped ^ bit:
            x2, z2, x3, z3 = x3, z3, x2, z2
        swapped = bit
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        aa, bb, da, cb = a * a % P, b * b % P, d * a % P, c * b % P
        e = aa - bb
        x3, z3 = (da + cb) ** 2 % P, u * (da - cb) ** 2 % P
        x2, z2 = aa * bb % P, e * (aa + A24 * e) % P
    if swapped:
        x2, z2 = x3, z3
    return (x2 * pow(z2, P - 2, P) % P).to_bytes(32, "little")
