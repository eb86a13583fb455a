# SPDX-License-Identifier: Apache-2.0
"""An AEAD core in shares, in cocotb: nothing without random bits or in their alarm, no key in one piece."""

from __future__ import annotations

import os
import random
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import cocotb
from sealwire_model.ascon_aead import VARIANTS
from sealwire_model.otr import Otr
from sealwire_model.primitives.aes import Aes
from sealwire_model.primitives.ascon import permute
from sealwire_model.schemes import model
from support import shares
from support.inside import snapshot

SEAL, OPEN = 0, 1
#: Memories of nonces, associated data, plaintext and ciphertext: what wipes them begins anew as long as an alarm lasts
PUBLIC_MEMORIES = ("u_again.mem", "u_awaited.mem", "u_store.mem")
#: Keys under which what stands in the core is counted
LOADS = 64


class Core(shares.Core):
    """What goes out and every result are noted as they are taken."""

    CHANNELS = ("key", "cmd", "ad", "msg", "tag_in")
    OUTPUTS = ("out", "result")

    def __init__(self, dut: Any) -> None:
        super().__init__(dut)
        self.nonce_len, self.tag_len = (len(port) // 8 for port in (dut.cmd_nonce, dut.tag_in_data))
        self.out, self.results = b"", list[tuple[bool, bytes]]()
        for name in ("cmd", "ad", "msg", "tag_in"):
            getattr(dut, f"{name}_ctx").value = 0

    async def cycle(self, count: int = 1) -> None:
        dut = self.dut
        for _ in range(count):
            await super().cycle()
            if dut.out_valid.value and dut.out_ready.value:
                self.out += int(dut.out_data.value).to_bytes(len(dut.out_data) // 8, "little")[
                    : int(dut.out_bytes.value)
                ]
            if dut.result_valid.value and dut.result_ready.value:
                self.results.append(
                    (bool(dut.result_ok.value), int(dut.result_tag.value).to_bytes(self.tag_len, "little"))
                )

    def model(self) -> Any:
        return model(self.scheme, self.key, self.tag_len, int(os.environ["VERSION"]))

    def nonce(self) -> bytes:
        return random.randbytes(self.nonce_len)

    async def command(self, op: int, nonce: bytes, ad: bytes, text: bytes | None) -> None:
        """A command and its strings, all but the tag; `text` None: no message yet."""
        self.out = b""
        self.results.clear()
        await self.offer("cmd", op=op, cached_ad=0, nonce=int.from_bytes(nonce, "little"))
        await self.beats("ad", ad)
        if text is not None:
            await self.beats("msg", text)

    async def give_tag(self, tag: bytes) -> None:
        await self.offer("tag_in", data=int.from_bytes(tag, "little"))

    async def run(self, nonce: bytes, ad: bytes, text: bytes, tag: bytes | None = None) -> tuple[bool, bytes, bytes]:
        """Seal, or open with a tag: ok, output and the tag of the result."""
        await self.command(SEAL if tag is None else OPEN, nonce, ad, text)
        if tag is not None:
            await self.give_tag(tag)
        for _ in range(shares.PATIENCE):
            await self.cycle()
            if self.results:
                await self.cycle()  # whose edge takes it
                ((ok, made),) = self.results
                return ok, self.out, made
        raise AssertionError("no result")

    async def assert_works(self) -> None:
        nonce, ad, text = self.nonce(), random.randbytes(random.randrange(40)), random.randbytes(random.randrange(80))
        sealed, tag = self.model().seal(nonce, ad, text)
        none = bytes(self.tag_len)
        assert await self.run(nonce, ad, text) == (True, sealed, tag)
        assert await self.run(nonce, ad, sealed, tag) == (True, text, none)
        assert await self.run(nonce, ad, sealed, bytes([*tag[:-1], tag[-1] ^ 1])) == (False, text, none)

    def key_halves(self) -> list[int]:
        """The key that stands in the core, each domain's share."""
        if "ascon" in self.scheme:
            return [int(self.dut.u_core.u_datapath.gen_domain[d].u_share.key_q.value) for d in (0, 1)]
        keys = [self.dut.u_core.u_aes.gen_domain[d].u_share.u_keys for d in (0, 1)]
        return [int(domain.upper_mem[0].value) << 64 | int(domain.lower_mem[0].value) for domain in keys]

    def secrets(self) -> Iterator[Any]:
        """Registers that hold shares, or what the key made: of the mode, and the round keys."""
        path = self.dut.u_core.u_datapath
        domains = [path.gen_domain[d].u_share for d in (0, 1)]
        if "ascon" in self.scheme:
            yield from (path.state_q, path.plain_q, path.joined_q, path.out_block, path.u_permutation.mask)
            yield from (getattr(domain, name) for domain in domains for name in ("key_q", "opened", "computed"))
            return
        names = ("aes_block", "opened", "term_q", "sum_q", "q_q", "cache_q", "computed")
        yield from (getattr(domain, name) for domain in domains for name in names)
        yield from (getattr(domain.u_masks, name) for domain in domains for name in ("mask", "first_q", "second_q"))
        for d in (0, 1):
            share = self.dut.u_core.u_aes.gen_domain[d].u_share
            yield from (share.state, share.result, share.add_q, share.mix_q, share.show_q)
            yield from (word for memory in (share.u_keys.lower_mem, share.u_keys.upper_mem) for word in memory)


# ---- the seed -------------------------------------------------------------------------------------------------------


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


# ---- the alarm ------------------------------------------------------------------------------------------------------


async def in_key_work(core: Core) -> Any:
    await core.load_key(random.randbytes(shares.KEY_BYTES))


async def at_rest(core: Core) -> Any:
    await core.cycle(2)


async def in_associated_data(core: Core) -> Any:
    await core.offer("cmd", op=SEAL, cached_ad=0, nonce=int.from_bytes(core.nonce(), "little"))
    return cocotb.start_soon(core.flow("ad"))


async def in_sealing(core: Core) -> Any:
    await core.command(SEAL, core.nonce(), random.randbytes(20), None)
    return cocotb.start_soon(core.flow("msg"))


async def in_opening(core: Core) -> Any:
    await core.command(OPEN, core.nonce(), random.randbytes(20), None)
    return cocotb.start_soon(core.flow("msg"))


async def while_output_waits(core: Core) -> Any:
    core.dut.out_ready.value = 0
    await core.command(SEAL, core.nonce(), random.randbytes(20), random.randbytes(20))
    while not core.dut.out_valid.value:
        await core.cycle()


async def while_a_tag_is_awaited(core: Core) -> Any:
    await core.command(OPEN, core.nonce(), random.randbytes(20), random.randbytes(50))


async def while_a_result_waits(core: Core) -> Any:
    core.dut.result_ready.value = 0
    await core.command(SEAL, core.nonce(), random.randbytes(20), random.randbytes(20))
    while not core.dut.result_valid.value:
        await core.cycle()


MOMENTS: tuple[Callable[[Core], Awaitable[Any]], ...] = (
    in_key_work, at_rest, in_associated_data, in_sealing, in_opening, while_output_waits, while_a_tag_is_awaited,
    while_a_result_waits,
)  # fmt: skip


async def alarm(dut: Any, moment: Callable[[Core], Awaitable[Any]]) -> None:
    core = await Core.start(dut)
    await shares.an_alarm_drops_what_is_under_way(core, lambda: moment(core), list(core.secrets()))


@cocotb.test()
async def an_alarm_in_key_work_forgets_the_key(dut: Any) -> None:
    await alarm(dut, in_key_work)


@cocotb.test()
async def an_alarm_at_rest_forgets_the_key(dut: Any) -> None:
    await alarm(dut, at_rest)


@cocotb.test()
async def an_alarm_in_associated_data_drops_the_command_and_forgets_key_and_state(dut: Any) -> None:
    await alarm(dut, in_associated_data)


@cocotb.test()
async def an_alarm_in_sealing_drops_the_command_and_forgets_key_and_state(dut: Any) -> None:
    await alarm(dut, in_sealing)


@cocotb.test()
async def an_alarm_in_opening_drops_the_command_and_forgets_key_and_state(dut: Any) -> None:
    await alarm(dut, in_opening)


@cocotb.test()
async def an_alarm_drops_output_that_waits(dut: Any) -> None:
    await alarm(dut, while_output_waits)


@cocotb.test()
async def an_alarm_drops_an_opening_that_waits_for_its_tag(dut: Any) -> None:
    await alarm(dut, while_a_tag_is_awaited)


@cocotb.test()
async def an_alarm_drops_a_result_that_waits(dut: Any) -> None:
    await alarm(dut, while_a_result_waits)


@cocotb.test()
async def an_alarm_leaves_no_trace_of_key_or_data_anywhere(dut: Any) -> None:
    # Two lives of a core that differ in every secret and every byte of data: nobody may tell them apart, as long as the
    # alarm lasts by registers and the memories that hold shares, and when it is over by anything.
    core, seed = await Core.start(dut, seeded=False), random.getrandbits(160)
    for moment in MOMENTS:
        during, after = [], []
        for _ in range(2):
            await core.cycle(60)
            await core.reset()
            await core.cycle(60)
            await core.seed(seed)
            await core.load_key(random.randbytes(shares.KEY_BYTES))
            await core.run(core.nonce(), random.randbytes(40), random.randbytes(70))
            await core.cycle(20)
            task = await moment(core)
            await core.stop(core.generators[0])
            if task:
                task.cancel()
            core.silence()
            core.zero_inputs()
            await core.cycle(40)
            seen = snapshot(dut)
            during.append({path: value for path, value in seen.items() if not path.endswith(PUBLIC_MEMORIES)})
            await core.seed(seed)
            core.zero_inputs()
            await core.cycle(100)
            after.append(snapshot(dut))
        for when, (one, other) in {"in": during, "after": after}.items():
            assert len(one) > 50, "the scan does not see the inside of the core"
            differ = [path for path, value in one.items() if other[path] != value]
            assert not differ, f"{moment.__name__}: still different {when} the alarm: {differ}"


# ---- the key --------------------------------------------------------------------------------------------------------


@cocotb.test()
async def a_key_is_taken_under_new_masks_each_time(dut: Any) -> None:
    # The halves at the port are the same each time, and one of them is the key itself.
    core = await Core.start(dut)
    for key in (bytes(shares.KEY_BYTES), b"\xff" * shares.KEY_BYTES):
        stood: list[list[int]] = [[], []]
        for _ in range(LOADS):
            await core.load_shares(key, key + bytes(shares.KEY_BYTES))
            await core.cycle(4)
            while dut.busy.value:
                await core.cycle()
            halves = core.key_halves()
            assert halves[0] ^ halves[1] == int.from_bytes(key, "little")
            for values, half in zip(stood, halves, strict=True):
                values.append(half)
        for values in stood:
            shares.assert_evenly_spread(values, 8 * shares.KEY_BYTES)
        await core.assert_works()


@cocotb.test()
async def half_a_key_says_nothing_of_what_it_seals(dut: Any) -> None:
    # Keys that have either half in common act like any others, and one key like itself whatever its halves are.
    core = await Core.start(dut)
    nonce, ad, text = core.nonce(), random.randbytes(20), random.randbytes(40)
    fixed, tags = random.randbytes(shares.KEY_BYTES), set()
    for turn in range(12):
        other = random.randbytes(shares.KEY_BYTES)
        key = bytes(a ^ b for a, b in zip(fixed, other, strict=True))
        await core.load_shares(key, fixed + other if turn % 2 else other + fixed)
        sealed, tag = core.model().seal(nonce, ad, text)
        assert await core.run(nonce, ad, text) == (True, sealed, tag)
        tags.add(tag)
    assert len(tags) == 12
    key = random.randbytes(shares.KEY_BYTES)
    for _ in range(4):
        await core.load_key(key)
        sealed, tag = core.model().seal(nonce, ad, text)
        assert await core.run(nonce, ad, text) == (True, sealed, tag)


def values_of_the_key(core: Core, nonce: bytes, ad: bytes, text: bytes) -> set[int]:
    """Words that tell the key, or the tag of a message: they stand nowhere but in shares."""
    key = core.key
    if "ascon" not in core.scheme:
        otr = Otr(key, "p", core.tag_len)
        return shares.words_of(*Aes(key).keys, otr.q, otr._mask(nonce, b""), otr.ad_tag(ad))
    # Of the first call the two words that the key is added to behind it, and these two of the last call, whose sum with
    # the key is the tag. All other words of the first call's outcome are the bare state.
    tag = core.model().seal(nonce, ad, text)[1]
    (low, high), words, ends = (
        [int.from_bytes(string[at : at + 8], "little") for at in (0, 8)] for string in (key, nonce, tag)
    )
    state = permute([VARIANTS[core.scheme].iv, low, high, *words], 12)
    return {low, high, *state[3:], low ^ ends[0], high ^ ends[1]}


@cocotb.test()
async def no_part_of_key_or_verified_tag_stands_in_one_piece(dut: Any) -> None:
    core = await Core.start(dut)
    nonce, ad, text = core.nonce(), random.randbytes(37), random.randbytes(70)
    key = random.randbytes(shares.KEY_BYTES)
    seen = shares.Seen(core).words
    await core.load_key(key)
    sealed, tag = core.model().seal(nonce, ad, text)
    secrets = values_of_the_key(core, nonce, ad, text) | shares.words_of(tag)
    assert await core.run(nonce, ad, sealed, bytes(core.tag_len)) == (False, text, bytes(core.tag_len))
    assert len(seen) > 1000 and not seen & secrets
    # Sealing shows its tag, and nothing else.
    assert await core.run(nonce, ad, text) == (True, sealed, tag)
    assert seen & secrets == shares.words_of(tag)
