# SPDX-License-Identifier: Apache-2.0
"""board_port at its RGMII pins, with the PHY of cocotbext-eth as the independent judge of what is Ethernet."""

import os
import random
import zlib

import cocotb
from board_line import BYTE_NS, GAP, PREAMBLE, Line, fcs, line
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiStreamFrame
from cocotbext.eth import GmiiFrame
from support import axis

CYCLE_NS = float(os.environ.get("CYCLE_NS", "16"))
COUNT_NS = 10
EDGES = [60, 61, 63, 64, 65, 67, 68, 71, 72, 127, 128, 129, 1514, 9600]


class Bench:
    """The port with a PHY at one side and a stream's ends at the other; a cycle of `clk` is CYCLE_NS."""

    def __init__(self, dut):
        self.dut = dut
        cocotb.start_soon(Clock(dut.clk, CYCLE_NS, unit="ns").start())
        cocotb.start_soon(Clock(dut.tx_clk, BYTE_NS, unit="ns").start())
        cocotb.start_soon(Clock(dut.count_clk, COUNT_NS, unit="ns").start())
        cocotb.start_soon(Clock(dut.delay_clk, 2, unit="ns").start(start_high=False))
        self.phy = Line(dut, "rgmii")
        self.source = axis.source(dut, "s_axis", dut.clk, dut.rst)
        self.sink = axis.sink(dut, "m_axis", dut.clk, dut.rst)

    @classmethod
    async def start(cls, dut):
        bench = cls(dut)
        await bench.reset()
        return bench

    async def reset(self):
        self.dut.rst.value = self.dut.count_rst.value = 1
        await self.cycles(20)
        self.dut.rst.value = self.dut.count_rst.value = 0
        await self.cycles(40)

    async def cycles(self, count):
        await ClockCycles(self.dut.clk, count)

    async def received(self):
        """A frame at m_axis and whether it is flagged."""
        frame = await self.sink.recv(compact=False)
        keep = frame.tkeep if isinstance(frame.tkeep, list) else [1] * len(frame.tdata)
        user = frame.tuser if isinstance(frame.tuser, list) else [frame.tuser]
        return bytes(byte for byte, kept in zip(frame.tdata, keep, strict=True) if kept), bool(user[-1])

    async def quiet(self):
        """Wait until nothing is under way."""
        await self.phy.rx.wait()
        await self.cycles(60)


def sent(frame):
    """A frame at s_axis, with junk in the bytes of its last beat that are none."""
    spare = -len(frame) % 8
    return AxiStreamFrame(frame + random.randbytes(spare), [1] * len(frame) + [0] * spare)


@cocotb.test()
async def frames_of_the_line_arrive_whole(dut):
    bench = await Bench.start(dut)
    frames = [random.randbytes(size) for size in [*EDGES, *(random.randint(60, 300) for _ in range(10))]]
    for frame in frames:
        await bench.phy.rx.send(line(frame + fcs(frame)))
    for frame in frames:
        assert await bench.received() == (frame, False), f"{len(frame)} bytes"
    await bench.quiet()
    assert bench.sink.empty() and int(dut.count_line.value) == len(frames)


@cocotb.test()
async def frames_for_the_line_are_ethernet(dut):
    bench = await Bench.start(dut)
    sizes = [1, 14, 15, 20, 58, 59, *EDGES, *(random.randint(14, 300) for _ in range(10))]
    frames = [random.randbytes(size) for size in sizes]
    for frame in frames:
        await bench.source.send(sent(frame))
    before = None
    for frame in frames:
        out = await bench.phy.tx.recv()
        assert bytes(out.get_preamble()) == PREAMBLE, f"preamble of {len(frame)} bytes"
        assert bytes(out.get_payload()) == frame.ljust(60, b"\0"), f"{len(frame)} bytes"
        assert out.check_fcs() and out.error is None, f"FCS of {len(frame)} bytes"
        if before is not None:
            idle = (out.sim_time_start - before.sim_time_end) / (BYTE_NS * 1000)
            assert idle == GAP, f"{idle} idle bytes before {len(frame)} bytes"
        before = out
    await bench.quiet()
    assert bench.phy.tx.empty() and int(dut.count_underrun.value) == 0


def hidden(body):
    """A frame with a wrong FCS, right for a receiver that looks at a quarter of its register with the last byte."""

    def state(frame):
        return zlib.crc32(frame[:-1]) & 0xFF

    damaged = (
        bytes([*body[:-4], *(a ^ b for a, b in zip(body[-4:], flip.to_bytes(4, "big"), strict=True))])
        for flip in range(1 << 16, 1 << 32, 1 << 16)
    )
    return next(frame for frame in damaged if state(frame) == state(body))


@cocotb.test()
async def damaged_frames_are_flagged(dut):
    bench = await Bench.start(dut)
    good = [random.randbytes(size) for size in (60, 61, 100)]
    bad = []
    for frame in good:
        body = frame + fcs(frame)
        for bit in (0, 7, 8 * len(frame) - 1, *range(8 * len(frame), 8 * len(body))):
            flipped = bytearray(body)
            flipped[bit // 8] ^= 1 << bit % 8
            bad.append(line(bytes(flipped)))
        bad.append(line(hidden(body)))
        bad.append(line(body[:-1]))
        bad.append(line(body + b"\0"))
        for place in (-3, 0, 1, len(frame) // 2, len(frame) - 1, len(frame), len(body) - 1):  # -3: in the preamble
            bad.append(line(body, error=place))
    longest = random.randbytes(9600)
    bad.append(line(longest + bytes(4)))
    for size in (*range(1, 10), *range(12, 52, 3), *range(52, 60)):
        runt = random.randbytes(size)
        bad.append(line(runt + fcs(runt)))
    random.shuffle(bad)
    for frame in bad:
        await bench.phy.rx.send(frame)
        await bench.phy.rx.send(line(good[0] + fcs(good[0])))  # the next one is none the worse
    for frame in bad:
        data, flagged = await bench.received()
        assert flagged, f"{len(data)} bytes, errors at {[i for i, e in enumerate(frame.error or []) if e]}"
        assert await bench.received() == (good[0], False)
    await bench.quiet()
    assert bench.sink.empty() and int(dut.count_line.value) == 2 * len(bad)


@cocotb.test()
async def fragments_spoil_no_other_frame_and_are_counted(dut):
    bench = await Bench.start(dut)
    good = bytes(range(60))
    body = good + fcs(good)
    assert 0xD5 not in body  # what looks like a start of frame
    lost = [*(line(random.randbytes(size)) for size in range(1, 5)), line(b"")]  # nothing but an FCS, or less
    lost += [line(b"", preamble=b"\x55"), line(body, preamble=8 * b"\x55")]
    # Frames whose preamble lost bytes on its way are good ones.
    short = [line(body, preamble=PREAMBLE[-size:]) for size in (1, 2, 7)]
    for frame in lost:
        for _ in range(3):
            await bench.phy.rx.send(GmiiFrame(frame))
        await bench.phy.rx.send(line(body))
    for frame in short:
        await bench.phy.rx.send(frame)
    for _ in range(len(lost) + len(short)):
        assert await bench.received() == (good, False)
    await bench.quiet()
    assert bench.sink.empty() and int(dut.count_line.value) == 4 * len(lost) + len(short)


@cocotb.test()
async def a_reset_of_the_port_keeps_the_count_and_one_of_its_reader_begins_anew(dut):
    bench = await Bench.start(dut)
    frame = random.randbytes(60)
    for reset, counts in ((None, 1), (dut.rst, 2), (dut.count_rst, 1), (dut.rst, 2)):
        if reset is not None:
            reset.value = 1
            await bench.cycles(20)
            reset.value = 0
            await bench.cycles(40)
            assert int(dut.count_line.value) == counts - 1
        await bench.phy.rx.send(line(frame + fcs(frame)))
        await bench.quiet()
        assert int(dut.count_line.value) == counts


@cocotb.test()
async def a_late_source_spoils_its_own_frame_only(dut):
    bench = await Bench.start(dut)
    good = random.randbytes(100)
    for beats in (1, 2, 7, 8, 9, 60):
        cut = random.randbytes(8 * beats + 100)
        bench.source.send_nowait(sent(good))
        bench.source.send_nowait(sent(cut))
        bench.source.send_nowait(sent(good))
        taken = 0
        while taken < 13 + beats:  # beats of the frame before, and of this one
            await RisingEdge(dut.clk)
            taken += int(dut.s_axis_tvalid.value) and int(dut.s_axis_tready.value)
        bench.source.pause = True
        await bench.cycles(400)
        bench.source.pause = False
        frames = [await bench.phy.tx.recv() for _ in range(3)]
        assert [frame.check_fcs() for frame in frames] == [True, False, True], f"{beats} beats"
        assert bytes(frames[0].get_payload()) == bytes(frames[2].get_payload()) == good
    await bench.quiet()
    assert bench.phy.tx.empty() and int(dut.count_underrun.value) == 6


@cocotb.test()
async def both_ways_at_once_carry_line_rate(dut):
    bench = await Bench.start(dut)
    sizes = [60] * 60 + [64] * 20 + [1514] * 4
    out, back = ([random.randbytes(size) for size in sizes] for _ in range(2))
    for one, other in zip(out, back, strict=True):
        await bench.source.send(sent(one))
        await bench.phy.rx.send(line(other + fcs(other)))
    frames = [await bench.phy.tx.recv() for _ in out]
    assert [bytes(frame.get_payload()) for frame in frames] == out and all(frame.check_fcs() for frame in frames)
    spent = (frames[-1].sim_time_end - frames[0].sim_time_start) / (BYTE_NS * 1000)
    assert spent == sum(len(PREAMBLE) + size + 4 + GAP for size in sizes) - GAP
    assert [await bench.received() for _ in back] == [(frame, False) for frame in back]


@cocotb.test()
async def a_reset_in_mid_frame_leaves_a_working_port(dut):
    bench = await Bench.start(dut)
    good = random.randbytes(200)
    for wait in (5, 20, 50, 90):
        bench.source.send_nowait(sent(good))
        bench.phy.rx.send_nowait(line(good + fcs(good)))
        await bench.cycles(wait)
        bench.source.clear()
        await bench.reset()
        bench.sink.clear()
        await bench.quiet()
        bench.sink.clear()
        bench.phy.tx.clear()
        bench.source.send_nowait(sent(good))
        bench.phy.rx.send_nowait(line(good + fcs(good)))
        assert await bench.received() == (good, False), f"reset after {wait} cycles"
        frame = await bench.phy.tx.recv()
        assert bytes(frame.get_payload()) == good and frame.check_fcs(), f"reset after {wait} cycles"


@cocotb.test()
async def the_state_of_the_line_shows(dut):
    bench = await Bench.start(dut)
    for up, speed, full in ((1, 2, 1), (0, 2, 1), (1, 1, 1), (1, 2, 0), (1, 2, 1)):
        dut.rgmii_rxd.value = up | speed << 1 | full << 3
        await bench.cycles(20)
        assert int(dut.link_up.value) == (up and speed == 2 and full)
