# SPDX-License-Identifier: Apache-2.0
"""COLM_0 and AES-COPA of the executable specification: all answers of the designers' code, and what must be refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sealwire_model.answers import parse
from sealwire_model.colm import Colm
from sealwire_model.copa import TAG, Copa, published_len
from sealwire_model.schemes import CHAINED, Name

VECTORS = Path(__file__).parents[2] / "vectors"
KEY, TEXT = bytes(range(16)), bytes(range(3, 60))


def sealed_len(scheme: str, text_len: int) -> int:
    return published_len(text_len) if scheme == "aescopav2" else text_len + 16


@pytest.mark.parametrize("scheme", CHAINED)
def test_all_answers(scheme: str) -> None:
    records = [record for form in ("", ".long") for record in parse(VECTORS / f"{scheme}{form}.rsp").aead]
    assert len(records) == 201
    for record in records:
        if len(record.plaintext) > 10000:
            continue
        mode = Name.parse(scheme).under(record.key)
        ciphertext, tag = mode.seal(record.nonce, record.ad, record.plaintext)
        sealed, end = ciphertext + tag, sealed_len(scheme, len(record.plaintext))
        assert record.matches(sealed[:end]) and not any(sealed[end:]), record.count
        assert mode.open(record.nonce, record.ad, ciphertext, tag) == (record.plaintext, tag), record.count


def test_values_between() -> None:
    """V and W of the designers' code before a message."""
    colm, copa = Colm(KEY), Copa(KEY)
    assert colm.l == copa.l == bytes.fromhex("C6A13B37878F5B826F4F8162A1C8D879")
    assert colm.start(bytes(range(8)), bytes(range(3))).hex().upper() == "887D91EF00FB15BEC866199FEC6124E1"
    v = bytes(a ^ b for a, b in zip(copa.start(bytes(range(16)), bytes(range(3))), copa.l, strict=True))
    assert v.hex().upper() == "A1CA388234F5EA09C61C10F36ADFA46C"


def forgeries(sealed: bytes) -> Iterator[bytes]:
    """Every byte changed by a bit, and the last byte by every value: AES-COPA's says how the last block ends."""
    for at in range(len(sealed)):
        yield sealed[:at] + bytes([sealed[at] ^ 1 << at % 8]) + sealed[at + 1 :]
    yield from (sealed[:-1] + bytes([value]) for value in range(256) if value != sealed[-1])


@pytest.mark.parametrize("scheme", CHAINED)
@pytest.mark.parametrize("text_len", [0, 1, 15, 16, 17, 31, 32, 33, 48])
def test_no_changed_byte_passes(scheme: str, text_len: int) -> None:
    name = Name.parse(scheme)
    mode, nonce = name.under(KEY), bytes(range(name.nonce_bits // 8))
    ciphertext, tag = mode.seal(nonce, b"header", TEXT[:text_len])
    assert len(tag) == name.tag_bits // 8 == (TAG if scheme == "aescopav2" else 16)
    for forged in forgeries(ciphertext + tag):
        given = forged[text_len:]
        assert mode.open(nonce, b"header", forged[:text_len], given)[1] != given
