# SPDX-License-Identifier: Apache-2.0
"""Sealed files (docs/file-format.md), held in memory as a whole.

python -m sealwire_model.sealed_file open KEYFILE FILE    writes the plaintext, or ends with 1: FILE is not authentic
python -m sealwire_model.sealed_file make DIR             writes the known-answer files of the crate's tests to DIR
python -m sealwire_model.sealed_file worked               writes the worked example of the document

KEYFILE is a key file or an identity file. Files of version 1 are opened, and made as known answers only.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from . import stanzas
from .stanzas import Random, expand, extract, key_id
from .suites import SUITES, Suite

MAGIC = b"sealfile"
PROLOGUE, COMMITMENT, MAC, SALT, ID, SECRET = 64, 32, 16, 32, 8, 32  # bytes
FILE, IDENTITY = 1, 5  # purposes
LOG2_CHUNKS = range(12, 25)  # the logarithm of a chunk's size
#: Known answers: lengths by suite, of version 1 and of version 2
KNOWN_1 = {0x01: (0, 1, 4096, 10000), 0x02: (5, 8192), 0x05: (5, 10000)}
KNOWN_2 = {0x01: (0, 1, 4096, 10000), 0x02: (8192,), 0x03: (5,), 0x05: (5, 10000), 0x11: (5,)}
#: The cost of the known answer under a passphrase: 2^5 KiB, two passes, two lanes
COST = (5, 2, 2)


class NotAuthenticError(ValueError):
    """The file is not one that was sealed under this key."""


@dataclass(frozen=True)
class Key:
    """A key file's bytes."""

    bytes: bytes


@dataclass(frozen=True)
class Identities:
    """The 32-byte seeds of who receives the file, or of one who opens it."""

    seeds: tuple[bytes, ...]


@dataclass(frozen=True)
class Passphrase:
    """A passphrase."""

    bytes: bytes
    cost: tuple[int, int, int] = COST


Lock = Key | Identities | Passphrase


def keys_1(key: bytes, header: bytes) -> tuple[bytes, bytes]:
    """File key and header MAC of version 1."""
    suite = SUITES[header[9]]
    n = suite.n
    check_length(key, suite)

    def e(c: int) -> bytes:
        return suite.compress(header[16:48].ljust(n, b"\0"), key + (header[:15] + bytes([c])).ljust(n, b"\0"))

    return e(1)[: suite.key_bytes], e(2)[:MAC]


def check_length(key: bytes, suite: Suite) -> None:
    """Refuses a key of another length than the suite's."""
    if len(key) != suite.n:
        raise NotAuthenticError(f"the key has {len(key)} bytes, those of suite {suite.code:02x} have {suite.n}")


def keys_2(secret: bytes, bound: bytes) -> tuple[bytes, bytes]:
    """File key and commitment of version 2; `bound` is the header without its commitment."""
    prk = extract(bound[32:PROLOGUE], secret)
    key = expand(prk, b"sealwire file key\0" + bound, 64)[: SUITES[bound[9]].key_bytes]
    return key, expand(prk, b"sealwire file commitment\0" + bound, COMMITMENT)


def nonce(suite: Suite, chunk: int, last: bool) -> bytes:
    """The nonce of a chunk."""
    return (chunk.to_bytes(4, "big") + bytes([last])).rjust(suite.nonce_bytes, b"\0")


def header_2(lock: Lock, code: int, log2: int, random: Random) -> tuple[bytes, bytes]:
    """A header of version 2 without its commitment, and the secret of the file."""
    salt = random(SALT)
    way, length, name = 1, 0, bytes(ID)
    if isinstance(lock, Key):
        check_length(lock.bytes, SUITES[code])
        name = key_id(FILE, lock.bytes)
    elif isinstance(lock, Identities):
        way, length = 2, stanzas.RECIPIENT * len(lock.seeds)
    else:
        way, length = 3, stanzas.PASSPHRASE
    fields = bytes([2, code, log2, FILE, way, 0]) + length.to_bytes(2, "big")
    prologue = MAGIC + fields + name + bytes(8) + salt
    if isinstance(lock, Key):
        return prologue, lock.bytes
    secret = random(SECRET)
    if isinstance(lock, Identities):
        publics = [stanzas.recipient(seed) for seed in lock.seeds]
        parts = [stanzas.for_recipient(prologue, public, secret, random) for public in publics]
        return prologue + b"".join(parts), secret
    return prologue + stanzas.for_passphrase(prologue, lock.bytes, lock.cost, secret, random), secret


def seal_file(lock: Lock, code: int, log2: int, random: Random, text: bytes) -> bytes:
    """The whole file of version 2, in chunks of 2^log2 bytes."""
    bound, secret = header_2(lock, code, log2, random)
    file_key, commitment = keys_2(secret, bound)
    return bound + commitment + chunks(SUITES[code], file_key, commitment, log2, text)


def seal_file_1(key: bytes, code: int, log2: int, salt: bytes, text: bytes) -> bytes:
    """The whole file of version 1."""
    header = MAGIC + bytes([1, code, log2]) + bytes(5) + salt
    file_key, mac = keys_1(key, header)
    header += mac
    return header + chunks(SUITES[code], file_key, header, log2, text)


def chunks(suite: Suite, file_key: bytes, ad: bytes, log2: int, text: bytes) -> bytes:
    """All chunks, sealed."""
    aead = suite.aead(file_key)
    count = max(1, -(-len(text) >> log2))
    out = b""
    for chunk in range(count):
        part = text[chunk << log2 : chunk + 1 << log2]
        out += b"".join(aead.seal(nonce(suite, chunk, chunk == count - 1), ad, part))
    return out


def secret_of(lock: Lock, bound: bytes) -> bytes:
    """The secret of a file of version 2, whose header's fields are in order."""
    prologue, stanza, way = bound[:PROLOGUE], bound[PROLOGUE:], bound[12]
    if way == 1 and isinstance(lock, Key):
        check_length(lock.bytes, SUITES[bound[9]])
        if bound[16:24] not in (bytes(ID), key_id(FILE, lock.bytes)):
            raise NotAuthenticError("another key's id")
        return lock.bytes
    secret = None
    if way == 2 and isinstance(lock, Identities):
        found = (stanzas.by_identity(prologue, stanza, seed) for seed in lock.seeds)
        secret = next((secret for secret in found if secret is not None), None)
    elif way == 3 and isinstance(lock, Passphrase):
        secret = stanzas.by_passphrase(prologue, stanza, lock.bytes)
    if secret is None:
        raise NotAuthenticError("nothing here opens it")
    return secret


def rest_of_header(file: bytes) -> int:
    """The length of a header of version 2, whose fields it checks."""
    way, length = file[12], int.from_bytes(file[14:16], "big")
    right = {
        1: length == 0,
        2: length > 0 and length % stanzas.RECIPIENT == 0 and not any(file[16:24]),
        3: length == stanzas.PASSPHRASE and not any(file[16:24]),
    }
    end = PROLOGUE + length + COMMITMENT
    if file[11] != FILE or file[13] or any(file[24:32]) or not right.get(way) or len(file) < end:
        raise NotAuthenticError("header")
    if way == 3:
        memory, passes, lanes, zero = file[PROLOGUE : PROLOGUE + 4]
        allowed = memory in range(3, 21) and passes in range(1, 17) and lanes in range(1, 17)
        if not allowed or 8 * lanes > 1 << memory or zero:
            raise NotAuthenticError("header")
    return end


def open_file(lock: Lock, file: bytes) -> bytes:
    """The plaintext, or NotAuthenticError."""
    if len(file) < PROLOGUE or file[:8] != MAGIC or file[8] not in (1, 2) or file[9] not in SUITES:
        raise NotAuthenticError("header")
    if file[10] not in LOG2_CHUNKS:
        raise NotAuthenticError("header")
    end = PROLOGUE
    if file[8] == 1:
        if any(file[11:16]) or not isinstance(lock, Key):
            raise NotAuthenticError("header")
        file_key, mac = keys_1(lock.bytes, file[:PROLOGUE])
        if mac != file[48:PROLOGUE]:
            raise NotAuthenticError("header MAC")
        ad = file[:PROLOGUE]
    else:
        end = rest_of_header(file)
        bound = file[: end - COMMITMENT]
        file_key, ad = keys_2(secret_of(lock, bound), bound)
        if ad != file[end - COMMITMENT : end]:
            raise NotAuthenticError("commitment")
    return open_chunks(SUITES[file[9]], file_key, ad, file[10], file[end:])


def open_chunks(suite: Suite, file_key: bytes, ad: bytes, log2: int, rest: bytes) -> bytes:
    """The plaintext of all chunks, or NotAuthenticError."""
    aead, tag_bytes = suite.aead(file_key), suite.tag_bytes
    step = (1 << log2) + tag_bytes
    parts = [rest[at : at + step] for at in range(0, len(rest), step)] or [b""]
    text = b""
    for number, chunk in enumerate(parts):
        sealed, tag = chunk[:-tag_bytes], chunk[-tag_bytes:]
        if len(chunk) < tag_bytes or (not sealed and number > 0):
            raise NotAuthenticError("cut short")
        part, right = aead.open(nonce(suite, number, number == len(parts) - 1), ad, sealed, tag)
        if tag != right:
            raise NotAuthenticError(f"chunk {number}")
        text += part
    return text


def counted() -> Callable[[int], bytes]:
    """The random bytes of known answers: 80 81 .. and on, modulo 256."""
    position = 0x80

    def draw(count: int) -> bytes:
        nonlocal position
        position += count
        return bytes(i & 255 for i in range(position - count, position))

    return draw


def known_text(length: int) -> bytes:
    """Byte i is (7 i + 3) mod 256."""
    return bytes((7 * i + 3) & 255 for i in range(length))


#: The identities of the known answer for recipients, and the passphrase of that under one
SEEDS = (bytes(range(32)), bytes(range(32, 64)))
PASSPHRASE = b"open sesame"


def known_files() -> dict[str, bytes]:
    """Known answers by name: key 00 01 02 .., salt and other random bytes 80 81 .., chunks of 4096 bytes."""
    salt = bytes(range(0x80, 0x80 + SALT))
    key = {code: bytes(range(suite.n)) for code, suite in SUITES.items()}
    files = {
        f"v1-suite{code:02x}-{length}.sealed": seal_file_1(key[code], code, 12, salt, known_text(length))
        for code, lengths in KNOWN_1.items()
        for length in lengths
    }
    files |= {
        f"v2-suite{code:02x}-{length}.sealed": seal_file(Key(key[code]), code, 12, counted(), known_text(length))
        for code, lengths in KNOWN_2.items()
        for length in lengths
    }
    for name, lock in (("recipients", Identities(SEEDS)), ("passphrase", Passphrase(PASSPHRASE))):
        files[f"v2-{name}.sealed"] = seal_file(lock, 0x01, 12, counted(), known_text(100))
    return files


def worked() -> str:
    """The worked example of the document: every value on the way to a file with one byte."""
    key, text = bytes(range(64)), known_text(1)
    bound, secret = header_2(Key(key), 0x01, 12, counted())
    file_key, commitment = keys_2(secret, bound)
    values = {
        "K": key,
        "key id": key_id(FILE, key),
        "prologue": bound,
        "PRK": extract(bound[32:PROLOGUE], secret),
        "file key": file_key,
        "commitment": commitment,
        "nonce": nonce(SUITES[1], 0, True),
        "plaintext": text,
        "chunk 0": chunks(SUITES[1], file_key, commitment, 12, text),
    }
    lines = []
    for name, value in values.items():
        digits = value.hex()
        for at in range(0, len(digits), 64):
            lines.append(f"{name if at == 0 else '':<11} {digits[at : at + 64]}")
    return "\n".join(lines) + "\n"


def read_key(path: Path) -> Lock:
    """A key file or an identity file."""
    lines = [line.strip() for line in path.read_text(encoding="ascii").splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    fields = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines if ":" in line)}
    (digits,) = [line for line in lines if ":" not in line]
    if fields.get("purpose") == "identity":
        return Identities((bytes.fromhex(digits),))
    if fields.get("purpose", "file") != "file":
        raise NotAuthenticError(f"the key is for {fields['purpose']}")
    return Key(bytes.fromhex(digits))


def main(arguments: list[str]) -> int:
    """The command above; returns its exit code."""
    if arguments[:1] == ["open"] and len(arguments) == 3:
        try:
            sys.stdout.buffer.write(open_file(read_key(Path(arguments[1])), Path(arguments[2]).read_bytes()))
        except NotAuthenticError as error:
            print(f"not authentic: {error}", file=sys.stderr)
            return 1
        return 0
    if arguments[:1] == ["make"] and len(arguments) == 2:
        for name, file in known_files().items():
            Path(arguments[1], name).write_bytes(file)
        return 0
    if arguments == ["worked"]:
        sys.stdout.write(worked())
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
