# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of hdl/link/rx/outer_strip: what is told of a frame's source address, at any pace and size."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer
from sealwire_model.wire import ETHERTYPE
from support.hdl_bench import beat_t, beats, bytes_of, valid_of

OWN, PEER = bytes.fromhex("021122334455"), bytes.fromhex("02a1a2a3a4a5")
EVERYBODY = bytes(6 * [255])


class Bench:
    @classmethod
    async def start(cls, dut, peer=PEER):
        cocotb.start_soon(Clock(dut.untrusted_clk, 10, unit="ns").start())
        bench = cls()
        bench.dut, bench.part, bench.known = dut, b"", False
        # settings_t: both ids, then the MAC addresses, then 85 bits
        dut.settings.value = (int.from_bytes(OWN, "little") << 48 | int.from_bytes(peer, "little")) << 85
        dut.framed.value, dut.framed_bad.value, dut.arriving_ready.value, dut.rst_untrusted.value = 0, 0, 1, 1
        for _ in range(2):
            await FallingEdge(dut.untrusted_clk)
        dut.rst_untrusted.value = 0
        return bench

    async def cycle(self, word, found):
        """One cycle in which a beat is offered, or none; whole packets go into `found`, and whether they are known."""
        dut = self.dut
        dut.framed.value = word
        dut.arriving_ready.value = ready = random.randrange(4) > 0
        await Timer(1, "ns")
        taken, beat, known = dut.framed_ready.value, int(dut.arriving.value), bool(dut.arriving_known.value)
        await FallingEdge(dut.untrusted_clk)
        if valid_of(beat) and ready:
            self.known = self.known if self.part else known
            self.part += bytes_of(beat)
            if beat & 1:
                found.append((self.part, self.known))
                self.part = b""
        return bool(taken)

    async def hears(self, frames):
        """The packets in frames that come one right behind the other, each with whether its source is the peer."""
        found = []
        for frame in frames:
            for data, size, last in beats(frame):
                while not await self.cycle(beat_t(data, size, last), found):
                    pass
        for _ in range(8):
            await self.cycle(0, found)
        return found


def frames_from(sources):
    packets = [random.randbytes(random.choice((17, 18, 19, 23, 24, 25, 26, 32, 33, 34, 35, 72, 90))) for _ in sources]
    return packets, [OWN + source + ETHERTYPE + packet for source, packet in zip(sources, packets, strict=True)]


@cocotb.test()
async def tells_whether_a_frame_comes_from_the_peer(dut):
    """Each byte of the source counts; every packet is told of its own frame, also right behind another one."""
    bench = await Bench.start(dut)
    near = [PEER[:at] + bytes([PEER[at] ^ 1 << random.randrange(8)]) + PEER[at + 1 :] for at in range(6)]
    sources = [random.choice((PEER, OWN, EVERYBODY, bytes(6), *near)) for _ in range(200)]
    packets, frames = frames_from(sources)
    known = [source == PEER for source in sources]
    assert await bench.hears(frames) == list(zip(packets, known, strict=True))


@cocotb.test()
async def a_peer_with_the_address_of_a_group_may_be_anybody(dut):
    bench = await Bench.start(dut, EVERYBODY)
    packets, frames = frames_from([PEER, OWN, EVERYBODY])
    assert await bench.hears(frames) == [(packet, True) for packet in packets]
