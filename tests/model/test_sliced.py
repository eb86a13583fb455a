# SPDX-License-Identifier: Apache-2.0
"""SCREAM and Minalpher of the executable specification: answers of the designers' code, and forgeries."""

from pathlib import Path

import pytest
from sealwire_model import minalpher
from sealwire_model.answers import parse
from sealwire_model.schemes import Name
from sealwire_model.scream import SCHEMES as SCREAM
from sealwire_model.scream import Scream

VECTORS = Path(__file__).parents[2] / "vectors"
KEY, TEXT = bytes(range(16)), bytes(range(3, 90))
ALL = [*SCREAM, "minalpherv11"]


def test_values_between() -> None:
    zero, counting = bytes(16), bytes(range(16))
    assert Scream(KEY, 10).encipher(zero, zero).hex() == "f2279cb39f24b2330a1397796764617e"
    assert Scream(KEY, 10).encipher(counting, counting).hex() == "fbbede9adacda43f3a3318260051ab9b"
    assert Scream(KEY, 12).encipher(zero, zero).hex() == "3e9b95b0047fb2fb84a37f56ee1efc4f"
    assert Scream(KEY, 12).decipher(zero, Scream(KEY, 12).encipher(zero, counting)) == counting
    permuted = "43591fcc2a1e1a8e308f15180d8867c96747312f54338e06669adbceafaa3f29"
    assert minalpher.permute(bytes(range(32))).hex() == permuted
    assert minalpher.permute(bytes.fromhex(permuted), inverse=True) == bytes(range(32))
    mask = minalpher.Minalpher(KEY).mask(minalpher.TEXT, bytes(range(13)))
    assert mask.hex() == "109897b940d3471e753b921ff76598a317b468fe9de4ea0cbde2b07c16ee96f5"


@pytest.mark.parametrize("scheme", ALL)
def test_answers(scheme: str) -> None:
    for record in parse(VECTORS / f"{scheme}.rsp").aead[::5]:
        mode = Name.parse(scheme).under(record.key)
        ciphertext, tag = mode.seal(record.nonce, record.ad, record.plaintext)
        sealed = ciphertext + tag
        end = minalpher.published_len(len(record.plaintext)) if scheme == "minalpherv11" else len(sealed)
        assert record.matches(sealed[:end]) and not any(sealed[end:]), record.count
        assert mode.open(record.nonce, record.ad, ciphertext, tag) == (record.plaintext, tag), record.count


@pytest.mark.parametrize("scheme", ALL)
@pytest.mark.parametrize("text_len", [0, 1, 16, 31, 32, 33])
def test_no_changed_byte_passes(scheme: str, text_len: int) -> None:
    name = Name.parse(scheme)
    mode, nonce = name.under(KEY), bytes(range(name.nonce_bits // 8))
    ciphertext, tag = mode.seal(nonce, b"header", TEXT[:text_len])
    assert len(tag) == name.tag_bits // 8
    sealed = ciphertext + tag
    for at in range(len(sealed)):
        forged = sealed[:at] + bytes([sealed[at] ^ 1 << at % 8]) + sealed[at + 1 :]
        assert mode.open(nonce, b"header", forged[:text_len], forged[text_len:])[1] != forged[text_len:]
