# SPDX-License-Identifier: Apache-2.0
"""Sealed files (docs/file-format.md), held in memory as a whole.

python -m sealwire_model.sealed_file open KEYFILE FILE    writes the plaintext, or ends with 1: FILE is not authentic
python -m sealwire_model.sealed_file make DIR             writes the known-answer files of the command's tests to DIR
"""

from __future__ import annotations

import sys
from pathlib import Path

from .suites import SUITES, Suite

MAGIC, VERSION = b"sealfile", 1
HEADER, MAC, SALT = 64, 16, 32  # bytes
LOG2_CHUNKS = range(12, 25)  # the logarithm of a chunk's size
#: Known answers: lengths by suite
KNOWN = {0x01: (0, 1, 4096, 10000), 0x02: (5, 8192), 0x05: (5, 10000)}


class NotAuthenticError(ValueError):
    """The file is not one that was sealed under this key."""


def keys(key: bytes, header: bytes) -> tuple[bytes, bytes]:
    """File key and header MAC."""
    suite = SUITES[header[9]]
    n = suite.n
    if len(key) != n:
        raise NotAuthenticError(f"the key has {len(key)} bytes, those of suite {suite.code:02x} have {n}")

    def e(c: int) -> bytes:
        return suite.compress(header[16:48].ljust(n, b"\0"), key + (header[:15] + bytes([c])).ljust(n, b"\0"))

    return e(1)[: suite.key_bytes], e(2)[:MAC]


def nonce(suite: Suite, chunk: int, last: bool) -> bytes:
    """The nonce of a chunk."""
    return (chunk.to_bytes(4, "big") + bytes([last])).rjust(suite.nonce_bytes, b"\0")


def seal_file(key: bytes, code: int, log2: int, salt: bytes, text: bytes) -> bytes:
    """The whole file, in chunks of 2^log2 bytes."""
    suite = SUITES[code]
    header = MAGIC + bytes([VERSION, code, log2]) + bytes(5) + salt
    file_key, mac = keys(key, header)
    out = header = header + mac
    aead = suite.aead(file_key)
    count = max(1, -(-len(text) >> log2))
    for chunk in range(count):
        part = text[chunk << log2 : chunk + 1 << log2]
        out += b"".join(aead.seal(nonce(suite, chunk, chunk == count - 1), header, part))
    return out


def open_file(key: bytes, file: bytes) -> bytes:
    """The plaintext, or NotAuthenticError."""
    header, rest = file[:HEADER], file[HEADER:]
    if len(header) != HEADER or header[:8] != MAGIC or header[8] != VERSION or header[9] not in SUITES:
        raise NotAuthenticError("header")
    if header[10] not in LOG2_CHUNKS or any(header[11:16]):
        raise NotAuthenticError("header")
    file_key, mac = keys(key, header)
    if mac != header[48:]:
        raise NotAuthenticError("header MAC")
    suite = SUITES[header[9]]
    aead, tag_bytes = suite.aead(file_key), suite.tag_bytes
    step = (1 << header[10]) + tag_bytes
    chunks = [rest[at : at + step] for at in range(0, len(rest), step)] or [b""]
    text = b""
    for number, chunk in enumerate(chunks):
        sealed, tag = chunk[:-tag_bytes], chunk[-tag_bytes:]
        if len(chunk) < tag_bytes or (not sealed and number > 0):
            raise NotAuthenticError("cut short")
        part, right = aead.open(nonce(suite, number, number == len(chunks) - 1), header, sealed, tag)
        if tag != right:
            raise NotAuthenticError(f"chunk {number}")
        text += part
    return text


def known_files() -> dict[str, bytes]:
    """Known answers by name: key 00 01 02 .., salt 80 81 .., chunks of 4096 bytes, text byte i = (7 i + 3) mod 256."""
    salt = bytes(range(0x80, 0x80 + SALT))
    return {
        f"suite{code:02x}-{length}.sealed": seal_file(
            bytes(range(SUITES[code].n)), code, 12, salt, bytes((7 * i + 3) & 255 for i in range(length))
        )
        for code, lengths in KNOWN.items()
        for length in lengths
    }


def main(arguments: list[str]) -> int:
    """The command above; returns its exit code."""
    if arguments[:1] == ["open"] and len(arguments) == 3:
        lines = Path(arguments[1]).read_text(encoding="ascii").splitlines()
        key = bytes.fromhex("".join(line for line in lines if not line.startswith("#")))
        try:
            sys.stdout.buffer.write(open_file(key, Path(arguments[2]).read_bytes()))
        except NotAuthenticError as error:
            print(f"not authentic: {error}", file=sys.stderr)
            return 1
        return 0
    if arguments[:1] == ["make"] and len(arguments) == 2:
        for name, file in known_files().items():
            Path(arguments[1], name).write_bytes(file)
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
