# SPDX-License-Identifier: Apache-2.0
"""The Python package beside the C interface that it shares a library with, and AES-GCM of `cryptography`, in one run.

    make bench-python [ARGS='--scheme otr-aes128-p --bytes 64,1500,16384 --json']

A figure is GB/s of message, from the least time of all rounds; every call of a round is made in turn, and each loop
makes one call before its clock starts. C takes an input and an output that it was given; `encrypt` and `decrypt` make
a new object for each result, as `cryptography` does, so that a batch of long messages, or as many results of single
calls kept in a list, waits for the kernel's pages.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import subprocess
import sys
import tempfile
import timeit
from collections.abc import Callable
from pathlib import Path

import sealwire
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BATCH = 16
COLUMNS = ("C", "encrypt", "encrypt_into", "16 kept", "batch of 16", "C, batch", "cryptography")


def native() -> Callable[..., float]:
    """The timing loop in C, compiled against the library of this checkout."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release"
    made = Path(tempfile.mkdtemp()) / "native.so"
    libraries = [target / "libsealwire_ffi.a", "-lm", "-ldl", "-lpthread"]
    words = ["cc", "-O2", "-shared", "-fPIC", "-I", ROOT / "crates/sealwire-ffi/include", "-o", made]
    subprocess.run([*words, HERE / "native.c", *libraries], check=True)
    function = ctypes.CDLL(str(made)).native_seconds
    function.restype = ctypes.c_double
    size = ctypes.c_size_t
    function.argtypes = [ctypes.c_char_p, ctypes.c_char_p, size, size, size, ctypes.c_int, size]
    return function


def loop(statement: str, calls: int, **names: object) -> Callable[[], float]:
    """Seconds of a statement, which stands in the loop itself: a function around it would be a second call."""
    timer = timeit.Timer(statement, globals=names)

    def seconds() -> float:
        timer.timeit(1)
        return timer.timeit(calls) / calls

    return seconds


def measure(scheme: str, length: int, opening: bool, rounds: int, c: Callable[..., float]) -> dict[str, float]:
    """GB/s of each column."""
    key = bytes(sealwire.find(scheme).key_length)
    aead, theirs = sealwire.AEAD(scheme, key), AESGCM(bytes(16))
    nonce, text = bytes(aead.nonce_length), bytes(length)
    sealed, gcm = aead.encrypt(nonce, text), theirs.encrypt(bytes(12), text, None)
    data = sealed if opening else text
    room = bytearray(len(text) if opening else len(sealed))
    packets = [(nonce, data, None)] * BATCH
    one, into, many = (
        (aead.decrypt, aead.decrypt_into, aead.decrypt_batch)
        if opening
        else (aead.encrypt, aead.encrypt_into, aead.encrypt_batch)
    )
    peer, given = (theirs.decrypt, gcm) if opening else (theirs.encrypt, text)
    calls = max(3, 1_000_000 // (length + 500))
    fewer = max(1, calls // BATCH)

    def native_time(count: int) -> float:
        taken = c(scheme.encode(), key, len(key), length, count, int(opening), max(1, calls // count))
        if taken < 0:
            sys.exit(f"error: a call of the C interface failed ({scheme}, {length} bytes)")
        return taken / count

    kept = loop(f"[one(nonce, data) for _ in range({BATCH})]", fewer, one=one, nonce=nonce, data=data)
    batch = loop("many(packets)", fewer, many=many, packets=packets)
    cases: dict[str, Callable[[], float]] = {
        "C": lambda: native_time(1),
        "encrypt": loop("one(nonce, data)", calls, one=one, nonce=nonce, data=data),
        "encrypt_into": loop("into(nonce, data, None, room)", calls, into=into, nonce=nonce, data=data, room=room),
        "16 kept": lambda: kept() / BATCH,
        "batch of 16": lambda: batch() / BATCH,
        "C, batch": lambda: native_time(BATCH),
        "cryptography": loop("peer(nonce, given, None)", calls, peer=peer, nonce=bytes(12), given=given),
    }
    least = dict.fromkeys(COLUMNS, float("inf"))
    for _ in range(rounds):
        for column in COLUMNS:
            least[column] = min(least[column], cases[column]())
    return {column: length / taken / 1e9 for column, taken in least.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scheme", default="otr-aes128-p,omd-blake2b", help="names, with commas between them")
    parser.add_argument("--bytes", default="64,1500,16384,1048576,4194304", help="lengths of messages")
    parser.add_argument("--rounds", type=int, default=40, help="how often all calls are measured in turn (default 40)")
    parser.add_argument("--json", action="store_true", help="a list of rows")
    given = parser.parse_args()
    c, rows = native(), []
    if not given.json:
        print(f"GB/s of message\n{'scheme':<14} {'bytes':>8} {'':<5}" + "".join(f"{column:>14}" for column in COLUMNS))
    for scheme in given.scheme.split(","):
        for length in map(int, given.bytes.split(",")):
            for opening in (False, True):
                speeds = measure(scheme, length, opening, given.rounds, c)
                rows.append({"scheme": scheme, "bytes": length, "opening": opening, "gb_s": speeds})
                if not given.json:
                    figures = "".join(f"{speeds[column]:14.3f}" for column in COLUMNS)
                    print(f"{scheme:<14} {length:>8} {'open' if opening else 'seal':<5}{figures}", flush=True)
    if given.json:
        json.dump(rows, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
