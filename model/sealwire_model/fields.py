# SPDX-License-Identifier: Apache-2.0
"""GF(2^128), GF(2^256) and GF(2^512) on strings of bytes; the first byte is the most significant."""

from __future__ import annotations

from .strings import xor

#: By the bytes of an element: x^128 + x^7 + x^2 + x + 1, x^256 + x^10 + x^5 + x^2 + 1 and x^512 + x^8 + x^5 + x^2 + 1,
#: without their leading terms.
POLYNOMIAL = {16: 0x87, 32: 0x425, 64: 0x125}


def double(block: bytes) -> bytes:
    """Multiplication by x."""
    bits = 8 * len(block)
    value = int.from_bytes(block, "big") << 1
    if value >> bits:
        value ^= 1 << bits | POLYNOMIAL[len(block)]
    return value.to_bytes(len(block), "big")


def multiple(factor: int, block: bytes) -> bytes:
    """`factor` . block, where the bits of the factor are coefficients of a polynomial."""
    total = bytes(len(block))
    while factor:
        if factor & 1:
            total = xor(total, block)
        block, factor = double(block), factor >> 1
    return total
