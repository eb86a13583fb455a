# SPDX-License-Identifier: Apache-2.0
"""Sealed files from Python: what goes in comes out, and nothing that was not verified."""

import io
import os
import shlex
import tarfile
import threading
import warnings
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from sealwire import InvalidTag, files

SUITES = [
    "omd-sha512",
    "omd-blake2b",
    "pomd-sha512",
    "pomd-blake2b",
    "omd-sha256",
    "otr-aes128-p",
    "otr-aes256-p",
    "ocb-aes256",
    "gcm-aes128",
    "aegis-128l",
    "ascon-aead128",
    "deoxys-ii-256",
]
CHUNK = 4096
TAG = 16  # of the suite that seals where none is named
LENGTHS = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 10 * CHUNK + 7]
CHEAP = {"memory_kib": 64, "passes": 1, "lanes": 1}
TEXT = bytes(range(251)) * 163  # ten chunks


def sealed(text: bytes, lock: files.Key | files.Passphrase | files.Recipient, **options: object) -> bytes:
    file = io.BytesIO()
    with files.Writer(file, lock, **{"chunk_size": CHUNK, **options}) as writer:  # type: ignore[arg-type]
        writer.write(text)
    return file.getvalue()


class Stream(io.RawIOBase):
    """Gives bytes in small portions and cannot seek."""

    def __init__(self, data: bytes, portion: int = 1000) -> None:
        self._file = io.BytesIO(data)
        self._portion = portion

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._file.read(min(len(buffer), self._portion))
        buffer[: len(data)] = data
        return len(data)


@pytest.fixture(scope="module")
def key() -> files.Key:
    return files.Key.generate()


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("length", LENGTHS)
def test_what_goes_in_comes_out(suite: str, length: int) -> None:
    key, text = files.Key.generate(suite), os.urandom(length)
    data = sealed(text, key, suite=suite)
    assert files.Reader(io.BytesIO(data), key).read() == text
    assert files.Reader(Stream(data), key).read() == text
    out = io.BytesIO()
    assert files.open_into(io.BytesIO(data), out, key, threads=2) == length
    assert out.getvalue() == text
    again = io.BytesIO()
    assert files.seal(Stream(text), again, key, suite=suite, chunk_size=CHUNK, threads=2) == length
    assert files.Reader(again, key).read() == text
    assert len(again.getvalue()) == len(data)


def test_a_reader_is_a_file_that_seeks(key: files.Key) -> None:
    reader = files.Reader(io.BytesIO(sealed(TEXT, key)), key)
    plain = io.BytesIO(TEXT)
    assert (reader.readable(), reader.seekable(), reader.writable()) == (True, True, False)
    assert reader.length == len(TEXT)
    for offset, whence, count in [
        (9 * CHUNK - 3, 0, 10),
        (5, 0, 0),
        (-7, 2, 100),
        (CHUNK, 0, 3 * CHUNK),
        (100, 1, 1),
        (len(TEXT) + 5, 0, 10),
        (0, 0, -1),
    ]:
        assert reader.seek(offset, whence) == plain.seek(offset, whence)
        assert reader.read(count) == plain.read(count)
        assert reader.tell() == plain.tell()
    with pytest.raises(ValueError, match="negative seek"):
        reader.seek(-1)
    with pytest.raises(ValueError, match="before the beginning"):
        reader.seek(-len(TEXT) - 1, 2)


def test_lines_and_text_as_of_any_file(key: files.Key) -> None:
    file = io.BytesIO()
    lines = [f"line {i} é" for i in range(3000)]
    with files.Writer(file, key, chunk_size=CHUNK) as writer, io.TextIOWrapper(writer, "utf-8") as text:
        text.writelines(line + "\n" for line in lines)
    file.seek(0)
    with files.Reader(file, key) as reader, io.TextIOWrapper(reader, "utf-8") as text:
        assert text.read().splitlines() == lines
    assert not file.closed


def test_archives_go_through(key: files.Key, tmp_path: Path) -> None:
    (tmp_path / "note").write_bytes(TEXT)
    with files.create(tmp_path / "a", key) as writer, tarfile.open(fileobj=writer, mode="w") as tar:
        tar.add(tmp_path / "note", "note")
    with files.open(tmp_path / "a", key) as reader, tarfile.open(fileobj=reader) as tar:
        member = tar.extractfile("note")
        assert member is not None
        assert member.read() == TEXT
    with files.create(tmp_path / "z", key) as writer, zipfile.ZipFile(writer, "w") as archive:
        archive.writestr("note", TEXT)
    with files.open(tmp_path / "z", key) as reader, zipfile.ZipFile(reader) as archive:
        assert archive.read("note") == TEXT


def test_recipients_each_open_the_file() -> None:
    identities = [files.Identity.generate() for _ in range(3)]
    data = sealed(TEXT, [one.recipient for one in identities])  # type: ignore[arg-type]
    for identity in identities:
        assert files.Reader(io.BytesIO(data), identity).read() == TEXT
    stranger = files.Identity.generate()
    assert files.Reader(io.BytesIO(data), [stranger, identities[2]]).read() == TEXT
    with pytest.raises(files.WrongKeyError, match="not sealed to this identity"):
        files.Reader(io.BytesIO(data), stranger)


def test_passphrases() -> None:
    data = sealed(TEXT, files.Passphrase("correct horse é", **CHEAP))
    assert files.Reader(io.BytesIO(data), files.Passphrase("correct horse é".encode())).read() == TEXT
    with pytest.raises(files.WrongKeyError, match="wrong passphrase"):
        files.Reader(io.BytesIO(data), files.Passphrase("correct horse"))
    with pytest.raises(ValueError, match="empty"):
        files.Passphrase("")
    for cost, said in [
        ({"memory_kib": 100}, "memory_kib is 100, it must be a power of two"),
        ({"memory_kib": 8, "lanes": 2}, "is not allowed"),
        ({"passes": 17}, "is not allowed"),
        ({"memory_kib": 1 << 21}, "is not allowed"),
    ]:
        with pytest.raises(ValueError, match=said):
            files.Passphrase("x", **cost)


READERS: list[Callable[[bytes, files.Key], bytes]] = [
    lambda data, key: files.Reader(io.BytesIO(data), key).read(),
    lambda data, key: files.Reader(Stream(data), key).read(),
    lambda data, key: b"".join(iter(partial(files.Reader(io.BytesIO(data), key).read, 999), b"")),
]


@pytest.mark.parametrize("read", READERS)
def test_a_changed_file_is_refused_wherever_it_was_changed(
    key: files.Key, read: Callable[[bytes, files.Key], bytes]
) -> None:
    data = sealed(TEXT, key)
    body = 96
    places = [0, 8, 9, 10, 11, 12, 14, 16, 24, 32, 63, 64, 95, body, body + CHUNK, len(data) - 1, len(data) // 2]
    for place in places:
        changed = bytearray(data)
        changed[place] ^= 4
        with pytest.raises(files.SealedFileError) as caught:
            read(bytes(changed), key)
        assert isinstance(caught.value, InvalidTag) == (place >= body), place
        assert isinstance(caught.value, files.DamagedFileError) == (place >= body), place
    for changed_length in [*range(0, 96, 13), body, body + 1, body + CHUNK + TAG, len(data) - 1]:
        with pytest.raises(files.SealedFileError, match=r"cut short|inside the header|damaged"):
            read(data[:changed_length], key)
    for more in [b"\0", data, bytes(CHUNK + TAG)]:
        with pytest.raises(files.DamagedFileError):
            read(data + more, key)
    swapped = data[:body] + data[body + CHUNK + TAG : body + 2 * (CHUNK + TAG)] + data[body : body + CHUNK + TAG]
    with pytest.raises(files.DamagedFileError):
        read(swapped + data[body + 2 * (CHUNK + TAG) :], key)


def test_nothing_unverified_leaves(key: files.Key) -> None:
    """Of a file whose fifth chunk was changed the first four come out, and not a byte more."""
    data = bytearray(sealed(TEXT, key))
    data[96 + 4 * (CHUNK + TAG) + 100] ^= 1
    for source in [io.BytesIO(data), Stream(bytes(data))]:
        reader = files.Reader(source, key)
        assert reader.raw.read(4 * CHUNK) == TEXT[:CHUNK]
        reader = files.Reader(io.BytesIO(data), key)
        room = bytearray(b"\xaa" * len(TEXT))
        got = 0
        with pytest.raises(files.DamagedFileError, match="chunk 5 is damaged"):
            while count := reader.raw.readinto(memoryview(room)[got:]):
                got += count
        assert got == 4 * CHUNK
        assert room[:got] == TEXT[:got]
        assert set(room[got:]) == {0xAA}
        with pytest.raises(RuntimeError, match="an earlier error ended this file"):
            reader.raw.readinto(bytearray(1))
    out = io.BytesIO()
    with pytest.raises(files.DamagedFileError, match="chunk 5 is damaged"):
        files.open_into(io.BytesIO(data), out, key)
    assert out.getvalue() == TEXT[: 4 * CHUNK]


def test_a_damaged_file_leaves_no_output(key: files.Key, tmp_path: Path) -> None:
    data = bytearray(sealed(TEXT, key))
    data[-1] ^= 1
    with pytest.raises(files.DamagedFileError):
        files.open_into(io.BytesIO(data), tmp_path / "out", key)
    assert list(tmp_path.iterdir()) == []
    data[-1] ^= 1
    files.open_into(io.BytesIO(data), tmp_path / "out", key)
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o600


def test_a_file_appears_when_it_is_whole(key: files.Key, tmp_path: Path) -> None:
    path = tmp_path / "note.sealed"
    with files.create(path, key) as writer:
        writer.write(b"meet me")
        assert not path.exists()
    with files.open(path, key) as reader:
        assert reader.read() == b"meet me"
    with pytest.raises(FileExistsError):
        files.create(path, key)
    with pytest.raises(KeyError), files.create(path, key, overwrite=True) as writer:
        writer.write(b"lost")
        raise KeyError
    abandoned = files.create(tmp_path / "other", key)
    del abandoned
    assert list(tmp_path.iterdir()) == [path]
    with files.create(path, key, overwrite=True) as writer:
        writer.write(b"anew")
    with files.open(path, key) as reader:
        assert reader.read() == b"anew"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(FileNotFoundError):
        files.open(tmp_path / "none", key)


def test_a_file_that_comes_meanwhile_is_kept(key: files.Key, tmp_path: Path) -> None:
    path = tmp_path / "note.sealed"
    with pytest.raises(FileExistsError), files.create(path, key) as writer:
        writer.write(b"mine")
        path.write_bytes(b"another's")
    assert path.read_bytes() == b"another's"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_does_not_become_its_own_output(key: files.Key, tmp_path: Path) -> None:
    path, other = tmp_path / "note", tmp_path / "other"
    path.write_bytes(b"text")
    other.symlink_to(path)
    for work in (files.seal, files.open_into):
        for target in (path, other):
            with pytest.raises(ValueError, match="the output is the input"):
                work(path, target, key, overwrite=True)
    assert path.read_bytes() == b"text"


def test_an_exception_leaves_a_file_that_every_reader_refuses(key: files.Key) -> None:
    file = io.BytesIO()
    with pytest.raises(KeyError), files.Writer(file, key) as writer, io.TextIOWrapper(writer) as text:
        text.write("a part of the plaintext")
        raise KeyError
    assert len(file.getvalue()) == 96
    for source in [io.BytesIO(file.getvalue()), Stream(file.getvalue())]:
        with pytest.raises(files.DamagedFileError, match="cut short"):
            files.Reader(source, key).read()
    writer = files.Writer(file := io.BytesIO(), key)
    writer.write(b"never closed")
    del writer
    assert len(file.getvalue()) == 96


def test_a_closed_file_is_closed(key: files.Key) -> None:
    writer = files.Writer(io.BytesIO(), key)
    writer.write(b"x")
    assert not writer.closed
    writer.close()
    writer.close()
    assert writer.closed
    for call in [lambda: writer.write(b"x"), writer.flush, writer.__enter__]:
        with pytest.raises(ValueError, match="closed file"):
            call()
    assert writer.tell() == 1
    reader = files.Reader(io.BytesIO(sealed(b"x", key)), key)
    reader.close()
    with pytest.raises(ValueError, match="closed file"):
        reader.read()


def test_wrong_keys(key: files.Key, tmp_path: Path) -> None:
    named, nameless = sealed(TEXT, key), sealed(TEXT, key, key_id=False)
    other, identity = files.Key.generate(), files.Identity.generate()
    for data, unlock, said in [
        (named, other, f"names key {key.id}, the one given is {other.id}"),
        (nameless, other, "wrong key or damaged header"),
        (named, identity, "opens with a key file, not with an identity"),
        (named, files.Passphrase("x"), "opens with a key file, not with a passphrase"),
        (sealed(TEXT, identity.recipient), key, "opens with a recipient's identity, not with a key file"),
    ]:
        with pytest.raises(files.WrongKeyError, match=said):
            files.Reader(io.BytesIO(data), unlock)
    with pytest.raises(files.WrongKeyError, match="the key has 64 bytes, omd-sha256 needs 32"):
        sealed(b"", key, suite="omd-sha256")
    link = files.Key.from_text("purpose: link\n" + "00" * 64)
    assert link.purpose == "link"
    with pytest.raises(files.WrongKeyError, match="it is a key for links, not for files"):
        sealed(b"", link)
    with pytest.raises(files.WrongKeyError, match="it is a key for links, not for files"):
        files.Reader(io.BytesIO(named), link)


def test_key_files_that_others_can_read(key: files.Key, tmp_path: Path) -> None:
    identity = files.Identity.generate()
    files.save(key, tmp_path / "a key")
    files.save(identity, tmp_path / "identity")
    files.save(identity.recipient, tmp_path / "recipient")
    secrets = [(files.load_key, tmp_path / "a key"), (files.load_identity, tmp_path / "identity")]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for load, place in secrets:
            load(place)
        (tmp_path / "recipient").chmod(0o644)
        files.load_recipient(tmp_path / "recipient")
    for mode in (0o640, 0o604, 0o610):
        for load, place in secrets:
            place.chmod(mode)
            with pytest.warns(files.KeyFileWarning, match="can be read by others; run: chmod 600 ") as said:
                load(place)
            assert said[0].filename == __file__, "where it was loaded"
            assert shlex.split(str(said[0].message))[-1] == str(place)


def test_key_files(key: files.Key, tmp_path: Path) -> None:
    identity = files.Identity.generate()
    files.save(key, tmp_path / "key")
    files.save(identity, tmp_path / "identity")
    files.save(identity.recipient, tmp_path / "recipient")
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "identity").stat().st_mode & 0o777 == 0o600
    assert files.load_key(tmp_path / "key").to_text() == key.to_text()
    assert files.load_identity(str(tmp_path / "identity")).id == identity.id
    assert files.load_recipient(tmp_path / "recipient").id == identity.id == identity.recipient.id
    with pytest.raises(FileExistsError):
        files.save(key, tmp_path / "key")
    for load, name, said in [
        (files.load_key, "identity", "a key for opening files as a recipient, not for files"),
        (files.load_identity, "key", "a key for files, not for opening files as a recipient"),
        (files.load_recipient, "identity", "not for sealing files to a recipient"),
    ]:
        with pytest.raises(files.KeyFileError, match=f"/{name}: .*{said}"):
            load(tmp_path / name)
    with pytest.raises(FileNotFoundError) as missing:
        files.create(tmp_path / "no-folder" / "new.sealed", key)
    assert missing.value.filename == str(tmp_path / "no-folder" / "new.sealed"), "as it was asked for"
    (tmp_path / "long").write_bytes(b"#" * 5000)
    with pytest.raises(files.KeyFileError, match="longer than 4096 bytes"):
        files.load_key(tmp_path / "long")
    digits = key.to_text().splitlines()[-1]
    for purpose, uses in {"link": "links", "mac": "tags", "noise": "the Noise channel of a link"}.items():
        (tmp_path / "other").write_text(f"purpose: {purpose}\n{digits if purpose == 'link' else digits[:32]}\n")
        with pytest.raises(files.KeyFileError, match=f"it is a key for {uses}, not for files"):
            files.load_key(tmp_path / "other")
    (tmp_path / "other").write_text(digits)
    (tmp_path / "other").chmod(0o600)
    assert files.load_key(tmp_path / "other").purpose is None, "it does not say what it is for"
    for text in ["", "# nothing", digits[:-1], digits[:-2], "xx" * 64, f"purpose: files\n{digits}"]:
        with pytest.raises(files.KeyFileError) as caught:
            files.Key.from_text(text)
        assert digits[:16] not in str(caught.value)
    assert digits not in repr(key) + repr(identity) + repr(files.Passphrase("secret"))
    assert "secret" not in repr(files.Passphrase("secret"))
    assert files.Key(bytes(32)).purpose is None
    with pytest.raises(files.KeyFileError, match="31 bytes"):
        files.Key(bytes(31))


def test_wrong_uses_are_named(key: files.Key) -> None:
    for lock, said in [
        ("pass", "not with str"),
        (b"k" * 64, "not with bytes"),
        (None, "not with NoneType"),
        (3, "int"),
    ]:
        with pytest.raises(TypeError, match=said):
            files.Writer(io.BytesIO(), lock)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=said):
            files.Reader(io.BytesIO(), lock)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not with Identity"):
        files.Writer(io.BytesIO(), files.Identity.generate())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="1 to 55 recipients, not to 0"):
        files.Writer(io.BytesIO(), [])
    with pytest.raises(ValueError, match="`aes`; allowed are omd-sha512, "):
        files.Writer(io.BytesIO(), key, suite="aes")
    for size in [0, 1, 4095, 5000, 1 << 25]:
        with pytest.raises(ValueError, match="power of two from 4096"):
            files.Writer(io.BytesIO(), key, chunk_size=size)
    with pytest.raises(ValueError, match="threads is 0"):
        files.seal(io.BytesIO(), io.BytesIO(), key, threads=0)
    with pytest.raises(TypeError, match=r"read\(\) gives must be bytes-like, not str"):
        files.Reader(io.StringIO("sealfile"), key)  # type: ignore[arg-type]
    with pytest.raises(files.SealedFileError, match="not a sealed file"):
        files.Reader(io.BytesIO(b"something else"), key)


def test_exceptions_of_the_file_under_it_come_out_as_they_are(key: files.Key) -> None:
    class Fails(io.BytesIO):
        def write(self, data: object) -> int:  # type: ignore[override]
            if self.tell() > CHUNK:
                raise ZeroDivisionError
            return super().write(data)  # type: ignore[arg-type]

        def read(self, size: int | None = -1) -> bytes:
            raise ZeroDivisionError

    writer = files.Writer(Fails(), key, chunk_size=CHUNK)
    with pytest.raises(ZeroDivisionError):
        writer.write(TEXT)
    with pytest.raises(RuntimeError, match="an earlier error ended this file"):
        writer.write(b"x")
    with pytest.raises(RuntimeError, match="an earlier error ended this file"):
        writer.close()
    with pytest.raises(ZeroDivisionError):
        files.Reader(Fails(), key)
    with pytest.raises(ZeroDivisionError):
        files.seal(Fails(), io.BytesIO(), key)
    with pytest.raises(ZeroDivisionError):
        files.seal(io.BytesIO(TEXT), Fails(), key, chunk_size=CHUNK)


def test_a_file_that_lies_about_lengths_is_refused(key: files.Key) -> None:
    class Lies(io.BytesIO):
        def write(self, data: bytes) -> int:  # type: ignore[override]
            return len(data) + 1

        def read(self, size: int | None = -1) -> bytes:
            return bytes((size or 0) + 1)

    with pytest.raises(OSError, match=r"write\(\) of 96 bytes took 97"):
        files.Writer(Lies(), key)
    with pytest.raises(OSError, match=r"read\(64\) gave 65 bytes"):
        files.Reader(Lies(), key)


def test_short_writes_and_files_that_do_not_say_what_they_took(key: files.Key) -> None:
    class Short(io.RawIOBase):
        def __init__(self) -> None:
            self.data = b""

        def writable(self) -> bool:
            return True

        def write(self, data: bytes) -> int:  # type: ignore[override]
            self.data += bytes(data[:100])
            return len(data[:100])

    class Blocked(Short):
        def write(self, data: bytes) -> None:  # type: ignore[override]
            return None

    class Silent:
        data = b""

        def write(self, data: bytes) -> None:
            self.data += data

    for file in [Short(), Silent()]:
        with files.Writer(file, key, chunk_size=CHUNK) as writer:
            writer.write(TEXT)
        assert files.Reader(io.BytesIO(file.data), key).read() == TEXT
    with pytest.raises(BlockingIOError):
        files.Writer(Blocked(), key)


def test_a_file_used_inside_its_own_use_is_refused_and_not_waited_for(key: files.Key) -> None:
    class Loops(io.BytesIO):
        writer: files.Writer | None = None

        def write(self, data: bytes) -> int:  # type: ignore[override]
            if self.writer is not None:
                self.writer.write(b"again")
            return super().write(data)

    file = Loops()
    file.writer = files.Writer(file, key, chunk_size=CHUNK)
    with pytest.raises(RuntimeError, match="in use"):
        file.writer.write(TEXT)


def test_threads_work_on_files_of_their_own_at_once(key: files.Key) -> None:
    data, failures = sealed(TEXT * 20, key), []

    def work() -> None:
        if files.Reader(io.BytesIO(data), key).read() != TEXT * 20:
            failures.append("another text")

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def command() -> str:
    """The command, which `make test` builds before."""
    for profile in ["debug", "release"]:
        path = Path(__file__).parents[2] / "target" / profile / "sealwire"
        if path.exists():
            return str(path)
    pytest.skip("the command is not built (make target/debug/sealwire)")


def test_the_command_opens_what_python_seals_and_the_other_way(key: files.Key, tmp_path: Path) -> None:
    import subprocess

    def run(*arguments: str) -> None:
        subprocess.run([command(), *arguments], check=True, cwd=tmp_path, capture_output=True)

    identity = files.Identity.generate()
    files.save(key, tmp_path / "key")
    files.save(identity, tmp_path / "identity")
    files.save(identity.recipient, tmp_path / "recipient")
    (tmp_path / "passphrase").write_text("correct horse\n")
    passphrase = files.Passphrase("correct horse", **CHEAP)
    (tmp_path / "text").write_bytes(TEXT)
    for index, (lock, unlock, seal, open_) in enumerate(
        [
            (key, key, ["-k", "key"], ["-k", "key"]),
            (identity.recipient, identity, ["-r", "recipient"], ["-i", "identity"]),
            (passphrase, passphrase, ["--passphrase-file", "passphrase"], ["--passphrase-file", "passphrase"]),
        ]
    ):
        assert files.seal(tmp_path / "text", tmp_path / f"ours{index}", lock) == len(TEXT)
        run("open", *open_, f"ours{index}", "-o", f"text{index}")
        assert (tmp_path / f"text{index}").read_bytes() == TEXT
        run("seal", *seal, "text", "-o", f"theirs{index}")
        with files.open(tmp_path / f"theirs{index}", unlock) as reader:
            assert reader.read() == TEXT
    run("keygen", "their.key")
    run("identity", "their.identity")
    run("recipient", "their.identity", "-o", "their.recipient")
    with files.create(tmp_path / "last", files.load_recipient(tmp_path / "their.recipient")) as writer:
        writer.write(TEXT)
    with files.open(tmp_path / "last", files.load_identity(tmp_path / "their.identity")) as reader:
        assert reader.read() == TEXT
    assert files.load_key(tmp_path / "their.key").purpose == "file"


def test_files_of_the_format_are_opened() -> None:
    """The committed files, which an independent implementation makes, too: keys 00 01 02 .., text 03 .."""
    folder = Path(__file__).parents[2] / "crates/sealwire-file/tests/data"
    key = files.Key(bytes(range(64)))
    for name in ["v1-suite01-1", "v2-suite01-1"]:
        with files.open(folder / f"{name}.sealed", key) as reader:
            assert reader.read() == b"\x03"
