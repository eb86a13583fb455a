# SPDX-License-Identifier: Apache-2.0
"""The benches' models agree with the standard library and with every vector of their schemes."""

import hashlib
import re
from pathlib import Path

import pytest
from aes_model import Aes
from models import MODES, OTR, model
from omd_model import SHA256_IV, SHA512_IV, blake2b, sha256, sha512
from sealwire_lab.rsp import parse

VECTORS = Path(__file__).parents[2] / "vectors"
FILES = sorted(
    path.name
    for path in VECTORS.glob("*.rsp")
    if re.match(rf"({'|'.join(MODES)})(sha|blake)|{'|'.join(OTR)}", path.name)
)


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


def test_aes_gives_the_answers_of_the_standard() -> None:  # FIPS 197, appendices B, C.1 and C.3
    block = bytes.fromhex("00112233445566778899aabbccddeeff")
    answers = {16: "69c4e0d86a7b0430d8cdb78070b4c55a", 32: "8ea2b7ca516745bfeafc49904b496089"}
    for length, answer in answers.items():
        assert Aes(bytes(range(length))).encrypt(block).hex() == answer
    key, block = "2b7e151628aed2a6abf7158809cf4f3c", "3243f6a8885a308d313198a2e0370734"
    assert Aes(bytes.fromhex(key)).encrypt(bytes.fromhex(block)).hex() == "3925841d02dc09fbdc118597196a0b32"


@pytest.mark.parametrize("name", FILES)
def test_model_agrees_with_the_vectors(name: str) -> None:
    vectors = parse(VECTORS / name)
    match = re.fullmatch(r"(\w+?)(?:k\d+n\d+tau(\d+))?(?:v(\d))?", vectors.scheme)
    assert match
    records = [record for record in vectors.aead if len(record.plaintext) < 10000]
    for record in records[:: max(1, len(records) // 12)]:
        mode = model(match[1], record.key, int(match[2] or 128) // 8, int(match[3] or 1))
        ciphertext, tag = mode.seal(record.nonce, record.ad, record.plaintext)
        assert record.matches(ciphertext + tag), record.count
        assert mode.open(record.nonce, record.ad, ciphertext, tag) == (record.plaintext, tag)
