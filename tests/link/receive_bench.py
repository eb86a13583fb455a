# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of hdl/link/rx/receive_ctxt: receive rules 1 and 2 at the boundaries of header and stated length, for
handshake messages rules 3 and 4 too, and the places where these wait."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, Timer
from sealwire_model.wire import CONFIRM, HELLO, REPLY, header, message
from support.hdl_bench import beat_t, beats, bytes_of, valid_of, word_of

SUITE, TAG = 2, 32
#: Of counter_e in hdl/link/link_types_pkg.sv
OVERLOAD, SHORT, VERSION, TYPE, LENGTH, SESSION, NUMBER, PEER, BAD = 14, 15, 16, 17, 19, 20, 21, 27, 34
#: The peer's id, the session id that is awaited, and those of somebody else
ID, OTHER_ID, SID, OTHER_SID = b"the peer", b"a passer", b"our1", b"old1"


class Bench:
    def __init__(self, dut):
        self.dut, self.drops, self.passed, self.part, self.messages, self.words = dut, [], [], b"", [], []

    @classmethod
    async def start(cls, dut, role=""):
        """`role` of the end, "i" or "r"; an end without one takes no handshakes."""
        cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
        bench = cls(dut)
        dut.handshake.value, dut.initiator.value, dut.peer_id.value = bool(role), role == "i", _number(ID)
        dut.arriving_known.value, dut.message_in_ready.value = 1, 1
        bench.awaits(SID if role else None)
        dut.arriving.value, dut.arriving_bad.value, dut.rst.value = 0, 0, 1
        await ClockCycles(dut.clk, 20)
        await FallingEdge(dut.clk)
        dut.rst.value = 0
        cocotb.start_soon(bench.watch())
        await ClockCycles(dut.clk, 300)  # the FIFOs are wiped
        return bench

    async def watch(self):
        """Notes the cause of every drop, and every packet that passes."""
        while True:
            await FallingEdge(self.dut.clk)
            await Timer(1, "ns")
            dropped, ctxt, message_in = (
                int(port.value) for port in (self.dut.dropped, self.dut.ctxt, self.dut.message_in)
            )
            self.drops += [at for at in range(37) if dropped >> 5 * at & 31]
            if valid_of(ctxt):
                self.part += bytes_of(ctxt)
            if valid_of(ctxt) and ctxt & 1:
                self.passed.append(self.part)
                self.part = b""
            if valid_of(message_in, 8) and self.dut.message_in_ready.value:
                self.words.append(word_of(message_in, 8))
            if valid_of(message_in, 8) and self.dut.message_in_ready.value and message_in & 1:
                self.messages.append(self.words)
                self.words = []

    def awaits(self, sid):
        """The session id that the handshake waits for, or none."""
        self.dut.awaited.value = 1 << 32 | _number(sid) if sid else 0

    async def fate(self, packet, bad=False, known=True):
        """The cause that drops a packet, or None. Its frame may be damaged, or of another address than the peer's."""
        self.drops.clear()
        for data, size, last in beats(packet):
            await FallingEdge(self.dut.clk)
            self.dut.arriving.value = beat_t(data, size, last)
            self.dut.arriving_bad.value = bad if last else random.getrandbits(1)
            self.dut.arriving_known.value = known
            known = random.getrandbits(1)  # counts with the first beat
        await FallingEdge(self.dut.clk)
        self.dut.arriving.value = 0
        await ClockCycles(self.dut.clk, 30)
        assert len(self.drops) <= 1, self.drops
        return self.drops[0] if self.drops else None

    async def passes(self, packet):
        """Whether a packet is not dropped, and only it comes out, cut to its stated length."""
        self.passed.clear()
        size = 16 + int.from_bytes(packet[2:4], "big")
        return await self.fate(packet) is None and self.passed == [packet[:size]]


def _number(string):
    return int.from_bytes(string, "little")


def head(length, **more):
    return header(SUITE, length, random.randbytes(4), random.getrandbits(40), **more)


@cocotb.test()
async def a_header_alone_is_no_short_packet(dut):
    """With a stated length of 0 it is whole, and of a wrong length."""
    bench = await Bench.start(dut)
    assert await bench.fate(head(0)) == LENGTH
    assert await bench.fate(head(0, first=0x30)) == VERSION
    for size in range(1, 16):
        assert await bench.fate(head(0)[:size]) == SHORT, size
    assert await bench.fate(head(1)) == SHORT


@cocotb.test()
async def packets_are_cut_to_their_stated_length(dut):
    bench = await Bench.start(dut)
    for size in (TAG, TAG + 1, TAG + 7, TAG + 8, TAG + 9, TAG + 15, TAG + 16, TAG + 17):
        packet = head(size) + random.randbytes(size)
        for whole in packet, packet + random.randbytes(11):
            if size == TAG:
                assert await bench.fate(whole) == LENGTH
            else:
                assert await bench.passes(whole)
        assert await bench.fate(packet[:-1]) == SHORT


@cocotb.test()
async def a_damaged_frame_is_dropped_as_such_whatever_it_says(dut):
    """Only the flag of its last beat counts, and the next packet is not harmed."""
    bench = await Bench.start(dut)
    good = head(TAG + 9) + random.randbytes(TAG + 9)
    for packet in (good, good[:-1], head(0), head(0, first=0x30), good[:9], good + bytes(40)):
        bench.passed.clear()
        assert await bench.fate(packet, bad=True) == BAD
        assert not bench.passed
        assert await bench.passes(good)


# --------------------------------------------------------------------------------------------------- handshake messages


def said(kind, sid=None, sender=ID, number=None):
    """A message without a right MAC, which is looked at later."""
    sid = {HELLO: bytes(4)}.get(kind, SID) if sid is None else sid
    number = (random.getrandbits(64) if kind == HELLO else 0) if number is None else number
    return message(SUITE, kind, sid, sender, random.randbytes(32), random.randbytes(16), number, 2)


def as_queued(packet):
    """The eight words of a message as `hs_take` gets them."""
    words = [data for data, _, _ in beats(packet, 8)]
    return [words[1], packet[0] % 16 << 32 | _number(packet[4:8]), *words[3:]]


@cocotb.test()
async def a_message_is_judged_by_its_first_broken_rule(dut):
    """Session, then peer, then number; a data packet is not judged by them here."""
    for role, kinds in ("i", [REPLY]), ("r", [HELLO, CONFIRM]):
        bench = await Bench.start(dut, role)
        for kind in kinds:
            wrong = SID if kind == HELLO else OTHER_SID
            assert await bench.fate(said(kind, wrong, OTHER_ID, 1)) == SESSION
            assert await bench.fate(said(kind, wrong)) == SESSION
            assert await bench.fate(said(kind, sender=OTHER_ID, number=1)) == PEER
            assert await bench.fate(said(kind, sender=ID[:-1] + b"R")) == PEER
            assert await bench.fate(said(kind, sender=b"T" + ID[1:])) == PEER
            for number in (1, 2**63) if kind != HELLO else ():
                assert await bench.fate(said(kind, number=number)) == NUMBER
            assert await bench.fate(said(kind, OTHER_SID, OTHER_ID, 1)[:40]) == SHORT
            assert not bench.messages
            good = said(kind)
            assert await bench.fate(good) is None
            assert bench.messages.pop() == as_queued(good)
            data = head(TAG + 9, first=0x20) + OTHER_ID + random.randbytes(TAG + 1)
            assert await bench.passes(data)
        for kind in {HELLO, REPLY, CONFIRM} - {*kinds}:
            assert await bench.fate(said(kind, OTHER_SID, OTHER_ID, 1)) == TYPE
        assert not bench.messages


@cocotb.test()
async def only_what_is_awaited_is_an_answer(dut):
    """The id of the handshake before, and any while none is awaited, are of no session; a hello needs none."""
    for role, kind in ("i", REPLY), ("r", CONFIRM):
        bench = await Bench.start(dut, role)
        for sid in (b"new1", b"new2", None, bytes(4), b"new3"):
            before = SID
            bench.awaits(sid)
            await ClockCycles(dut.clk, 30)
            assert await bench.fate(said(kind, before)) == SESSION
            assert await bench.fate(said(kind, sid or bytes(4))) == (None if sid else SESSION)
            if role == "r":
                assert await bench.fate(said(HELLO)) is None


@cocotb.test()
async def an_initiator_hears_its_peer_from_its_address_only(dut):
    bench = await Bench.start(dut, "i")
    for known in (False, True, False, True):
        assert await bench.fate(said(REPLY), known=known) == (None if known else PEER)
    assert await bench.fate(said(REPLY, OTHER_SID), known=False) == SESSION
    assert len(bench.messages) == 2
    bench.passed.clear()
    data = head(TAG + 1) + random.randbytes(TAG + 1)
    assert await bench.fate(data, known=False) is None
    assert bench.passed == [data]


@cocotb.test()
async def strangers_take_no_place_from_the_peer(dut):
    """Four places for the peer's address and four for all others, whoever comes first; the peer's are judged first."""
    for strangers_first in (False, True):
        bench = await Bench.start(dut, "r")
        dut.message_in_ready.value = 0
        told = {True: [], False: []}
        for known in sorted([True, False] * 6, reverse=not strangers_first):
            packet = said(HELLO)
            room = len(told[known]) < 4
            assert await bench.fate(packet, known=known) == (None if room else OVERLOAD)
            told[known] += [as_queued(packet)] * room
        dut.message_in_ready.value = 1
        await ClockCycles(dut.clk, 100)
        # One of strangers may have been on offer already, when the first of the peer's came.
        first = told[False][: strangers_first * 1]
        assert bench.messages == [*first, *told[True], *told[False][len(first) :]]
        bench.messages.clear()
        for known in (True, False):
            assert await bench.fate(said(HELLO), known=known) is None


@cocotb.test()
async def what_the_free_checks_refuse_takes_no_place(dut):
    """However much of it comes, from whatever address, while nobody judges: as many good ones as ever find a place."""
    bench = await Bench.start(dut, "r")
    dut.message_in_ready.value = 0
    for _ in range(12):
        for known in (True, False):
            assert await bench.fate(said(HELLO, SID), known=known) == SESSION
            assert await bench.fate(said(CONFIRM, OTHER_SID), known=known) == SESSION
            assert await bench.fate(said(HELLO, sender=OTHER_ID), known=known) == PEER
            assert await bench.fate(said(CONFIRM, number=1), known=known) == NUMBER
            assert await bench.fate(said(HELLO), bad=True, known=known) == BAD
    for known in 4 * (True, False):
        assert await bench.fate(said(HELLO), known=known) is None
    dut.message_in_ready.value = 1
    await ClockCycles(dut.clk, 100)
    assert len(bench.messages) == 8


@cocotb.test()
async def a_message_that_is_begun_is_told_to_its_end(dut):
    """Whatever the pace at which it is taken, and whoever's arrives meanwhile; each kind keeps its order."""
    bench = await Bench.start(dut, "r")

    async def takes():
        offered = None
        while True:
            dut.message_in_ready.value = ready = random.randrange(8) == 0
            await Timer(1, "ns")
            now = int(dut.message_in.value)
            assert offered in (None, now), "a beat that was on offer is not any more"
            await FallingEdge(dut.clk)
            offered = now if valid_of(now, 8) and not ready else None

    cocotb.start_soon(takes())
    told = {True: [], False: []}
    for _ in range(80):
        known, packet = bool(random.getrandbits(1)), said(HELLO)
        if await bench.fate(packet, known=known) is None:
            told[known].append(as_queued(packet))
    await ClockCycles(dut.clk, 1000)
    assert len(bench.messages) == len(told[True]) + len(told[False])
    for kind in told.values():
        assert [message for message in bench.messages if message in kind] == kind
    assert min(map(len, told.values())) > 5
