# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of hdl/link/control/link_staging, against a list of words: random writes, commits, clears and takers."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer

WORDS = 16


async def start(dut):
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    for port in ("clear", "put", "commit", "ready"):
        getattr(dut, port).value = 0
    dut.rst.value = 1
    await FallingEdge(dut.clk)
    dut.rst.value = 0


@cocotb.test()
async def a_word_written_with_a_commit_does_not_land(dut):
    """Neither in what is handed over, nor as the first word of the next secret."""
    await start(dut)
    for place in range(WORDS):
        words = [random.getrandbits(32) for _ in range(WORDS)]
        dut.put.value = 1
        for index, word in enumerate(words):
            dut.index.value, dut.word.value = index, word
            await FallingEdge(dut.clk)
        dut.index.value, dut.word.value, dut.commit.value = place, ~words[place] & 2**32 - 1, 1
        await FallingEdge(dut.clk)
        dut.put.value = dut.commit.value = 0
        assert dut.valid.value
        assert int(dut.data.value) == sum(word << 32 * at for at, word in enumerate(words))
        dut.ready.value = 1
        await FallingEdge(dut.clk)
        dut.ready.value = 0
        assert not dut.valid.value and not int(dut.data.value)


@cocotb.test()
async def it_keeps_whole_secrets_only(dut):
    await start(dut)
    held, valid = {}, False
    for _ in range(4000):
        put, commit, ready, clear = (random.random() < often for often in (0.9, 0.06, 0.2, 0.005))
        index, word = random.randrange(WORDS), random.getrandbits(32)
        dut.put.value, dut.commit.value, dut.ready.value, dut.clear.value = put, commit, ready, clear
        dut.index.value, dut.word.value = index, word
        await Timer(1, "ns")
        complete = len(held) == WORDS
        assert dut.valid.value == valid and dut.complete.value == complete
        assert int(dut.data.value) == sum(word << 32 * at for at, word in held.items())
        await FallingEdge(dut.clk)
        assert dut.refused.value == (commit and (valid or not complete))
        if clear or (valid and ready):
            held, valid = {}, False
        elif commit:
            valid = valid or complete
        elif put and not valid:
            held[index] = word
