# SPDX-License-Identifier: Apache-2.0
"""Sealed files of the executable specification: the known files, every suite, and what must not open."""

from hashlib import shake_128
from pathlib import Path

import pytest
from sealwire_model.primitives.argon2id import argon2id
from sealwire_model.primitives.mlkem768 import TEXT, decapsulate, encapsulate, public_key
from sealwire_model.primitives.x25519 import BASE, x25519
from sealwire_model.sealed_file import (
    PASSPHRASE,
    SEEDS,
    Identities,
    Key,
    NotAuthenticError,
    Passphrase,
    counted,
    known_files,
    known_text,
    main,
    open_file,
    seal_file,
    worked,
)
from sealwire_model.suites import SUITES

ROOT = Path(__file__).parents[2]
DATA = ROOT / "crates" / "sealwire-file" / "tests" / "data"


def test_makes_the_known_files() -> None:
    assert known_files() == {path.name: path.read_bytes() for path in DATA.glob("*.sealed")}


def test_the_document_shows_the_worked_example() -> None:
    page = (ROOT / "docs" / "file-format.md").read_text(encoding="utf-8")
    assert f"```text\n{worked()}```" in page
    digits = {line[:11].strip() or None: line[11:].strip() for line in worked().splitlines()}
    file = (DATA / "v2-suite01-1.sealed").read_bytes()
    assert file[64:96].hex() == digits["commitment"]
    assert file[16:24].hex() == digits["key id"]


@pytest.mark.parametrize("code", SUITES)
def test_opens_what_it_seals(code: int) -> None:
    key = Key(bytes(range(SUITES[code].n)))
    for length in (0, 1, 4095, 4096, 4097, 8192):
        file = seal_file(key, code, 12, counted(), known_text(length))
        chunks = max(1, -(-length // 4096))
        assert len(file) == 96 + length + chunks * SUITES[code].tag_bytes
        assert open_file(key, file) == known_text(length)


@pytest.mark.parametrize("code", SUITES)
def test_a_changed_cut_or_lengthened_file_does_not_open(code: int) -> None:
    key, tag = Key(bytes(range(SUITES[code].n))), SUITES[code].tag_bytes
    file = seal_file(key, code, 12, counted(), known_text(5000))
    places = (0, 8, 9, 11, 12, 13, 14, 15, 20, 28, 50, 64, 95, 96, 4300, len(file) - 1)
    wrong = [file[:at] + bytes([file[at] ^ 1]) + file[at + 1 :] for at in places]
    wrong += [file[:63], file[:64], file[:95], file[:96], file[:-1], file[: 96 + 4096 + tag], file + bytes(1)]
    for other in wrong:
        with pytest.raises(NotAuthenticError):
            open_file(key, other)
    for at in (32, 63, 64, 95):
        with pytest.raises(NotAuthenticError, match="commitment"):
            open_file(key, file[:at] + bytes([file[at] ^ 1]) + file[at + 1 :])
    with pytest.raises(NotAuthenticError, match="another key"):
        open_file(Key(bytes([1]) + key.bytes[1:]), file)
    with pytest.raises(NotAuthenticError, match="bytes"):
        open_file(Key(key.bytes[1:]), file)


def test_version_1_is_refused_when_it_is_changed() -> None:
    file, key = (DATA / "v1-suite01-1.sealed").read_bytes(), Key(bytes(range(64)))
    assert open_file(key, file) == known_text(1)
    for at in range(len(file)):
        with pytest.raises(NotAuthenticError):
            open_file(key, file[:at] + bytes([file[at] ^ 1]) + file[at + 1 :])


def test_stanzas_open_for_whom_they_are() -> None:
    file = (DATA / "v2-recipients.sealed").read_bytes()
    for seed in SEEDS:
        assert open_file(Identities((seed,)), file) == known_text(100)
    with pytest.raises(NotAuthenticError, match="nothing here"):
        open_file(Identities((bytes(32),)), file)
    for at in (70, 150, 64 + 1184 - 1):  # the first stanza is damaged, the second is not: the commitment tells
        changed = file[:at] + bytes([file[at] ^ 1]) + file[at + 1 :]
        with pytest.raises(NotAuthenticError, match="nothing here"):
            open_file(Identities(SEEDS[:1]), changed)
        with pytest.raises(NotAuthenticError, match="commitment"):
            open_file(Identities(SEEDS[1:]), changed)
    file = (DATA / "v2-passphrase.sealed").read_bytes()
    assert open_file(Passphrase(PASSPHRASE), file) == known_text(100)
    with pytest.raises(NotAuthenticError, match="nothing here"):
        open_file(Passphrase(PASSPHRASE + b" "), file)
    with pytest.raises(NotAuthenticError, match="nothing here"):
        open_file(Key(bytes(64)), file)


def test_the_command_opens_makes_and_refuses(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["make", str(tmp_path)]) == 0
    key, file = tmp_path / "key", tmp_path / "v1-suite02-5.sealed"
    digits = bytes(range(64)).hex()
    key.write_text(f"# a key\npurpose: file\n{digits}\n")
    assert main(["open", str(key), str(file)]) == 0
    assert capfdbinary.readouterr().out == known_text(5)
    key.write_text(f"purpose: link\n{digits}\n")
    assert main(["open", str(key), str(file)]) == 1
    assert b"the key is for link" in capfdbinary.readouterr().err
    file.write_bytes(file.read_bytes()[:-1])
    key.write_text(digits)
    assert main(["open", str(key), str(file)]) == 1
    assert b"not authentic" in capfdbinary.readouterr().err
    key.write_text(f"purpose: identity\n{SEEDS[0].hex()}\n")
    assert main(["open", str(key), str(tmp_path / "v2-recipients.sealed")]) == 0
    assert capfdbinary.readouterr().out == known_text(100)
    assert main(["worked"]) == 0
    assert main([]) == 2


def test_argon2id_gives_the_published_tag() -> None:
    """RFC 9106, section 5.3."""
    tag = argon2id(b"\1" * 32, b"\2" * 16, 3, 32, 4, 32, b"\3" * 8, b"\4" * 12)
    assert tag.hex() == "0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659"


def test_x25519_gives_the_published_points() -> None:
    """RFC 7748, section 5.2."""
    scalar = "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4"
    point = "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c"
    product = x25519(bytes.fromhex(scalar), bytes.fromhex(point))
    assert product.hex() == "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
    scalars = point = BASE
    for count in range(1000):
        scalars, point = x25519(scalars, point), scalars
        if count == 0:
            assert scalars.hex() == "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079"
    assert scalars.hex() == "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51"


def test_ml_kem_gives_published_answers() -> None:
    """A hash over a hundred keys, encapsulations and rejections: `TestAccumulated` of crypto/mlkem in Go."""
    stream = shake_128().digest(100 * (64 + 32 + TEXT))
    output = shake_128()
    while stream:
        seed, message, random, stream = stream[:64], stream[64:96], stream[96 : 96 + TEXT], stream[96 + TEXT :]
        public = public_key(seed)
        shared, text = encapsulate(public, message)
        output.update(public + text + shared + decapsulate(seed, random))
    assert output.digest(32).hex() == "1114b1b6699ed191734fa339376afa7e285c9e6acf6ff0177d346696ce564415"


def test_ml_kem_refuses_implicitly() -> None:
    seed = bytes(range(64))
    shared, text = encapsulate(public_key(seed), bytes(32))
    assert decapsulate(seed, text) == shared
    other = decapsulate(seed, text[:-1] + bytes([text[-1] ^ 1]))
    assert other != shared and len(other) == 32
