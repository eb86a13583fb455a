# SPDX-License-Identifier: Apache-2.0
"""Two boards on one cable, with their firmware: cocotbext-eth is the PHY of each trusted port."""

import json
import os
import random
from pathlib import Path

import cocotb
from board_line import BYTE_NS, GAP, PREAMBLE, arrived, fcs, line
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, Timer
from cocotb.utils import get_sim_time
from cocotbext.eth import RgmiiSink, RgmiiSource
from host import SECTOR, entry, payload, record
from serial_line import SerialLine

CORE_PS, STREAM_PS = (
    round(1e6 / float(os.environ.get(name, mhz))) for name, mhz in (("CORE_MHZ", "95"), ("STREAM_MHZ", "62.5"))
)
LOAD = float(os.environ.get("LOAD", "1"))  # of what the cable carries, both ways at once; nothing may be lost
MS_CYCLES = int(os.environ.get("MS_CYCLES", "200"))
FRAME_MS = float(os.environ.get("LINE_MS", "0.3"))  # of traffic for each size
LINK_BYTES = 46  # that a frame grows by in the link, suite 11
T_REKEY, T_MAX = 4_000, 8_000  # ms of the boards
PSK = bytes(range(100, 164))
IDS, MACS = (bytes(7) + b"\1", bytes(7) + b"\2"), (bytes.fromhex("020000000001"), bytes.fromhex("020000000002"))


class Board:
    def __init__(self, dut, number):
        self.dut, self.number, self.given = dut, number, 0
        name = "ab"[number]
        pins = {pin: getattr(dut, f"{name}_{pin}") for pin in ("rxd", "rx_ctl", "rx_clk", "txd", "tx_ctl")}
        cocotb.start_soon(Clock(pins["rx_clk"], BYTE_NS, unit="ns").start())
        self.source = RgmiiSource(pins["rxd"], pins["rx_ctl"], pins["rx_clk"])
        self.sink = RgmiiSink(pins["txd"], pins["tx_ctl"], dut.late_clk)
        for end in (self.source, self.sink):
            end.log.setLevel("ERROR")

    def give(self, frame):
        self.given += 1
        self.source.send_nowait(line(frame + fcs(frame)))

    def taken(self):
        """When each frame began that left since the last call, in ps, and the frame, which is right as Ethernet."""
        return [(frame.sim_time_start, bytes(frame.get_payload())) for frame in arrived(self.sink)]


class Pair:
    def __init__(self, dut):
        self.dut, self.power = dut, 0b00
        for name, period in (("stream_clk", STREAM_PS), ("core_clk", CORE_PS), ("tx_clk", 8_000)):
            cocotb.start_soon(Clock(getattr(dut, name), period, unit="ps").start())
        cocotb.start_soon(self._late())
        dut.rst.value, dut.cable.value, dut.flash_poke.value = 3, 1, 0
        self.boards = [Board(dut, number) for number in (0, 1)]
        self.console = SerialLine(dut.a_uart_rxd, dut.a_uart_txd, 16 * CORE_PS, "ps")
        self.r = [[], []]
        cocotb.start_soon(self._watch())

    async def _late(self):
        await Timer(2, "ns")
        await Clock(self.dut.late_clk, BYTE_NS, unit="ns").start()

    async def _watch(self):
        """Every R that goes to a link; one is there for a cycle, but its bits stay until the next."""
        while True:
            await self.dut.random_taken.value_change
            taken = int(self.dut.random_taken.value)
            for number in (0, 1):
                if taken >> number & 1:
                    self.r[number].append(int(self.dut.random_data.value) >> 256 * number & (1 << 256) - 1)

    async def provision(self):
        """The flashes as a console would leave them: a record each, and a boot counter."""
        for number in (0, 1):
            content = payload(
                PSK, random.randbytes(32), local_id=IDS[number], peer_id=IDS[1 - number], local_mac=MACS[number],
                peer_mac=MACS[1 - number], t_rekey=T_REKEY, t_max=T_MAX,
            )  # fmt: skip
            placed = ((0, record(content)), (SECTOR, record(content)), (2 * SECTOR, entry(1)))
            self.dut.flash_poke.value = 1 << number
            for start, part in placed:
                for at, byte in enumerate(part, start):
                    self.dut.flash_addr.value, self.dut.flash_poke_data.value = at, byte
                    await ClockCycles(self.dut.core_clk, 1)
        self.dut.flash_poke.value = 0

    async def counter(self, number):
        """The highest boot counter of a board's log, as its flash has it."""
        found = 0
        for at in range(2 * SECTOR, 2 * SECTOR + 16 * 8, 16):
            raw = bytearray()
            for i in range(16):
                self.dut.flash_addr.value = at + i
                await Timer(1, "ns")
                raw.append(int(self.dut.flash_data.value) >> 8 * number & 0xFF)
            value = int.from_bytes(raw[4:8], "little")
            if bytes(raw) == entry(value):
                found = max(found, value)
        return found

    async def switch(self, number, on):
        self.power = self.power & ~(1 << number) | on << number
        self.dut.rst.value = ~self.power & 3
        self.boards[number].given = 0
        await ClockCycles(self.dut.core_clk, 20)

    async def counted(self):
        """The counters of the first board, as its console says them."""
        await self.console.send(b"counters\n")
        said = await self.console.wait(lambda got: got.endswith(b"ok\n"), 20_000)
        return {name: int(count) for name, count in (line.split() for line in said.decode().splitlines()[:-1])}

    async def until_across(self, most_ms):
        """Small frames both ways until one came either way; gives the ms of the boards that it took."""
        begun = get_sim_time("ps")
        seen = [False, False]
        while not all(seen):
            for number, board in enumerate(self.boards):
                board.give(MACS[1 - number] + MACS[number] + b"\x88\xb6" + random.randbytes(46))
            await ClockCycles(self.dut.core_clk, 10 * MS_CYCLES)
            for number, board in enumerate(self.boards):
                seen[number] = seen[number] or bool(board.taken())
            passed = (get_sim_time("ps") - begun) / (CORE_PS * MS_CYCLES)
            assert passed < most_ms, f"no frame across within {passed:.0f} ms"
        await ClockCycles(self.dut.core_clk, 10 * MS_CYCLES)
        for board in self.boards:
            board.taken()
        return passed

    async def both_ways(self, size, milliseconds, load):
        """Frames of `size` bytes with FCS both ways at once, at `load` of what the cable between the boards carries.

        Gives for each direction the frames that were sent, and what arrived and when.
        """
        sent = [[], []]
        wire_bytes = len(PREAMBLE) + size + LINK_BYTES + GAP
        end = get_sim_time("ns") + milliseconds * 1e6
        due = get_sim_time("ns")
        while due < end:
            for number, board in enumerate(self.boards):
                frame = MACS[1 - number] + MACS[number] + b"\x88\xb6" + len(sent[number]).to_bytes(4, "big")
                frame += random.randbytes(size - 4 - len(frame))
                sent[number].append(frame)
                board.give(frame)
            due += BYTE_NS * wire_bytes / load
            await Timer(max(1, round(due - get_sim_time("ns"))), "ns")
        got, more = [[], []], True
        while more:  # each frame is stored twice on its way
            await Timer(100, "us")
            new = [board.taken() for board in reversed(self.boards)]
            got, more = [old + late for old, late in zip(got, new, strict=True)], any(new)
        return sent, got


async def up(dut):
    pair = Pair(dut)
    await pair.provision()
    for number in (0, 1):
        await pair.switch(number, on=True)
    passed = await pair.until_across(most_ms=6_000)
    return pair, passed


@cocotb.test()
async def boards_boot_and_carry_line_rate_both_ways(dut):
    pair, passed = await up(dut)
    table = {}
    for size in (64, 128, 512, 1518):
        sent, got = await pair.both_ways(size, FRAME_MS, load=LOAD)
        limit = 1e9 / (8 * (len(PREAMBLE) + size + LINK_BYTES + GAP))
        rates = []
        for one_way, other_end in zip(sent, got, strict=True):
            assert [frame for _, frame in other_end] == one_way, f"{size} bytes: {len(other_end)} of {len(one_way)}"
            times = [when for when, _ in other_end]
            rates.append((len(times) - 1) * 1e12 / (times[-1] - times[0]))
        table[size] = {"limit": round(limit), "a_to_b": round(rates[0]), "b_to_a": round(rates[1])}
        assert min(rates) > 0.999 * LOAD * limit, table
    if "LINE_RATE_FILE" in os.environ:
        told = {"up_cycles": round(passed * MS_CYCLES), "milliseconds": FRAME_MS, "rates": table}
        Path(os.environ["LINE_RATE_FILE"]).write_text(json.dumps(told))


@cocotb.test()
async def new_keys_under_load_lose_nothing(dut):
    pair, _ = await up(dut)
    before = [len(taken) for taken in pair.r]
    sent, got = await pair.both_ways(512, 1.1 * T_REKEY * MS_CYCLES * CORE_PS / 1e9, load=0.999 * LOAD)
    assert all(len(taken) > count for taken, count in zip(pair.r, before, strict=True)), "no new key"
    for one_way, other_end in zip(sent, got, strict=True):
        assert [frame for _, frame in other_end] == one_way


@cocotb.test()
async def a_pulled_cable_and_a_power_cycle_are_survived_and_no_r_comes_twice(dut):
    pair, _ = await up(dut)
    dut.cable.value = 0
    sent, got = await pair.both_ways(128, 0.05, load=1.0)
    assert all(sent) and not any(got)
    dut.cable.value = 1
    await pair.until_across(most_ms=1_500)
    counters = [await pair.counter(number) for number in (0, 1)]
    for number in (0, 1):
        await pair.switch(number, on=False)
        sent, got = await pair.both_ways(128, 0.05, load=1.0)
        assert not any(got)
        await pair.switch(number, on=True)
        await pair.until_across(most_ms=6_000)  # a boot is 4,200
        counters[number] += 1
        assert [await pair.counter(number) for number in (0, 1)] == counters
    seen = await pair.counted()
    # The link's counters begin when the firmware brings the link up, the counts of the lines at the board's reset.
    assert seen["trusted_line"] == pair.boards[0].given > seen["trusted_in"] > 0
    assert seen["trusted_line"] != seen["untrusted_line"] >= seen["untrusted_in"] > seen["delivered"] > 0
    assert not seen["trusted_underrun"] | seen["untrusted_underrun"]
    taken = [*pair.r[0], *pair.r[1]]
    assert len(taken) >= 6 and len(set(taken)) == len(taken)
