# SPDX-License-Identifier: Apache-2.0
"""The primitives of the executable specification against the standard library and the answers of the standards."""

import hashlib

from sealwire_model.primitives.aes import Aes
from sealwire_model.primitives.blake2b import blake2b
from sealwire_model.primitives.sha2 import SHA256_IV, SHA512_IV, sha256, sha512


def test_sha512_compression_makes_sha512() -> None:
    message = bytes(range(100))
    block = (message + b"\x80").ljust(112, b"\0") + (8 * len(message)).to_bytes(16, "big")
    start = b"".join(word.to_bytes(8, "big") for word in SHA512_IV)
    assert sha512(start, block) == hashlib.sha512(message).digest()


def test_sha256_compression_makes_sha256() -> None:
    message = bytes(range(50))
    block = (message + b"\x80").ljust(56, b"\0") + (8 * len(message)).to_bytes(8, "big")
    start = b"".join(word.to_bytes(4, "big") for word in SHA256_IV)
    assert sha256(start, block) == hashlib.sha256(message).digest()


def test_blake2b_compression_makes_blake2b() -> None:
    message = bytes(range(100))
    first = SHA512_IV[0] ^ 0x01010040
    start = b"".join(word.to_bytes(8, "little") for word in [first, *SHA512_IV[1:]])
    assert blake2b(start, message.ljust(128, b"\0"), len(message), True) == hashlib.blake2b(message).digest()


def test_aes_gives_the_answers_of_the_standard() -> None:  # FIPS 197, appendices B and C
    block = bytes.fromhex("00112233445566778899aabbccddeeff")
    answers = {
        16: "69c4e0d86a7b0430d8cdb78070b4c55a",
        24: "dda97ca4864cdfe06eaf70a0ec0d7191",
        32: "8ea2b7ca516745bfeafc49904b496089",
    }
    for length, answer in answers.items():
        assert Aes(bytes(range(length))).encrypt(block).hex() == answer
        assert Aes(bytes(range(length))).decrypt(bytes.fromhex(answer)) == block
    key, block = "2b7e151628aed2a6abf7158809cf4f3c", "3243f6a8885a308d313198a2e0370734"
    assert Aes(bytes.fromhex(key)).encrypt(bytes.fromhex(block)).hex() == "3925841d02dc09fbdc118597196a0b32"
    assert Aes(bytes.fromhex(key)).decrypt(bytes.fromhex("3925841d02dc09fbdc118597196a0b32")).hex() == block
