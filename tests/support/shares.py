# SPDX-License-Identifier: Apache-2.0
"""Cores in shares, in cocotb: what they take at their ports beside what the others take, and the behaviours that AEAD
and MAC cores have in common (docs/core-ports.md, rules 14 and 15)."""

from __future__ import annotations

import os
import random
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge

from support.inside import wires
from support.raw_port import Port

PATIENCE = 600
#: Parts of a secret that are looked for
SECRET_BITS = 64
#: Cycles after which a generator that stands still has alarmed: two windows of its health test
ALARM_CYCLES = 130
KEY_BYTES = 16


def split(key: bytes) -> bytes:
    """A key as its port takes it: two random shares whose sum is the key."""
    share = random.randbytes(len(key))
    return bytes(a ^ b for a, b in zip(key, share, strict=True)) + share


async def seeds(dut: Any) -> None:
    """A new seed whenever one is asked for."""
    while True:
        dut.seed_valid.value = 1
        dut.seed_data.value = random.getrandbits(160)
        await FallingEdge(dut.clk)


def words_of(*strings: bytes) -> set[int]:
    """The words of strings, as the core's registers hold them."""
    return {int.from_bytes(one[at : at + 8], "little") for one in strings for at in range(0, len(one), 8)}


def generators(core: Any) -> list[Any]:
    """The generators of a core's random bits; `core` is its named top."""
    words = core.u_core.u_random.u_words
    return [words.gen_word[place].u_trivium for place in range(len(words.random) // 64)]


def stop(generator: Any) -> None:
    """It gives zeros from here on, which its health test finds."""
    for part in (generator.a, generator.b, generator.c):
        part.value = 0


class BehindAdapter:
    """What the bench of an adapter needs if the core behind it takes its key in shares; `dut` is the adapter's top."""

    dut: Any
    in_shares = False
    seeding: Any = None

    def begin_seeds(self) -> None:
        """Seeds come whenever they are asked for, if the core takes any."""
        self.in_shares = hasattr(self.dut, "seed_valid")
        if self.in_shares:
            self.new_seeds()

    def new_seeds(self) -> None:
        self.seeding = cocotb.start_soon(seeds(self.dut))

    def no_seed(self) -> None:
        """From here on none is given."""
        self.seeding.cancel()
        self.dut.seed_valid.value = 0

    def key_string(self, key: bytes) -> bytes:
        """A key as the bus carries it: for a core in shares these, one after the other."""
        return split(key) if self.in_shares else key

    async def alarm(self, place: int = 0) -> None:
        """A generator of the core stands still, with no seed on offer; returns when the alarm is there."""
        self.no_seed()
        every = generators(self.dut.u_core)
        stop(every[place % len(every)])
        for _ in range(ALARM_CYCLES):
            if int(self.dut.alarm.value):
                return
            await RisingEdge(self.dut.clk)
        raise AssertionError("no alarm")


class Core(ABC):
    """One command at a time; `watch` is called in every cycle. A kind of core says what a command is."""

    #: Input channels of the kind but the seed's
    CHANNELS: tuple[str, ...] = ()
    #: Its valid outputs
    OUTPUTS: tuple[str, ...] = ()

    def __init__(self, dut: Any) -> None:
        self.dut, self.scheme = dut, os.environ["SCHEME"]
        self.key = b""
        self.watch: Any = lambda: None
        self.generators = generators(dut)

    @classmethod
    async def start(cls, dut: Any, seeded: bool = True) -> Any:
        core = cls(dut)
        cocotb.start_soon(Clock(dut.clk, 2, unit="ns").start())
        await core.reset()
        if seeded:
            await core.seed(random.getrandbits(160))
        return core

    async def reset(self) -> None:
        self.silence()
        for name in self.OUTPUTS:
            getattr(self.dut, f"{name}_ready").value = 1
        self.dut.rst.value = 1
        await FallingEdge(self.dut.clk)
        await FallingEdge(self.dut.clk)
        self.dut.rst.value = 0

    def silence(self) -> None:
        """Nothing on offer."""
        for name in ("seed", *self.CHANNELS):
            getattr(self.dut, f"{name}_valid").value = 0
        self.dut.clear.value = 0

    def zero_inputs(self) -> None:
        """Zeros on every input but the clock, for comparing snapshots of the core."""
        for handle in self.dut:
            name = handle._name
            if name.rpartition("_")[0] in ("seed", *self.CHANNELS) and not name.endswith("_ready"):
                handle.value = 0
        for name in self.OUTPUTS:
            getattr(self.dut, f"{name}_ready").value = 0

    async def cycle(self, count: int = 1) -> None:
        for _ in range(count):
            await FallingEdge(self.dut.clk)
            self.watch()

    async def offer(self, channel: str, **values: int) -> None:
        """What a channel carries, until it is taken."""
        for name, value in values.items():
            getattr(self.dut, f"{channel}_{name}").value = value
        getattr(self.dut, f"{channel}_valid").value = 1
        for _ in range(PATIENCE):
            await ReadOnly()
            ready = getattr(self.dut, f"{channel}_ready").value
            await self.cycle()
            if ready:
                getattr(self.dut, f"{channel}_valid").value = 0
                return
        raise AssertionError(f"{channel} is not taken within {PATIENCE} cycles")

    async def seed(self, value: int) -> None:
        await self.offer("seed", data=value)

    async def load_key(self, key: bytes) -> None:
        await self.load_shares(key, split(key))

    async def load_shares(self, key: bytes, shares: bytes) -> None:
        """A key in these shares."""
        self.key = key
        await self.offer("key", data=int.from_bytes(shares, "little"))

    async def beats(self, channel: str, text: bytes, end: bool = True) -> None:
        """The beats of a string of a command that was taken; without `end` none of them is the last."""
        width = len(self.dut.msg_data) // 8
        for at in range(0, len(text) or 1, width):
            part = text[at : at + width]
            data = int.from_bytes(part, "little")
            await self.offer(channel, data=data, bytes=len(part), last=int(end and at + width >= len(text)))

    async def flow(self, channel: str) -> None:
        """Beats of a string without end."""
        while True:
            await self.beats(channel, random.randbytes(64), end=False)

    @abstractmethod
    async def assert_works(self) -> None:
        """Messages under the key that was loaded go well, and forgeries do not."""

    async def assert_closed(self, cycles: int, busy: bool = False) -> None:
        """Whatever is on offer, nothing but a seed is taken, and nothing comes."""
        for name in self.CHANNELS:
            getattr(self.dut, f"{name}_valid").value = 1
        for _ in range(cycles):
            await ReadOnly()
            assert not [name for name in self.CHANNELS if getattr(self.dut, f"{name}_ready").value]
            assert not [name for name in self.OUTPUTS if getattr(self.dut, f"{name}_valid").value]
            assert self.dut.busy.value or not busy
            await self.cycle()
        for name in self.CHANNELS:
            getattr(self.dut, f"{name}_valid").value = 0

    async def stop(self, generator: Any) -> None:
        """A generator stands still; returns in the cycle in which the alarm rises."""
        stop(generator)
        for _ in range(ALARM_CYCLES):
            if self.dut.alarm.value:
                return
            await self.cycle()
        raise AssertionError("no alarm")

    async def assert_needs_seed_and_key(self) -> None:
        """Behind an alarm or a clear: works again with a seed, and then under a new key alone."""
        await self.seed(random.getrandbits(160))
        await self.cycle(60)
        assert not self.dut.alarm.value and self.dut.key_ready.value
        assert not self.dut.cmd_ready.value, "the key has outlived it"
        await self.load_key(random.randbytes(KEY_BYTES))
        await self.assert_works()


class Seen:
    """Words that stood on any wire of a core, but at its ports."""

    def __init__(self, core: Core) -> None:
        self.ports = [Port(handle) for handle in wires(core.dut.u_core, SECRET_BITS)]
        assert len(self.ports) > 60, "the scan does not see the inside of the core"
        self.words: set[int] = set()
        core.watch = self.look

    def look(self) -> None:
        for port in self.ports:
            value = port.get()
            self.words.update(value >> at & (1 << 64) - 1 for at in range(0, port.bits - 63, 64))


def assert_evenly_spread(values: Iterable[int], bits: int) -> None:
    """Each value comes once, and each bit about as often set as not: six standard deviations."""
    values = list(values)
    assert len(set(values)) == len(values)
    ones = [sum(value >> bit & 1 for value in values) for bit in range(bits)]
    far = 6 * (len(values) / 4) ** 0.5
    assert all(abs(count - len(values) / 2) < far for count in ones), ones


# ---- behaviours of both kinds ---------------------------------------------------------------------------------------


async def takes_nothing_before_a_seed(core: Core) -> None:
    """A core that was started without a seed."""
    await core.assert_closed(300)
    await core.seed(random.getrandbits(160))
    await core.load_key(random.randbytes(KEY_BYTES))
    await core.assert_works()
    for how in ("clear", "rst"):
        getattr(core.dut, how).value = 1
        await core.cycle()
        getattr(core.dut, how).value = 0
        await core.assert_closed(300)
        await core.assert_needs_seed_and_key()


async def takes_nothing_after_a_long_reset_before_a_seed(core: Core) -> None:
    """A core that was started with a seed. Its random bits outlast a clear, and serve no key any more."""
    for how in ("clear", "rst"):
        for cycles in (2, 3, 4, 17, 60):
            await core.load_key(random.randbytes(KEY_BYTES))
            await core.assert_works()
            getattr(core.dut, how).value = 1
            await core.cycle(cycles)
            getattr(core.dut, how).value = 0
            await core.assert_closed(100)
            await core.assert_needs_seed_and_key()
    for gap in (1, 5, 12, 30):
        for _ in range(2):
            core.dut.clear.value = 1
            await core.cycle()
            core.dut.clear.value = 0
            await core.cycle(gap)
        await core.assert_closed(100)
        await core.assert_needs_seed_and_key()


async def takes_one_seed_alone(core: Core) -> None:
    """A core that was started with a seed."""

    def watch() -> None:
        assert not core.dut.seed_ready.value, "a seed is taken beside the one in use"

    core.watch = watch
    core.dut.seed_valid.value = 1
    await core.load_key(random.randbytes(KEY_BYTES))
    await core.assert_works()
    await core.cycle(200)
    core.watch = lambda: None
    core.dut.seed_valid.value = 0


async def a_bad_seed_is_an_alarm_until_a_good_one_comes(core: Core) -> None:
    """A core that was started without a seed."""
    for key in (0, (1 << 80) - 1):
        await core.seed(random.getrandbits(80) << 80 | key)
        await core.cycle(3)
        assert core.dut.alarm.value and core.dut.busy.value
        await core.assert_closed(100, busy=True)
    await core.seed(random.getrandbits(160))
    await core.load_key(random.randbytes(KEY_BYTES))
    assert not core.dut.alarm.value
    await core.assert_works()


async def an_alarm_drops_what_is_under_way(core: Core, begin: Any, secrets: Iterable[Any]) -> None:
    """Whichever generator stands still while what `begin` began is under way, these registers are zero afterwards.

    `begin` returns the task that goes on with it, if any.
    """
    for generator in core.generators:
        await core.load_key(random.randbytes(KEY_BYTES))
        await core.assert_works()
        task = await begin()
        await core.stop(generator)
        if task:
            task.cancel()
            core.silence()
        assert core.dut.busy.value
        await core.cycle()  # in the first cycle what stood may still be taken
        await core.assert_closed(100, busy=True)
        assert core.dut.alarm.value
        assert not [secret._path for secret in secrets if secret.value.to_unsigned()]
        for name in core.OUTPUTS:
            getattr(core.dut, f"{name}_ready").value = 1
        await core.assert_needs_seed_and_key()
