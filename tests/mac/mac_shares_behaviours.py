# SPDX-License-Identifier: Apache-2.0
"""A MAC core in shares, in cocotb: nothing without random bits, and no secret in one piece inside."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from typing import Any

import cocotb
import mac_shares
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from sealwire_model import macs
from sealwire_model.primitives.ascon import permute
from support.raw_port import Port

PATIENCE = 600
SECRET_BITS = 64  # parts of a secret that are looked for
READYS = ("key", "cmd", "msg", "tag_in")


class Core:
    """One command at a time; `watch` is called in every cycle."""

    def __init__(self, dut: Any) -> None:
        self.dut, self.scheme = dut, os.environ["SCHEME"]
        self.key = b""
        self.watch: Any = lambda: None

    @classmethod
    async def start(cls, dut: Any, seeded: bool = True) -> Core:
        core = cls(dut)
        cocotb.start_soon(Clock(dut.clk, 2, unit="ns").start())
        for name in ("seed_valid", "key_valid", "cmd_valid", "msg_valid", "tag_in_valid", "clear"):
            getattr(dut, name).value = 0
        dut.result_ready.value = dut.rst.value = 1
        await FallingEdge(dut.clk)
        await FallingEdge(dut.clk)
        dut.rst.value = 0
        if seeded:
            await core.seed(random.getrandbits(160))
        return core

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
            await cocotb.triggers.ReadOnly()
            ready = getattr(self.dut, f"{channel}_ready").value
            await self.cycle()
            if ready:
                getattr(self.dut, f"{channel}_valid").value = 0
                return
        raise AssertionError(f"{channel} is not taken within {PATIENCE} cycles")

    async def seed(self, value: int) -> None:
        await self.offer("seed", data=value)

    async def load_key(self, key: bytes) -> None:
        self.key = key
        await self.offer("key", data=int.from_bytes(mac_shares.split(key), "little"))

    async def message(self, text: bytes) -> None:
        """Beats of the message of a command that was taken."""
        width = len(self.dut.msg_data) // 8
        for at in range(0, len(text) or 1, width):
            part = text[at : at + width]
            data = int.from_bytes(part, "little")
            await self.offer("msg", data=data, bytes=len(part), last=int(at + width >= len(text)))

    async def run(self, text: bytes, tag: bytes | None = None) -> tuple[bool, bytes]:
        """Compute a tag, or verify one: ok, and the tag of the result."""
        await self.offer("cmd", verify=int(tag is not None))
        await self.message(text)
        if tag is not None:
            await self.offer("tag_in", data=int.from_bytes(tag, "little"))
        for _ in range(PATIENCE):
            if self.dut.result_valid.value:
                result = bool(self.dut.result_ok.value), int(self.dut.result_tag.value).to_bytes(16, "little")
                await self.cycle()
                return result
            await self.cycle()
        raise AssertionError("no result")

    async def assert_works(self) -> None:
        text = random.randbytes(random.randrange(80))
        tag = macs.tag(self.scheme, self.key, text)
        assert await self.run(text) == (True, tag)
        assert await self.run(text, tag) == (True, bytes(16))
        assert await self.run(text, bytes([*tag[:-1], tag[-1] ^ 1])) == (False, bytes(16))

    async def assert_closed(self, cycles: int) -> None:
        """Whatever is on offer, nothing but a seed is taken."""
        for name in READYS:
            getattr(self.dut, f"{name}_valid").value = 1
        for _ in range(cycles):
            await cocotb.triggers.ReadOnly()
            assert not [name for name in READYS if getattr(self.dut, f"{name}_ready").value]
            assert not self.dut.result_valid.value
            await self.cycle()
        for name in READYS:
            getattr(self.dut, f"{name}_valid").value = 0


@cocotb.test()
async def takes_nothing_before_a_seed(dut: Any) -> None:
    core = await Core.start(dut, seeded=False)
    await core.assert_closed(300)
    await core.seed(random.getrandbits(160))
    await core.load_key(random.randbytes(16))
    await core.assert_works()
    for how in ("clear", "rst"):
        getattr(dut, how).value = 1
        await core.cycle()
        getattr(dut, how).value = 0
        await core.assert_closed(300)
        await core.seed(random.getrandbits(160))
        await core.cycle(40)
        assert not dut.cmd_ready.value, "the key has outlived it"
        await core.load_key(random.randbytes(16))
        await core.assert_works()


@cocotb.test()
async def takes_one_seed_alone(dut: Any) -> None:
    core = await Core.start(dut)
    dut.seed_valid.value = 1
    await core.load_key(random.randbytes(16))
    for _ in range(200):
        await core.cycle()
        assert not dut.seed_ready.value


@cocotb.test()
async def a_bad_seed_is_an_alarm_until_a_good_one_comes(dut: Any) -> None:
    core = await Core.start(dut, seeded=False)
    for key in (0, (1 << 80) - 1):
        await core.seed(random.getrandbits(80) << 80 | key)
        await core.cycle(3)
        assert dut.alarm.value and dut.busy.value
        await core.assert_closed(100)
    await core.seed(random.getrandbits(160))
    await core.load_key(random.randbytes(16))
    assert not dut.alarm.value
    await core.assert_works()


def _wires(dut: Any) -> Iterator[Any]:
    """Everything of the core that is wide enough to hold a part of a secret, but what is at its ports."""

    def visit(handle: Any) -> Iterator[Any]:
        try:
            children = list(handle) if not hasattr(handle, "value") else []
            if not children and len(handle) >= SECRET_BITS:
                yield handle
        except (TypeError, ValueError, AttributeError):
            children = []
        for child in children:
            yield from visit(child)

    yield from visit(dut.u_core)


@cocotb.test()
async def an_alarm_in_the_midst_of_a_command_drops_it_and_forgets_key_and_state(dut: Any) -> None:
    core = await Core.start(dut)
    secrets = [dut.u_core.u_datapath.gen_domain[d].u_share for d in (0, 1)]
    for generator in range(3):
        await core.load_key(random.randbytes(16))
        await core.assert_works()
        await core.offer("cmd", verify=0)
        await core.message(random.randbytes(32))
        trivium = dut.u_core.u_random.u_words.gen_word[generator].u_trivium
        for part in (trivium.a, trivium.b, trivium.c):
            part.value = 0  # from here on it gives zeros
        for cycle in range(200):
            assert cycle < 199, "no alarm"
            assert not dut.result_valid.value or cycle < 130, "a result with random bits that stand still"
            if dut.alarm.value:
                break
            await core.cycle()
        assert dut.busy.value
        await core.assert_closed(30)
        for share in secrets:
            assert not share.key_q.value.to_unsigned() and not share.state.value.to_unsigned()
        await core.seed(random.getrandbits(160))
        await core.cycle(60)
        assert not dut.alarm.value and dut.key_ready.value and not dut.cmd_ready.value
        await core.load_key(random.randbytes(16))
        await core.assert_works()


def _words(*strings: bytes) -> set[int]:
    return {int.from_bytes(one[at : at + 8], "little") for one in strings for at in range(0, len(one), 8)}


@cocotb.test()
async def no_part_of_key_state_or_verified_tag_stands_in_one_piece(dut: Any) -> None:
    core = await Core.start(dut)
    ports = [Port(handle) for handle in _wires(dut)]
    assert len(ports) > 60, "the scan does not see the inside of the core"
    key, text = random.randbytes(16), random.randbytes(70)
    tag = macs.tag(core.scheme, key, text)
    # The states behind and in front of the calls; what stands before the first is public but for the key.
    kind = macs.SPONGES[core.scheme.removesuffix("v13")]
    secrets = _words(key, tag)
    state = [kind.iv(True), *(int.from_bytes(key[at : at + 8], "little") for at in (0, 8)), 0, 0]
    block = kind.rate // 8
    padded = text + b"\1" + bytes(-(len(text) + 1) % block)
    blocks = [padded[at : at + block] for at in range(0, len(padded), block)]
    for number in range(len(blocks) + 1):
        state = permute(state, 12)
        secrets |= set(state)
        if number < len(blocks):
            for at in range(0, block, 8):
                state[at // 8] ^= int.from_bytes(blocks[number][at : at + 8], "little")
            state[4] ^= (number + 1 == len(blocks)) << 63
            secrets |= set(state)
    assert tag == b"".join(word.to_bytes(8, "little") for word in state[:2])
    seen: set[int] = set()

    def watch() -> None:
        for port in ports:
            value = port.get()
            seen.update(value >> at & (1 << 64) - 1 for at in range(0, port.bits - 63, 64))

    await core.load_key(key)
    core.watch = watch
    assert await core.run(text, bytes(16)) == (False, bytes(16))
    assert len(seen) > 1000 and not seen & secrets
    # A computation shows its tag, and nothing else.
    assert await core.run(text) == (True, tag)
    assert seen & secrets == _words(tag)


@cocotb.test()
async def every_word_between_calls_is_masked_anew_each_time(dut: Any) -> None:
    core = await Core.start(dut)
    await core.load_key(random.randbytes(16))
    shares = [Port(dut.u_core.u_datapath.gen_domain[d].u_share.state) for d in (0, 1)]
    found: dict[tuple[int, int, int], list[int]] = {}
    runs = 20
    for _ in range(runs):
        cycle = 0

        def watch() -> None:
            nonlocal cycle
            cycle += 1
            for d, share in enumerate(shares):
                value = share.get()
                for at in range(5):
                    if value:
                        found.setdefault((cycle, d, at), []).append(value >> 64 * at & (1 << 64) - 1)

        core.watch = watch
        assert (await core.run(bytes(40)))[0]
        core.watch = lambda: None
    assert len(found) >= 10 * 4
    assert not [place for place, values in found.items() if len(set(values)) != runs]
