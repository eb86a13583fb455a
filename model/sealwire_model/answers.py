# SPDX-License-Identifier: Apache-2.0
"""Known-answer files (.rsp): header lines `# Name = value`, records of `Name = VALUE` lines ended by a blank line.

Three forms are recognised by their fields: AEAD full (Key, Nonce, AD, PT, CT), AEAD long (lengths, and the hash of CT;
text byte i is (7 i + 3) mod 256) and MAC (Key, Msg, Tag). Fields are read by name, never by position.
"""

import hashlib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path


class AnswersError(Exception):
    """A file is none of known answers; the message is one line that says where and why."""


@cache
def rule_text(length: int) -> bytes:
    """The text that long records mean by a length."""
    return (bytes((7 * i + 3) & 255 for i in range(256)) * (length // 256 + 1))[:length]


@dataclass(frozen=True)
class AeadRecord:
    """One AEAD answer.  `ciphertext` is None in the long form, where only its hash is known."""

    count: int
    key: bytes
    nonce: bytes
    ad: bytes
    plaintext: bytes
    ciphertext: bytes | None
    length: int
    head: bytes = b""
    tail: bytes = b""
    sha256: bytes = b""

    def sealed(self, tag_bytes: int) -> bytes | None:
        """Ciphertext || tag, as far as it is known: zeros fill up a tag that the designers end earlier."""
        return self.ciphertext and self.ciphertext.ljust(len(self.plaintext) + tag_bytes, b"\0")

    def matches(self, sealed: bytes, *, filled: bool = False) -> bool:
        """Whether ciphertext || tag is the right answer; `filled`: zeros may come behind it."""
        if filled and not any(sealed[self.length :]):
            sealed = sealed[: self.length]
        if self.ciphertext is not None:
            return sealed == self.ciphertext
        return (
            len(sealed) == self.length
            and sealed[:64] == self.head
            and sealed[-64:] == self.tail
            and hashlib.sha256(sealed).digest() == self.sha256
        )


@dataclass(frozen=True)
class MacRecord:
    """One MAC answer."""

    count: int
    key: bytes
    message: bytes
    tag: bytes


@dataclass
class VectorFile:
    """A parsed file: its scheme, its header, and its records (of one form)."""

    path: Path
    scheme: str
    form: str
    header: dict[str, str] = field(default_factory=dict)
    aead: list[AeadRecord] = field(default_factory=list)
    mac: list[MacRecord] = field(default_factory=list)

    def header_bits(self, name: str) -> int | None:
        """A size of the header, given there in bytes, as bits."""
        value = self.header.get(name, "")
        return 8 * int(value) if value.isdigit() else None


class _Record:
    """The fields of one record, with errors that say where."""

    def __init__(self, path: Path, line: int, fields: dict[str, str]) -> None:
        self.where, self.fields = f"{path}:{line}", fields

    def text(self, name: str) -> str:
        if name not in self.fields:
            raise AnswersError(f"{self.where}: the record lacks the field {name}")
        return self.fields[name]

    def hex(self, name: str) -> bytes:
        try:
            return bytes.fromhex(self.text(name))
        except ValueError:
            raise AnswersError(f"{self.where}: {name} is not hexadecimal") from None

    def number(self, name: str) -> int:
        text = self.text(name)
        if not text.isdigit():
            raise AnswersError(f"{self.where}: {name} is not a number")
        return int(text)


def _aead_full(record: _Record) -> AeadRecord:
    key, nonce, ad, plaintext, ciphertext = map(record.hex, ("Key", "Nonce", "AD", "PT", "CT"))
    return AeadRecord(record.number("Count"), key, nonce, ad, plaintext, ciphertext, len(ciphertext))


def _aead_long(record: _Record) -> AeadRecord:
    key, nonce, head, tail, digest = map(record.hex, ("Key", "Nonce", "CTHead", "CTTail", "CTSHA256"))
    ad, plaintext = (rule_text(record.number(name)) for name in ("ADLen", "PTLen"))
    return AeadRecord(
        record.number("Count"), key, nonce, ad, plaintext, None, record.number("CTLen"), head, tail, digest
    )


def _blocks(path: Path, text: str) -> tuple[dict[str, str], list[_Record]]:
    header: dict[str, str] = {}
    records: list[_Record] = []
    fields: dict[str, str] = {}
    start = 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        line = line.strip()
        if line.startswith("#"):
            name, equals, value = line[1:].partition("=")
            if equals:
                header.setdefault(name.strip(), value.strip())
        elif not line:
            if fields:
                records.append(_Record(path, start, fields))
            fields = {}
        else:
            name, equals, value = line.partition("=")
            if not equals:
                raise AnswersError(f"{path}:{number}: expected `Name = value`, found {line[:40]!r}")
            start = start if fields else number
            if name.strip() in fields:
                raise AnswersError(f"{path}:{number}: {name.strip()} twice in one record; a blank line ends a record")
            fields[name.strip()] = value.strip()
    return header, records


def parse(path: Path) -> VectorFile:
    """Read a known-answer file.  Raises AnswersError (one line, with file and line) for anything that is not one."""
    try:
        text = path.read_text(encoding="ascii")
    except UnicodeDecodeError as error:
        raise AnswersError(f"{path} is not a text file of known answers") from error
    except OSError as error:
        raise AnswersError(f"cannot read {path}: {error.strerror}") from error
    header, records = _blocks(path, text)
    if not records:
        raise AnswersError(f"{path} holds no record (a group of `Name = value` lines)")
    scheme = header.get("Scheme") or path.name.split(".", 1)[0]
    first = records[0].fields
    if "CT" in first or "CTSHA256" in first:
        form, read = ("aead-long", _aead_long) if "CTSHA256" in first else ("aead", _aead_full)
        return VectorFile(path, scheme, form, header, aead=[read(record) for record in records])
    if "Tag" in first and "Msg" in first:
        macs = [MacRecord(record.number("Count"), *map(record.hex, ("Key", "Msg", "Tag"))) for record in records]
        return VectorFile(path, scheme, "mac", header, mac=macs)
    raise AnswersError(f"{path}: the first record has neither CT, CTSHA256 nor Msg and Tag")
