# SPDX-License-Identifier: Apache-2.0
"""One sealwire_link in cocotb: AXI4-Stream at both sides, random bytes wherever tkeep is 0, three unrelated clocks, and
two models: `peer` is the other end, `own` does what this end must do. Time stands still unless a test moves it.
Settings come from the environment: SUITE, ROLE (i or r), DATA_BITS, OUTER, N_MAX, REPLAY_WINDOW, SEEDS, CORE_PERIOD (in
ps)."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable

import cocotb
from cocotb.clock import Clock
from cocotb.task import Task
from cocotb.triggers import RisingEdge, Timer
from cocotbext.axi import AxiStreamFrame
from cocotbext.axi.axis import AxiStreamPause
from generated.sealwire_link_regs import REGISTERS
from sealwire_model.end import End
from sealwire_model.suites import SUITES
from sealwire_model.wire import DATA, ETHERTYPE, HEADER
from support import axis
from support.edges import edges
from support.raw_port import Port

SUITE = int(os.environ.get("SUITE", 2))
ROLE = os.environ.get("ROLE", "i")
OUTER = os.environ.get("OUTER", "1") == "1"
IDS = {"i": (1).to_bytes(8, "big"), "r": (2).to_bytes(8, "big")}
TAG = SUITES[SUITE].tag_bytes
BEAT = int(os.environ.get("DATA_BITS", 64)) // 8  # bytes
WINDOW = int(os.environ.get("REPLAY_WINDOW", 64))
#: Random values that cores in shares take after a reset or a zeroise, before any is a handshake's
SEEDS = int(os.environ.get("SEEDS", 0))
VERSION = 2  # of the wire format: what the RTL speaks
NUMBERS = int(os.environ.get("N_MAX", SUITES[SUITE].n_max))
OTHER = {"i": "r", "r": "i"}
OWN_MAC, PEER_MAC = bytes.fromhex("02a1a2a3a4a5"), bytes.fromhex("02b1b2b3b4b5")
PSK, R_I, R_R = bytes(range(64)), bytes(range(0xA0, 0xC0)), bytes(range(0xC0, 0xE0))
FIRST_NUMBER = int.from_bytes(range(0xB0, 0xB8), "big")  # of this end's hellos, as in the worked messages
TICK = 3  # core cycles a millisecond where a test lets time pass quickly: a keep-alive takes less than 250 of them
PERIODS = {"trusted": 7002, "core": int(os.environ.get("CORE_PERIOD", 5300)), "untrusted": 6414}  # ps

#: Ports count_NAME: all counters of the registers but the two numbers of the session
COUNTERS = [name.removeprefix("counters.") for name in REGISTERS if re.match(r"counters\.(?!session_)", name)]
DROPS = [name for name in COUNTERS if name.startswith("drop_") and "trusted" not in name]
TRUSTED_DROPS = [name for name in COUNTERS if name.startswith("drop_trusted")]


async def stalled(end: AxiStreamPause, period: int, probability: float) -> None:
    """Pauses a stream in bursts of clock periods, so that single gaps and long ones both occur."""
    while True:
        end.pause = random.random() < probability
        await Timer(period * random.choice((1, 1, 2, 3, 9)), "ps")


def random_frame(size: int) -> bytes:
    """Random bytes for the trusted side, but for an EtherType of MAC control, which does not enter."""
    data = bytearray(random.randbytes(size))
    if size > 12:
        data[12] &= 0x7F
    return bytes(data)


def frame_of(data: bytes) -> AxiStreamFrame:
    """Random bytes in the lanes that tkeep leaves out."""
    fill = -len(data) % BEAT
    return AxiStreamFrame(data + random.randbytes(fill), tkeep=[1] * len(data) + [0] * fill)


class Link:
    """The link under test, end ROLE, and the model of its peer."""

    def __init__(self, dut, stall: float = 0.0, handshake: bool = True):
        self.dut = dut
        self.clocks = {name: getattr(dut, f"{name}_clk") for name in PERIODS}
        self.resets = {name: getattr(dut, f"{name}_rst") for name in PERIODS}
        for name, period in PERIODS.items():
            cocotb.start_soon(Clock(self.clocks[name], period, unit="ps").start())
            self.resets[name].value = 1
        for name, clock in ("trusted", dut.trusted_clk), ("untrusted", dut.untrusted_clk):
            setattr(self, f"{name}_source", axis.source(dut, f"s_axis_{name}", clock))
            setattr(self, f"{name}_sink", axis.sink(dut, f"m_axis_{name}", clock))
            cocotb.start_soon(self._watch(name, clock))
        self.counters = {name: Port(getattr(dut, f"count_{name}")) for name in COUNTERS}
        self.stalls: list[Task[None]] = []
        self.stall(stall)
        # Only the settings at the end of the reset count.
        self._set_names(lambda byte: byte ^ 0xFF)
        self._set_times(2**32 - 1, 2**32 - 1, 2**20 - 1)
        dut.psk_valid.value = dut.random_valid.value = dut.zeroise.value = 0
        dut.load_write.value = dut.load_commit.value = 0
        dut.cfg_handshake.value = int(handshake)
        self.draws: list[bytes] = []  # values of R that this end gets
        self.drawn: list[bytes] = []  # and has taken
        self.seeds = 0  # values that are still to be taken for seeds
        self.seed_values: list[int] = []  # the next of them; without one they are random
        self.own_draws: list[bytes] = []  # values that its model gets
        self.own, self.peer = (
            End(SUITE, IDS[a], IDS[b], handshake=handshake, n_max=NUMBERS, window=WINDOW, version=VERSION)
            for a, b in (ROLE + OTHER[ROLE], OTHER[ROLE] + ROLE)
        )
        self.own.draw = lambda: self.own_draws.pop(0)
        self.spent: set[bytes] = set()  # session id and number of all that it sealed, over resets too
        self.keys = 0  # pre-shared keys given
        self.watching = False
        self.rest = self.at_rest  # what a handshake waits for between its messages
        cocotb.start_soon(self._random())

    def _set_names(self, change: Callable[[int], int]) -> None:
        """Addresses and ids at the ports, byte by byte as the change makes them."""
        names = {
            "local_mac": OWN_MAC, "peer_mac": PEER_MAC,
            "local_id": IDS[ROLE], "peer_id": IDS[OTHER[ROLE]],
        }  # fmt: skip
        for port, name in names.items():
            getattr(self.dut, f"cfg_{port}").value = int.from_bytes(map(change, name), "little")

    def _set_times(self, t_rekey: int, t_max: int, ms_cycles: int) -> None:
        self.dut.cfg_t_rekey_ms.value, self.dut.cfg_t_max_ms.value = t_rekey, t_max
        self.dut.cfg_ms_cycles.value = ms_cycles

    @classmethod
    async def start(
        cls, dut, stall: float = 0.0, session: bool = True, handshake: bool = True,
        t_rekey: int = 120_000, t_max: int = 180_000,
    ) -> Link:  # fmt: skip
        link = cls(dut, stall, handshake)
        await link.core(5)
        link._set_names(int)
        link._set_times(t_rekey, t_max, 0)
        await link.release()
        if session:
            await link.load_psk(PSK)
            await link.session(R_I, R_R)
        return link

    def stall(self, probability: float) -> None:
        """Random pauses on all four streams."""
        while self.stalls:
            self.stalls.pop().cancel()
        for name in ("trusted", "untrusted"):
            for end in (getattr(self, f"{name}_source"), getattr(self, f"{name}_sink")):
                end.pause = False
                if probability:
                    self.stalls.append(cocotb.start_soon(stalled(end, PERIODS[name], probability)))

    async def core(self, cycles: int) -> None:
        await edges(self.dut.core_clk, PERIODS["core"], cycles)

    async def reset(self, which: str) -> None:
        """One of the three resets, in mid-traffic: streams start anew at both sides."""
        self.watching = False
        self.seeds = 0
        ends = self.trusted_source, self.untrusted_source, self.trusted_sink, self.untrusted_sink
        await RisingEdge(self.clocks[which])
        self.resets[which].value = 1
        for end in ends:
            end.clear()
            end.assert_reset(True)
        await self.core(40)  # until it has reached all three domains
        for end in ends:
            end.assert_reset(False)
        await self.release()
        self.delivered(), self.sealed()

    async def release(self) -> None:
        """End the reset and wait for the memories' wipe."""
        self.seeds = SEEDS
        for name, reset in self.resets.items():
            await RisingEdge(self.clocks[name])
            reset.value = 0
        await self.core(1800)
        self.watching = True

    async def _random(self) -> None:
        """Gives this end its random values: seeds, then those of `draws` in their order.

        Without one it waits, with noise on the pins.
        """
        valid, ready, data = (Port(getattr(self.dut, f"random_{pin}")) for pin in ("valid", "ready", "data"))
        edge, take = RisingEdge(self.dut.core_clk), RisingEdge(self.dut.random_ready)
        while True:
            while not self.draws and not self.seeds:
                data.put(random.getrandbits(256))
                await self.core(20)
            seeds = self.seeds
            if seeds:
                data.put(self.seed_values[0] if self.seed_values else random.getrandbits(256))
            else:
                data.put(int.from_bytes(self.draws[0], "little"))
            valid.put(True)
            if not ready.get():
                await take
            if seeds or self.draws:  # a test may have taken them back
                await edge
            if seeds:
                if ready.get():
                    self.seeds -= 1
                    del self.seed_values[:1]
            elif self.draws and ready.get():
                self.drawn.append(self.draws.pop(0))
            valid.put(False)

    async def _watch(self, name: str, clock) -> None:
        """An offered beat holds still; unused bytes are zero; tkeep is contiguous and partial only at the end."""
        fields = ("tvalid", "tready", "tdata", "tkeep", "tlast")
        valid, ready, data, keep, last = (Port(getattr(self.dut, f"m_axis_{name}_{field}")) for field in fields)
        waiting = None
        edge, offer = RisingEdge(clock), RisingEdge(getattr(self.dut, f"m_axis_{name}_tvalid"))
        while True:
            await edge
            if not self.watching:
                waiting = None
                continue
            if not valid.get():
                assert waiting is None, f"{name}: an offered beat was withdrawn"
                await offer
                continue
            beat = data.get(), keep.get(), last.get()
            assert waiting is None or waiting == beat, f"{name}: an offered beat changed"
            count = beat[1].bit_length()
            assert beat[1] == 2**count - 1 and count and (beat[2] or count == BEAT), f"{name}: tkeep {beat[1]:02x}"
            assert beat[0] >> (8 * count) == 0, f"{name}: unused bytes are not zero"
            waiting = None if ready.get() else beat

    # ------------------------------------------------------------------------------------------ secrets

    async def _give(self, name: str, **values: int) -> None:
        dut = self.dut
        for field, value in values.items():
            getattr(dut, field).value = value
        getattr(dut, f"{name}_valid").value = 1
        while True:
            await RisingEdge(dut.core_clk)
            if getattr(dut, f"{name}_ready").value:
                break
        getattr(dut, f"{name}_valid").value = 0
        for field in values:
            getattr(dut, field).value = random.getrandbits(len(getattr(dut, field)))

    async def load_psk(self, psk: bytes, first: int | None = None) -> None:
        """The key, with the number of this end's first hello: over resets, too, it grows if a test gives none."""
        if first is None:
            first = FIRST_NUMBER + (self.keys << 20)
        self.keys += 1
        await self._give("psk", psk_data=int.from_bytes(psk, "little"), psk_number=first - 1)
        self.own.psk = self.peer.psk = psk
        self.own.wall_clock = lambda: first

    async def session(self, r_i: bytes, r_r: bytes) -> None:
        """A handshake with these random values: every message of this end must be the one that the model makes.

        A responder that already holds a value keeps it.
        """
        mine, theirs = (r_i, r_r) if ROLE == "i" else (r_r, r_i)
        if ROLE == "i":
            self.peer.r = theirs
            await self.until_hello()
            self.give(mine)
            self.own.start()
        else:
            if self.own.r is None:
                self.give(mine)
            mine = self.own.r
            draws = [theirs]
            self.peer.draw = lambda: draws.pop() if draws else random.randbytes(32)
            self.peer.start()
        await self.converse()
        assert self.dut.session_up.value and self.own.cur
        assert self.own.rx.sid == mine[:4] and self.peer.cur and self.peer.rx.sid == theirs[:4]

    def give(self, *values: bytes) -> None:
        """The next random values of this end, and of its model."""
        self.draws += values
        self.own_draws += values
        if ROLE == "r" and self.own.r is None:
            self.own.r = self.own.new_r()

    async def pass_time(self, limit: int, until=lambda: False) -> bool:
        """Time moves until `until()` holds or `limit` milliseconds are over; what it was."""
        self.dut.cfg_ms_cycles.value = TICK
        passed = 0
        while not (reached := until()) and passed < limit:
            await self.core(TICK)
            passed += 1
        self.dut.cfg_ms_cycles.value = 0
        for end in self.own, self.peer:
            end.expire(end.now + passed)
        return bool(reached)

    async def keepalive(self) -> None:
        """Time moves until this end seals a keep-alive; it hears one too, so that it stays content."""
        before = self.dut.count_keepalives_out.value
        assert await self.pass_time(650, lambda: self.dut.count_keepalives_out.value != before)
        self.own.counts["keepalives_out"] += 1
        packet = self.peer.seal(b"\0")
        self.own.receive(packet)
        self.send_untrusted(packet)

    async def until_hello(self) -> None:
        """The initiator wants a random value at once, or after silence; keep-alives may come before."""
        if self.own.cur:
            await self.pass_time(800, lambda: self.dut.random_ready.value)
        while self.dut.mon_enc_busy.value:  # a keep-alive in the core
            await self.core(100)
        await self.core(300)
        assert self.dut.random_ready.value, "no handshake starts"
        for packet in self.sealed():
            assert packet == self.own.seal(b"\0"), "a keep-alive"
            self.own.counts["keepalives_out"] += 1
            self.peer.receive(packet)

    async def converse(self) -> None:
        """Packets go to and fro between this end and the model of its peer until both are silent; `own` hears all."""
        for _ in range(8):
            await self.rest()
            sent = self.sealed()
            assert sent == self.own.out, f"sent {[p.hex() for p in sent]}, not {[p.hex() for p in self.own.out]}"
            self.own.out.clear()
            for packet in sent:
                self.peer.receive(packet)
            if not self.peer.out:
                return
            if ROLE == "r" and not self.own_draws:
                self.give(random.randbytes(32))
            for packet in self.peer.out:
                self.own.receive(packet)
            self.send_untrusted(*self.peer.out)
            self.peer.out.clear()
        raise AssertionError("the two ends talk for ever")

    async def zeroise(self) -> None:
        self.dut.zeroise.value = 1
        await RisingEdge(self.dut.core_clk)
        self.dut.zeroise.value = 0
        self.seeds = SEEDS
        for _ in range(800):
            await self.core(5)
            if not self.dut.busy.value:
                break
        else:
            raise AssertionError("busy for ever")
        said = self.own.hello_number
        self.own.forget()
        self.own.hello_number = said  # only a reset makes hellos begin anew

    # ------------------------------------------------------------------------------------------ traffic

    def send_trusted(self, *frames: bytes) -> None:
        for frame in frames:
            self.trusted_source.send_nowait(frame_of(frame))

    def send_untrusted(self, *packets: bytes) -> None:
        """Link packets to this end, in outer frames."""
        for packet in packets:
            self.send_outer(OWN_MAC + PEER_MAC + ETHERTYPE + packet if OUTER else packet)

    def send_outer(self, *frames: bytes) -> None:
        for frame in frames:
            self.untrusted_source.send_nowait(frame_of(frame))

    def delivered(self) -> list[bytes]:
        """Frames on the trusted side since the last call."""
        return [bytes(self.trusted_sink.recv_nowait()) for _ in range(self.trusted_sink.count())]

    def sealed(self) -> list[bytes]:
        """Link packets on the untrusted side since the last call, outer header checked and taken off."""
        frames = [bytes(self.untrusted_sink.recv_nowait()) for _ in range(self.untrusted_sink.count())]
        if OUTER:
            for frame in frames:
                assert frame[:14] == PEER_MAC + OWN_MAC + ETHERTYPE, frame[:14].hex()
            frames = [frame[14:] for frame in frames]
        for packet in frames:
            if packet[0] == VERSION << 4 | DATA:
                # Sessions that were never taken may share the peer's id: keep-alives are told apart by all their bytes.
                mark = packet if len(packet) == HEADER + 1 + TAG else packet[4:16]
                assert mark not in self.spent, f"a packet number twice in a session: {packet[:16].hex()}"
                self.spent.add(mark)
        return frames

    def counts(self) -> dict[str, int]:
        return {name: count.get() for name, count in self.counters.items()}

    @staticmethod
    def imbalance(counts: dict[str, int]) -> str:
        """Empty when all three totals balance."""
        made = {
            "trusted_in": counts["sealed"] + sum(counts[name] for name in TRUSTED_DROPS),
            "untrusted_in": counts["delivered"]
            + counts["keepalives_in"]
            + counts["handshakes_in"]
            + sum(counts[name] for name in DROPS),
            "untrusted_out": counts["sealed"] + counts["keepalives_out"] + counts["handshakes_out"],
        }
        return ", ".join(f"{name} {counts[name]} but {made[name]}" for name in made if counts[name] != made[name])

    async def at_rest(self, patience: int = 300_000) -> dict[str, int]:
        """Wait until nothing moves; the totals must balance then. Returns the counters."""
        last, still = None, 0
        for _ in range(patience // 100):
            await self.core(100)
            quiet = self.trusted_source.idle() and self.untrusted_source.idle()
            busy = self.dut.mon_enc_busy.value or self.dut.mon_dec_busy.value or self.dut.busy.value
            seen = self.counts()
            if not quiet or busy or seen != last or (self.imbalance(seen) and still < 40):
                still = still + 1 if quiet and not busy and seen == last else 0
                last = seen
                continue
            still += 1
            if still >= 3:
                break
        assert not self.imbalance(self.counts()), self.imbalance(self.counts())
        assert still >= 3, f"not at rest after {patience} cycles: {self.counts()}"
        return self.counts()
