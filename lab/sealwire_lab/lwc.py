# SPDX-License-Identifier: Apache-2.0
"""Known answers as vector files of the LWC hardware API, for `sealwire-lab lwc`; the format: docs/interfaces.md."""

import argparse
import functools
import operator
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from sealwire_model.answers import VectorFile
from sealwire_model.lwc import ACTKEY, SEGMENT, Case, input_lines, instruction, key_lines, output_lines

from . import cores, files, kat, tops
from .cores import Core
from .errors import LabError
from .terminal import core_option, option, whole

#: What a forged message differs in from a good one, and the field of a case that it is.
FORGERIES = {"tag": "tag", "ciphertext": "text", "AD": "ad", "nonce": "nonce"}


def cases(
    core: Core, vectors: VectorFile, limit: int | None = None, forgeries: Iterable[str] = FORGERIES
) -> Iterator[Case]:
    """Each record sealed, opened, and opened with each of the forgeries: a bit flipped, or a byte added."""
    if vectors.form != "aead":
        raise LabError(f"{vectors.path} is not of the full form: it holds no ciphertexts, only hashes of them")
    tag_bytes = kat.parameters_for(core, vectors)["TAG_BITS"] // 8
    for record in kat.spread(vectors.aead, limit):
        sealed = record.sealed(tag_bytes) or b""
        split = len(sealed) - tag_bytes
        ciphertext, tag = sealed[:split], sealed[split:]
        yield Case(
            record.key, record.nonce, record.ad, record.plaintext, None, ciphertext, tag, f"record {record.count}"
        )
        good = Case(record.key, record.nonce, record.ad, ciphertext, tag, record.plaintext)
        yield good
        for what in forgeries:
            if tag or what != "tag":
                forged: dict[str, Any] = dict(vars(good), answer=None, comment=f"forged {what}")
                forged[FORGERIES[what]] = kat.flipped(forged[FORGERIES[what]], record.count * 104729 + 7919)
                yield Case(**forged)


def in_shares(key: bytes, shares: int, draw: random.Random) -> bytes:
    """A key as `sdi` carries it: so many shares, whose sum is the key, all but the first drawn."""
    others = [draw.randbytes(len(key)) for _ in range(shares - 1)]
    first = bytes(functools.reduce(operator.xor, bits) for bits in zip(key, *others, strict=True))
    return b"".join([first, *others])


def write(
    messages: Iterable[Case], directory: Path, width: int, longest: int = SEGMENT, shares: int = 1, seed: int = 1
) -> dict[str, int]:
    """Write the three files; returns how many messages, keys and failures they hold.

    A key is activated when it changes, so runs of messages show its reuse. For a core that takes its key in `shares`
    the seed draws them anew for each activation.
    """
    head = ["# Made by sealwire-lab lwc.  Words of " + f"{width} bits."]
    pdi, sdi, do = list(head), list(head), list(head)
    draw = random.Random(seed)
    counts = {"messages": 0, "keys": 0, "failures": 0}
    key = None
    for case in messages:
        counts["messages"] += 1
        counts["failures"] += case.answer is None
        if case.key != key:
            key = case.key
            counts["keys"] += 1
            pdi.append(f"INS = {instruction(ACTKEY, width)}")
            what = f" in {shares} shares" if shares > 1 else ""
            sdi += [f"# Key {counts['keys']}{what}", *key_lines(in_shares(key, shares, draw), width)]
        number, keys, what = counts["messages"], counts["keys"], "open" if case.opens else "seal"
        title = f"# Message {number}, key {keys}, {what} {case.comment}".rstrip()
        pdi += [title, *input_lines(case, width, longest)]
        start = f"# TB :{case.opcode:x}{keys & 0xFF:02x}{number & 0xFF:02x}".upper()
        do += [title, start, *output_lines(case, width)]
    if not counts["messages"]:
        raise LabError("there is no message to write")
    for name, lines in (("pdi", pdi), ("sdi", sdi), ("do", do)):
        files.write(directory / f"{name}.txt", "\n".join([*lines, "###EOF", ""]))
    return counts


def options(parser: argparse.ArgumentParser) -> None:
    core_option(parser)
    parser.add_argument("file", type=Path, metavar="FILE", help=".rsp file, full form")
    place = "folder for the three files; those of the same names are replaced"
    option(parser, "-o --output DIR", place, Path, required=True)
    parser.add_argument(
        "--width", type=int, choices=sorted(tops.WIDTHS["lwc"]), default=tops.WIDTHS["lwc"][0],
        help=f"bits of a word (default {tops.WIDTHS['lwc'][0]})",
    )  # fmt: skip
    parser.add_argument("--limit", type=whole, metavar="N", help="only N records, spread evenly over the file")
    option(parser, "--segment BYTES", f"longest segment on pdi (default {SEGMENT})", int, default=SEGMENT)
    option(parser, "--seed N", "of the shares of keys, for a core that takes them so (default 1)", int, default=1)


def run(arguments: argparse.Namespace) -> int:
    core = cores.find(arguments.core)
    if not 1 <= arguments.segment <= 65535:
        raise LabError(f"--segment {arguments.segment}: a segment has 1 to 65535 bytes")
    vectors = kat.read(core, [arguments.file])[0]
    counts = write(
        cases(core, vectors, arguments.limit), arguments.output, arguments.width, arguments.segment,
        core.shares, arguments.seed,
    )  # fmt: skip
    keys = "1 key" if counts["keys"] == 1 else f"{counts['keys']} keys"
    keys += f" in {core.shares} shares" if core.shares > 1 else ""
    print(
        f"{arguments.output}: {counts['messages']} messages under {keys}, "
        f"{counts['failures']} of them forged, words of {arguments.width} bits"
    )
    return 0
