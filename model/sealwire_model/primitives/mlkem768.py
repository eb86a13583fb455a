# SPDX-License-Identifier: Apache-2.0
"""ML-KEM-768 (FIPS 203), with the numbers of its algorithms beside the functions. It is not constant-time."""

from __future__ import annotations

from hashlib import sha3_256, sha3_512, shake_128, shake_256

Poly = list[int]

Q, N, K = 3329, 256, 3
ETA, DU, DV = 2, 10, 4
#: 17 to the power of the seven reversed bits of i, and of twice that plus one
ZETAS = [pow(17, int(f"{i:07b}"[::-1], 2), Q) for i in range(128)]
GAMMAS = [pow(17, 2 * int(f"{i:07b}"[::-1], 2) + 1, Q) for i in range(128)]
PUBLIC, TEXT = 384 * K + 32, 32 * (DU * K + DV)  # bytes


def pack(values: Poly, bits: int) -> bytes:
    """ByteEncode (5)."""
    return sum(value << bits * i for i, value in enumerate(values)).to_bytes(32 * bits, "little")


def unpack(data: bytes, bits: int) -> Poly:
    """ByteDecode (6), modulo q for 12 bits."""
    number = int.from_bytes(data, "little")
    modulus = Q if bits == 12 else 1 << bits
    return [(number >> bits * i & (1 << bits) - 1) % modulus for i in range(N)]


def compress(values: Poly, bits: int) -> Poly:
    """Compress (4.7): rounded, halves up."""
    return [((value << bits + 1) + Q) // (2 * Q) % (1 << bits) for value in values]


def decompress(values: Poly, bits: int) -> Poly:
    """Decompress (4.8)."""
    return [(value * Q * 2 + (1 << bits)) >> bits + 1 for value in values]


def sample_ntt(seed: bytes) -> Poly:
    """SampleNTT (7)."""
    values: Poly = []
    stream, at = shake_128(seed).digest(168 * 20), 0
    while len(values) < N:
        a, b, c = stream[at : at + 3]
        at += 3
        values += [d for d in (a + 256 * (b % 16), b // 16 + 16 * c) if d < Q]
    return values[:N]


def sample_cbd(data: bytes) -> Poly:
    """SamplePolyCBD (8) with eta = 2."""
    bits = [byte >> i & 1 for byte in data for i in range(8)]
    return [(bits[i] + bits[i + 1] - bits[i + 2] - bits[i + 3]) % Q for i in range(0, 4 * N, 4)]


def noise(seed: bytes, number: int) -> Poly:
    """A polynomial of PRF (4.3)."""
    return sample_cbd(shake_256(seed + bytes([number])).digest(64 * ETA))


def ntt(values: Poly) -> Poly:
    """NTT (9)."""
    f, i, length = list(values), 1, 128
    while length >= 2:
        for start in range(0, N, 2 * length):
            for j in range(start, start + length):
                t = ZETAS[i] * f[j + length] % Q
                f[j], f[j + length] = (f[j] + t) % Q, (f[j] - t) % Q
            i += 1
        length //= 2
    return f


def inverse_ntt(values: Poly) -> Poly:
    """NTT^-1 (10)."""
    f, i, length = list(values), 127, 2
    while length <= 128:
        for start in range(0, N, 2 * length):
            for j in range(start, start + length):
                t = f[j]
                f[j], f[j + length] = (t + f[j + length]) % Q, ZETAS[i] * (f[j + length] - t) % Q
            i -= 1
        length *= 2
    return [value * 3303 % Q for value in f]


def multiply(f: Poly, g: Poly) -> Poly:
    """MultiplyNTTs (11)."""
    out = []
    for i, gamma in enumerate(GAMMAS):
        a0, a1, b0, b1 = f[2 * i], f[2 * i + 1], g[2 * i], g[2 * i + 1]
        out += [(a0 * b0 + a1 * b1 * gamma) % Q, (a0 * b1 + a1 * b0) % Q]
    return out


def add(*terms: Poly) -> Poly:
    """The sum of polynomials."""
    return [sum(column) % Q for column in zip(*terms, strict=True)]


def inner(a: list[Poly], b: list[Poly]) -> Poly:
    """The inner product of vectors in the NTT's domain."""
    return add(*(multiply(f, g) for f, g in zip(a, b, strict=True)))


def matrix(rho: bytes) -> list[list[Poly]]:
    """A, whose entry in row i and column j comes from rho, j and i."""
    return [[sample_ntt(rho + bytes([j, i])) for j in range(K)] for i in range(K)]


def keys(d: bytes) -> tuple[bytes, list[Poly]]:
    """K-PKE.KeyGen (13): the public key, and the private vector in the NTT's domain."""
    digest = sha3_512(d + bytes([K])).digest()
    rho, sigma = digest[:32], digest[32:]
    s = [ntt(noise(sigma, i)) for i in range(K)]
    e = [ntt(noise(sigma, K + i)) for i in range(K)]
    t = [add(inner(row, s), error) for row, error in zip(matrix(rho), e, strict=True)]
    return b"".join(pack(f, 12) for f in t) + rho, s


def encrypt(public: bytes, message: bytes, randomness: bytes) -> bytes:
    """K-PKE.Encrypt (14)."""
    t = [unpack(public[384 * i : 384 * i + 384], 12) for i in range(K)]
    a = matrix(public[384 * K :])
    y = [ntt(noise(randomness, i)) for i in range(K)]
    u = [add(inverse_ntt(inner([a[i][j] for i in range(K)], y)), noise(randomness, K + j)) for j in range(K)]
    v = add(inverse_ntt(inner(t, y)), noise(randomness, 2 * K), decompress(unpack(message, 1), 1))
    return b"".join(pack(compress(f, DU), DU) for f in u) + pack(compress(v, DV), DV)


def decrypt(s: list[Poly], text: bytes) -> bytes:
    """K-PKE.Decrypt (15)."""
    step = 32 * DU
    u = [decompress(unpack(text[step * i : step * i + step], DU), DU) for i in range(K)]
    v = decompress(unpack(text[step * K :], DV), DV)
    product = inverse_ntt(inner(s, [ntt(f) for f in u]))
    return pack(compress([(a - b) % Q for a, b in zip(v, product, strict=True)], 1), 1)


def public_key(seed: bytes) -> bytes:
    """The encapsulation key of the seed d || z."""
    return keys(seed[:32])[0]


def encapsulate(public: bytes, m: bytes) -> tuple[bytes, bytes]:
    """ML-KEM.Encaps_internal (17): the shared secret and the ciphertext."""
    digest = sha3_512(m + sha3_256(public).digest()).digest()
    return digest[:32], encrypt(public, m, digest[32:])


def decapsulate(seed: bytes, text: bytes) -> bytes:
    """ML-KEM.Decaps_internal (18), for the decapsulation key of the seed d || z."""
    public, s = keys(seed[:32])
    shared, again = encapsulate(public, decrypt(s, text))
    return shared if again == text else shake_256(seed[32:] + text).digest(32)
