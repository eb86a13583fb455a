# SPDX-License-Identifier: Apache-2.0
"""A MAC core in shares, in cocotb: nothing without random bits, and no secret in one piece inside."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from sealwire_model import macs
from sealwire_model.primitives.ascon import permute
from support import shares
from support.raw_port import Port


class Core(shares.Core):
    CHANNELS = ("key", "cmd", "msg", "tag_in")
    OUTPUTS = ("result",)

    async def run(self, text: bytes, tag: bytes | None = None) -> tuple[bool, bytes]:
        """Compute a tag, or verify one: ok, and the tag of the result."""
        await self.offer("cmd", verify=int(tag is not None))
        await self.beats("msg", text)
        if tag is not None:
            await self.offer("tag_in", data=int.from_bytes(tag, "little"))
        for _ in range(shares.PATIENCE):
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


@cocotb.test()
async def takes_nothing_before_a_seed(dut: Any) -> None:
    await shares.takes_nothing_before_a_seed(await Core.start(dut, seeded=False))


@cocotb.test()
async def takes_nothing_after_a_long_reset_before_a_seed(dut: Any) -> None:
    await shares.takes_nothing_after_a_long_reset_before_a_seed(await Core.start(dut))


@cocotb.test()
async def takes_one_seed_alone(dut: Any) -> None:
    await shares.takes_one_seed_alone(await Core.start(dut))


@cocotb.test()
async def a_bad_seed_is_an_alarm_until_a_good_one_comes(dut: Any) -> None:
    await shares.a_bad_seed_is_an_alarm_until_a_good_one_comes(await Core.start(dut, seeded=False))


@cocotb.test()
async def an_alarm_in_the_midst_of_a_command_drops_it_and_forgets_key_and_state(dut: Any) -> None:
    core = await Core.start(dut)

    async def begin() -> Any:
        await core.offer("cmd", verify=0)
        return cocotb.start_soon(core.flow("msg"))

    domains = [dut.u_core.u_datapath.gen_domain[d].u_share for d in (0, 1)]
    secrets = [register for share in domains for register in (share.key_q, share.state)]
    await shares.an_alarm_drops_what_is_under_way(core, begin, secrets)


@cocotb.test()
async def no_part_of_key_state_or_verified_tag_stands_in_one_piece(dut: Any) -> None:
    core = await Core.start(dut)
    key, text = random.randbytes(16), random.randbytes(70)
    tag = macs.tag(core.scheme, key, text)
    # The states behind and in front of the calls; what stands before the first is public but for the key.
    kind = macs.SPONGES[core.scheme.removesuffix("v13")]
    secrets = shares.words_of(key, tag)
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
    await core.load_key(key)
    seen = shares.Seen(core).words
    assert await core.run(text, bytes(16)) == (False, bytes(16))
    assert len(seen) > 1000 and not seen & secrets
    # A computation shows its tag, and nothing else.
    assert await core.run(text) == (True, tag)
    assert seen & secrets == shares.words_of(tag)


@cocotb.test()
async def every_word_between_calls_is_masked_anew_each_time(dut: Any) -> None:
    core = await Core.start(dut)
    await core.load_key(random.randbytes(16))
    states = [Port(dut.u_core.u_datapath.gen_domain[d].u_share.state) for d in (0, 1)]
    found: dict[tuple[int, int, int], list[int]] = {}
    runs = 20
    for _ in range(runs):
        cycle = 0

        def watch() -> None:
            nonlocal cycle
            cycle += 1
            for d, share in enumerate(states):
                value = share.get()
                for at in range(5):
                    if value:
                        found.setdefault((cycle, d, at), []).append(value >> 64 * at & (1 << 64) - 1)

        core.watch = watch
        assert (await core.run(bytes(40)))[0]
        core.watch = lambda: None
    assert len(found) >= 10 * 4
    assert not [place for place, values in found.items() if len(set(values)) != runs]
