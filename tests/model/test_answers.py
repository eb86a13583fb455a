# SPDX-License-Identifier: Apache-2.0
"""The parser of known-answer files."""

from pathlib import Path

import pytest
from sealwire_model.answers import AnswersError, parse, rule_text

FULL = "# Scheme = toyk128n128tau128v1\n# TagBytes = 16\n\nCount = 1\nPT = 0A0B\nKey = 00\nNonce = 01\nAD = \nCT = 0C\n"


def write(folder: Path, text: str, name: str = "omdsha512k512n256tau256v2.rsp") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_reads_fields_by_name_and_the_header(tmp_path: Path) -> None:
    vectors = parse(write(tmp_path, FULL))
    assert (vectors.scheme, vectors.form, vectors.header_bits("TagBytes")) == ("toyk128n128tau128v1", "aead", 128)
    assert vectors.aead[0].plaintext == b"\x0a\x0b" and vectors.aead[0].ad == b""
    assert vectors.aead[0].matches(b"\x0c") and not vectors.aead[0].matches(b"\x0d")


def test_scheme_comes_from_the_file_name_when_the_header_is_silent(tmp_path: Path) -> None:
    text = FULL.split("\n", 1)[1]
    assert parse(write(tmp_path, text, "omdsha256k128n96tau64v1.long.rsp")).scheme == "omdsha256k128n96tau64v1"


def test_every_published_file_is_read_completely() -> None:
    vectors = Path(__file__).parents[2] / "vectors"
    for path in vectors.glob("*.rsp"):
        read = parse(path)
        assert len(read.aead) + len(read.mac) == path.read_text().count("Count = ")


def test_a_long_record_needs_length_ends_and_hash(tmp_path: Path) -> None:
    sealed = bytes(100)
    sha = "CD00E292C5970D3C5E2F0FFA5171E555BC46BFC4FADDFB4A418B6840B86E79A3"
    ends = f"CTHead = {'00' * 64}\nCTTail = {'00' * 64}\nCTSHA256 = {sha}\n"
    text = f"Count = 1\nKey = 00\nNonce = 01\nADLen = 3\nPTLen = 300\nCTLen = 100\n{ends}"
    record = parse(write(tmp_path, text)).aead[0]
    assert record.ad == b"\x03\x0a\x11" and len(record.plaintext) == 300
    assert record.matches(sealed)
    assert record.matches(sealed + b"\0", filled=True) and not record.matches(sealed + b"\0")
    assert not record.matches(sealed + b"\1", filled=True)
    assert not record.matches(bytes(70) + b"\1" + bytes(29))


def test_zeros_behind_an_answer_are_right_only_where_they_fill_up_a_tag(tmp_path: Path) -> None:
    record = parse(write(tmp_path, FULL)).aead[0]
    assert record.matches(b"\x0c\0\0", filled=True) and not record.matches(b"\x0c\0\0")
    assert not record.matches(b"\x0c\0\1", filled=True) and not record.matches(b"", filled=True)
    assert record.sealed(2) == b"\x0c\0\0\0"


def test_mac_form_is_recognised(tmp_path: Path) -> None:
    vectors = parse(write(tmp_path, "Count = 1\nKey = 00\nMsg = 0102\nTag = FF\n"))
    assert vectors.form == "mac" and vectors.mac[0].message == b"\1\2"


def test_rule_text_is_7i_plus_3() -> None:
    assert rule_text(600) == bytes((7 * i + 3) % 256 for i in range(600))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# only a header\n", "no record"),
        ("Count = 1\nKey = 00\n", "neither CT"),
        (FULL.replace("0C", "0G"), "CT is not hexadecimal"),
        (FULL.replace("Count = 1", "Count = x"), "Count is not a number"),
        (FULL.replace("Nonce = 01\n", ""), "lacks the field Nonce"),
        (FULL.replace("AD = \n", "AD = \nAD = \n"), "AD twice"),
        (FULL.replace("AD = \n", "something\n"), "expected `Name = value`"),
        (FULL + "\nCount = 2\nKey = é\n", "not a text file"),
    ],
)
def test_bad_files_are_refused_with_one_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(AnswersError, match=message) as caught:
        parse(write(tmp_path, text))
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_directory_are_refused(tmp_path: Path) -> None:
    with pytest.raises(AnswersError, match="No such file"):
        parse(tmp_path / "none.rsp")
    with pytest.raises(AnswersError, match="directory"):
        parse(tmp_path)
