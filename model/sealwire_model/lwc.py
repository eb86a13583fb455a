# SPDX-License-Identifier: Apache-2.0
"""Messages of the LWC hardware API, and their words in its vector files (docs/interfaces.md)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

ENC, DEC, LDKEY, ACTKEY, HASH = 0x2, 0x3, 0x4, 0x7, 0x8
SUCCESS, FAILURE = 0xE, 0xF
#: Segment types.
AD, PLAINTEXT, CIPHERTEXT, TAG, KEY, NONCE = 0x1, 0x4, 0x5, 0x8, 0xC, 0xD
EOI, EOT, LAST = 4, 2, 1
#: Longest segment: whole words of every width, below 65536.
SEGMENT = 65520


@dataclass(frozen=True)
class Case:
    """One message and what must become of it: `answer` is ciphertext or plaintext, None when it must fail."""

    key: bytes
    nonce: bytes
    ad: bytes
    text: bytes
    tag: bytes | None  # the expected tag, to open
    answer: bytes | None
    answer_tag: bytes = b""
    comment: str = ""
    lines: tuple[str, ...] = ()  # of pdi.txt, in place of those that the strings make

    @property
    def opens(self) -> bool:
        """Whether it is opened rather than sealed."""
        return self.tag is not None

    @property
    def opcode(self) -> int:
        """The instruction that begins it."""
        return DEC if self.opens else ENC


def instruction(code: int, width: int) -> str:
    """An instruction or status word."""
    return f"{code:x}".ljust(width // 4, "0").upper()


def data(string: bytes, width: int) -> str:
    """Data words, the last one padded with zeros."""
    digits = width // 4
    text = string.hex().upper()
    return text.ljust(-(-len(text) // digits) * digits, "0")


def header(kind: int, flags: int, length: int, width: int, reserved: int = 0) -> str:
    """The words of a segment header; `reserved` are its bits 23:16."""
    return f"{kind:x}{flags:x}{reserved:02x}{length:04x}".ljust(width // 4, "0").upper()


def segment(kind: int, flags: int, string: bytes, width: int, reserved: int = 0) -> Iterator[str]:
    """Lines of one segment."""
    yield f"HDR = {header(kind, flags, len(string), width, reserved)}"
    if string:
        yield f"DAT = {data(string, width)}"


def segments(kind: int, string: bytes, flags: int, width: int, longest: int = SEGMENT) -> Iterator[str]:
    """Lines of one string.  Flags (EOT is added) are those of its last segment."""
    parts = [string[at : at + longest] for at in range(0, len(string), longest)] or [b""]
    for number, part in enumerate(parts, 1):
        yield from segment(kind, flags | EOT if number == len(parts) else 0, part, width)


def input_lines(case: Case, width: int, longest: int = SEGMENT) -> Iterator[str]:
    """Lines of pdi.txt for one message, without the key."""
    if case.lines:
        yield from case.lines
        return
    yield f"INS = {instruction(case.opcode, width)}"
    last_with_data = TAG if case.text else AD if case.ad else NONCE
    yield from segments(NONCE, case.nonce, EOI if last_with_data == NONCE else 0, width)
    yield from segments(AD, case.ad, EOI if last_with_data == AD else 0, width, longest)
    end = EOI if case.text else 0
    if case.opens and case.tag:
        yield from segments(CIPHERTEXT, case.text, end, width, longest)
        yield from segments(TAG, case.tag, LAST, width)
    else:
        yield from segments(CIPHERTEXT if case.opens else PLAINTEXT, case.text, end | LAST, width, longest)


def output_lines(case: Case, width: int) -> Iterator[str]:
    """Lines of do.txt for one message."""
    if case.answer is None:
        yield f"STT = {instruction(FAILURE, width)}"
        return
    if case.opens:
        yield from segments(PLAINTEXT, case.answer, LAST, width)
    else:
        yield from segments(CIPHERTEXT, case.answer, 0 if case.answer_tag else LAST, width)
        if case.answer_tag:
            yield from segments(TAG, case.answer_tag, LAST, width)
    yield f"STT = {instruction(SUCCESS, width)}"


def key_lines(key: bytes, width: int) -> Iterator[str]:
    """Lines of sdi.txt for one key."""
    yield f"INS = {instruction(LDKEY, width)}"
    yield from segment(KEY, EOI | EOT | LAST, key, width)
