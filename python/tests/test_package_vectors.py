# SPDX-License-Identifier: Apache-2.0
"""The published answers through the Python package, all of them."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
import sealwire

VECTORS = Path(__file__).resolve().parents[2] / "vectors"
NAMES = {scheme.name for scheme in sealwire.schemes()}
FILES = sorted(path for path in VECTORS.glob("*.rsp") if path.name.split(".")[0] in NAMES)
#: How many records two of the files have: what the guides say is checked here.
COUNTS = {"omdsha512k512n256tau256v2.rsp": 563, "asconaead128.rsp": 1089}


def records(path: Path) -> Iterator[dict[str, str]]:
    for group in path.read_text().split("\n\n"):
        lines = [line.partition("=") for line in group.splitlines() if line and not line.startswith("#")]
        if lines:
            yield {name.strip(): value.strip() for name, _, value in lines}


def rule(length: int) -> bytes:
    return bytes((7 * i + 3) & 255 for i in range(length))


def published(name: str, sealed: bytes, length: int) -> bytes:
    """The designers' ciphertext: zeros fill the tags of AES-COPA and Minalpher up."""
    assert len(sealed) == length or (name in ("aescopav2", "minalpherv11") and not any(sealed[length:]))
    return sealed[:length]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_answers(path: Path) -> None:
    name = path.name.partition(".")[0]
    every = list(records(path))
    assert len(every) == path.read_text().count("Count = ") > 0
    for record in every:
        key, nonce = bytes.fromhex(record["Key"]), bytes.fromhex(record["Nonce"])
        aead = sealwire.AEAD(name, key)
        if "CTSHA256" in record:
            data, ad = rule(int(record["PTLen"])), rule(int(record["ADLen"]))
            sealed = aead.encrypt(nonce, data, ad)
            made = published(name, sealed, int(record["CTLen"]))
            assert sha256(made).hexdigest().upper() == record["CTSHA256"]
        else:
            data, ad = bytes.fromhex(record["PT"]), bytes.fromhex(record["AD"])
            sealed = aead.encrypt(nonce, data, ad)
            made = published(name, sealed, len(record["CT"]) // 2)
            assert made.hex().upper() == record["CT"], f"Count {record['Count']}"
        assert aead.decrypt(nonce, sealed, ad) == data
        forged = bytearray(sealed)
        forged[int(record["Count"]) % len(forged)] ^= 0x20
        with pytest.raises(sealwire.InvalidTag):
            aead.decrypt(nonce, forged, ad)


def test_every_file_is_there() -> None:
    assert {path.name.split(".")[0] for path in FILES} == NAMES
    for name, count in COUNTS.items():
        assert len(list(records(VECTORS / name))) == count, name
