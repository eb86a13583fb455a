# SPDX-License-Identifier: Apache-2.0
"""What an AEAD core must do, one behaviour a test.  Runs inside the simulation; test_behaviour.py starts it."""

from __future__ import annotations

import os
from typing import Any

import cocotb
from aead_bench import LOAD_AD, OPEN, PATIENCE, SEAL, Beat, Bench, Command, beats
from cocotb.triggers import RisingEdge
from sealwire_model.schemes import AD_BLOCK_BYTES, BLOCK_BYTES
from support.inside import snapshot

SCHEME = os.environ["SEALWIRE_SCHEME"]
BLOCK, AD_BLOCK = BLOCK_BYTES[SCHEME], AD_BLOCK_BYTES[SCHEME]
STALLS = ["none", "idle", "backpressure", "both"]
MSG_SIZES = [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK - 1, 2 * BLOCK, 2 * BLOCK + 1, 1000]
AD_SIZES = [0, 1, AD_BLOCK - 1, AD_BLOCK, AD_BLOCK + 1, 2 * AD_BLOCK - 1, 2 * AD_BLOCK, 2 * AD_BLOCK + 1, 700]
if "otr" in SCHEME:  # a chunk has two blocks, the last may have one
    MSG_SIZES += [BLOCK // 2 - 1, BLOCK // 2, BLOCK // 2 + 1, 3 * BLOCK // 2]
    AD_SIZES += [AD_BLOCK // 2 - 1, AD_BLOCK // 2, AD_BLOCK // 2 + 1, 3 * AD_BLOCK // 2]
LONG = bool(os.environ.get("SEALWIRE_EXHAUSTIVE"))
#: Longest message of a core that holds all of it before anything sealed leaves; 0: it does not
MAX_MSG = int(os.environ.get("SEALWIRE_MAX_MSG_BYTES") or 0)
#: HOLDS: nothing of a message that is opened leaves, either, before its tag is found right.
AD_CACHE, AD_WITH_MSG, COMPRESSOR, INTERLEAVED, AHEAD, HOLDS = (
    bool(os.environ.get(f"SEALWIRE_{name}"))
    for name in ("AD_CACHE", "AD_WITH_MSG", "COMPRESSOR", "INTERLEAVED", "AHEAD", "HOLDS")
)


async def check_seal(bench: Bench, nonce: bytes, ad: bytes, msg: bytes, *, cached: bool = False) -> tuple[bytes, bytes]:
    """Seal in the core and in the model; both must agree."""
    command = bench.seal(nonce, None if cached else ad, msg)
    await bench.finish(command)
    expected = bench.model().seal(nonce, ad, msg)
    assert command.ok and (command.out, command.tag) == expected, f"seal of {len(ad)} + {len(msg)} bytes"
    return expected


def assert_refused(command: Command) -> None:
    assert command.done and not command.ok and not any(command.tag)
    assert command.out_done or command.op not in (SEAL, OPEN), "out has no end"
    assert not (MAX_MSG and (HOLDS or command.op == SEAL) and command.out), "data although the command is refused"


async def assert_still_works(bench: Bench) -> None:
    """The core does an ordinary message correctly, whatever came before."""
    await check_seal(bench, bench.bytes(bench.nonce_len), bench.bytes(20), bench.bytes(150))


# ---- messages ---------------------------------------------------------------------------------------------------


@cocotb.test()
@cocotb.parametrize(stall=STALLS)
async def seals_and_opens_every_edge_size(dut: Any, stall: str) -> None:
    bench = await Bench.start(dut, stall=stall)
    model = bench.model()
    sizes = [(13, size) for size in MSG_SIZES] + [(size, 11) for size in AD_SIZES]
    if LONG:
        sizes = [(ad, msg) for ad in AD_SIZES for msg in MSG_SIZES]
    commands = []
    for index, (ad_size, msg_size) in enumerate(
        sizes
    ):  # all queued at once: messages follow each other without a pause
        nonce, ad, msg = bench.bytes(bench.nonce_len), bench.bytes(ad_size), bench.bytes(msg_size)
        ctx = index % bench.contexts
        ciphertext, tag = model.seal(nonce, ad, msg)
        commands.append((bench.seal(nonce, ad, msg, ctx), ciphertext, tag, ad_size))
        commands.append((bench.open(nonce, ad, ciphertext, tag, ctx), msg, bytes(bench.tag_len), ad_size))
    await bench.until(lambda: all(command.done for command, *_ in commands), 1000 * len(commands))
    for command, out, tag, ad_size in commands:
        assert command.ok, f"op {command.op} refuses {ad_size} + {len(out)} bytes"
        assert (command.out, command.tag) == (out, tag), f"op {command.op}, {ad_size} + {len(out)} bytes"
    await bench.finish()


@cocotb.test()
async def serves_a_random_mix_of_commands(dut: Any) -> None:
    bench = await Bench.start(dut, stall="both")
    model, cache, expected = bench.model(), None, []
    for _ in range(200 if LONG else 40):
        nonce, ad = bench.bytes(bench.nonce_len), bench.bytes(bench.random.choice((0, 5, 128, 300)))
        msg = bench.bytes(bench.random.choice((0, 3, 64, 70, 200)))
        cached = cache is not None and bench.random.random() < 0.4
        used = cache if cached else ad
        kind = bench.random.choice(("seal", "open", "forged", "load"))
        ciphertext, tag = model.seal(nonce, used, msg)
        if kind == "load":
            expected.append((bench.load_ad(ad), AD_CACHE, None, None))
            cache = ad if AD_CACHE else None
        elif kind == "seal":
            expected.append((bench.seal(nonce, None if cached else ad, msg), True, ciphertext, tag))
        else:
            forged = bytes([tag[0] ^ 1]) + tag[1:] if kind == "forged" else tag
            command = bench.open(nonce, None if cached else ad, ciphertext, forged)
            shown = model.open(nonce, used, ciphertext, forged)[0]  # Deoxys-II, COLM and COPA decrypt with the tag
            if HOLDS and kind == "forged":
                shown = b""
            expected.append((command, kind == "open", shown, bytes(bench.tag_len)))
    await bench.until(lambda: expected[-1][0].done, 1000 * len(expected))
    for index, (command, ok, out, tag) in enumerate(expected):
        assert command.ok == ok, index
        assert out is None or (command.out, command.tag) == (out, tag), index
    await bench.finish()


@cocotb.test()
async def takes_its_sources_in_any_order(dut: Any) -> None:
    bench = await Bench.start(dut)
    names = ["cmd", "ad", "msg", "tag_in"]
    for first in names:
        for last in names:
            if first == last:
                continue
            nonce, ad, msg = bench.bytes(bench.nonce_len), bench.bytes(140), bench.bytes(100)
            ciphertext, tag = bench.model().seal(nonce, ad, msg)
            for name in names:
                bench.sources[name].held = name != first
            command = bench.open(nonce, ad, ciphertext, tag)
            await bench.cycle(30)
            for name in names:
                bench.sources[name].held = name == last
            await bench.cycle(400)
            assert not command.done, f"done before {last} was offered"
            bench.sources[last].held = False
            await bench.finish(command)
            assert command.ok and command.out == msg, f"{first} first, {last} last"


@cocotb.test()
async def takes_no_data_before_its_command(dut: Any) -> None:
    bench = await Bench.start(dut)
    bench.sources["cmd"].held = True
    command = bench.open(bench.bytes(bench.nonce_len), b"ad", b"message", bytes(bench.tag_len))
    await bench.cycle(200)
    for name in ("ad", "msg", "tag_in"):
        assert bench.sources[name].taken == 0, name
    bench.sources["cmd"].held = False
    await bench.finish(command)
    assert_refused(command)


@cocotb.test()
async def holds_every_output_beat_until_it_is_taken(dut: Any) -> None:
    bench = await Bench.start(dut)
    nonce, msg = bench.bytes(bench.nonce_len), bench.bytes(200)
    bench.backpressure, bench.pause = True, 1.0
    bench.random.choice = lambda options: max(options)  # the longest pauses only
    await check_seal(bench, nonce, b"", msg)


@cocotb.test()
async def loses_nothing_of_a_long_message_when_its_receiver_stops(dut: Any) -> None:
    """Until the core takes no more: what has no room may not be begun."""
    bench = await Bench.start(dut)
    nonce, ad, msg = bench.bytes(bench.nonce_len), bench.bytes(20), bench.bytes(MAX_MSG or 2200)
    ciphertext, tag = bench.model().seal(nonce, ad, msg)
    source = bench.sources["msg"]
    for command in (bench.seal(nonce, ad, msg), bench.open(nonce, ad, ciphertext, tag)):
        bench.stopped = True
        await bench.until(lambda: bench.flag("out_valid"))
        taken = -1
        while taken != source.taken:
            taken = source.taken
            await bench.cycle(300)
        assert not command.out
        bench.stopped = False
        await bench.until(lambda command=command: command.done)
        assert command.ok and command.out == (msg if command.op == OPEN else ciphertext)
    await bench.finish()


# ---- what must be refused -----------------------------------------------------------------------------------------


async def forgeries(dut: Any, change: str) -> None:
    bench = await Bench.start(dut)
    for ad_size, msg_size in ((0, 1), (1, 0), (20, 64), (128, 65), (130, 200)):
        nonce, ad, msg = bench.bytes(bench.nonce_len), bench.bytes(ad_size), bench.bytes(msg_size)
        ciphertext, tag = bench.model().seal(nonce, ad, msg)
        strings = {"nonce": nonce, "ad": ad, "ciphertext": ciphertext, "tag": tag}
        length = len(strings[change])
        for place in sorted({0, length // 2, length - 1}) if length else []:
            changed = bytearray(strings[change])
            changed[place] ^= 1 << bench.random.randrange(8)
            forged = {**strings, change: bytes(changed)}
            command = bench.open(forged["nonce"], forged["ad"], forged["ciphertext"], forged["tag"])
            await bench.finish(command)
            assert_refused(command)
        good = bench.open(nonce, ad, ciphertext, tag)
        await bench.finish(good)
        assert good.ok and good.out == msg, "a forgery before spoils the good message"


@cocotb.test()
async def refuses_a_flipped_bit_in_the_tag(dut: Any) -> None:
    await forgeries(dut, "tag")


@cocotb.test()
async def refuses_a_flipped_bit_in_the_ciphertext(dut: Any) -> None:
    await forgeries(dut, "ciphertext")


@cocotb.test()
async def refuses_a_flipped_bit_in_the_ad(dut: Any) -> None:
    await forgeries(dut, "ad")


@cocotb.test()
async def refuses_a_flipped_bit_in_the_nonce(dut: Any) -> None:
    await forgeries(dut, "nonce")


@cocotb.test()
async def refuses_every_single_flipped_bit_of_the_tag(dut: Any) -> None:
    bench = await Bench.start(dut)
    nonce, msg = bench.bytes(bench.nonce_len), b"attack at dawn"
    ciphertext, tag = bench.model().seal(nonce, b"", msg)
    for bit in range(0, 8 * bench.tag_len, 1 if LONG else 7):
        forged = bytearray(tag)
        forged[bit // 8] ^= 1 << bit % 8
        command = bench.open(nonce, b"", ciphertext, bytes(forged))
        await bench.finish(command)
        assert_refused(command)


@cocotb.test()
async def refuses_a_truncated_or_extended_message(dut: Any) -> None:
    bench = await Bench.start(dut)
    nonce, ad, msg = bench.bytes(bench.nonce_len), bench.bytes(130), bench.bytes(130)
    ciphertext, tag = bench.model().seal(nonce, ad, msg)
    for cut in (0, 1, 64, 128, 129):
        command = bench.open(nonce, ad, ciphertext[:cut], tag)
        await bench.finish(command)
        assert_refused(command)
    for more in (ciphertext + b"\x80", ciphertext + bytes(62), ciphertext + b"\x80" + bytes(61)):
        command = bench.open(nonce, ad, more, tag)
        await bench.finish(command)
        assert_refused(command)
    for other in (b"", ad[:-1], ad[:128], ad + b"\x80", ad + b"\0"):
        command = bench.open(nonce, other, ciphertext, tag)
        await bench.finish(command)
        assert_refused(command)


@cocotb.test()
async def refuses_the_wrong_key(dut: Any) -> None:
    bench = await Bench.start(dut)
    nonce, msg = bench.bytes(bench.nonce_len), bench.bytes(90)
    ciphertext, tag = bench.model().seal(nonce, b"ad", msg)
    key = bench.key_bytes
    for place in (0, bench.key_len - 1):
        wrong = bytearray(key)
        wrong[place] ^= 0x40
        await bench.load_key(bytes(wrong))
        command = bench.open(nonce, b"ad", ciphertext, tag)
        await bench.finish(command)
        assert_refused(command)
    await bench.load_key(key)
    command = bench.open(nonce, b"ad", ciphertext, tag)
    await bench.finish(command)
    assert command.ok and command.out == msg


@cocotb.test()
async def refuses_an_unknown_operation(dut: Any) -> None:
    bench = await Bench.start(dut)
    command = bench.submit(3, bench.bytes(bench.nonce_len))
    await bench.finish(command)
    assert_refused(command)
    assert command.out_beats == 0
    await assert_still_works(bench)


def malformed(bench: Bench) -> dict[str, list[Beat]]:
    """Strings that the contract does not allow; the illegal beat comes after some good ones, data follow it."""
    width = bench.width
    good = beats(bench.bytes(9 * width), width)[:-1]
    end = Beat(bench.bytes(width), width, True)
    return {
        "short beat in the middle": [*good, Beat(bench.bytes(width - 1), width - 1, False), *good, end],
        "empty beat in the middle": [*good, Beat(b"", 0, False), *good, end],
        "empty first beat that is not the last": [Beat(b"", 0, False), *good, end],
        "empty last beat after data": [*good, Beat(b"", 0, True)],
        "more bytes than a beat has": [*good, Beat(bench.bytes(width), width + 1, False), *good, end],
        "more bytes than a beat has, last": [*good, Beat(bench.bytes(width), width + 1, True)],
        "two short beats": [Beat(b"x", 1, False), Beat(b"y", 1, False), end],
    }


@cocotb.test()
@cocotb.parametrize(stall=["none", "both"])
async def swallows_and_refuses_a_malformed_message(dut: Any, stall: str) -> None:
    bench = await Bench.start(dut, stall=stall)
    for name, string in malformed(bench).items():
        for op in (SEAL, OPEN):
            tag = bytes(bench.tag_len) if op == OPEN else None
            command = bench.submit(op, bench.bytes(bench.nonce_len), b"ad", string, tag)
            await bench.finish(command)
            assert_refused(command)
            assert len(command.out) <= 8 * bench.width, f"{name}: data after the refusal"
        await assert_still_works(bench)


@cocotb.test(skip=HOLDS)
async def the_output_has_an_end_when_a_malformed_beat_comes_late(dut: Any) -> None:
    """What was good is worked off by then, and nobody could know whether more of it follows."""
    bench = await Bench.start(dut)
    for blocks in (1, 2):
        for op in (OPEN,) if MAX_MSG else (SEAL, OPEN):
            good = beats(bench.bytes(blocks * BLOCK + bench.width), bench.width)[:-1]
            tag = bytes(bench.tag_len) if op == OPEN else None
            command = bench.submit(op, bench.bytes(bench.nonce_len), b"ad", good, tag)
            await bench.cycle(600)
            assert not command.out_done and not command.done, "an end before the message has one"
            bench.sources["msg"].queue += [Beat(b"x", 1, False), Beat(b"", 0, True)]
            await bench.finish(command)
            assert_refused(command)
            assert len(command.out) <= blocks * BLOCK
    await assert_still_works(bench)


@cocotb.test(skip=HOLDS)
@cocotb.parametrize(stall=["none", "both"])
async def what_goes_out_before_a_refusal_is_right(dut: Any, stall: str) -> None:
    """The work that is under way when the malformed beat comes is neither broken off nor spoiled."""
    bench = await Bench.start(dut, stall=stall)
    most = 4 * BLOCK // bench.width
    for op in (SEAL, OPEN):
        for count in bench.random.sample(range(1, most + 1), min(most, 10)):
            nonce, ad, msg = bench.bytes(bench.nonce_len), bench.bytes(20), bench.bytes(6 * BLOCK + 1)
            ciphertext, tag = bench.model().seal(nonce, ad, msg)
            given, expected = (msg, ciphertext) if op == SEAL else (ciphertext, msg)
            string = [*beats(given, bench.width)[:count], Beat(b"x", 1, False), Beat(b"", 0, True)]
            command = bench.submit(op, nonce, ad, string, tag if op == OPEN else None)
            await bench.finish(command)
            assert_refused(command)
            assert len(command.out) <= count * bench.width and expected.startswith(command.out), (
                f"op {op}, {count} beats"
            )


@cocotb.test(skip=HOLDS)
async def a_malformed_beat_after_a_pause_spoils_nothing(dut: Any) -> None:
    """It comes while the last good blocks are at any point of their way, and those before them have long been made."""
    bench = await Bench.start(dut)
    part = max(BLOCK, bench.width)
    for pause in range(0, 140, 20):
        for op in (OPEN,) if MAX_MSG else (SEAL, OPEN):
            nonce, ad, msg = bench.bytes(bench.nonce_len), bench.bytes(20), bench.bytes(3 * part)
            ciphertext, tag = bench.model().seal(nonce, ad, msg)
            given, expected = (msg, ciphertext) if op == SEAL else (ciphertext, msg)
            good, source = beats(given, bench.width), bench.sources["msg"]
            half = part // bench.width
            command = bench.submit(op, nonce, ad, good[:half], tag if op == OPEN else None)
            await bench.cycle(400)
            source.queue += good[half : 2 * half]
            await bench.cycle(pause)
            source.queue += [Beat(b"x", 1, False), Beat(b"", 0, True)]
            await bench.finish(command)
            assert_refused(command)
            assert len(command.out) <= 2 * part and expected.startswith(command.out), f"op {op}, pause {pause}"
    await assert_still_works(bench)


@cocotb.test()
@cocotb.parametrize(stall=["none", "both"])
async def swallows_and_refuses_malformed_ad(dut: Any, stall: str) -> None:
    bench = await Bench.start(dut, stall=stall)
    for name, string in malformed(bench).items():
        for op in (SEAL, OPEN, LOAD_AD):
            msg = None if op == LOAD_AD else bench.bytes(100)
            tag = bytes(bench.tag_len) if op == OPEN else None
            command = bench.submit(op, bench.bytes(bench.nonce_len), string, msg, tag)
            await bench.finish(command)
            assert_refused(command)
            # Taken together with the AD, message may go out as far as the AD was good.
            assert len(command.out) <= (8 * bench.width if AD_WITH_MSG else 0), f"{name}: data although the AD is bad"
        await assert_still_works(bench)


@cocotb.test()
async def refuses_an_empty_beat_after_whole_blocks_of_ad(dut: Any) -> None:
    # Where the next beat begins a block, and perhaps one of another size, it may look like an empty string.
    bench = await Bench.start(dut)
    for blocks in range(1, 6):
        for size in (0, 1, BLOCK, 2 * BLOCK):
            string = beats(bench.bytes(blocks * BLOCK), bench.width)
            string[-1].last = False
            string.append(Beat(b"", 0, True))
            command = bench.submit(SEAL, bench.bytes(bench.nonce_len), string, bench.bytes(size))
            await bench.finish(command)
            assert_refused(command)
            await assert_still_works(bench)


# ---- cores that hold the message -----------------------------------------------------------------------------------


@cocotb.test(skip=not MAX_MSG)
@cocotb.parametrize(stall=["none", "both"])
async def refuses_a_message_that_is_too_long(dut: Any, stall: str) -> None:
    bench = await Bench.start(dut, stall=stall)
    sizes = [MAX_MSG + 1, 2 * MAX_MSG]
    if LONG:
        sizes += [MAX_MSG + bench.width, MAX_MSG + bench.width + 1, 3 * MAX_MSG + 3]
    for size in sizes:
        for op in (SEAL, OPEN):
            tag = bench.bytes(bench.tag_len) if op == OPEN else None
            command = bench.submit(op, bench.bytes(bench.nonce_len), bench.bytes(20), bench.bytes(size), tag)
            await bench.finish(command)
            assert_refused(command)
            assert command.out_beats == 1 or not (HOLDS or op == SEAL)
            assert len(command.out) <= MAX_MSG
        await assert_still_works(bench)
    for size in (MAX_MSG, MAX_MSG - bench.width + 1) if LONG or stall == "none" else ():
        nonce, msg = bench.bytes(bench.nonce_len), bench.bytes(size)
        ciphertext, tag = await check_seal(bench, nonce, b"", msg)
        command = bench.open(nonce, b"", ciphertext, tag)
        await bench.finish(command)
        assert command.ok and command.out == msg, size
    full = beats(bench.bytes(MAX_MSG), bench.width)
    full[-1].last = False  # and an empty beat behind: neither room nor sense
    command = bench.submit(SEAL, bench.bytes(bench.nonce_len), b"", [*full, Beat(b"", 0, True)])
    await bench.finish(command)
    assert_refused(command)
    await assert_still_works(bench)


@cocotb.test(skip=not MAX_MSG)
async def refuses_a_malformed_message_before_its_tag_comes(dut: Any) -> None:
    bench = await Bench.start(dut)
    for string in malformed(bench).values():
        bench.sources["msg"].held = bench.sources["tag_in"].held = True
        command = bench.submit(OPEN, bench.bytes(bench.nonce_len), b"ad", string, bench.bytes(bench.tag_len))
        await bench.cycle(400)  # the MAC of the AD is done, nothing but the tag is waited for
        bench.sources["msg"].held = False
        await bench.until(lambda command=command: command.out_done, 1000)
        assert not command.done
        bench.sources["tag_in"].held = False
        await bench.finish(command)
        assert_refused(command)
    await assert_still_works(bench)


@cocotb.test(skip=not HOLDS)
async def shows_nothing_of_a_forged_message(dut: Any) -> None:
    # Not even on the wires of out while nothing is valid.
    bench = await Bench.start(dut)
    nonce, ad, msg = bench.bytes(bench.nonce_len), bench.bytes(20), bench.bytes(5 * BLOCK + 3)
    ciphertext, tag = bench.model().seal(nonce, ad, msg)
    for forged in (bytes([tag[0] ^ 1]) + tag[1:], bytes(bench.tag_len)):
        command = bench.open(nonce, ad, ciphertext, forged)
        while not command.done:
            assert int(dut.out_data.value) == 0, "data on the port"
            assert bench.cycles < 100000
            await RisingEdge(dut.clk)
        await bench.finish(command)
        assert_refused(command)
        good = bench.open(nonce, ad, ciphertext, tag)
        await bench.finish(good)
        assert good.ok and good.out == msg


@cocotb.test(skip=not MAX_MSG)
async def compares_every_bit_of_the_tag(dut: Any) -> None:
    # From outside, a compare that leaves bits out cannot be told: one wrong bit in the tag gives another message, which
    # has another tag. So the two registers are set by hand, while the core rests.
    bench = await Bench.start(dut)
    datapath = dut.u_core.u_datapath
    tag = int.from_bytes(bench.bytes(bench.tag_len), "little")
    for bit in [None, *range(8 * bench.tag_len)]:
        datapath.sum_q.value = tag
        datapath.iv_q.value = tag ^ (0 if bit is None else 1 << bit)
        await bench.cycle(2)
        assert bool(int(datapath.tag_equal.value)) == (bit is None), bit


@cocotb.test(skip=not MAX_MSG)
async def shows_nothing_before_the_last_beat_of_the_message(dut: Any) -> None:
    # Two passes: whatever depends on the message waits for all of it.
    bench = await Bench.start(dut)
    for op in (SEAL, OPEN) if HOLDS else (SEAL,):
        nonce, msg = bench.bytes(bench.nonce_len), bench.bytes(4 * BLOCK + 1)
        ciphertext, tag = bench.model().seal(nonce, b"", msg)
        string = beats(msg if op == SEAL else ciphertext, bench.width)
        last = string.pop()
        command = bench.submit(op, nonce, b"", string, tag if op == OPEN else None)
        await bench.cycle(2500)
        assert not bench.sources["msg"].queue and not command.out_beats, "out before the end of the message"
        bench.sources["msg"].queue.append(last)
        await bench.finish(command)
        assert command.ok and command.out == (ciphertext if op == SEAL else msg)


@cocotb.test(skip=not MAX_MSG)
async def a_repeated_nonce_shows_equality_and_nothing_else(dut: Any) -> None:
    bench = await Bench.start(dut)
    nonce, ad, size = bench.bytes(bench.nonce_len), bench.bytes(20), 3 * BLOCK
    first = bench.bytes(size)
    out, tag = await check_seal(bench, nonce, ad, first)
    assert await check_seal(bench, nonce, ad, first) == (out, tag)
    changes = [
        (ad, bytes([*first[:-1], first[-1] ^ 1])),
        (ad, bytes([first[0] ^ 0x80, *first[1:]])),
        (ad + b"x", first),
    ]
    for other_ad, other in changes:
        again, other_tag = await check_seal(bench, nonce, other_ad, other)
        assert other_tag != tag
        # No block of one ciphertext tells anything of the other: neither equal, nor their sum that of the messages.
        for at in range(0, size, BLOCK):
            one, two = (int.from_bytes(string[at : at + BLOCK], "big") for string in (out, again))
            sum_of_messages = int.from_bytes(first[at : at + BLOCK], "big") ^ int.from_bytes(
                other[at : at + BLOCK], "big"
            )
            assert one ^ two not in (0, sum_of_messages), at


@cocotb.test(skip=not MAX_MSG)
async def clear_wipes_the_stored_message_at_any_moment(dut: Any) -> None:
    bench = await Bench.start(dut)
    for attempt in range(40 if LONG else 6):
        nonce, msg = bench.bytes(bench.nonce_len), bench.bytes(400)
        ciphertext, tag = bench.model().seal(nonce, b"", msg)
        if attempt % 2:
            bench.open(nonce, b"", ciphertext, tag)
        else:
            bench.seal(nonce, b"", msg)
        await bench.until(lambda: bench.sources["msg"].taken > 0)
        await bench.cycle(bench.random.randrange(60, 1500))  # calls, both passes, the way out, rest
        size = min(8, bench.width)  # no more than a word of the store
        words = [string[at : at + size] for string in (msg, ciphertext) for at in range(0, 400, size)]
        texts = [f"{int.from_bytes(word, 'little'):0{8 * size}b}" for word in words]
        held = " ".join(snapshot(dut).values())
        assert any(text in held for text in texts), "the scan does not see the store"
        await bench.pulse("clear")
        await bench.until(lambda: not bench.flag("busy"), 1024)
        held = " ".join(snapshot(dut).values())
        left = [text for text in texts if text in held]
        assert not left, f"{len(left)} words of the message are left"
        await bench.load_key(bench.bytes(bench.key_len))
        await assert_still_works(bench)


# ---- the AD cache -------------------------------------------------------------------------------------------------


@cocotb.test(skip=AD_CACHE)
@cocotb.parametrize(stall=["none", "both"])
async def refuses_what_needs_a_cache_if_it_has_none(dut: Any, stall: str) -> None:
    bench = await Bench.start(dut, stall=stall)
    for size in AD_SIZES:
        load = bench.load_ad(bench.bytes(size))
        seal = bench.seal(bench.bytes(bench.nonce_len), None, bench.bytes(size))
        open_ = bench.open(bench.bytes(bench.nonce_len), None, bench.bytes(size), bytes(bench.tag_len))
        await bench.finish(load, seal, open_)
        for command in (load, seal, open_):
            assert_refused(command)
            assert command.out == b"" and command.out_beats == (command.op != LOAD_AD)
        await assert_still_works(bench)


@cocotb.test(skip=not AD_CACHE)
@cocotb.parametrize(stall=["none", "both"])
async def uses_the_cached_ad(dut: Any, stall: str) -> None:
    bench = await Bench.start(dut, stall=stall)
    for size in AD_SIZES:
        ad, nonce, msg = bench.bytes(size), bench.bytes(bench.nonce_len), bench.bytes(70)
        load = bench.load_ad(ad)
        await bench.finish(load)
        assert load.ok and load.out_beats == 0
        ciphertext, tag = await check_seal(bench, nonce, ad, msg, cached=True)
        good = bench.open(nonce, None, ciphertext, tag)
        bad = bench.open(nonce, None, ciphertext, bytes(bench.tag_len))
        await bench.finish(good, bad)
        assert good.ok and good.out == msg and not bad.ok


@cocotb.test()
async def refuses_the_cached_ad_before_one_is_loaded(dut: Any) -> None:
    bench = await Bench.start(dut)
    for op in (SEAL, OPEN):
        tag = bytes(bench.tag_len) if op == OPEN else None
        command = bench.submit(op, bench.bytes(bench.nonce_len), None, bench.bytes(100), tag, cached=True)
        await bench.finish(command)
        assert_refused(command)
        assert command.out == b""
    await assert_still_works(bench)


@cocotb.test()
async def forgets_the_cached_ad_with_a_new_key(dut: Any) -> None:
    bench = await Bench.start(dut)
    for same in (False, True):
        for loads in range(bench.contexts):
            await bench.finish(bench.load_ad(b"session", loads))
            await bench.load_key(bench.key_bytes if same else bench.bytes(bench.key_len))
            commands = [
                bench.seal(bench.bytes(bench.nonce_len), None, b"message", ctx) for ctx in range(bench.contexts)
            ]
            await bench.finish(*commands)
            for command in commands:
                assert_refused(command)
                assert command.out == b"", command.ctx


async def cached_commands_near_a_new_key(
    bench: Bench, op: int, lead: int, hand_over: int = 0, *, busy: bool = False
) -> tuple[int, set[int]]:
    """Offer a key to a core that has a cache, and `lead` cycles after the key is (or could be) taken cached commands.

    A command that is taken before the key gets the cache; on the very edge of the key, or after it, there is none.
    With `busy` a command is in flight, which the key waits for: `hand_over` cycles.  Returns how long the key waited,
    and how many cycles after the key each command was taken.
    """
    ad, msg, old, new = bench.bytes(20), bench.bytes(40), bench.model(), bench.bytes(bench.key_len)
    contexts = bench.random.sample(range(1, bench.contexts), bench.contexts - 1) or [0]
    await bench.finish(bench.load_ad(ad, contexts[0]))
    # Always of one context: where a context stands in its turn decides when it is done.
    first = [bench.seal(bench.bytes(bench.nonce_len), None, b"")] if busy else []
    await bench.until(lambda: all(command.taken_at >= 0 for command in first))
    begin, commands, sealed = bench.cycles, [], []
    for moment in range(min(0, hand_over + lead), max(0, hand_over + lead) + 1):
        if moment == 0:
            bench.offer_key(new)
        if moment == hand_over + lead:
            for ctx in contexts if op != LOAD_AD else contexts[:1]:
                nonce = bench.bytes(bench.nonce_len)
                sealed.append(old.seal(nonce, ad, msg))
                text, tag = (msg, None) if op == SEAL else sealed[-1]
                data = (ad, None, None) if op == LOAD_AD else (None, text, tag)
                commands.append(bench.submit(op, nonce, *data, cached=op != LOAD_AD, ctx=ctx))
        await bench.cycle()
    await bench.until(lambda: not bench.sources["key"].queue)
    await bench.finish(*first, *commands)
    for command, (ciphertext, tag) in zip(commands, sealed, strict=True):
        early = command.taken_at < bench.key_at
        what = f"op {op}, context {command.ctx}, taken {command.taken_at - bench.key_at} cycles after the key"
        if op == LOAD_AD:
            cached = bench.seal(bench.bytes(bench.nonce_len), None, msg, contexts[0])
            await bench.finish(cached)
            assert command.ok and cached.ok != early, what
            assert early or (cached.out, cached.tag) == bench.model().seal(cached.nonce, ad, msg), what
        elif early:
            assert command.ok and command.out == (ciphertext if op == SEAL else msg), what
            assert command.tag == (tag if op == SEAL else bytes(bench.tag_len)), what
        else:
            assert not command.ok and command.out == b"" and not any(command.tag), what
    return bench.key_at - begin, {command.taken_at - bench.key_at for command in commands}


#: Cycles before and after the edge on which a key is taken
AROUND = range(-3, 4)


@cocotb.test(skip=not AD_CACHE)
@cocotb.parametrize(op=[SEAL, OPEN, LOAD_AD])
async def a_cached_command_near_a_new_key_gets_no_old_ad(dut: Any, op: int) -> None:
    bench = await Bench.start(dut)
    seen = set()
    for lead in AROUND:
        seen |= (await cached_commands_near_a_new_key(bench, op, lead))[1]
    assert 0 in seen and min(seen) < 0 < max(seen), seen


@cocotb.test(skip=not AD_CACHE)
async def a_cached_command_near_a_new_key_that_waited_gets_no_old_ad(dut: Any) -> None:
    bench = await Bench.start(dut)
    far = PATIENCE // 10
    hand_over, _ = await cached_commands_near_a_new_key(bench, SEAL, far, busy=True)
    assert 3 < hand_over < far
    seen = set()
    for lead in AROUND:
        seen |= (await cached_commands_near_a_new_key(bench, SEAL, lead, hand_over, busy=True))[1]
    assert 0 in seen and min(seen) < 0 < max(seen), seen


@cocotb.test(skip=not AD_CACHE)
async def keeps_the_cached_ad_through_other_commands(dut: Any) -> None:
    bench = await Bench.start(dut)
    ad = bench.bytes(200)
    await bench.finish(bench.load_ad(ad))
    await check_seal(bench, bench.bytes(bench.nonce_len), b"other", b"message")
    nonce = bench.bytes(bench.nonce_len)
    ciphertext, tag = bench.model().seal(nonce, b"third", b"message")
    await bench.finish(bench.open(nonce, b"third", ciphertext, tag), bench.open(nonce, b"", ciphertext, tag))
    await bench.finish(bench.submit(SEAL, nonce, malformed(bench)["two short beats"], b"message"))
    await check_seal(bench, bench.bytes(bench.nonce_len), ad, b"message", cached=True)


@cocotb.test()
async def a_refused_load_leaves_no_half_made_cache(dut: Any) -> None:
    bench = await Bench.start(dut)
    ad = bench.bytes(200)
    await bench.finish(bench.load_ad(ad))
    refused = bench.load_ad(malformed(bench)["short beat in the middle"])
    await bench.finish(refused)
    assert_refused(refused)
    nonce = bench.bytes(bench.nonce_len)
    command = bench.seal(nonce, None, b"message")
    await bench.finish(command)
    if command.ok:  # either the old cache is whole, or there is none
        assert (command.out, command.tag) == bench.model().seal(nonce, ad, b"message")
    else:
        assert_refused(command)


# ---- keys, reset and clear ----------------------------------------------------------------------------------------


@cocotb.test()
async def takes_a_key_only_with_nothing_in_flight(dut: Any) -> None:
    bench = await Bench.start(dut)
    old = bench.key_bytes
    nonce, ad, msg = bench.bytes(bench.nonce_len), bench.bytes(300), bench.bytes(300)
    ciphertext, tag = bench.model().seal(nonce, ad, msg)
    bench.sources["tag_in"].held = True
    command = bench.open(nonce, ad, ciphertext, tag)
    await bench.until(lambda: bool(bench.flying))
    new = bench.bytes(bench.key_len)
    bench.offer_key(new)
    await bench.cycle(2000)
    assert bench.sources["key"].queue, "key taken while the command waits for its tag"
    bench.sources["tag_in"].held = False
    await bench.until(lambda: command.done)
    assert command.ok and command.out == msg, "the key on offer disturbs the command in flight"
    await bench.until(lambda: not bench.sources["key"].queue)
    assert old != new
    await assert_still_works(bench)


@cocotb.test()
async def a_command_waits_for_the_key(dut: Any) -> None:
    bench = await Bench.start(dut, key=b"")
    nonce, msg = bench.bytes(bench.nonce_len), bench.bytes(80)
    command = bench.seal(nonce, b"ad", msg)
    await bench.cycle(300)
    assert bench.sources["cmd"].queue and not bench.strays, "command taken without a key"
    bench.offer_key(bench.bytes(bench.key_len))
    await bench.finish(command)
    assert (command.out, command.tag) == bench.model().seal(nonce, b"ad", msg)


@cocotb.test()
async def key_and_command_offered_together_are_both_served(dut: Any) -> None:
    bench = await Bench.start(dut)
    old = bench.key_bytes
    nonce, msg = bench.bytes(bench.nonce_len), bench.bytes(80)
    new = bench.bytes(bench.key_len)
    bench.offer_key(new)
    command = bench.seal(nonce, b"ad", msg)
    await bench.finish(command)
    await bench.until(lambda: not bench.sources["key"].queue)
    either = [bench.model(key).seal(nonce, b"ad", msg) for key in (old, new)]
    assert command.ok and (command.out, command.tag) in either
    bench.key_bytes = new
    await bench.cycle(200)
    await assert_still_works(bench)


@cocotb.test(skip=not COMPRESSOR)
async def a_key_waits_for_the_call_of_a_refused_command(dut: Any) -> None:
    # The refusal itself does not wait for the call. Whether the compression function gets a key in the midst of work
    # shows inside alone: the results may be right by luck.
    bench = await Bench.start(dut)
    waited = 0
    for blocks, size in ((1, 0), (2, BLOCK), (3, 0), (4, BLOCK)):
        string = beats(bench.bytes(blocks * AD_BLOCK), bench.width)
        string[-1].last = False
        string.append(Beat(b"", 0, True))
        command = bench.submit(SEAL, bench.bytes(bench.nonce_len), string, bench.bytes(size))
        await bench.until(lambda command=command: command.taken_at >= 0)
        bench.offer_key(bench.bytes(bench.key_len))
        while bench.sources["key"].queue:
            await RisingEdge(dut.clk)
            ready = bool(int(dut.u_core.f_ready.value))
            assert ready or not (bench.flag("key_valid") and bench.flag("key_ready")), (
                "a new key in the midst of a call"
            )
            waited += not ready and not bench.flag("busy")
            assert bench.cycles < PATIENCE, "the key is not taken"
        await bench.finish(command)
        assert_refused(command)
        await assert_still_works(bench)
    assert waited, "no key came while a call was at work"


@cocotb.test()
@cocotb.parametrize(how=["rst", "clear"])
async def nothing_survives_a_reset_in_mid_message(dut: Any, how: str) -> None:
    bench = await Bench.start(dut)
    for _ in range(40 if LONG else 12):
        await bench.finish(bench.load_ad(b"session"))
        ad = bench.random.choice([None, b"", bench.bytes(300)])
        op = bench.random.choice([SEAL, OPEN])
        tag = bytes(bench.tag_len) if op == OPEN else None
        bench.submit(op, bench.bytes(bench.nonce_len), ad, bench.bytes(300), tag, cached=ad is None)
        await bench.until(lambda: bool(bench.flying))
        await bench.cycle(bench.random.randrange(1, 1400 if MAX_MSG else 700))
        await bench.pulse(how)
        await bench.until(lambda: not bench.flag("busy"), 1024)
        await bench.cycle(2 + bench.seed_cycles)
        assert bench.sources["key"].ready.get(), "what was under way still holds up the next key"
        # On offer from here on: a command that nothing has been promised to.
        waiting = bench.seal(bench.bytes(bench.nonce_len), b"", b"")
        await bench.cycle(200)
        assert not bench.strays, bench.strays
        assert bench.sources["cmd"].queue, "command taken without a key"
        bench.offer_key(bench.bytes(bench.key_len))
        await bench.finish(waiting)
        assert (waiting.out, waiting.tag) == bench.model().seal(waiting.nonce, b"", b"")
        cached = bench.seal(bench.bytes(bench.nonce_len), None, b"message")
        await bench.finish(cached)
        assert_refused(cached)
        await assert_still_works(bench)


@cocotb.test()
@cocotb.parametrize(how=["rst", "clear"])
async def shows_nothing_and_takes_nothing_while_clearing(dut: Any, how: str) -> None:
    bench = await Bench.start(dut)
    bench.seal(bench.bytes(bench.nonce_len), b"ad", bench.bytes(300))
    await bench.cycle(250)
    await bench.pulse(how)
    for cycle in range(1025):
        await RisingEdge(dut.clk)
        assert not bench.flag("out_valid") and not bench.flag("result_valid")
        if not bench.flag("busy"):
            break
        bench.assert_closed()
        assert cycle < 1024, "clearing takes more than 1024 cycles"


@cocotb.test()
async def clear_leaves_no_trace_of_key_or_data_in_any_register(dut: Any) -> None:
    # Two cores' lives that differ in every secret: after clear nobody may be able to tell them apart.
    seen = []
    for _ in range(2):
        bench = await Bench.start(dut)
        await bench.finish(bench.load_ad(bench.bytes(140)))
        nonce, msg = bench.bytes(bench.nonce_len), bench.bytes(100)
        ciphertext, tag = bench.model().seal(nonce, b"", msg)
        await bench.finish(bench.seal(nonce, None, msg), bench.open(nonce, b"", ciphertext, tag))
        bench.seal(nonce, bench.bytes(20), bench.bytes(300))
        await bench.cycle(150)
        await bench.pulse("clear")
        bench.withhold_seed()  # the next one's traces are no trace of this life
        await bench.until(lambda bench=bench: not bench.flag("busy"), 1024)
        assert not bench.flag("result_ok"), "the last verdict is left"
        bench.silence()
        await bench.cycle(4)
        seen.append(snapshot(dut))
        if len(seen) == 1:
            before = snapshot(dut)
            assert len(before) > 50, "the scan does not see the inside of the core"
    differ = [path for path, value in seen[0].items() if seen[1][path] != value]
    assert not differ, f"still different after clear: {differ}"


@cocotb.test(skip=INTERLEAVED or bool(MAX_MSG))
async def forgets_the_tag_that_an_opening_made(dut: Any) -> None:
    # The right tag of a forged message lets the next forgery through. A core that makes its tag of the message that it
    # deciphers makes another one here.
    bench = await Bench.start(dut)
    nonce, msg = bench.bytes(bench.nonce_len), bench.bytes(40)
    ciphertext, tag = bench.model().seal(nonce, b"ad", msg)
    forged = bench.open(nonce, b"ad", ciphertext, bytes([tag[0] ^ 1]) + tag[1:])
    await bench.finish(forged)
    assert_refused(forged)
    # Work that makes no tag: no other one takes the place of this one.
    await bench.load_key(bench.bytes(bench.key_len))
    refused = bench.seal(bench.bytes(bench.nonce_len), b"ad", malformed(bench)["empty last beat after data"])
    await bench.finish(refused)
    assert_refused(refused)
    text = f"{int.from_bytes(tag, 'little'):0{8 * len(tag)}b}"
    left = [path for path, value in snapshot(dut).items() if text in value]
    assert not left, f"the tag is in {left}"


@cocotb.test(skip=not AHEAD)
async def forgets_the_tags_of_packets_back_to_back(dut: Any) -> None:
    # A tag is overwritten between those that come; whichever cycle that is, each of them goes.
    bench = await Bench.start(dut)
    model, tags = bench.model(), []
    for _ in range(6):
        commands = []
        for _ in range(16):
            nonce, ad, msg = (bench.bytes(size) for size in (bench.nonce_len, 8, bench.random.choice((5, 20, 40, 64))))
            ciphertext, tag = model.seal(nonce, ad, msg)
            commands.append(bench.open(nonce, ad, ciphertext, bytes([tag[0] ^ 1]) + tag[1:]))
            tags.append(tag)
        await bench.finish(*commands)
        await bench.cycle(100)  # what still moves in the pipeline is none of these
        assert not any(command.ok for command in commands)
        texts, values = [f"{int.from_bytes(tag, 'little'):0{8 * len(tag)}b}" for tag in tags], snapshot(dut)
        left = [path for path, value in values.items() if any(text in value for text in texts)]
        assert not left, f"a tag is in {left}"
