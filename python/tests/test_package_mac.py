# SPDX-License-Identifier: Apache-2.0
"""The MACs of the Python package: answers, calls and errors."""

import concurrent.futures
from pathlib import Path

import pytest
import sealwire
from sealwire import (
    MAC,
    AlreadyFinalized,
    AsconMAC,
    AsconMACa,
    AsconPRF,
    AsconPRFa,
    AsconPRFshort,
    ExperimentalAsconFarfalle,
    ExperimentalAsconPRF64,
    ExperimentalAsconPRF192,
    ExperimentalFSKS64,
    ExperimentalFSKS128,
    InvalidSignature,
)
from test_package_vectors import records

VECTORS = Path(__file__).resolve().parents[2] / "vectors"
FILES = sorted(
    path
    for path in VECTORS.glob("*.rsp")
    if path.name.startswith(("ascon", "fsks")) and not path.name.startswith(("asconaead128", "ascon128v12"))
)
EXPERIMENTAL = {
    ExperimentalFSKS64: "fsks64",
    ExperimentalFSKS128: "fsks128",
    ExperimentalAsconPRF192: "asconprf192",
    ExperimentalAsconPRF64: "asconprf64",
    ExperimentalAsconFarfalle: "asconfarfalle",
}
PUBLISHED = {AsconMAC: "asconmac", AsconMACa: "asconmaca"}
PRFS = {AsconPRF: "asconprf", AsconPRFa: "asconprfa", AsconPRFshort: "asconprfs"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_answers(path: Path) -> None:
    name = path.name.partition(".")[0]
    sample = list(records(path))[:: 1 if "fsks" in name else 7]
    assert len(sample) > 2
    for record in sample:
        key, data, tag = (bytes.fromhex(record[field]) for field in ("Key", "Msg", "Tag"))
        mac = MAC(name, key, tag_length=len(tag))
        mac.update(data[:5])
        mac.update(memoryview(data)[5:])
        assert type(mac.copy()) is type(mac)
        assert mac.copy().finalize() == tag
        mac.copy().verify(tag)
        wrong = bytearray(tag)
        wrong[int(record["Count"]) % len(tag)] ^= 0x10
        with pytest.raises(InvalidSignature):
            mac.verify(wrong)


def test_every_file_is_there() -> None:
    assert len(FILES) == 13


@pytest.mark.parametrize(("cls", "name"), EXPERIMENTAL.items())
def test_experimental_classes_are_the_named_scheme(cls: type[ExperimentalFSKS64], name: str) -> None:
    key = cls.generate_key()
    assert len(key) == 16
    mac = cls(key)
    assert mac.scheme == sealwire.find_mac(name)
    assert mac.scheme.experimental
    assert "Experimental" in repr(mac)
    assert name in repr(mac)
    tag = cls.generate_tag(key, b"data")
    cls.verify_tag(key, b"data", tag)
    with pytest.raises(InvalidSignature):
        cls.verify_tag(key, b"date", tag)


@pytest.mark.parametrize("convention", ["v12", "v13"])
def test_published_classes_have_both_conventions(convention: str) -> None:
    for cls, name in PUBLISHED.items():
        assert cls(bytes(16), convention=convention).scheme.name == name + convention
        assert cls(bytes(16)).scheme.name == name + "v13"
    for prf, name in PRFS.items():
        mac = prf(bytes(16), tag_length=9, convention=convention)
        assert (mac.scheme.name, mac.tag_length, len(mac.finalize())) == (name + convention, 9, 9)
        assert not mac.scheme.experimental
    with pytest.raises(ValueError, match="allowed v12 and v13"):
        AsconMAC(bytes(16), convention="v1")
    with pytest.raises(ValueError, match="allowed v12 and v13"):
        AsconPRF(bytes(16), convention="v1")


def test_schemes_are_listed() -> None:
    schemes = sealwire.mac_schemes()
    assert len(schemes) == 15
    assert len(set(schemes)) == 15
    assert {scheme.name for scheme in schemes if scheme.experimental} == set(EXPERIMENTAL.values())
    short = sealwire.find_mac("ascon-prfs")
    assert (short.name, short.alias, short.key_length, short.tag_length) == ("asconprfsv13", "ascon-prfs", 16, 16)
    assert (short.max_message_length, sealwire.find_mac("fsks-64").max_message_length) == (16, None)
    assert sealwire.find_mac("fsks-64").block_length == 40
    assert repr(short) == "<sealwire.MACScheme asconprfsv13>"
    with pytest.raises(ValueError, match="unknown MAC `hmac`"):
        sealwire.find_mac("hmac")


def test_a_message_ends_once() -> None:
    mac = AsconMAC(bytes(16))
    mac.update(b"x")
    mac.finalize()
    for call in (lambda: mac.update(b""), mac.finalize, lambda: mac.verify(bytes(16)), mac.copy):
        with pytest.raises(AlreadyFinalized):
            call()


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="wrong key length: given 15 bytes, allowed 16 bytes"):
        AsconMAC(bytes(15))
    with pytest.raises(TypeError, match="key must be bytes-like, not str"):
        MAC("ascon-mac", "key")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="wrong tag length: given 0 bytes"):
        AsconPRF(bytes(16), tag_length=0)
    with pytest.raises(TypeError, match="data must be bytes-like"):
        AsconMAC(bytes(16)).update("text")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="wrong message length: given 17 bytes, allowed 0 to 16 bytes"):
        AsconPRFshort.generate_tag(bytes(16), bytes(17))
    for wrong in (b"", bytes(15), bytes(17)):
        with pytest.raises(InvalidSignature):
            AsconMAC(bytes(16)).verify(wrong)


@pytest.mark.parametrize("name", [scheme.name for scheme in sealwire.mac_schemes() if not scheme.max_message_length])
def test_batches_are_single_calls(name: str) -> None:
    mac = MAC(name, bytes(range(16)))
    messages = [bytes((i * j) & 255 for j in range(37 * i)) for i in range(19)]
    tags = mac.tag_batch(messages)
    for message, tag in zip(messages, tags, strict=True):
        one = MAC(name, bytes(range(16)))
        one.update(message)
        assert one.finalize() == tag
    pairs = list(zip(messages, tags, strict=True))
    assert mac.verify_batch(pairs) == [True] * 19
    pairs[3] = (messages[3], tags[4])
    pairs[5] = (messages[5], tags[5][:8])
    assert mac.verify_batch(pairs) == [i not in (3, 5) for i in range(19)]
    assert mac.tag_batch([]) == []


def test_a_huge_tag_is_refused_and_ends_nothing() -> None:
    mac = MAC("ascon-prf", bytes(16), tag_length=2**62)
    with pytest.raises(MemoryError, match="no room"):
        mac.tag_batch([b"message"])
    for _ in range(2):
        with pytest.raises(MemoryError):
            mac.finalize()
    for length in (2**63, 2**64 - 1):
        with pytest.raises(ValueError, match="tag_length"):
            MAC("ascon-prf", bytes(16), tag_length=length)


def test_threads_share_an_object() -> None:
    mac = ExperimentalAsconFarfalle(bytes(16))
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(mac.update, [bytes(8000)] * 16))
    assert mac.finalize() == ExperimentalAsconFarfalle.generate_tag(bytes(16), bytes(128000))


def test_the_permutation_of_zero() -> None:
    assert sealwire.ascon_p([0] * 5, 12)[0] == 0x78EA7AE5CFEBB108
    assert sealwire.ascon_p([0] * 5, 8)[4] == 0x0168260BADF76A06
    assert sealwire.ascon_p((0,) * 5, 6)[0] == 0x160C84F20FAAD4F1
    with pytest.raises(ValueError, match="allowed 6, 8 and 12"):
        sealwire.ascon_p([0] * 5, 7)
