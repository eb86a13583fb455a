# SPDX-License-Identifier: Apache-2.0
"""Registers of the link (sealwire_link_axil): access kinds, secrets, commands, and a session over registers alone.

Everything goes through hdl/link/control/sealwire_control.py, the same that host software uses.
"""

import os
import random
import time

import cocotb
from cocotb.clock import Clock
from cocotb.task import bridge, resume
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiProt, AxiResp
from generated.sealwire_link_regs import REGISTERS, SIZE
from sealwire_control import Control
from sealwire_model.schedule import Schedule
from sealwire_model.wire import CONFIRM, ETHERTYPE, HELLO, REPLY, message
from support import axis

SUITE = int(os.environ.get("SUITE", "2"))
VERSION = 2
IDS = bytes([*7 * [255], 254]), bytes(8 * [255])  # the smaller one initiates; every bit of a register counts
MACS = bytes.fromhex("02a1a2a3a4a5"), bytes.fromhex("02b1b2b3b4b5")
PSK = bytes(range(1, 65))
PERIODS = {"trusted": 7002, "core": 5300, "untrusted": 6414}  # ps
SECRETS = [name for name, register in REGISTERS.items() if register.access == "w" and name != "command"]


class Bench:
    def __init__(self, dut):
        self.dut = dut
        for name, period in PERIODS.items():
            cocotb.start_soon(Clock(getattr(dut, f"{name}_clk"), period, unit="ps").start())
            getattr(dut, f"{name}_rst").value = 1
        self.bus = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.core_clk, dut.core_rst)
        self.source = {}
        self.sink = {}
        for name in "trusted", "untrusted":
            clock = getattr(dut, f"{name}_clk")
            self.source[name] = axis.source(dut, f"s_axis_{name}", clock)
            self.sink[name] = axis.sink(dut, f"m_axis_{name}", clock)
        for end in (self.bus.read_if, self.bus.write_if):
            end.log.setLevel("ERROR")

    @classmethod
    async def start(cls, dut, stall=0.0):
        bench = cls(dut)
        dut.s_random_valid.value, dut.s_random_data.value = 0, random.getrandbits(256)  # junk: there is no such source
        if stall:
            channels = bench.bus.write_if, bench.bus.read_if
            parts = [c for i in channels for c in vars(i).values() if hasattr(c, "set_pause_generator")]
            assert len(parts) == 5
            for part in parts:
                part.set_pause_generator(iter(lambda: random.random() < stall, 2))
        await bench.cycles(5)
        for name in PERIODS:
            getattr(dut, f"{name}_rst").value = 0
        while (await bench.read(REGISTERS["status"].address)) & 4:
            pass
        return bench

    async def cycles(self, count):
        await ClockCycles(self.dut.core_clk, count)

    async def read(self, address, answer=AxiResp.OKAY):
        done = await self.bus.read(address, 4)
        assert done.resp == answer, f"read {address:#x}: {done.resp.name}"
        return int.from_bytes(done.data, "little")

    async def write(self, address, data, answer=AxiResp.OKAY, prot=AxiProt.PRIVILEGED):
        """`data` is a word, or fewer bytes: strobes then pick them."""
        data = data.to_bytes(4, "little") if isinstance(data, int) else data
        done = await self.bus.write(address, data, prot=prot)
        assert done.resp == answer, f"write {address:#x}: {done.resp.name}"

    async def with_control(self, function):
        """Run host software against the registers; returns what it returns."""
        read, write = resume(self.read), resume(self.write)
        return await bridge(lambda: function(Control(read, write, patience=600)))()

    async def configured(self):
        await self.with_control(lambda control: control.configure(*IDS, *MACS))

    def left(self):
        """Link packets on the untrusted side since the last call."""
        sink = self.sink["untrusted"]
        frames = [bytes(sink.recv_nowait()) for _ in range(sink.count())]
        assert all(frame[:14] == MACS[1] + MACS[0] + ETHERTYPE for frame in frames)
        return [frame[14:] for frame in frames]

    def arrived(self):
        """Frames on the trusted side since the last call."""
        sink = self.sink["trusted"]
        return [bytes(sink.recv_nowait()) for _ in range(sink.count())]

    async def get(self, name):
        return await self.read(REGISTERS[name].address)

    async def command(self, name):
        await self.write(REGISTERS["command"].address, 1 << REGISTERS["command"].fields[name][0])

    async def fill(self, name, words):
        for i, word in enumerate(words):
            await self.write(REGISTERS[name].address + 4 * i, word)

    async def status(self, register="status"):
        return await self.with_control(lambda control: control.fields(register))


def addresses(name):
    register = REGISTERS[name]
    return [register.address + 4 * i for i in range(register.count * register.bits // 32)]


def mask(name):
    return sum((1 << bits) - 1 << low for low, bits in REGISTERS[name].fields.values())


@cocotb.test(skip=os.environ.get("PROTECTED_WRITES") != "1")
async def protected_registers_take_writes_of_privileged_and_secure_masters_only(dut):
    """The words of a key from anyone else, and a commit, are answered with an error and change nothing."""
    bench = await Bench.start(dut)
    words = [REGISTERS["psk.word"].address + 4 * index for index in range(16)]
    told = [REGISTERS[name].address for name in ("status", "events")]
    before = [await bench.read(address) for address in told]
    for prot in AxiProt(0), AxiProt.NONSECURE, AxiProt.PRIVILEGED | AxiProt.NONSECURE:
        for address in (*words, REGISTERS["command"].address):
            await bench.write(address, 0xFFFFFFFF, answer=AxiResp.SLVERR, prot=prot)
    assert [await bench.read(address) for address in told] == before
    for address in words:
        await bench.write(address, 0xFFFFFFFF)
    complete = 1 << REGISTERS["status"].fields["psk_complete"][0]
    assert await bench.read(told[0]) == before[0] | complete != before[0]


@cocotb.test()
async def registers_read_and_write_as_described(dut):
    """After reset the described values; rw registers keep their fields and no other bit; r ones what they show."""
    bench = await Bench.start(dut, 0.3)
    await bench.write(REGISTERS["events"].address, 2**32 - 1)
    for name, register in REGISTERS.items():
        for address in addresses(name):
            before = await bench.read(address)
            value = sum(reset << register.fields[field][0] for field, reset in register.resets.items())
            if register.resets:
                assert before == value, f"{name}: {before:#x} after reset"
            if name == "command":
                continue
            pattern = random.getrandbits(32)
            await bench.write(address, pattern)
            after = await bench.read(address)
            plain = register.access == "rw" and name != "events"
            want = pattern & mask(name) if plain else 0 if register.access == "w" else before
            assert after == want, f"{name} at {address:#x}: {after:#x}, not {want:#x}"
    # Nothing written later moved what was written before.
    await bench.write(REGISTERS["local_mac.high"].address, 0xFFFFFFFF)
    assert await bench.get("local_mac.high") == 0xFFFF


@cocotb.test()
async def capabilities_tell_how_it_was_built(dut):
    bench = await Bench.start(dut)
    assert await bench.status("capabilities") == {
        "suite": SUITE, "kind": 0, "contexts": 1, "outer_ethernet": 1, "drop_when_full": 1,
        "lanes": 1,
    }  # fmt: skip
    assert await bench.status("sizes") == {"fifo_log2": 15, "store_log2": 17}
    assert await bench.status("suite_sizes") == {"key": 64, "salt": 24, "tag": 32, "psk": 64}


@cocotb.test()
async def strobes_pick_bytes(dut):
    bench = await Bench.start(dut)
    address = REGISTERS["peer_id"].address
    await bench.write(address, 0x44332211)
    for byte in range(4):
        await bench.write(address + byte, bytes([0xA0 + byte]))
        want = bytearray.fromhex("11223344")
        want[: byte + 1] = bytes(0xA0 + i for i in range(byte + 1))
        assert (await bench.read(address)).to_bytes(4, "little") == want


@cocotb.test()
async def other_addresses_answer_slverr(dut):
    bench = await Bench.start(dut)
    known = {address for name in REGISTERS for address in addresses(name)}
    for address in range(0, SIZE, 4):
        answer = AxiResp.OKAY if address in known else AxiResp.SLVERR
        value = await bench.read(address, answer)
        if answer == AxiResp.SLVERR:
            assert value == 0
            await bench.write(address, random.getrandbits(32), answer)
    assert (await bench.status())["session_up"] == 0


@cocotb.test()
async def secrets_never_read_back(dut):
    """With both windows full, committed or not, no word of the address space shows one of theirs."""
    bench = await Bench.start(dut)
    words = [random.getrandbits(32) | 0x80000001 for _ in range(80)]

    async def look():
        for address in range(0, SIZE, 4):
            done = await bench.bus.read(address, 4)
            assert int.from_bytes(done.data, "little") not in words, f"secret at {address:#x}"

    for name in SECRETS:
        await bench.fill(name, words[: REGISTERS[name].count])
        for address in addresses(name):
            assert await bench.read(address) == 0
    await look()
    for command in "commit_psk", "commit_session", "commit_random":
        await bench.command(command)
    await look()


@cocotb.test()
async def commits_want_every_word_anew(dut):
    """Missing words, words written in part, and a second commit of the same words are refused and said so."""
    bench = await Bench.start(dut)
    await bench.configured()
    first = REGISTERS["psk.word"].address

    async def refused():
        events = await bench.status("events")
        await bench.write(REGISTERS["events"].address, 2**32 - 1)
        return events["psk_incomplete"]

    await bench.command("commit_psk")
    assert await refused() and not await refused()
    words = [random.getrandbits(32) for _ in range(16)]
    for missing in 0, 7, 15:
        for i, word in enumerate(words):
            if i != missing:
                await bench.write(first + 4 * i, word)
        for part in bytes(3), bytes(2), bytes(1):
            await bench.write(first + 4 * missing + 4 - len(part), part)
        assert not (await bench.status())["psk_complete"]
        await bench.command("commit_psk")
        assert await refused()
        await bench.write(first + 4 * missing, words[missing])
        assert (await bench.status())["psk_complete"]
        await bench.command("commit_psk")
        assert not await refused()
        status = await bench.status()
        assert not status["psk_complete"] and not status["psk_pending"]
        await bench.command("commit_psk")
        assert await refused()


@cocotb.test()
async def zeroise_and_resets_forget_staged_words(dut):
    bench = await Bench.start(dut)
    await bench.configured()
    for way in "zeroise", "trusted_rst", "untrusted_rst", "core_rst", "restart":
        await bench.fill("psk.word", [1] * 16)
        assert (await bench.status())["psk_complete"]
        await bench.write(REGISTERS["events"].address, 2**32 - 1)
        if way in ("zeroise", "restart"):
            await bench.command(way)
        else:
            reset = getattr(dut, way)
            reset.value = 1
            await ClockCycles(getattr(dut, way.replace("rst", "clk")), 2)
            reset.value = 0
            await bench.cycles(20)
        assert not (await bench.status())["psk_complete"], way
        assert (await bench.status("events"))["was_reset"] == (way != "zeroise"), way
        while (await bench.status())["resetting"]:
            await bench.cycles(50)
        # The settings stay, in the registers and in the link, but for a reset of the registers themselves.
        assert (await bench.status())["ids_bad"] == (way == "core_rst"), way
        assert (await bench.get("peer_id")) == (0 if way == "core_rst" else int.from_bytes(IDS[1][:4], "little")), way
        if way == "core_rst":
            await bench.configured()


class Peer:
    """The responder of a session, and the checks of what comes from the link."""

    def __init__(self, to_r, to_i):
        self.rx, self.tx = to_r, to_i
        self.sent = self.got = 0

    @classmethod
    def random(cls, seed):
        """A session to load, and the words that the link wants for it."""
        source = random.Random(seed)
        keys = [source.randbytes(64) for _ in range(2)]
        salts = [source.randbytes(24) for _ in range(2)]  # a suite with shorter ones takes their first bytes
        sids = [b"\1" + source.randbytes(3), b"\2" + source.randbytes(3)]
        schedule = Schedule(SUITE, b"", *IDS, VERSION)
        to_r = schedule.direction(1, keys[0], salts[0], sids[1])
        to_i = schedule.direction(2, keys[1], salts[1], sids[0])
        return cls(to_r, to_i), b"".join(keys + salts + sids)

    def seal(self, text):
        self.sent += 1
        return outer(self.tx.seal(self.sent - 1, text))

    def messages(self, bench):
        """What left the link, opened; packet numbers without a gap."""
        texts = []
        for packet in bench.left():
            assert packet[4:8] == self.rx.sid and int.from_bytes(packet[8:16], "big") == self.got
            texts.append(self.rx.open(packet))
            self.got += 1
        return texts


def outer(packet):
    return MACS[0] + MACS[1] + ETHERTYPE + packet


async def session(bench, seed):
    """A loaded session, over registers alone; the model of the peer."""
    peer, words = Peer.random(seed)

    def bring_up(control):
        control.configure(*IDS, *MACS, handshake=False)
        control.load_session(words)

    await bench.with_control(bring_up)
    await first_packet(bench, peer)
    return peer


async def first_packet(bench, peer):
    """The link shows life in the new session, the peer answers, and the session is the current one."""
    await bench.cycles(2500)  # the FIFOs wipe their memories first
    assert peer.messages(bench) == [bytes(1)]
    bench.source["untrusted"].send_nowait(peer.seal(bytes(1)))
    await bench.cycles(1200)
    assert (await bench.status())["session_up"]
    assert await bench.get("own_sid") == int.from_bytes(peer.tx.sid, "little")


async def exchange(bench, peer, count):
    """Frames both ways at once, checked against the model, the counters read all the while."""
    frames = [random.randbytes(random.choice((14, 60, 200, 600))) for _ in range(count)]
    back = [random.randbytes(random.choice((14, 60, 200))) for _ in range(count)]
    for frame, text in zip(frames, back, strict=True):
        bench.source["trusted"].send_nowait(frame)
        bench.source["untrusted"].send_nowait(peer.seal(text))
    last = {}
    for _ in range(60):
        seen = await bench.with_control(lambda control: control.counters())
        assert all(seen[name] >= value for name, value in last.items())
        left = seen["untrusted_out"] - seen["keepalives_out"] - seen["handshakes_out"]
        if seen["delivered"] == seen["sealed"] == left == count:
            break
        last = seen
        await bench.cycles(200)
    else:
        raise AssertionError(f"not all arrived: {seen}")
    assert [text for text in peer.messages(bench) if len(text) > 1] == frames
    assert bench.arrived() == back
    assert seen["session_sent"] == peer.got and seen["session_received"] == peer.sent
    return seen


@cocotb.test()
async def a_loaded_session_over_registers_alone(dut):
    bench = await Bench.start(dut, 0.2)
    peer = await session(bench, 1)
    counts = await exchange(bench, peer, 12)
    assert counts["sealed_bytes"] == counts["trusted_in_bytes"] > 0
    assert counts["sessions_installed"] == counts["sessions_taken"] == 1


@cocotb.test()
async def a_handshake_over_registers_alone(dut):
    """The pre-shared key and a random value go in by registers; the messages are those of the model."""
    bench = await Bench.start(dut)
    r_i, r_r = random.randbytes(32), random.randbytes(32)
    number = 0x0102030405060708

    def bring_up(control):
        control.configure(*IDS, *MACS)
        control.load_psk(PSK, number - 1)
        control.give_random(r_i)

    await bench.with_control(bring_up)
    schedule = Schedule(SUITE, PSK, *IDS, VERSION)
    await bench.cycles(2500)
    assert bench.left() == [
        message(SUITE, HELLO, bytes(4), IDS[0], r_i, schedule.hello_mac(r_i, number), number, VERSION)
    ]
    status = await bench.status()
    assert status["initiator"] and status["psk_held"] and status["handshake_state"] == 1 and not status["session_up"]
    reply = message(SUITE, REPLY, r_i[:4], IDS[1], r_r, schedule.reply_mac(r_i, r_r), 0, VERSION)
    bench.source["untrusted"].send_nowait(outer(reply))
    await bench.cycles(3500)  # five outputs of the key schedule
    confirm, keepalive = bench.left()
    assert confirm == message(SUITE, CONFIRM, r_r[:4], IDS[0], r_i, schedule.confirm_mac(r_i, r_r), 0, VERSION)
    peer = Peer(*schedule.directions(r_i, r_r))
    assert peer.rx.open(keepalive) == bytes(1)
    peer.got = 1
    bench.source["untrusted"].send_nowait(peer.seal(bytes(1)))
    await bench.cycles(1200)
    counts = await exchange(bench, peer, 3)
    assert counts["handshakes_out"] == 2 and counts["handshakes_in"] == 1
    # The next value is not wanted before the next handshake, and one from the port would be lost.
    assert not int(dut.s_random_ready.value)
    await bench.fill("random.word", range(8))
    await bench.command("commit_random")
    status = await bench.status()
    assert status["random_pending"] and not status["random_wanted"]


@cocotb.test()
async def the_number_of_hellos_is_the_time_unless_one_is_given(dut):
    """Hellos of a second bring-up, after a restart of the link, have greater numbers than those of the first."""
    bench = await Bench.start(dut)
    schedule = Schedule(SUITE, PSK, *IDS, VERSION)
    last = time.time_ns()
    for _ in range(2):
        r_i = random.randbytes(32)

        def bring_up(control, r_i=r_i):
            control.configure(*IDS, *MACS)
            control.load_psk(PSK)
            control.give_random(r_i)

        await bench.with_control(bring_up)
        await bench.cycles(2500)
        hello = bench.left()[-1]
        number = int.from_bytes(hello[8:16], "big")
        assert last < number <= time.time_ns() + 1
        assert hello == message(SUITE, HELLO, bytes(4), IDS[0], r_i, schedule.hello_mac(r_i, number), number, VERSION)
        last = number


@cocotb.test()
async def zeroise_ends_the_session(dut):
    bench = await Bench.start(dut)
    peer = await session(bench, 2)
    await bench.with_control(lambda control: control.zeroise())
    assert not (await bench.status())["session_up"]
    bench.source["untrusted"].send_nowait(peer.seal(bytes(60)))
    bench.source["trusted"].send_nowait(bytes(60))
    await bench.cycles(1500)
    counts = await bench.with_control(lambda control: control.counters())
    assert counts["drop_session"] == counts["drop_trusted_session"] == 1 and not counts["delivered"]
    # A restart clears the counters, and a new session works.
    peer = await session(bench, 3)
    counts = await exchange(bench, peer, 2)
    assert counts["delivered"] == 2 and counts["drop_session"] == 0


@cocotb.test()
async def a_loaded_session_wants_every_word_anew(dut):
    """A missing or partly written word, the same words again, handshakes on, equal ids: refused, and said so."""
    bench = await Bench.start(dut)
    _, words = Peer.random(4)
    first = REGISTERS["session.word"].address

    async def loads(values, skip=None, part=None):
        await bench.write(REGISTERS["events"].address, 2**32 - 1)
        for i in range(46):
            if i != skip:
                await bench.write(first + 4 * i, values[4 * i : 4 * i + 4])
        if part:
            await bench.write(first + 4 * skip, part)
        await bench.command("commit_session")
        await bench.cycles(100)
        events = await bench.status("events")
        assert events["session_loaded"] != events["session_refused"]
        return events["session_loaded"]

    async def configured(**settings):
        await bench.with_control(lambda control: control.configure(*IDS, *MACS, **settings))

    await configured()
    assert not await loads(words), "with handshakes on"
    await bench.with_control(lambda control: control.configure(IDS[0], IDS[0], *MACS, handshake=False))
    assert not await loads(words), "with equal ids"
    assert (await bench.status())["ids_bad"]
    await configured(handshake=False)
    for skip in 0, 31, 45:
        assert not await loads(words, skip)
        assert not await loads(words, skip, words[:3])
    await bench.command("commit_session")
    await bench.cycles(20)
    assert (await bench.status("events"))["session_refused"]
    assert await loads(words)
