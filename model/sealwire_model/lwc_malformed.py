# SPDX-License-Identifier: Apache-2.0
"""Malformed messages and keys of the LWC hardware API; what the adapter does with them: docs/interfaces.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from . import lwc
from .lwc import AD, CIPHERTEXT, EOT, LAST, NONCE, PLAINTEXT, TAG, Case, instruction

#: A bit of the flags beside EOI, EOT and LAST.
_PARTIAL = 8
_HASH_MESSAGE = 7


@dataclass(frozen=True)
class _Segment:
    kind: int
    flags: int
    string: bytes
    reserved: int = 0  # bits 23:16 of the header

    def lines(self, width: int) -> Iterator[str]:
        return lwc.segment(self.kind, self.flags, self.string, width, self.reserved)


def _well_formed(case: Case) -> list[_Segment]:
    """Nonce, AD and text, and to open the tag."""
    found = [_Segment(NONCE, EOT, case.nonce), _Segment(AD, EOT, case.ad)]
    if case.tag is None:
        return [*found, _Segment(PLAINTEXT, EOT | LAST, case.text)]
    return [*found, _Segment(CIPHERTEXT, EOT, case.text), _Segment(TAG, EOT | LAST, case.tag)]


def _faults(case: Case) -> Iterator[tuple[str, list[_Segment]]]:
    """Ways to spoil the segments of a message; the last segment is the only one marked LAST."""
    good = _well_formed(case)
    nonce, ad, *rest = good
    end = rest[-1]
    yield "nonce short of a byte", [replace(nonce, string=nonce.string[:-1]), ad, *rest]
    yield "nonce of a byte too many", [replace(nonce, string=nonce.string + b"\0"), ad, *rest]
    yield "no nonce", [ad, *rest]
    yield "two nonces", [nonce, nonce, ad, *rest]
    yield "no AD", [nonce, *rest]
    yield "AD before the nonce", [ad, nonce, *rest]
    yield "no text", [nonce, replace(ad, flags=EOT | LAST)] if case.tag is None else [nonce, ad, end]
    yield "segment of a type that does not exist", [nonce, replace(ad, kind=0), *rest]
    yield "text of the other direction", [
        nonce, ad, replace(rest[0], kind=CIPHERTEXT if case.tag is None else PLAINTEXT), *rest[1:]
    ]  # fmt: skip
    yield "partial bit", [nonce, replace(ad, flags=EOT | _PARTIAL), *rest]
    yield "reserved bits", [nonce, replace(ad, reserved=0x10), *rest]
    yield "reserved bits in the last header", [*good[:-1], replace(end, reserved=0x01)]
    yield "last on the AD", [nonce, replace(ad, flags=EOT | LAST)]
    if case.tag is not None:
        yield "tag short of a byte", [*good[:-1], replace(end, string=end.string[:-1])]
        yield "tag of a byte too many", [*good[:-1], replace(end, string=end.string + b"\0")]
        yield "no tag", [nonce, ad, replace(rest[0], flags=EOT | LAST)]


def cases(good: Iterable[Case], width: int) -> Iterator[Case]:
    """Each fault in a message that is sealed and in one that is opened, then messages under a key of a wrong length.

    The good message comes again after each: a refusal is the last that is seen of a fault.
    """
    wanted = [case for case in good if case.answer is not None and case.nonce]
    chosen = [
        next((case for case in wanted if case.opens is opens and case.text and case.ad), None)
        for opens in (False, True)
    ]
    for case in chosen:
        if case is None:
            raise ValueError("no good message with AD and text to spoil")
        start = instruction(case.opcode, width)
        spoilt = [(what, start, segments) for what, segments in _faults(case)]
        spoilt += [
            ("an instruction with another bit", start[:-1] + "1", _well_formed(case)),
            ("a status as an instruction", instruction(lwc.SUCCESS, width), []),
            ("an instruction that does not exist", instruction(0x1, width), []),
            ("a hash", instruction(lwc.HASH, width), [_Segment(_HASH_MESSAGE, EOT | LAST, case.text)]),
        ]
        for what, word, segments in spoilt:
            lines = (f"INS = {word}", *(line for part in segments for line in part.lines(width)))
            yield replace(case, answer=None, comment=what, lines=lines)
            yield case
        for what, key in (("key short of a byte", case.key[:-1]), ("key of a byte too many", case.key + b"\0")):
            yield replace(case, answer=None, comment=what, key=key)
            yield case
