# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of hdl/primitives/sha2/sha2_pipeline_x2: FIPS 180-4, chains, masks, and every promised cycle."""

import hashlib
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import Event, FallingEdge
from sealwire_model.primitives.sha2 import SHA512_IV, sha512
from sealwire_model.strings import xor

KEY, FIRST, SECOND = 0x80, 0x88, 0x90  # addresses of the shared blocks
CALL = 162


class Bench:
    """What happens in a cycle is seen and decided at its falling edge; then `step` returns to all who wait for it."""

    def __init__(self, dut):
        self.dut, self.now = dut, 0
        self.words, self.halves = [], ([], [])  # writes still to come
        self.asked = {}  # context: (dec_chain, dec_load, dec_block)
        self.answer = (0, 0, 0)
        self.turns = {}  # context: cycle in which its last call began
        self.reads = []  # (cycle, context, word, list of answers)
        self.ended = [None, None]
        self.tick = Event()
        cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
        cocotb.start_soon(self.run())

    async def run(self):
        while True:
            await FallingEdge(self.dut.clk)
            self.now += 1
            self.cycle()
            tick, self.tick = self.tick, Event()
            tick.set()

    async def step(self):
        await self.tick.wait()

    def cycle(self):
        dut = self.dut
        dut.m_write.value = 0
        if self.words:
            address, data = self.words.pop(0)
            dut.m_write.value, dut.m_addr.value, dut.m_data.value = 1, address, int.from_bytes(data, "little")
        write, addresses, data = 0, 0, 0
        for half in (0, 1):
            if self.halves[half]:
                address, word = self.halves[half].pop(0)
                write, addresses = write | 1 << half, addresses | address << 4 * half
                data |= int.from_bytes(word, "little") << 64 * half
        dut.xy_write.value, dut.xy_addr.value, dut.xy_data.value = write, addresses, data
        if dut.ends_soon.value:
            self.ended[int(dut.ends_soon_ctx.value)] = self.now
        dut.dec_chain.value, dut.dec_load.value, dut.dec_block.value = self.answer
        ctx = int(dut.dec_ctx.value)
        self.answer = self.asked.pop(ctx, (0, 0, 0)) if dut.dec_ask.value else (0, 0, 0)
        chain, load, _ = self.answer
        if load:
            self.turns[ctx] = self.now + 13
        if chain:
            self.turns[ctx] = self.now + 3
        for cycle, _, word, answers in self.reads:
            if cycle == self.now - 1:
                answers.append(self.half(word // 4))
        for cycle, which, word, _ in self.reads:
            if cycle == self.now:
                dut.sum_ctx.value, dut.sum_word.value = which, word % 4
        self.reads = [read for read in self.reads if read[0] >= self.now]

    def half(self, which):
        return ((int(self.dut.sum_data.value) >> 64 * which) & (1 << 64) - 1).to_bytes(8, "little")

    async def reset(self):
        dut = self.dut
        for port in ("hold", "dec_chain", "dec_load", "m_write", "xy_write", "sum_ctx", "sum_word"):
            getattr(dut, port).value = 0
        dut.clear.value = 1
        for cycle in range(200):
            dut.clear_walk.value = cycle % 16
            await self.step()
        dut.clear.value = 0

    def block(self, address, block):
        self.words += [(address + i, block[8 * i : 8 * i + 8]) for i in range(8)]

    def bank(self, ctx, bank):
        return bank << 6 | ctx << 3

    def mask(self, ctx, mask, start=0):
        for word in range(8):
            address = start << 3 | ctx << 2 | word % 4
            self.halves[word // 4].append((address, mask[8 * word : 8 * word + 8]))

    async def until(self, what):
        while not what():
            await self.step()

    async def sum(self, ctx, turn):
        """The sum of a call that ended for a turn in cycle `turn`, read from the first cycle allowed on."""
        answers = [[] for _ in range(8)]
        first = max([turn + 1, *(read[0] + 1 for read in self.reads)])  # after the other context's
        for i, word in enumerate((0, 4, 1, 5, 2, 6, 3, 7)):
            self.reads.append((first + i, ctx, word, answers[word]))
        await self.until(lambda: all(answers))
        return b"".join(answer[0] for answer in answers)

    async def call(self, ctx, start, bank):
        """Begin a call from a start value; its first cycle."""
        self.mask(ctx, start, 1)
        await self.until(lambda: not any(self.halves))
        await self.step()
        self.ended[ctx] = None
        self.asked[ctx] = (0, 1, bank)
        await self.until(lambda: ctx not in self.asked)
        return self.turns[ctx]


@cocotb.test()
async def published_digests(dut):
    """A message of one block from the hash's start value: the digest of hashlib, whose answers are published."""
    bench = Bench(dut)
    await bench.reset()
    start = b"".join(word.to_bytes(8, "big") for word in SHA512_IV)
    for ctx, text in ((0, b"abc"), (1, b""), (1, random.randbytes(111)), (0, random.randbytes(80))):
        block = text + b"\x80" + bytes(119 - len(text)) + (8 * len(text)).to_bytes(8, "big")
        bench.block(KEY, block[:64])
        bench.block(bench.bank(ctx, 1), block[64:])
        bench.mask(ctx, bytes(64))
        await bench.until(lambda: not bench.words)
        turn = await bench.call(ctx, start, 1)
        assert await bench.sum(ctx, turn + CALL) == hashlib.sha512(text).digest(), text


@cocotb.test()
async def shared_blocks(dut):
    bench = Bench(dut)
    await bench.reset()
    key, first, second, start = (random.randbytes(64) for _ in range(4))
    bench.block(KEY, key)
    bench.block(FIRST, first)
    bench.block(SECOND, second)
    await bench.until(lambda: not bench.words)
    for ctx in (0, 1):
        for number, block in ((2, first), (3, second)):
            mask = random.randbytes(64)
            bench.mask(ctx, mask)
            turn = await bench.call(ctx, start, number)
            assert await bench.sum(ctx, turn + CALL) == xor(sha512(start, key + block), mask)


async def chain_of(bench, ctx, key, calls, late):
    """Calls of one context, each from the sum of the last; message words come in the last cycle allowed, or early."""
    chain, previous = random.randbytes(64), None
    turn = None
    for number in range(calls):
        block, mask = random.randbytes(64), random.randbytes(64)
        bank = number & 1
        if turn is None:
            bench.block(bench.bank(ctx, bank), block)
            await bench.until(lambda: not bench.words)
            turn = await bench.call(ctx, chain, bank)
        else:
            words = [(bench.bank(ctx, bank) + i, block[8 * i : 8 * i + 8]) for i in range(8)]
            if not late:
                bench.words += words
            bench.asked[ctx] = (1, 0, bank)
            await bench.until(lambda: ctx not in bench.asked)
            assert bench.turns[ctx] == turn + CALL, "a call takes its cycles"
            assert bench.ended[ctx] == turn + CALL - 5, "ends_soon comes in its cycle"
            turn += CALL
            reading = cocotb.start_soon(bench.sum(ctx, turn))
            if late:
                for i, word in enumerate(words):
                    await bench.until(lambda edge=turn + 10 + 2 * i: bench.now >= edge)
                    bench.words.append(word)  # written in the next cycle
            assert await reading == previous
        bench.mask(ctx, mask)
        previous = xor(sha512(chain, key + block), mask)
        chain = previous
        await bench.until(lambda edge=turn + 100: bench.now >= edge)
    assert await bench.sum(ctx, turn + CALL) == previous


async def keyed(dut):
    bench = Bench(dut)
    await bench.reset()
    key = random.randbytes(64)
    bench.block(KEY, key)
    await bench.until(lambda: not bench.words)
    return bench, key


@cocotb.test()
async def chains_of_calls_alone(dut):
    bench, key = await keyed(dut)
    for ctx in (0, 1):
        await chain_of(bench, ctx, key, 6, late=False)


@cocotb.test()
async def message_words_in_the_last_cycle(dut):
    bench, key = await keyed(dut)
    for ctx in (0, 1):
        await chain_of(bench, ctx, key, 4, late=True)


@cocotb.test()
async def contexts_do_not_mix(dut):
    """Both contexts at every distance from each other."""
    bench, key = await keyed(dut)

    for distance in range(0, CALL + 4, 2):

        async def second(wait=distance):
            await bench.until(lambda edge=bench.now + wait: bench.now >= edge)
            await chain_of(bench, 1, key, 2, late=False)

        other = cocotb.start_soon(second())
        await chain_of(bench, 0, key, 2, late=False)
        await other


@cocotb.test()
async def clear_leaves_nothing(dut):
    bench, _ = await keyed(dut)
    bench.block(bench.bank(0, 0), random.randbytes(64))
    bench.mask(0, random.randbytes(64))
    await bench.until(lambda: not bench.words)
    turn = await bench.call(0, random.randbytes(64), 0)
    await bench.until(lambda: bench.now > turn + 100)
    await bench.reset()
    # The memories that are written from outside are zeroed from outside.
    zero = bytes(64)
    bench.block(KEY, zero)
    bench.block(bench.bank(0, 0), zero)
    bench.mask(0, zero)
    turn = await bench.call(0, zero, 0)
    assert await bench.sum(0, turn + CALL) == sha512(zero, zero + zero)
