# SPDX-License-Identifier: Apache-2.0
"""Sealed files of the executable specification: the known files, every suite, and what must not open."""

from pathlib import Path

import pytest
from sealwire_model.sealed_file import NotAuthenticError, known_files, main, open_file, seal_file
from sealwire_model.suites import SUITES

DATA = Path(__file__).parents[2] / "crates" / "sealwire-file" / "tests" / "data"
SALT = bytes(range(32))


def text(length: int) -> bytes:
    return bytes((7 * i + 3) & 255 for i in range(length))


def test_makes_the_known_files() -> None:
    assert known_files() == {path.name: path.read_bytes() for path in DATA.glob("*.sealed")}


@pytest.mark.parametrize("code", SUITES)
def test_opens_what_it_seals(code: int) -> None:
    key = bytes(range(SUITES[code].n))
    for length in (0, 1, 4095, 4096, 4097, 8192):
        file = seal_file(key, code, 12, SALT, text(length))
        chunks = max(1, -(-length // 4096))
        assert len(file) == 64 + length + chunks * SUITES[code].tag_bytes
        assert open_file(key, file) == text(length)


@pytest.mark.parametrize("code", SUITES)
def test_a_changed_cut_or_lengthened_file_does_not_open(code: int) -> None:
    key, tag = bytes(range(SUITES[code].n)), SUITES[code].tag_bytes
    file = seal_file(key, code, 12, SALT, text(5000))
    wrong = [
        file[:at] + bytes([file[at] ^ 1]) + file[at + 1 :] for at in (0, 8, 9, 11, 20, 50, 64, 4200, len(file) - 1)
    ]
    wrong += [file[:63], file[:64], file[:-1], file[: 64 + 4096 + tag], file + bytes(1), file + bytes(tag)]
    for other in wrong:
        with pytest.raises(NotAuthenticError):
            open_file(key, other)
    for at in (48, 63):
        with pytest.raises(NotAuthenticError, match="header MAC"):
            open_file(key, file[:at] + bytes([file[at] ^ 1]) + file[at + 1 :])
    with pytest.raises(NotAuthenticError, match="header MAC"):
        open_file(bytes([1]) + key[1:], file)
    with pytest.raises(NotAuthenticError, match="bytes"):
        open_file(key[1:], file)


def test_the_command_opens_makes_and_refuses(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["make", str(tmp_path)]) == 0
    key, file = tmp_path / "key", tmp_path / "suite02-5.sealed"
    key.write_text(f"# a key\n{bytes(range(64)).hex()}\n")
    assert main(["open", str(key), str(file)]) == 0
    assert capfdbinary.readouterr().out == text(5)
    file.write_bytes(file.read_bytes()[:-1])
    assert main(["open", str(key), str(file)]) == 1
    assert b"not authentic" in capfdbinary.readouterr().err
    assert main([]) == 2
