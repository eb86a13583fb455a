#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A second reader and writer of sealed files, written from docs/file-format.md and the definition of OMD alone.

It shares no code with the Rust library. It is slow, not constant-time, and keeps whole files in memory.

    sealed_file.py open KEYFILE FILE      writes the plaintext to standard output, exit code 1 if FILE is not authentic
    sealed_file.py make DIR               writes the known-answer files of ../data to DIR
"""

import struct
import sys
from collections.abc import Callable
from math import isqrt
from pathlib import Path

Compress = Callable[[bytes, bytes], bytes]


def xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=False))


# ---- compression functions: FIPS 180-4 and RFC 7693 ------------------------------------------


def primes(count: int) -> list[int]:
    found: list[int] = []
    candidate = 2
    while len(found) < count:
        if all(candidate % p for p in found):
            found.append(candidate)
        candidate += 1
    return found


def cube_root(x: int) -> int:
    low, high = 0, 1 << (x.bit_length() // 3 + 2)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**3 <= x else (low, middle - 1)
    return low


def sha2(bits: int, rounds: int, sums: tuple[tuple[int, int, int], ...]) -> Compress:
    """The compression function of SHA-2 with words of `bits` bits; `sums` are Sigma0, Sigma1, sigma0, sigma1."""
    mask = (1 << bits) - 1
    constants = [cube_root(p << 3 * bits) & mask for p in primes(rounds)]
    form = ">%d" + ("Q" if bits == 64 else "I")

    def rotate(x: int, n: int) -> int:
        return (x >> n | x << bits - n) & mask

    def big(x: int, s: tuple[int, int, int]) -> int:
        return rotate(x, s[0]) ^ rotate(x, s[1]) ^ rotate(x, s[2])

    def small(x: int, s: tuple[int, int, int]) -> int:
        return rotate(x, s[0]) ^ rotate(x, s[1]) ^ x >> s[2]

    def compress(chain: bytes, block: bytes) -> bytes:
        start = list(struct.unpack(form % 8, chain))
        w = list(struct.unpack(form % 16, block))
        for i in range(16, rounds):
            w.append((w[i - 16] + small(w[i - 15], sums[2]) + w[i - 7] + small(w[i - 2], sums[3])) & mask)
        a, b, c, d, e, f, g, h = start
        for i in range(rounds):
            t1 = h + big(e, sums[1]) + (e & f ^ ~e & g) + constants[i] + w[i]
            t2 = big(a, sums[0]) + (a & b ^ a & c ^ b & c)
            a, b, c, d, e, f, g, h = (t1 + t2) & mask, a, b, c, (d + t1) & mask, e, f, g
        return struct.pack(form % 8, *((x + y) & mask for x, y in zip(start, (a, b, c, d, e, f, g, h), strict=True)))

    return compress


def blake2b(chain: bytes, block: bytes) -> bytes:
    """BLAKE2b's F with t = 0 and f = 0."""
    mask = (1 << 64) - 1
    h, m = list(struct.unpack("<8Q", chain)), struct.unpack("<16Q", block)
    v = h + [isqrt(p << 128) & mask for p in primes(8)]
    order = [
        "0123456789abcdef",
        "ea489fd61c02b753",
        "b8c052fdae367194",
        "7931dcbe265a40f8",
        "905724afe1bc683d",
        "2c6a0b834d75fe19",
        "c51fed4a0763928b",
        "db7ec13950f4862a",
        "6fe9b308c2d714a5",
        "a2847615fb9e3cd0",
    ]
    lanes = ["048c", "159d", "26ae", "37bf", "05af", "16bc", "278d", "349e"]
    for r in range(12):
        for g, lane in enumerate(lanes):
            a, b, c, d = (int(x, 16) for x in lane)
            for half, (first, second) in enumerate(((32, 24), (16, 63))):
                v[a] = v[a] + v[b] + m[int(order[r % 10][2 * g + half], 16)] & mask
                v[d] ^= v[a]
                v[d] = (v[d] >> first | v[d] << 64 - first) & mask
                v[c] = v[c] + v[d] & mask
                v[b] ^= v[c]
                v[b] = (v[b] >> second | v[b] << 64 - second) & mask
    return struct.pack("<8Q", *(h[i] ^ v[i] ^ v[i + 8] for i in range(8)))


SHA256 = sha2(32, 64, ((2, 13, 22), (6, 11, 25), (7, 18, 3), (17, 19, 10)))
SHA512 = sha2(64, 80, ((28, 34, 39), (14, 18, 41), (1, 8, 7), (19, 61, 6)))

# ---- OMD version 2 -----------------------------------------------------------------------------


def times(i: int, block: bytes) -> bytes:
    """i times the block in GF(2^8n), i a small polynomial."""
    n = 8 * len(block)
    product = 0
    value = int.from_bytes(block, "big")
    while i:
        product ^= value * (i & 1)
        value = value << 1 ^ (value >> n - 1) * (1 << n | (0x425 if n == 256 else 0x125))
        i >>= 1
    return product.to_bytes(n // 8, "big")


def pad(data: bytes, length: int) -> bytes:
    return data if len(data) == length else (data + b"\x80").ljust(length, b"\0")


def omd(
    f: Compress, key: bytes, tag_len: int, nonce: bytes, ad: bytes, data: bytes, opening: bool
) -> tuple[bytes, bytes]:
    """The other text and the tag."""
    n = 32 if f is SHA256 else 64
    tau = (8 * tag_len).to_bytes(n, "big")

    def f_k(chain: bytes, message: bytes) -> bytes:
        return f(chain, key.ljust(n, b"\0") + message)

    l_star = f_k(bytes(n), tau)

    def mask(i: int) -> bytes:
        return times(4 << (i & -i).bit_length() - 1, l_star)

    tag = bytes(n)
    delta = bytes(n)
    for i in range(0, len(ad), 2 * n):
        block = ad[i : i + 2 * n]
        delta = xor(delta, mask(i // (2 * n) + 1) if len(block) == 2 * n else l_star)
        block = pad(block, 2 * n)
        tag = xor(tag, f_k(xor(block[:n], delta), block[n:]))
    delta = xor(f_k(pad(nonce, n), bytes(n)), mask(1))
    chain = f_k(delta, tau)
    out = b""
    for i in range(0, len(data), n):
        block = data[i : i + n]
        out += xor(block, chain)
        message = out[i:] if opening else block
        if i + n < len(data):
            delta = xor(delta, mask(i // n + 2))
        else:
            delta = xor(delta, times(2 if len(block) == n else 3, l_star))
        chain = f_k(xor(chain, delta), pad(message, n))
    return out, xor(tag, chain)[:tag_len]


# ---- the format --------------------------------------------------------------------------------

# suite: F', n, key, nonce, tag (bytes)
SUITES = {1: (SHA512, 64, 64, 32, 32), 2: (blake2b, 64, 64, 32, 32), 5: (SHA256, 32, 32, 13, 20)}


def keys(key: bytes, header: bytes) -> tuple[bytes, bytes]:
    """File key and header MAC."""
    f, n, key_len, _, _ = SUITES[header[9]]
    if len(key) != n:
        raise ValueError("wrong key length")

    def e(c: int) -> bytes:
        return f(header[16:48].ljust(n, b"\0"), key + (header[:15] + bytes([c])).ljust(n, b"\0"))

    return e(1)[:key_len], e(2)[:16]


def nonce(suite: int, j: int, last: bool) -> bytes:
    return (j.to_bytes(4, "big") + bytes([last])).rjust(SUITES[suite][3], b"\0")


def seal_file(key: bytes, suite: int, log2: int, salt: bytes, text: bytes) -> bytes:
    header = b"sealfile" + bytes([1, suite, log2]) + bytes(5) + salt
    file_key, mac = keys(key, header)
    out = header = header + mac
    f, _, _, _, tag_len = SUITES[suite]
    count = max(1, -(-len(text) >> log2))
    for j in range(count):
        chunk = text[j << log2 : j + 1 << log2]
        sealed, tag = omd(f, file_key, tag_len, nonce(suite, j, j == count - 1), header, chunk, opening=False)
        out += sealed + tag
    return out


def open_file(key: bytes, file: bytes) -> bytes:
    header, rest = file[:64], file[64:]
    if len(header) != 64 or header[:9] != b"sealfile\1" or header[9] not in SUITES:
        raise ValueError("header")
    if not 12 <= header[10] <= 24 or any(header[11:16]):
        raise ValueError("header")
    file_key, mac = keys(key, header)
    if mac != header[48:]:
        raise ValueError("header MAC")
    f, _, _, _, tag_len = SUITES[header[9]]
    step = (1 << header[10]) + tag_len
    chunks = [rest[i : i + step] for i in range(0, len(rest), step)] or [b""]
    text = b""
    for j, chunk in enumerate(chunks):
        body, tag = chunk[:-tag_len], chunk[-tag_len:]
        if len(chunk) < tag_len or (not body and j > 0):
            raise ValueError("cut short")
        plain, expected = omd(
            f, file_key, tag_len, nonce(header[9], j, j == len(chunks) - 1), header, body, opening=True
        )
        if tag != expected:
            raise ValueError(f"chunk {j}")
        text += plain
    return text


def main() -> int:
    if sys.argv[1:2] == ["open"] and len(sys.argv) == 4:
        lines = Path(sys.argv[2]).read_text().splitlines()
        key = bytes.fromhex("".join(line for line in lines if not line.startswith("#")))
        try:
            sys.stdout.buffer.write(open_file(key, Path(sys.argv[3]).read_bytes()))
        except ValueError as error:
            print(f"not authentic: {error}", file=sys.stderr)
            return 1
        return 0
    if sys.argv[1:2] == ["make"] and len(sys.argv) == 3:
        # Key 00 01 02 .., salt 80 81 .., chunks of 4096 bytes, plaintext byte i = (7 i + 3) mod 256.
        salt = bytes(range(0x80, 0xA0))
        for suite, lengths in {1: (0, 1, 4096, 10000), 2: (5, 8192), 5: (5, 10000)}.items():
            for length in lengths:
                text = bytes((7 * i + 3) & 255 for i in range(length))
                sealed = seal_file(bytes(range(SUITES[suite][1])), suite, 12, salt, text)
                Path(sys.argv[2], f"suite{suite:02x}-{length}.sealed").write_bytes(sealed)
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
