# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of hdl/lib/cdc/packet_fifo_async: commit and discard against a queue of packets."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, Timer, with_timeout
from cocotb.utils import get_sim_time
from support.hdl_bench import beats
from support.streams import Sink, rate

S_PERIOD, M_PERIOD = int(os.environ.get("S_PERIOD", 10000)), int(os.environ.get("M_PERIOD", 10000))
DEPTH, LATE = int(os.environ.get("DEPTH", 64)), os.environ.get("LATE") == "1"


class Writer:
    """Writes packets and says at the end, later, or in the middle what becomes of them."""

    def __init__(self, dut, offer=1.0):
        self.dut, self.offer = dut, rate(offer)
        dut.s_valid.value = dut.s_commit.value = dut.s_discard.value = 0

    async def beat(self, data, count, last, commit=0, discard=0):
        """One beat; the verdict, if any, is given in the very cycle of its transfer."""
        dut = self.dut
        while not self.offer():
            dut.s_valid.value = 0
            dut.s_data.value = random.getrandbits(64)
            await RisingEdge(dut.s_clk)
        dut.s_valid.value, dut.s_data.value, dut.s_bytes.value, dut.s_last.value = 1, data, count, last
        if commit or discard:  # s_ready can only fall by a transfer, so it is known before the cycle
            dut.s_valid.value = 0
            while True:
                await RisingEdge(dut.s_clk)
                if dut.s_ready.value:
                    break
            dut.s_valid.value, dut.s_commit.value, dut.s_discard.value = 1, commit, discard
        while True:
            await RisingEdge(dut.s_clk)
            if dut.s_ready.value:
                break
        dut.s_valid.value = dut.s_commit.value = dut.s_discard.value = 0

    async def strobe(self, name):
        signal = getattr(self.dut, name)
        signal.value = 1
        await RisingEdge(self.dut.s_clk)
        signal.value = 0

    async def packet(self, packet, how):
        parts = list(beats(packet))
        stop = random.randint(1, len(parts))
        for number, part in enumerate(parts, 1):
            end = number == len(parts)
            await self.beat(*part, commit=int(end and how == "commit_with"), discard=int(end and how == "discard_with"))
            if how == "discard_middle" and number == stop:
                await self.strobe("s_discard")
                return
        if how.endswith("_later"):
            await ClockCycles(self.dut.s_clk, random.randint(1, 9))
            await self.strobe("s_" + how.split("_")[0])


class Bench:
    def __init__(self, dut, offer=1.0, accept=1.0):
        self.dut = dut
        dut.s_rst.value = dut.m_rst.value = 1
        cocotb.start_soon(Clock(dut.s_clk, S_PERIOD, unit="ps").start())
        cocotb.start_soon(Clock(dut.m_clk, M_PERIOD, unit="ps").start())
        self.writer = Writer(dut, offer)
        self.sink = Sink(dut, "m", dut.m_clk, ("data", "bytes", "last"), rate(accept))
        self.sink.in_reset = True

    async def start(self):
        dut = self.dut
        await ClockCycles(dut.s_clk, 3)
        await ClockCycles(dut.m_clk, 3)
        dut.s_rst.value = dut.m_rst.value = 0
        await self.ready()

    async def reset(self, signal, clock):
        """A cycle of reset at one end."""
        self.sink.in_reset = True
        await RisingEdge(clock)
        signal.value = 1
        await RisingEdge(clock)
        signal.value = 0

    def wiped(self):
        """Whether the memory holds nothing."""
        return all(int(word.value) == 0 for word in self.dut.u_ram.g_bank[0].mem)

    async def ready(self):
        """Until the wipe is over."""
        await ClockCycles(self.dut.s_clk, 12)
        await ClockCycles(self.dut.m_clk, 12)
        cycles = 0
        while not self.dut.s_ready.value:
            await RisingEdge(self.dut.s_clk)
            cycles += 1
        assert cycles <= 1024
        self.sink.in_reset = False

    async def arrive(self, expected, cycles):
        async def enough():
            while len(self.sink.packets()) < len(expected):
                await ClockCycles(self.dut.m_clk, 20)

        await with_timeout(cocotb.start_soon(enough()), cycles * max(S_PERIOD, M_PERIOD), "ps")
        await ClockCycles(self.dut.m_clk, 30)
        assert self.sink.packets() == expected


HOW = ["commit_with", "commit_later", "discard_with", "discard_later", "discard_middle"]


async def mixed_traffic(dut, offer, accept):
    bench = Bench(dut, offer, accept)
    await bench.start()
    kept = []
    for _ in range(120):
        packet, how = random.randbytes(random.randint(1, 8 * DEPTH // 3)), random.choice(HOW)
        if how.startswith("commit"):
            kept.append(packet)
        await bench.writer.packet(packet, how)
    await bench.arrive(kept, 40000)


@cocotb.test()
async def passes_committed_packets_only_without_stalls(dut):
    await mixed_traffic(dut, 1.0, 1.0)


@cocotb.test()
async def passes_committed_packets_only_with_idle_source(dut):
    await mixed_traffic(dut, 0.4, 1.0)


@cocotb.test()
async def passes_committed_packets_only_under_back_pressure(dut):
    await mixed_traffic(dut, 1.0, 0.3)


@cocotb.test()
async def passes_committed_packets_only_under_both(dut):
    await mixed_traffic(dut, 0.6, 0.6)


@cocotb.test()
async def shows_nothing_before_the_commit(dut):
    bench = Bench(dut)
    await bench.start()
    packet = random.randbytes(8 * 5)
    for part in beats(packet):
        await bench.writer.beat(*part)
    for _ in range(100):
        await RisingEdge(dut.m_clk)
        assert not dut.m_valid.value
    await bench.writer.strobe("s_commit")
    await bench.arrive([packet], 200)


@cocotb.test()
async def stalls_when_full_and_a_discard_makes_room(dut):
    bench = Bench(dut)
    await bench.start()
    for number in range(DEPTH):
        await bench.writer.beat(number, 8, 0)
    await ClockCycles(dut.s_clk, 20)
    assert not dut.s_ready.value
    await bench.writer.strobe("s_discard")
    await RisingEdge(dut.s_clk)
    assert dut.s_ready.value
    await bench.writer.packet(b"room again", "commit_with")
    await bench.arrive([b"room again"], 200)


@cocotb.test()
async def holds_a_packet_of_its_whole_depth(dut):
    bench = Bench(dut)
    await bench.start()
    packets = [random.randbytes(8 * DEPTH) for _ in range(3)]
    for packet in packets:
        await bench.writer.packet(packet, "commit_with")
    await bench.arrive(packets, 8000)


@cocotb.test()
async def sustains_back_to_back_64_byte_packets(dut):
    bench = Bench(dut)
    await bench.start()

    async def flood():
        dut.s_valid.value, dut.s_bytes.value = 1, 8
        number = 0
        while True:
            last = number % 8 == 7
            dut.s_data.value, dut.s_last.value, dut.s_commit.value = number, int(last), int(last)
            await RisingEdge(dut.s_clk)
            number += int(dut.s_ready.value)

    cocotb.start_soon(flood())
    slow = max(S_PERIOD, M_PERIOD)
    await Timer(60 * slow, "ps")
    before = len(bench.sink.beats)
    await Timer(400 * slow, "ps")
    assert len(bench.sink.beats) - before >= 398
    assert [beat[0] for beat in bench.sink.beats] == list(range(len(bench.sink.beats)))


@cocotb.test()
async def a_commit_is_seen_in_six_cycles_of_each_clock_and_in_twice_as_many_after_another(dut):
    bench = Bench(dut)
    await bench.start()
    for number in range(1, 41):
        await Timer(random.randrange(20, 40) * (S_PERIOD + M_PERIOD), "ps")
        commits = 1 + number % 2
        for _ in range(commits):
            await bench.writer.packet(bytes([number]), "commit_with")
        begin = get_sim_time("ps")
        while len(bench.sink.packets()) < sum(1 + earlier % 2 for earlier in range(1, number + 1)):
            await RisingEdge(dut.m_clk)
            await Timer(1, "ps")
        taken = get_sim_time("ps") - begin
        # the output register and the edge that takes the word come after the news
        assert taken <= commits * 6 * (S_PERIOD + M_PERIOD) + 2 * M_PERIOD, f"{commits} commits seen after {taken} ps"


async def reset_in_traffic(dut, which):
    bench = Bench(dut, 0.9, 0.5)
    await bench.start()
    for round_number in range(5):

        async def chatter():
            while True:
                await bench.writer.packet(b"\xee" * random.randint(1, 200), random.choice(HOW))

        task = cocotb.start_soon(chatter())
        await Timer(random.randint(20 * S_PERIOD, 300 * S_PERIOD), "ps")
        clock, reset = {"s": (dut.s_clk, dut.s_rst), "m": (dut.m_clk, dut.m_rst)}[which]
        await RisingEdge(clock)
        task.cancel()
        bench.sink.in_reset = True
        reset.value = 1
        dut.s_valid.value = dut.s_commit.value = dut.s_discard.value = 0
        await RisingEdge(clock)
        reset.value = 0
        await bench.ready()
        bench.sink.beats.clear()
        bench.sink.in_reset = False
        fresh = [f"round {round_number} {number}".encode() for number in range(4)]
        for packet in fresh:
            await bench.writer.packet(packet, "commit_with")
        await bench.arrive(fresh, 600)


@cocotb.test()
async def starts_clean_after_a_reset_of_the_writer(dut):
    await reset_in_traffic(dut, "s")


@cocotb.test()
async def starts_clean_after_a_reset_of_the_reader(dut):
    await reset_in_traffic(dut, "m")


@cocotb.test()
async def promises_nothing_while_an_end_is_in_reset(dut):
    bench = Bench(dut)
    await bench.start()
    for reset in (dut.s_rst, dut.m_rst):
        bench.sink.in_reset = True
        await RisingEdge(dut.s_clk)
        reset.value = 1
        if reset is dut.s_rst:
            await RisingEdge(dut.s_clk)
            assert bool(dut.s_ready.value) == LATE, "whether a word can be given in the first cycle of a reset"
            await RisingEdge(dut.s_clk)
            assert not dut.s_ready.value, "a word can be given in the second cycle of a reset"
        await Timer((DEPTH + 40) * max(S_PERIOD, M_PERIOD), "ps")  # the wipe is over
        for _ in range(8):
            await RisingEdge(dut.s_clk)
            assert not dut.s_ready.value, "a word can be given in reset"
        reset.value = 0
        await bench.ready()


@cocotb.test()
async def a_reset_leaves_no_word_in_the_memory(dut):
    bench = Bench(dut, 1.0, 0.5)
    await bench.start()
    for _ in range(12):
        await bench.writer.packet(b"\xff" * 64, "commit_with")
    await bench.reset(dut.m_rst, dut.m_clk)
    await bench.ready()
    assert bench.wiped()
    assert int(dut.m_data.value) == 0


@cocotb.test()
async def what_is_offered_into_a_restart_leaves_no_word_in_the_memory(dut):
    """Of either end, at any phase of the other's clock."""
    bench = Bench(dut)
    await bench.start()
    for signal, clock in [(dut.m_rst, dut.m_clk)] * 16 + [(dut.s_rst, dut.s_clk)] * 4:
        await Timer(random.randrange(4 * max(S_PERIOD, M_PERIOD)), "ps")
        await RisingEdge(dut.s_clk)
        dut.s_valid.value, dut.s_data.value, dut.s_bytes.value, dut.s_last.value = 1, 2**64 - 1, 8, 0
        await ClockCycles(dut.s_clk, random.randint(1, DEPTH // 4))
        await bench.reset(signal, clock)
        await RisingEdge(dut.s_clk)
        while dut.s_ready.value:
            await RisingEdge(dut.s_clk)
        dut.s_valid.value = 0
        await bench.ready()
        assert bench.wiped()
