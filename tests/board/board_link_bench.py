# SPDX-License-Identifier: Apache-2.0
"""board_link at the RGMII pins of both ports: a session over its registers, the model at the other end of the cable."""

import random

import cocotb
from board_line import BYTE_NS, Line, arrived, fcs, line
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiLiteBus, AxiLiteMaster
from control_bench import MACS, Bench, session
from generated.sealwire_link_regs import REGISTERS
from sealwire_model.wire import ETHERTYPE, HEADER, Header

SIDES = ("trusted", "untrusted")


class Source:
    """Frames for a port, whole ones with their FCS."""

    def __init__(self, port):
        self.port = port

    def send_nowait(self, frame):
        self.port.rx.send_nowait(line(frame.ljust(60, b"\0") + fcs(frame.ljust(60, b"\0"))))


class Board(Bench):
    """As the bench of the registers, but for RGMII in place of the streams."""

    def __init__(self, dut):
        self.dut = dut
        for name, period in (("stream_clk", 16), ("core_clk", 10), ("tx_clk", BYTE_NS)):
            cocotb.start_soon(Clock(getattr(dut, name), period, unit="ns").start())
        cocotb.start_soon(Clock(dut.delay_clk, 2, unit="ns").start(start_high=False))
        self.bus = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.core_clk, dut.core_rst)
        for end in (self.bus.read_if, self.bus.write_if):
            end.log.setLevel("ERROR")
        self.port = {side: Line(dut, side) for side in SIDES}
        self.source = {side: Source(port) for side, port in self.port.items()}

    @classmethod
    async def start(cls, dut):
        board = cls(dut)
        dut.s_random_valid.value, dut.s_random_data.value = 0, 0
        dut.rst.value = 1
        await ClockCycles(dut.core_clk, 10)
        dut.rst.value = 0
        await ClockCycles(dut.core_clk, 60)
        while (await board.read(REGISTERS["status"].address)) & 4:
            pass
        return board

    def taken(self, side):
        """Frames that came out of a port since the last call."""
        return [bytes(frame.get_payload()) for frame in arrived(self.port[side].tx)]

    def left(self):
        frames = self.taken("untrusted")
        assert all(frame[:14] == MACS[1] + MACS[0] + ETHERTYPE for frame in frames)
        # A keep-alive of 16 bytes of tag is padded on the line.
        return [frame[14 : 14 + HEADER + Header.parse(frame[14:]).length] for frame in frames]

    def arrived(self):
        return self.taken("trusted")

    async def rest(self, microseconds):
        """Wait, and return the counters, which balance."""
        await self.cycles(100 * microseconds)
        seen = await self.with_control(lambda control: control.counters())
        trusted = [name for name in seen if name.startswith("drop_trusted")]
        assert seen["trusted_in"] == seen["sealed"] + sum(seen[name] for name in trusted)
        fates = [name for name in seen if name.startswith("drop_") and name not in trusted]
        arrivals = ("delivered", "keepalives_in", "handshakes_in")
        assert seen["untrusted_in"] == sum(seen[name] for name in (*arrivals, *fates))
        return seen


@cocotb.test()
async def frames_of_every_length_cross_both_ways(dut):
    board = await Board.start(dut)
    peer = await session(board, 1)
    sizes = [60, 61, 64, 128, 500, 1514, 9600]
    frames, back = ([random.randbytes(size) for size in sizes] for _ in range(2))
    for frame, text in zip(frames, back, strict=True):
        board.source["trusted"].send_nowait(frame)
        board.source["untrusted"].send_nowait(peer.seal(text))
    seen = await board.rest(320)
    assert [text for text in peer.messages(board) if len(text) > 1] == frames
    assert board.arrived() == back
    assert seen["delivered"] == seen["sealed"] == len(sizes)
    assert int(dut.trusted_count_line.value) == seen["trusted_in"]
    assert int(dut.untrusted_count_line.value) == seen["untrusted_in"]


@cocotb.test()
async def damaged_frames_are_dropped_and_counted_at_either_port(dut):
    board = await Board.start(dut)
    peer = await session(board, 2)
    before = await board.rest(1)
    frame, packet = random.randbytes(100), peer.seal(random.randbytes(100))
    for side, good in (("trusted", frame), ("untrusted", packet)):
        whole = good + fcs(good)
        runt = good[:40]
        for bad in (line(good + bytes(4)), line(whole, error=50), line(whole[:-1]), line(runt + fcs(runt))):
            board.port[side].rx.send_nowait(bad)
        board.source[side].send_nowait(good)
    pause = bytes.fromhex("0180c2000001") + MACS[0] + bytes.fromhex("88080001ffff")
    board.source["trusted"].send_nowait(pause)
    board.source["untrusted"].send_nowait(pause)
    seen = await board.rest(60)
    grown = {name: seen[name] - before[name] for name in seen if seen[name] != before[name]}
    assert grown["drop_trusted_bad"] == grown["drop_bad"] == 4
    assert grown["drop_trusted_control"] == grown["drop_foreign"] == 1
    assert grown["sealed"] == grown["delivered"] == 1
    assert [text for text in peer.messages(board) if len(text) > 1] == [frame]
    assert len(board.arrived()) == 1
