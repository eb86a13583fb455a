# SPDX-License-Identifier: Apache-2.0
"""AEGIS of the executable specification: the parts and the refusals of RFC 10032, appendix A."""

from pathlib import Path

import pytest
from sealwire_model.aegis import KEY_BITS, Aegis, aes_round
from sealwire_model.answers import parse
from sealwire_model.schemes import Name

VECTORS = Path(__file__).parents[2] / "vectors"
SCHEMES = [f"{cipher}tau{tag}" for cipher in KEY_BITS for tag in (128, 256)]

#: States of RFC 10032 before an update and behind it
BEFORE = [
    "9b7e60b24cc873ea894ecc07911049a3",
    "330be08f35300faa2ebf9a7b0d274658",
    "7bbd5bd2b049f7b9b515cf26fbe7756c",
    "c35a00f55ea86c3886ec5e928f87db18",
    "9ebccafce87cab446396c4334592c91f",
    "58d83e31f256371e60fc6bb257114601",
    "1639b56ea322c88568a176585bc915de",
    "640818ffb57dc0fbc2e72ae93457e39a",
]
AFTER = [
    "596ab773e4433ca0127c73f60536769d",
    "790394041a3d26ab697bde865014652d",
    "38cf49e4b65248acd533041b64dd0611",
    "16d8e58748f437bfff1797f780337cee",
    "9689ecdf08228c74d7e3360cca53d0a5",
    "a21746bb193a569e331e1aa985d0d729",
    "09d714e6fcf9177a8ed1cde7e3d259a6",
    "61279ba73167f0ab76f0a11bf203bdff",
]
BEFORE_256 = [
    "1fa1207ed76c86f2c4bb40e8b395b43e",
    "b44c375e6c1e1978db64bcd12e9e332f",
    "0dab84bfa9f0226432ff630f233d4e5b",
    "d7ef65c9b93e8ee60c75161407b066e7",
    "a760bb3da073fbd92bdc24734b1f56fb",
    "a828a18d6a964497ac6e7e53c5f55c73",
]
AFTER_256 = [
    "e6bc643bae82dfa3d991b1b323839dcd",
    "648578232ba0f2f0a3677f617dc052c3",
    "ea788e0e572044a46059212dd007a789",
    "2f1498ae19b80da13fba698f088a8590",
    "a54c2ee95e8c2a2c3dae2ec743ae6b86",
    "a3240fceb68e32d5d114df1b5363ab67",
]


def test_a_round_of_aes() -> None:
    block = bytes.fromhex("000102030405060708090a0b0c0d0e0f")
    key = bytes.fromhex("101112131415161718191a1b1c1d1e1f")
    assert aes_round(block, key).hex() == "7a7b4e5638782546a8c0477a3b813f43"


def test_an_update_of_either_state() -> None:
    """The samples of the RFC."""
    cipher = Aegis(bytes(16), 16)
    cipher.state = [bytes.fromhex(word) for word in BEFORE]
    cipher._update(bytes.fromhex("033e6975b94816879e42917650955aa0fcc1968a46b7e97861bd6e89af6aa55f"))
    assert [block.hex() for block in cipher.state] == AFTER
    cipher = Aegis(bytes(32), 16)
    cipher.state = [bytes.fromhex(word) for word in BEFORE_256]
    cipher._update(bytes.fromhex("b165617ed04ab738afb2612c6d18a1ec"))
    assert [block.hex() for block in cipher.state] == AFTER_256


@pytest.mark.parametrize("scheme", SCHEMES)
def test_all_answers(scheme: str) -> None:
    records = parse(VECTORS / f"{scheme}.rsp").aead
    assert len(records) == 177
    for record in records[::3]:
        mode = Name.parse(scheme).under(record.key)
        ciphertext, tag = mode.seal(record.nonce, record.ad, record.plaintext)
        assert record.matches(ciphertext + tag), record.count
        assert mode.open(record.nonce, record.ad, ciphertext, tag) == (record.plaintext, tag), record.count


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_refusals_of_the_rfc(scheme: str) -> None:
    """Key and nonce exchanged, a change of the ciphertext and of the associated data: another tag comes out."""
    name = Name.parse(scheme)
    record = parse(VECTORS / f"{scheme}.rsp").aead[3]
    key, nonce, ad = record.key, record.nonce, record.ad
    ciphertext, tag = name.under(key).seal(nonce, ad, record.plaintext)
    changed = ciphertext[:-1] + bytes([ciphertext[-1] ^ 15])
    assert name.under(nonce).open(key, ad, ciphertext)[1] != tag
    assert name.under(key).open(nonce, ad, changed)[1] != tag
    assert name.under(key).open(nonce, ad[:-1] + b"\x08", ciphertext)[1] != tag
    assert name.under(key).open(nonce, ad, ciphertext)[1] == tag
