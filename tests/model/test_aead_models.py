# SPDX-License-Identifier: Apache-2.0
"""Every AEAD scheme of the executable specification against all known-answer files of its name."""

from pathlib import Path

import pytest
from sealwire_model import copa, minalpher
from sealwire_model.answers import parse
from sealwire_model.schemes import AEGIS, ASCON, CHAINED, COMPRESSING, DEOXYS, GCM, MINALPHER, OCB, OTR, SCREAM, Name

VECTORS = Path(__file__).parents[2] / "vectors"
FILES = sorted(
    path.name
    for path in VECTORS.glob("*.rsp")
    if path.name.startswith((*COMPRESSING, *OTR, *OCB, *GCM, *ASCON, *DEOXYS, *CHAINED, *AEGIS, *SCREAM, MINALPHER))
)


def test_every_scheme_has_known_answers() -> None:
    tried = {Name.parse(parse(VECTORS / name).scheme).scheme for name in FILES}
    # Nothing else of this repository makes these.
    alone = {"sivomdsblake2b", "deoxysi256v141", "deoxysii256v141"}
    assert tried == {*COMPRESSING, *OTR, *OCB, *GCM, *ASCON, *DEOXYS, *CHAINED, *AEGIS, *SCREAM, MINALPHER} - alone


@pytest.mark.parametrize("name", FILES)
def test_model_agrees_with_the_vectors(name: str) -> None:
    vectors = parse(VECTORS / name)
    scheme = Name.parse(vectors.scheme)
    records = [record for record in vectors.aead if len(record.plaintext) < 10000]
    for record in records[:: max(1, len(records) // 12)]:
        assert (8 * len(record.key), 8 * len(record.nonce)) == (scheme.key_bits, scheme.nonce_bits)
        mode = scheme.under(record.key)
        ciphertext, tag = mode.seal(record.nonce, record.ad, record.plaintext)
        sealed = ciphertext + tag
        if vectors.scheme in ("aescopav2", MINALPHER):
            padded = copa if vectors.scheme == "aescopav2" else minalpher
            length = padded.published_len(len(record.plaintext))
            assert not any(sealed[length:])
            sealed = sealed[:length]
        assert record.matches(sealed), record.count
        assert mode.open(record.nonce, record.ad, ciphertext, tag) == (record.plaintext, tag)


@pytest.mark.parametrize("name", ["aes128gcm", "omdsha512", "omdsha512k512n256tau256v3", "aes192otrpv3"])
def test_a_name_without_a_model_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no model of a scheme named"):
        Name.parse(name)
