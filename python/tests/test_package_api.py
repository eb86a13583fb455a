# SPDX-License-Identifier: Apache-2.0
"""Calls, types and errors of the Python package."""

import array
import concurrent.futures
import copy
import hashlib
import mmap
import pickle
import re
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable

import pytest
import sealwire
from sealwire import (
    AEAD,
    AEGIS128L,
    AEGIS256,
    AESCOPA,
    AESGCM,
    AESOCB,
    AESOTRC,
    AESOTRP,
    AESOTRS,
    COLM0,
    OMDSHA256,
    OMDSHA512,
    POMDSHA256,
    POMDSHA512,
    SCREAM10,
    SCREAM12,
    Ascon128,
    AsconAEAD128,
    DeoxysI,
    DeoxysII,
    ExperimentalSIVOMDPBLAKE2b,
    ExperimentalSIVOMDPSHA256,
    ExperimentalSIVOMDPSHA512,
    ExperimentalSIVOMDSSHA256,
    ExperimentalSIVOMDSSHA512,
    InvalidTag,
    Minalpher,
    OMDBLAKE2b,
    POMDBLAKE2b,
)

CLASSES = [
    (OMDSHA256, "omdsha256k256n104tau160v2"),
    (OMDSHA512, "omdsha512k512n256tau256v2"),
    (OMDBLAKE2b, "omdblake2bk512n256tau256v2"),
    (POMDSHA256, "pomdsha256k256n248tau256"),
    (POMDSHA512, "pomdsha512k512n256tau256"),
    (POMDBLAKE2b, "pomdblake2bk512n256tau256"),
    (ExperimentalSIVOMDPSHA256, "sivomdpsha256k256n96tau256"),
    (ExperimentalSIVOMDPSHA512, "sivomdpsha512k512n256tau256"),
    (ExperimentalSIVOMDPBLAKE2b, "sivomdpblake2bk512n256tau256"),
    (ExperimentalSIVOMDSSHA256, "sivomdssha256k256n96tau256"),
    (ExperimentalSIVOMDSSHA512, "sivomdssha512k512n256tau256"),
    (AEGIS128L, "aegis128ltau128"),
    (AEGIS256, "aegis256tau128"),
    (AESCOPA, "aescopav2"),
    (Minalpher, "minalpherv11"),
    (SCREAM10, "scream10v3"),
    (SCREAM12, "scream12v3"),
    (COLM0, "colm0v1"),
    (AESGCM, "aes128gcmv1"),
    (AESOCB, "aeadaes128ocbtaglen128v1"),
    (AESOTRP, "aes128otrpv3"),
    (AESOTRS, "aes128otrsv3"),
    (AESOTRC, "aes128otrcv3"),
    (AsconAEAD128, "asconaead128"),
    (Ascon128, "ascon128v12"),
    (DeoxysI, "deoxysi128v143"),
    (DeoxysII, "deoxysii128v143"),
]


#: Beginnings of the names of schemes that compute nothing ahead of a message
WITHOUT_SESSION_AD = ("pomd", "ascon", "aes128gcm", "aes256gcm", "aescopa", "aegis", "scream")


@pytest.fixture
def aead() -> OMDSHA512:
    return OMDSHA512(bytes(64))


NONCE = bytes(32)


@pytest.mark.parametrize(("cls", "name"), CLASSES)
def test_defaults_are_the_named_scheme(cls: type[OMDSHA512], name: str) -> None:
    key = cls.generate_key()
    aead = cls(key)
    assert aead.scheme.name == name
    assert (aead.key_length, aead.nonce_length, aead.tag_length) == (
        aead.scheme.key_length,
        aead.scheme.nonce_length,
        aead.scheme.tag_length,
    )
    assert repr(aead) == f"<sealwire.{cls.__name__} {name}>"
    nonce = bytes(aead.nonce_length)
    sealed = aead.encrypt(nonce, b"message", b"header")
    assert type(sealed) is bytes
    assert len(sealed) == 7 + aead.tag_length
    assert sealed == AEAD(name, key).encrypt(nonce, b"message", b"header")
    assert aead.decrypt(nonce, sealed, b"header") == b"message"


def test_other_sizes_and_versions() -> None:
    aead = OMDSHA256(bytes(16), nonce_length=12, tag_length=8, version=1)
    assert aead.scheme.name == "omdsha256k128n96tau64v1"
    assert OMDSHA256(bytes(32), tag_length=32).scheme.name == "omdsha256k256n248tau256v2"
    # The first published answer of another parameter set.
    aead = OMDSHA256(bytes(range(16)), nonce_length=12, tag_length=16)
    assert aead.encrypt(bytes(range(12)), b"").hex() == "987ff6f84e3e5615ce3c2eca03063a78"
    # A key without more takes its published set.
    for cls, length, name in [
        (OMDSHA256, 16, "omdsha256k128n96tau128v2"),
        (OMDSHA256, 24, "omdsha256k192n104tau128v2"),
        (OMDSHA512, 16, "omdsha512k128n128tau128v2"),
        (OMDSHA512, 32, "omdsha512k256n256tau256v2"),
        (OMDBLAKE2b, 32, "omdblake2bk256n128tau128v2"),
        (POMDSHA256, 16, "pomdsha256k128n96tau128"),
    ]:
        assert cls(bytes(length)).scheme.name == name
        assert sealwire.find(name) in sealwire.schemes() or name.startswith("omd")


def test_other_sizes_of_the_later_modes() -> None:
    assert POMDSHA256(bytes(16), nonce_length=12, tag_length=16).scheme.name == "pomdsha256k128n96tau128"
    name = "sivomdsblake2bk512n256tau128"
    assert AEAD(name, bytes(64)).scheme.experimental
    assert AEAD("sivomdssha256k128n96tau128", bytes(16)).scheme.experimental
    with pytest.raises(TypeError):
        POMDSHA512(bytes(64), version=2)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="wrong nonce length: given 64 bytes, allowed 32 bytes"):
        POMDSHA512(bytes(64), nonce_length=64)


def test_key_and_sizes_of_aes_otr() -> None:
    assert AESOTRP(AESOTRP.generate_key(256)).scheme.name == "aes256otrpv3"
    assert AEAD("aes256otrcv3n104tau64", bytes(32)).nonce_length == 13
    with pytest.raises(TypeError):
        AESOTRC(bytes(32), tag_length=8)  # type: ignore[call-arg]
    # The first published answer.
    assert AESOTRS(bytes(range(16))).encrypt(bytes(range(12)), b"").hex() == "30f794389e664ec2638b86ce9fb7861e"


def test_key_and_tag_of_ocb() -> None:
    assert AESOCB(AESOCB.generate_key(192), tag_length=8).scheme.name == "aeadaes192ocbtaglen64v1"
    # RFC 7253, appendix A, the first sample.
    nonce = bytes.fromhex("BBAA99887766554433221100")
    assert AESOCB(bytes(range(16))).encrypt(nonce, b"").hex() == "785407bfffc8ad9edcc5520ac9111ee6"


def test_key_of_gcm() -> None:
    assert AESGCM(AESGCM.generate_key(256)).scheme.name == "aes256gcmv1"
    # The first answer of NIST's validation program for keys of 128 bits.
    aead = AESGCM(bytes.fromhex("11754cd72aec309bf52f7687212e8957"))
    assert aead.encrypt(bytes.fromhex("3c819d9a9bed087615030b65"), b"").hex() == "250327c674aaf477aef2675748cf6971"


def test_tag_of_aegis() -> None:
    assert AEGIS256(AEGIS256.generate_key(), tag_length=32).scheme.name == "aegis256tau256"
    # The second answer of RFC 10032, with both tags.
    key, nonce = b"\x10\x01".ljust(16, b"\0"), b"\x10\x00\x02".ljust(16, b"\0")
    assert AEGIS128L(key).encrypt(nonce, b"").hex() == "c2b879a67def9d74e6c14f708bbcc9b4"
    long = AEGIS128L(key, tag_length=32).encrypt(nonce, b"").hex()
    assert long == "1360dc9db8ae42455f6e5b6a9d488ea4f2184c4e12120249335c4ee84bafe25d"


def test_the_published_ciphertexts_of_colm_and_copa() -> None:
    # The first answers of the designers' code; zeros fill the tag of AES-COPA up.
    assert COLM0(bytes(range(16))).encrypt(bytes(range(8)), b"").hex().upper() == "8372D8A4AA9596916576FB7CF30ABCB2"
    sealed = AESCOPA(bytes(range(16))).encrypt(bytes(range(16)), bytes(range(5)))
    assert (len(sealed), sealed[32], sealed[33:]) == (5 + 33, 1, bytes(5))


def test_key_of_deoxys() -> None:
    assert DeoxysII(DeoxysII.generate_key(256)).scheme.name == "deoxysii256v143"
    assert DeoxysI(bytes(32)).nonce_length == 8
    # The first published answer.
    aead = DeoxysI(bytes(range(0x10, 0x20)))
    assert aead.encrypt(bytes(range(0x20, 0x28)), b"").hex() == "eec87dce98d29d4078598abd16d550ff"


def test_a_repeated_nonce_shows_only_equality_in_siv_omd() -> None:
    for cls in (ExperimentalSIVOMDPSHA512, ExperimentalSIVOMDSSHA512):
        aead = cls(bytes(64))
        first = aead.encrypt(NONCE, b"message one" * 9, b"ad")
        assert first == aead.encrypt(NONCE, b"message one" * 9, b"ad")
        second = aead.encrypt(NONCE, b"message one" * 8 + b"message two", b"ad")
        assert first[:16] != second[:16]


def test_experimental_classes_say_so() -> None:
    for name in sealwire.__all__:
        cls = getattr(sealwire, name)
        if "SIV" in name:
            assert name.startswith("Experimental")
            assert cls.__doc__.startswith("Experimental")


def test_generated_keys_are_random_and_of_the_right_length() -> None:
    assert len(OMDSHA256.generate_key()) == 32
    assert len(OMDSHA512.generate_key(bit_length=256)) == 32
    assert len(AEAD.generate_key("omd-blake2b")) == 64
    assert len({OMDSHA512.generate_key() for _ in range(16)}) == 16
    for bits in (0, 7, 8, 257, 264, -8):
        with pytest.raises(ValueError, match=f"given {bits} bits, allowed 128, 192 and 256 bits"):
            OMDSHA256.generate_key(bits)


def test_schemes() -> None:
    every = sealwire.schemes()
    assert len({scheme.name for scheme in every}) == len(every) >= 39
    functions = {"sha256", "sha512", "blake2b"}
    aliases = {f"{mode}-{f}" for mode in ("omd", "pomd", "sivomdp", "sivomds") for f in functions}
    aliases |= {f"otr-aes{bits}-{form}" for bits in (128, 256) for form in "psc"}
    aliases |= {f"ocb-aes{bits}" for bits in (128, 192, 256)}
    aliases |= {f"gcm-aes{bits}" for bits in (128, 256)}
    aliases |= {"ascon-aead128", "ascon-128", "colm-aes128", "copa-aes128", "aegis-128l", "aegis-256"}
    aliases |= {"scream-10", "scream-12", "minalpher"}
    aliases |= {f"deoxys-{mode}-{bits}" for mode in ("i", "ii") for bits in (128, 256)}
    assert {s.alias for s in every} == {None, *aliases} - {"sivomds-blake2b"}
    for scheme in every:
        assert scheme.experimental == scheme.name.startswith("sivomd")
        assert scheme.caches_ad == (not scheme.name.startswith(WITHOUT_SESSION_AD))
    scheme = sealwire.find("omd-sha512")
    assert scheme in every
    assert scheme == sealwire.find("omdsha512k512n256tau256v2") != sealwire.find("omd-blake2b")
    assert hash(scheme) == hash(sealwire.find(scheme.name))
    assert (scheme.block_length, scheme.ad_block_length, scheme.experimental) == (64, 128, False)
    assert repr(scheme) == "<sealwire.Scheme omdsha512k512n256tau256v2>"
    assert sealwire.__version__.count(".") == 2


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: AEAD("aes-gcm", bytes(16)), "unknown scheme `aes-gcm`; sealwire.schemes() lists all"),
        (lambda: AEAD("omd-sha512", bytes(63)), "wrong key length: given 63 bytes, allowed 64 bytes"),
        (lambda: sealwire.find("omdsha256k264n96tau64v2"), "wrong key size in the scheme name: given 264 bits"),
        (lambda: OMDSHA512(b""), "wrong key length: given 0 bytes, allowed 16, 32 and 64 bytes"),
        (
            lambda: OMDSHA512(b"password"),
            "wrong key length: given 8 bytes, allowed 16, 32 and 64 bytes; OMDSHA512.generate_key() makes a key",
        ),
        (lambda: OMDSHA256(bytes(33)), "wrong key length: given 33 bytes, allowed 16, 24 and 32 bytes"),
        (
            lambda: OMDSHA256(bytes(32), nonce_length=32),
            "wrong nonce length: given 32 bytes, allowed 13 and 31 bytes with a key of 32 bytes",
        ),
        (
            lambda: OMDSHA256(bytes(32), tag_length=0),
            "wrong tag length: given 0 bytes, allowed 20 and 32 bytes with a key of 32 bytes",
        ),
        # Each length is published, but in no set with the others.
        (
            lambda: OMDSHA512(bytes(16), tag_length=64),
            "wrong tag length: given 64 bytes, allowed 16 bytes with a key of 16 bytes",
        ),
        (
            lambda: OMDSHA256(bytes(32), nonce_length=13, tag_length=32),
            "wrong tag length: given 32 bytes, allowed 20 bytes with a key of 32 bytes and a nonce of 13",
        ),
        (lambda: OMDSHA256(bytes(32), version=3), "wrong version: given 3, allowed 1 and 2"),
        (lambda: AESOTRP(bytes(24)), "wrong key length: given 24 bytes, allowed 16 and 32 bytes"),
        (lambda: AESOCB(bytes(17)), "wrong key length: given 17 bytes, allowed 16, 24 and 32 bytes"),
        (lambda: AESOCB(bytes(16), tag_length=10), "wrong tag length: given 10 bytes, allowed 8, 12 and 16 bytes"),
        (lambda: AEGIS128L(bytes(32)), "wrong key length: given 32 bytes, allowed 16 bytes"),
        (lambda: AEGIS256(bytes(32), tag_length=24), "wrong tag length: given 24 bytes, allowed 16 and 32 bytes"),
        (lambda: DeoxysI(bytes(24)), "wrong key length: given 24 bytes, allowed 16 and 32 bytes"),
        (lambda: DeoxysII.generate_key(192), "wrong key size: given 192 bits, allowed 128 and 256 bits"),
        (lambda: AESOTRC.generate_key(192), "wrong key size: given 192 bits, allowed 128 and 256 bits"),
        (lambda: sealwire.compress("md5", b"", b""), "unknown compression function `md5`: allowed are sha256"),
        (lambda: sealwire.compress("sha256", bytes(31), bytes(64)), "wrong h length: given 31 bytes, allowed 32 bytes"),
        (lambda: sealwire.compress("sha512", bytes(64), bytes(64)), "wrong block length: given 64 bytes, allowed 128"),
    ],
)
def test_wrong_values(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        make()


def test_wrong_nonce(aead: OMDSHA512) -> None:
    for length in (0, 31, 33):
        for call in (aead.encrypt, aead.decrypt):
            with pytest.raises(ValueError, match=rf"^wrong nonce length: given {length} bytes, allowed 32 bytes$"):
                call(bytes(length), bytes(40), None)


def test_wrong_types(aead: OMDSHA512) -> None:
    with pytest.raises(TypeError, match="key must be bytes-like, not str"):
        AEAD("omd-sha512", "k" * 64)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="key must be bytes-like, not str"):
        OMDSHA512("k" * 64)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="nonce must be bytes-like, not int"):
        aead.encrypt(0, b"")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="data must be bytes-like, not str"):
        aead.encrypt(NONCE, "text")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="data must be bytes-like, not array"):
        aead.encrypt(NONCE, array.array("I", [1, 2]))
    with pytest.raises(TypeError, match="associated_data must be bytes-like, not str"):
        aead.decrypt(NONCE, bytes(32), "text")  # type: ignore[arg-type]


def test_any_buffer_is_accepted(aead: OMDSHA512) -> None:
    expected = aead.encrypt(NONCE, b"abcd", b"efgh")
    for kind in (bytearray, memoryview, lambda b: array.array("B", b)):
        assert aead.encrypt(kind(NONCE), kind(b"abcd"), kind(b"efgh")) == expected
        assert aead.decrypt(kind(NONCE), kind(expected), kind(b"efgh")) == b"abcd"
    spread = memoryview(b"a.b.c.d.")[::2]
    assert aead.encrypt(NONCE, spread, b"efgh") == expected
    assert aead.encrypt(NONCE, b"abcd", None) == aead.encrypt(NONCE, b"abcd", b"") == aead.encrypt(NONCE, b"abcd")
    assert aead.encrypt(nonce=NONCE, data=b"abcd", associated_data=b"efgh") == expected


@pytest.mark.parametrize("length", [0, 1, 64, 4095, 4096, 100_000])
def test_a_forgery_raises_invalid_tag(aead: OMDSHA512, length: int) -> None:
    sealed = aead.encrypt(NONCE, bytes(length), b"header")
    for position in {0, len(sealed) // 2, len(sealed) - 1}:
        forged = bytearray(sealed)
        forged[position] ^= 1
        with pytest.raises(InvalidTag, match=r"^authentication failed$"):
            aead.decrypt(NONCE, forged, b"header")
    for wrong in (b"", b"heade", b"header2"):
        with pytest.raises(InvalidTag):
            aead.decrypt(NONCE, sealed, wrong)
    with pytest.raises(InvalidTag):
        aead.decrypt(b"\x01" + NONCE[1:], sealed, b"header")
    with pytest.raises(InvalidTag):
        OMDSHA512(bytes(63) + b"\x01").decrypt(NONCE, sealed, b"header")
    for cut in (0, 1, 31, len(sealed) - 1):
        with pytest.raises(InvalidTag):
            aead.decrypt(NONCE, sealed[:cut], b"header")


@pytest.mark.parametrize("length", [0, 1, 63, 5000])
def test_into_buffers(aead: OMDSHA512, length: int) -> None:
    message = bytes(range(256)) * 20
    message = message[:length]
    sealed = bytearray(length + 32)
    assert aead.encrypt_into(NONCE, message, b"ad", sealed) == length + 32
    assert sealed == aead.encrypt(NONCE, message, b"ad")
    opened = bytearray(length)
    assert aead.decrypt_into(NONCE, sealed, b"ad", opened) == length
    assert opened == message

    room = bytearray(sealed)  # in place: the ciphertext's own memory
    assert aead.decrypt_into(NONCE, room, b"ad", memoryview(room)[:length]) == length
    assert room[:length] == message
    assert aead.encrypt_into(NONCE, memoryview(room)[:length], b"ad", room) == length + 32
    assert room == sealed

    sealed[-1] ^= 1
    wiped = bytearray(b"\xaa" * length)
    with pytest.raises(InvalidTag):
        aead.decrypt_into(NONCE, sealed, b"ad", wiped)
    assert wiped == bytes(length), "neither plaintext nor ciphertext is left of a forgery"
    with pytest.raises(ValueError, match="wrong nonce length"):
        aead.decrypt_into(NONCE[1:], room, b"ad", wiped)
    with pytest.raises(ValueError, match="wrong nonce length"):
        aead.encrypt_into(NONCE[1:], message, b"ad", room)
    assert room == sealed[:-1] + bytes([sealed[-1] ^ 1]), "refused calls write nothing"


@pytest.mark.parametrize("shift", [1, 16, 31, 32, 33, 64])
def test_into_buffers_that_overlap(aead: OMDSHA512, shift: int) -> None:
    message = bytes(range(200))
    sealed = aead.encrypt(NONCE, message, b"ad")
    memory = bytearray(shift + 232)
    view = memoryview(memory)

    memory[:200] = message
    assert aead.encrypt_into(NONCE, view[:200], b"ad", view[shift:]) == 232
    assert memory[shift:] == sealed, "written behind the beginning of what is read"
    memory[shift : shift + 200] = message
    aead.encrypt_into(NONCE, view[shift : shift + 200], b"ad", view[:232])
    assert memory[:232] == sealed, "written before the beginning of what is read"

    memory[:232] = sealed
    aead.decrypt_into(NONCE, view[:232], b"ad", view[shift : shift + 200])
    assert memory[shift : shift + 200] == message, "written over the tag"
    memory[shift:] = sealed
    aead.decrypt_into(NONCE, view[shift:], b"ad", view[:200])
    assert memory[:200] == message


def test_into_wrong_buffers(aead: OMDSHA512) -> None:
    with pytest.raises(ValueError, match=r"^wrong buf length: given 35 bytes, allowed 36 bytes$"):
        aead.encrypt_into(NONCE, b"abcd", None, bytearray(35))
    with pytest.raises(ValueError, match=r"^wrong buf length: given 5 bytes, allowed 4 bytes$"):
        aead.decrypt_into(NONCE, bytes(36), None, bytearray(5))
    with pytest.raises(TypeError, match="buf must be writable"):
        aead.encrypt_into(NONCE, b"abcd", None, bytes(36))
    with pytest.raises(TypeError, match=r"^buf must lie in one piece of memory, given one with gaps$"):
        aead.encrypt_into(NONCE, b"abcd", None, memoryview(bytearray(72))[::2])
    with pytest.raises(InvalidTag):
        aead.decrypt_into(NONCE, bytes(31), None, bytearray(0))


def test_session_ad(aead: OMDSHA512) -> None:
    session = aead.with_session_ad(b"context")
    sealed = aead.encrypt(NONCE, b"message", session)
    assert sealed == aead.encrypt(NONCE, b"message", b"context")
    assert aead.decrypt(NONCE, sealed, session) == b"message"
    with pytest.raises(InvalidTag):
        aead.decrypt(NONCE, sealed, aead.with_session_ad(b"other"))
    with pytest.raises(ValueError, match="another key"):
        OMDSHA512(b"\x01" * 64).encrypt(NONCE, b"message", session)


def test_p_omd_has_no_session_ad(aead: OMDSHA512) -> None:
    pomd = POMDSHA512(bytes(64))
    with pytest.raises(ValueError, match=r"^the scheme takes in associated data together with the message"):
        pomd.with_session_ad(b"context")
    with pytest.raises(ValueError, match=r"^the scheme takes in associated data together with the message"):
        pomd.encrypt(NONCE, b"message", aead.with_session_ad(b"context"))


def test_long_messages_leave_the_interpreter_free(aead: OMDSHA512) -> None:
    """While one thread seals 64 MiB in a single call, this one goes on running."""
    done = threading.Event()

    def work() -> None:
        aead.encrypt(NONCE, bytes(64 << 20))
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    turns = 0
    while not done.wait(0.002):
        turns += 1
    thread.join()
    assert turns >= 10


def test_everything_public_has_help() -> None:
    for name in sealwire.__all__:
        thing = getattr(sealwire, name)
        assert thing.__doc__, name
        if isinstance(thing, type):
            for member in ("encrypt", "decrypt", "encrypt_into", "decrypt_into", "with_session_ad", "generate_key"):
                assert getattr(getattr(thing, member, print), "__doc__", None), f"{name}.{member}"


def test_compress_is_the_function_inside_the_hashes() -> None:
    iv = bytes.fromhex("6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19")
    block = b"abc\x80" + bytes(59) + b"\x18"
    assert sealwire.compress("sha256", iv, block) == hashlib.sha256(b"abc").digest()
    iv = bytes.fromhex(
        "6a09e667f3bcc908bb67ae8584caa73b3c6ef372fe94f82ba54ff53a5f1d36f1"
        "510e527fade682d19b05688c2b3e6c1f1f83d9abfb41bd6b5be0cd19137e2179"
    )
    block = b"abc\x80" + bytes(123) + b"\x18"
    result = sealwire.compress("sha512", bytearray(iv), memoryview(block))
    assert type(result) is bytes
    assert result == hashlib.sha512(b"abc").digest()
    # BLAKE2b with t = 0 and f = 0: from an independent model, chaining value 00 01 .., block 80 81 ..
    block = bytes((128 + i) & 255 for i in range(128))
    assert sealwire.compress("blake2b", bytes(range(64)), block)[:8].hex() == "ed93fc72fcc52c24"


def packets_of(aead: AEAD, count: int) -> list[tuple[bytes, bytes, bytes | None]]:
    n = aead.nonce_length
    return [(i.to_bytes(n, "big"), bytes(range(i)) * 7, None if i % 3 == 0 else b"ad" * i) for i in range(count)]


@pytest.mark.parametrize("scheme", sealwire.schemes(), ids=lambda scheme: scheme.name)
def test_a_batch_is_its_messages_one_by_one(scheme: sealwire.Scheme) -> None:
    aead = AEAD(scheme.name, AEAD.generate_key(scheme.name))
    packets = packets_of(aead, 40)
    sealed = aead.encrypt_batch(packets)
    assert sealed == [aead.encrypt(nonce, data, ad) for nonce, data, ad in packets]
    assert all(type(one) is bytes for one in sealed)
    arriving = [(nonce, one, ad) for (nonce, _, ad), one in zip(packets, sealed, strict=True)]
    assert aead.decrypt_batch(iter(arriving)) == [data for _, data, _ in packets]


def test_a_forgery_in_a_batch_is_none_and_stops_nothing(aead: OMDSHA512) -> None:
    session = aead.with_session_ad(b"session")
    packets = [(bytes([i]) * 32, bytes(200), session) for i in range(6)]
    sealed = aead.encrypt_batch(packets)
    sealed[2] = sealed[2][:-1] + bytes([sealed[2][-1] ^ 1])
    sealed[3] = sealed[3][:31]
    sealed[5] = b""
    opened = aead.decrypt_batch([(nonce, one, session) for (nonce, _, _), one in zip(packets, sealed, strict=True)])
    assert opened == [bytes(200), bytes(200), None, None, bytes(200), None]
    assert aead.encrypt_batch([]) == aead.decrypt_batch([]) == []


def test_wrong_batches(aead: OMDSHA512) -> None:
    for call in (aead.encrypt_batch, aead.decrypt_batch):
        with pytest.raises(ValueError, match=r"^wrong nonce length: given 31 bytes, allowed 32 bytes$"):
            call([(NONCE, b"", None), (bytes(31), b"", None)])
        with pytest.raises(TypeError, match="data must be bytes-like, not str"):
            call([(NONCE, "text", None)])  # type: ignore[list-item]
        with pytest.raises(ValueError, match=r"a tuple \(nonce, data, associated_data\)"):
            call([(NONCE, b"")])  # type: ignore[list-item]
        with pytest.raises(TypeError, match=r"a tuple \(nonce, data, associated_data\)"):
            call([NONCE])  # type: ignore[list-item]
        with pytest.raises(TypeError):
            call(None)  # type: ignore[arg-type]
    foreign = OMDSHA512(b"\x01" * 64).with_session_ad(b"context")
    for call in (aead.encrypt_batch, aead.decrypt_batch):
        with pytest.raises(ValueError, match="another key"):
            call([(NONCE, bytes(40), foreign)])


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: AEAD("omd-sha521", bytes(64)), "`omd-sha521`, did you mean omd-sha512?"),
        (lambda: AEAD("OMD-SHA512", bytes(64)), "did you mean omd-sha512?"),
        (lambda: sealwire.find("ascon-aead-128"), "did you mean ascon-aead128?"),
        (lambda: AEAD("ascon-mac", bytes(16)), "`ascon-mac` is a MAC: use sealwire.MAC"),
        (lambda: sealwire.MAC("ascon-mc", bytes(16)), "did you mean ascon-mac? sealwire.mac_schemes() lists all"),
        (lambda: sealwire.MAC("omd-sha512", bytes(64)), "`omd-sha512` encrypts, and is no MAC: use sealwire.AEAD"),
        (lambda: sealwire.files.Key.generate("omd-sha521"), "did you mean omd-sha512? allowed are "),
    ],
)
def test_a_name_that_is_none_says_what_was_meant(call: Callable[[], object], said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        call()


def test_an_object_with_a_key_is_neither_copied_nor_pickled(aead: OMDSHA512) -> None:
    secrets = (sealwire.files.Key.generate(), sealwire.files.Identity.generate(), sealwire.files.Passphrase("secret"))
    for held in (aead, sealwire.AsconMAC(bytes(16)), sealwire.AEAD("omd-sha512", bytes(64)), *secrets):
        for way in (copy.copy, copy.deepcopy, pickle.dumps):
            if way is copy.copy and isinstance(held, sealwire.AsconMAC):
                assert type(way(held)) is sealwire.AsconMAC, "as its own copy()"
                continue
            with pytest.raises(TypeError, match="hand on the key, and make another object with it"):
                way(held)


def test_a_mac_that_has_ended_raises_in_every_thread() -> None:
    """Those that have given up the interpreter's lock, too, while others hold it. Its process would hang."""
    program = textwrap.dedent("""
        import concurrent.futures, sealwire

        mac = sealwire.AsconMAC(bytes(16))
        mac.finalize()
        long = bytes(1 << 16)

        def calls(_):
            raised = 0
            for data in (long, b"") * 200:
                try:
                    mac.update(data)
                except sealwire.AlreadyFinalized:
                    raised += 1
            return raised

        with concurrent.futures.ThreadPoolExecutor(4) as threads:
            print(sum(threads.map(calls, range(4))))
    """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "1600\n"


def test_items_that_are_no_bytes_are_named(aead: OMDSHA512) -> None:
    with pytest.raises(TypeError, match=r"not array of items `f`: it must hold bytes, .*cast\("):
        aead.encrypt(NONCE, array.array("f", [1.0]))


def test_buffers_of_other_libraries(aead: OMDSHA512) -> None:
    expected = aead.encrypt(NONCE, bytes(range(200)))
    with mmap.mmap(-1, 200) as mapped:
        mapped[:] = bytes(range(200))
        assert aead.encrypt(NONCE, mapped) == expected
        assert aead.encrypt_batch([(NONCE, memoryview(mapped)[:], None)]) == [expected]
    numpy = pytest.importorskip("numpy")
    grid = numpy.arange(200, dtype=numpy.uint8).reshape(20, 10)
    assert aead.encrypt(NONCE, grid) == expected
    assert aead.encrypt(NONCE, numpy.repeat(grid, 2, axis=1)[:, ::2]) == expected
    room = numpy.empty(232, dtype=numpy.uint8)
    assert aead.encrypt_into(NONCE, grid, None, room) == 232
    assert room.tobytes() == expected


def test_threads_share_one_object(aead: OMDSHA512) -> None:
    packets = [(bytes([i]) * 32, bytes([i]) * 20_000, b"ad") for i in range(16)]
    expected = aead.encrypt_batch(packets)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for sealed in pool.map(aead.encrypt_batch, [packets] * 12):
            assert sealed == expected


def test_results_of_one_byte_are_objects_of_their_own(aead: OMDSHA512) -> None:
    """Python keeps one object for each byte value; decrypting into it would change all programs' bytes."""
    letters = [bytes([value]) for value in range(256)]
    for value in range(256):
        sealed = aead.encrypt(NONCE, letters[value])
        assert aead.decrypt(NONCE, sealed) == aead.decrypt_batch([(NONCE, sealed, None)])[0] == letters[value]
        with pytest.raises(InvalidTag):
            aead.decrypt(NONCE, sealed[:-1] + bytes([sealed[-1] ^ 1]))
    assert [bytes([value]) for value in range(256)] == letters
    assert [letter[0] for letter in letters] == list(range(256))
    assert aead.encrypt(NONCE, b"")[:0] == b"" == aead.decrypt(NONCE, aead.encrypt(NONCE, b""))


def test_inputs_stay_as_they_are(aead: OMDSHA512) -> None:
    message = bytes(range(256)) * 40
    kept = bytes(bytearray(message))
    sealed = aead.encrypt(NONCE, message, message)
    sealed_kept = bytes(bytearray(sealed))
    assert aead.decrypt(NONCE, sealed, message) == kept
    aead.encrypt_batch([(NONCE, message, message)] * 3)
    aead.decrypt_batch([(NONCE, sealed, message)] * 3)
    assert message == kept and sealed == sealed_kept


def test_errors_are_those_of_cryptography_where_it_is_installed() -> None:
    """In processes of their own: the class is made once, when the package is imported."""
    theirs = textwrap.dedent("""
        import sys, types
        exceptions = types.ModuleType("cryptography.exceptions")
        exceptions.InvalidTag = type("InvalidTag", (Exception,), {})
        exceptions.InvalidSignature = type("InvalidSignature", (Exception,), {})
        exceptions.AlreadyFinalized = type("AlreadyFinalized", (Exception,), {})
        sys.modules["cryptography"] = types.ModuleType("cryptography")
        sys.modules["cryptography.exceptions"] = exceptions
    """)
    without = 'import sys; sys.modules["cryptography"] = None\n'
    use = textwrap.dedent("""
        import sealwire
        try:
            sealwire.OMDSHA512(bytes(64)).decrypt(bytes(32), bytes(40))
        except {caught} as error:
            print(type(error).__module__, type(error).__mro__[1].__module__, error)
    """)
    for before, caught, base in (
        (theirs, "exceptions.InvalidTag", "__main__"),
        (theirs, "sealwire.InvalidTag", "__main__"),
        (without, "sealwire.InvalidTag", "builtins"),
    ):
        program = before + use.format(caught=caught)
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert done.stdout == f"sealwire {base} authentication failed\n"

    wrong = textwrap.dedent("""
        import sealwire
        try:
            sealwire.AsconMAC.verify_tag(bytes(16), b"", bytes(16))
        except {caught} as error:
            print(type(error).__module__, type(error).__name__, error)
    """)
    ended = textwrap.dedent("""
        import sealwire
        mac = sealwire.AsconMAC(bytes(16))
        mac.finalize()
        try:
            mac.update(b"")
        except {caught} as error:
            print(type(error).__module__, type(error).__name__, error)
    """)
    for call, before, caught, said in (
        (wrong, theirs, "exceptions.InvalidSignature", "InvalidSignature authentication failed"),
        (wrong, theirs, "exceptions.InvalidTag", "InvalidSignature authentication failed"),
        (wrong, theirs, "sealwire.InvalidSignature", "InvalidSignature authentication failed"),
        (wrong, without, "sealwire.InvalidSignature", "InvalidSignature authentication failed"),
        (wrong, without, "sealwire.InvalidTag", "InvalidSignature authentication failed"),
        (ended, theirs, "exceptions.AlreadyFinalized", "AlreadyFinalized the message has ended"),
        (ended, theirs, "sealwire.AlreadyFinalized", "AlreadyFinalized the message has ended"),
        (ended, without, "sealwire.AlreadyFinalized", "AlreadyFinalized the message has ended"),
    ):
        program = before + call.format(caught=caught)
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert done.stdout == f"sealwire {said}\n"
