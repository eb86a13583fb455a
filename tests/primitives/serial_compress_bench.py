# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the serial compression functions: published digests, the model, promised cycles, what stays."""

import hashlib
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly
from sealwire_model.primitives.blake2b import IV, blake2b
from sealwire_model.primitives.sha2 import SHA512_IV, sha512

SHA = os.environ.get("TOP") == "sha512_compress_s"
FINAL = int(os.environ.get("FINAL", "0"))  # BLAKE2b: the counter of a final block, 0 for none
HALVES = int(os.environ.get("HALVES", "0"))  # BLAKE2b: a step takes two cycles, and its word comes behind the second
CALL, WIPE = (528, 16) if SHA else ((408 << HALVES) + HALVES, 4 << HALVES)
F = sha512 if SHA else lambda chain, block: blake2b(chain, block, FINAL, bool(FINAL))
#: FIPS 180-4, SHA-512 of "abc" (NIST's example), and RFC 7693, appendix A
PUBLISHED = (
    "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
    "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    if SHA
    else "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
    "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"
)


def number(text):
    return int.from_bytes(text, "little")


async def begin(dut):
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    dut.start.value, dut.clear.value = 0, 1
    await FallingEdge(dut.clk)
    dut.clear.value = 0
    await wiped(dut)


async def wiped(dut):
    """After a clear, not ready for so many cycles and no more."""
    for _ in range(WIPE):
        assert not dut.ready.value
        await FallingEdge(dut.clk)
    assert dut.ready.value


async def call(dut, chain, block, give_up=None):
    """The digest, in as many cycles as promised; None if it is given up after some."""
    assert dut.ready.value
    dut.msg.value, dut.start.value = number(block[64:]), 1
    words = {}
    for cycle in range(-1, CALL):
        assert dut.ready.value == (cycle < 0), cycle
        if cycle == give_up:
            return None
        for name, text in (("chain", chain), ("key", block)):
            at = 8 * int(getattr(dut, f"{name}_at").value)
            getattr(dut, f"{name}_word").value = number(text[at : at + 8])
        await ReadOnly()
        if cycle >= CALL - (15 if HALVES else 8) and (cycle % 2 == 0 or not HALVES):
            assert dut.word_valid.value and int(dut.word_at.value) not in words, cycle
            words[int(dut.word_at.value)] = int(dut.word.value).to_bytes(8, "little")
        else:
            assert not dut.word_valid.value, cycle
        await FallingEdge(dut.clk)
        dut.start.value = 0
    assert dut.ready.value and not dut.word_valid.value
    return b"".join(words[place] for place in range(8))


def first_block(message):
    """Chaining value and block of a message of one block, as the standards hash it."""
    if SHA:
        padded = message + b"\x80" + bytes(119 - len(message)) + (8 * len(message)).to_bytes(8, "big")
        return b"".join(word.to_bytes(8, "big") for word in SHA512_IV), padded
    words = [IV[0] ^ 0x01010040, *IV[1:]]
    return b"".join(word.to_bytes(8, "little") for word in words), message.ljust(128, b"\0")


@cocotb.test(skip=not SHA and not FINAL)
async def gives_the_published_digests(dut):
    await begin(dut)
    assert await call(dut, *first_block(b"abc")) == bytes.fromhex(PUBLISHED)
    for _ in range(10):
        message = random.randbytes(random.randrange(112) if SHA else FINAL)
        hashed = hashlib.sha512 if SHA else hashlib.blake2b
        assert await call(dut, *first_block(message)) == hashed(message).digest()


@cocotb.test()
async def agrees_with_the_model(dut):
    await begin(dut)
    for count in range(60):
        chain, block = random.randbytes(64), random.randbytes(128)
        if count < 4:
            chain, block = (bytes([255 * (count & 1)]) * 64, bytes([255 * (count >> 1)]) * 128)
        digest = await call(dut, chain, block)
        assert digest == F(chain, block), count
        for _ in range(random.choice((0, 0, 1, 20))):
            await FallingEdge(dut.clk)


@cocotb.test()
async def a_clear_leaves_nothing_of_any_call(dut):
    registers = [f"{name}_q" for name in ([*"abcdefgh", "sum"] if SHA else ["word", "outer"])]
    halves = [dut.g_halves.sum_q, dut.g_halves.given_word_q, dut.g_halves.given_q] if HALVES else []
    memories = {"w": 16} if SHA else {f"row_{name}": 4 for name in "abcd"}
    await begin(dut)
    for _ in range(40):
        give_up = random.choice((random.randrange(CALL), random.randrange(20), None))
        await call(dut, random.randbytes(64), random.randbytes(128), give_up)
        dut.clear.value = 1
        for _ in range(random.choice((1, 1, 2, 30))):
            await FallingEdge(dut.clk)
        dut.clear.value = 0
        for name in registers:
            assert not int(getattr(dut, name).value), name
        assert not any(int(register.value) for register in halves)
        await wiped(dut)
        for name, words in memories.items():
            assert not any(int(getattr(dut, name)[i].value) for i in range(words)), name
        chain, block = random.randbytes(64), random.randbytes(128)
        assert await call(dut, chain, block) == F(chain, block)
