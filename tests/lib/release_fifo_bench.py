# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of hdl/lib/stream/release_fifo."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from support.hdl_bench import beats
from support.streams import Sink, Source, rate

STREAM = ("data", "bytes", "last")
PACES = {"no_stall": (1.0, 1.0), "idle": (0.4, 1.0), "back_pressure": (1.0, 0.4), "both": (0.5, 0.5)}


class Bench:
    def __init__(self, dut, offer=1.0, accept=1.0, judge=1.0):
        self.dut = dut
        dut.rst.value = 1
        dut.clear.value = 0
        cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
        self.source = Source(dut, "s", dut.clk, STREAM, rate(offer))
        self.verdicts = Source(dut, "verdict", dut.clk, ("ok",), rate(judge))
        self.sink = Sink(dut, "m", dut.clk, STREAM, rate(accept))
        self.sink.in_reset = True

    async def start(self):
        await ClockCycles(self.dut.clk, 3)
        self.dut.rst.value = 0
        await RisingEdge(self.dut.clk)
        self.sink.in_reset = False

    async def wipe_over(self):
        """Cycles of the wipe."""
        cycles = 0
        while True:
            await RisingEdge(self.dut.clk)
            if not self.dut.busy.value:
                return cycles
            assert not self.dut.s_ready.value and not self.dut.verdict_ready.value and not self.dut.m_valid.value
            cycles += 1

    async def drained(self, packets, cycles):
        async def enough():
            while sum(beat[2] for beat in self.sink.beats) < packets:
                await RisingEdge(self.dut.clk)

        await with_timeout(cocotb.start_soon(enough()), 10 * cycles, "ns")


def traffic(count, longest):
    edges = [0, 1, 7, 8, 9, 15, 16, 17, 63, 64, 65]
    sizes = [random.choice(edges) if random.random() < 0.4 else random.randint(1, longest) for _ in range(count)]
    return [(random.randbytes(size), random.random() < 0.6) for size in sizes]


async def judged_traffic(dut, pace):
    bench = Bench(dut, *PACES[pace], judge=0.3)
    await bench.start()
    sent = traffic(120, 300)
    for packet, ok in sent:
        bench.source.send(beats(packet))
        bench.verdicts.send([(int(ok),)])
    await with_timeout(bench.verdicts.idle.wait(), 1, "ms")
    await ClockCycles(dut.clk, 2500)
    assert bench.sink.packets() == [packet for packet, ok in sent if ok]
    assert int(dut.room.value) == 2 ** (len(dut.room) - 1)


@cocotb.test()
async def releases_and_discards_in_order_without_stalls(dut):
    await judged_traffic(dut, "no_stall")


@cocotb.test()
async def releases_and_discards_in_order_with_idle_source(dut):
    await judged_traffic(dut, "idle")


@cocotb.test()
async def releases_and_discards_in_order_under_back_pressure(dut):
    await judged_traffic(dut, "back_pressure")


@cocotb.test()
async def releases_and_discards_in_order_under_both(dut):
    await judged_traffic(dut, "both")


@cocotb.test()
async def shows_nothing_before_the_verdict(dut):
    bench = Bench(dut)
    await bench.start()
    bench.source.send(beats(random.randbytes(200)))
    for _ in range(1300):
        await RisingEdge(dut.clk)
        assert not dut.m_valid.value
    assert bench.source.taken == 25
    bench.verdicts.send([(1,)])
    await bench.drained(1, 60)


@cocotb.test()
async def shows_nothing_of_a_discarded_packet(dut):
    bench = Bench(dut)
    await bench.start()
    await bench.wipe_over()
    bench.source.send(beats(b"\xee" * 100))
    bench.verdicts.send([(0,)])
    await ClockCycles(dut.clk, 100)
    assert bench.sink.beats == []
    bench.source.send(beats(b"after"))
    bench.verdicts.send([(1,)])
    await bench.drained(1, 60)
    assert bench.sink.packets() == [b"after"]


@cocotb.test()
async def takes_no_verdict_before_the_last_beat(dut):
    bench = Bench(dut)
    await bench.start()
    await bench.wipe_over()
    bench.verdicts.send([(1,)])
    bench.source.send([(1, 8, 0), (2, 8, 0)])
    await ClockCycles(dut.clk, 50)
    assert bench.verdicts.taken == 0
    bench.source.send([(3, 8, 1)])
    await bench.drained(1, 60)


@cocotb.test()
async def stalls_when_the_store_is_full_and_loses_nothing(dut):
    bench = Bench(dut)
    await bench.start()
    await bench.wipe_over()
    store = int(dut.room.value)
    packets = [random.randbytes(8 * (store // 4)) for _ in range(6)]
    for packet in packets:
        bench.source.send(beats(packet))
    await ClockCycles(dut.clk, 2 * store)
    assert bench.source.taken == store and int(dut.room.value) == 0 and not dut.s_ready.value
    bench.verdicts.send([(int(number % 3 != 1),) for number in range(6)])
    await bench.drained(4, 10 * store)
    assert bench.sink.packets() == [packet for number, packet in enumerate(packets) if number % 3 != 1]


@cocotb.test()
async def stalls_when_the_descriptors_are_used_up(dut):
    bench = Bench(dut)
    await bench.start()
    await bench.wipe_over()
    packets = [bytes([number % 251]) for number in range(100)]
    for packet in packets:
        bench.source.send(beats(packet))
    await ClockCycles(dut.clk, 150)
    assert bench.source.taken == int(os.environ["DESCRIPTORS"])
    bench.verdicts.send([(1,)] * len(packets))
    await bench.drained(len(packets), 1000)
    assert bench.sink.packets() == packets


@cocotb.test()
async def sustains_one_beat_a_cycle(dut):
    bench = Bench(dut)
    await bench.start()
    await bench.wipe_over()
    for size in (64, 8, 1):
        packets = [random.randbytes(size) for _ in range(60)]
        count = 60 * max(size // 8, 1)
        before = len(bench.sink.beats)
        for packet in packets:
            bench.source.send(beats(packet))
            bench.verdicts.send([(1,)])
        await ClockCycles(dut.clk, count + 12)
        assert len(bench.sink.beats) - before == count, f"{size} bytes"


@cocotb.test()
async def clear_drops_everything_and_wipes_within_1024_cycles(dut):
    bench = Bench(dut, accept=0.5)
    await bench.start()
    assert await bench.wipe_over() <= 1024
    for number in range(30):
        bench.source.send(beats(random.randbytes(90)))
        if number % 3:
            bench.verdicts.send([(1,)])
    await ClockCycles(dut.clk, 130)
    bench.sink.in_reset = True
    dut.clear.value = 1
    bench.source.reset()
    bench.verdicts.reset()
    await RisingEdge(dut.clk)
    dut.clear.value = 0
    await RisingEdge(dut.clk)
    bench.sink.in_reset = False
    bench.sink.beats.clear()
    assert 0 < await bench.wipe_over() <= 1024
    assert int(dut.m_data.value) == 0, "the last word read is still on the port"
    assert int(dut.room.value) == 2 ** (len(dut.room) - 1)
    bench.source.send(beats(b"a new life"))
    bench.verdicts.send([(1,)])
    await bench.drained(1, 60)
    await ClockCycles(dut.clk, 200)
    assert bench.sink.packets() == [b"a new life"]


@cocotb.test()
async def clear_leaves_no_word_in_the_store(dut):
    bench = Bench(dut)
    await bench.start()
    await bench.wipe_over()
    store = int(dut.room.value)
    bench.source.send((2**64 - 1, 8, int(number % 4 == 3)) for number in range(store))
    await ClockCycles(dut.clk, store + 10)
    dut.clear.value = 1
    bench.source.reset()
    await RisingEdge(dut.clk)
    dut.clear.value = 0
    await bench.wipe_over()
    banks = [dut.u_store.g_bank[index].mem for index in range(max(store // 1024, 1))]
    assert all(int(word.value) == 0 for bank in banks for word in bank)


@cocotb.test()
async def reset_in_mid_packet_starts_clean(dut):
    bench = Bench(dut)
    await bench.start()
    for _ in range(4):
        await bench.wipe_over()
        bench.source.send(beats(random.randbytes(400)))
        bench.source.send(beats(random.randbytes(400)))
        bench.verdicts.send([(1,)])
        await ClockCycles(dut.clk, random.randint(3, 90))
        bench.sink.in_reset = True
        dut.rst.value = 1
        bench.source.reset()
        bench.verdicts.reset()
        await ClockCycles(dut.clk, random.randint(1, 3))
        dut.rst.value = 0
        await RisingEdge(dut.clk)
        bench.sink.in_reset = False
        bench.sink.beats.clear()
    await bench.wipe_over()
    bench.source.send(beats(b"clean"))
    bench.verdicts.send([(1,)])
    await ClockCycles(dut.clk, 60)
    assert bench.sink.packets() == [b"clean"]
