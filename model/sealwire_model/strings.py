# SPDX-License-Identifier: Apache-2.0
"""Strings of bytes: exclusive or, and 10* padding."""

from __future__ import annotations


def xor(a: bytes, b: bytes) -> bytes:
    """Exclusive or over the length of the shorter string."""
    size = min(len(a), len(b))
    return (int.from_bytes(a[:size], "big") ^ int.from_bytes(b[:size], "big")).to_bytes(size, "big")


def pad(string: bytes, length: int) -> bytes:
    """10* padding of a string that is shorter than `length`."""
    return string if len(string) == length else (string + b"\x80").ljust(length, b"\0")
