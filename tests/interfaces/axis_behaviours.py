# SPDX-License-Identifier: Apache-2.0
"""What an AEAD core behind AXI4-Stream must do, one behaviour a test; test_axis.py starts it."""

from __future__ import annotations

import os
import random
from pathlib import Path

import cocotb
from axis_bench import (
    AD_TOO_LONG,
    BAD_COMMAND,
    BAD_KEY,
    BAD_STREAM,
    CACHED,
    CORE_REFUSE,
    KEY,
    LOAD_AD,
    NO_AD,
    NO_MSG,
    NOT_AUTH,
    OK,
    OPEN,
    SEAL,
    TOO_LONG,
    TOO_SHORT,
    Bench,
    Status,
    beats,
    lanes,
)
from cocotb.triggers import RisingEdge
from sealwire_model.answers import parse

SIZES = [0, 1, 7, 8, 9, 31, 32, 33, 63, 64, 65, 127, 128, 129, 300]


@cocotb.test()
async def replays_known_answers(dut):
    records = parse(Path(os.environ["VECTORS"])).aead
    room = min(700, int(os.environ["PACKET_BYTES"]) - int(os.environ["TAG_BITS"]) // 8 - 8)
    records = [record for record in records if len(record.plaintext) <= room]
    chosen = random.sample(records, min(int(os.environ["RECORDS"]), len(records)))
    bench = await Bench.start(dut, key=False)
    for key in dict.fromkeys(record.key for record in chosen):
        await bench.load_key(key)
        expected = []
        for record in chosen:
            if record.key != key:
                continue
            sealed = record.sealed(bench.tag_len)
            assert sealed is not None
            bench.submit(SEAL, record.nonce, record.ad, record.plaintext)
            bench.submit(OPEN, record.nonce, record.ad, sealed)
            expected += [sealed, record.plaintext]
        found, packets = await bench.outcome(len(expected))
        assert packets == expected and all(status.code == OK for status in found)


async def mixed_traffic(dut, pace):
    """Every size, good and forged, queued at once: packets follow each other without a pause."""
    bench = await Bench.start(dut, pace)
    expected, codes = [], []
    sizes = [(random.choice(SIZES), size) for size in SIZES] + [(size, random.choice(SIZES)) for size in SIZES]
    for ad_size, size in sizes:
        nonce, ad, msg = bench.nonce(), random.randbytes(ad_size), random.randbytes(size)
        sealed = bench.sealed(nonce, ad, msg)
        flags = NO_AD if not ad and random.random() < 0.5 else 0
        kind = random.choice(("seal", "open", "forged"))
        given = {"seal": msg, "open": sealed, "forged": bytes([sealed[0] ^ 1]) + sealed[1:]}[kind]
        if kind == "seal" and not msg and random.random() < 0.5:
            flags |= NO_MSG
        bench.submit(
            SEAL if kind == "seal" else OPEN,
            nonce,
            None if flags & NO_AD else ad,
            None if flags & NO_MSG else given,
            flags,
        )
        codes.append(NOT_AUTH if kind == "forged" else OK)
        if kind != "forged":
            expected.append(sealed if kind == "seal" else msg)
    found, packets = await bench.outcome(len(sizes))
    assert [status.code for status in found] == codes and packets == expected


@cocotb.test()
async def serves_mixed_traffic_without_stalls(dut):
    await mixed_traffic(dut, "none")


@cocotb.test()
async def serves_mixed_traffic_with_idle_sources(dut):
    await mixed_traffic(dut, "idle")


@cocotb.test()
async def serves_mixed_traffic_under_back_pressure(dut):
    await mixed_traffic(dut, "backpressure")


@cocotb.test()
async def serves_mixed_traffic_under_both(dut):
    await mixed_traffic(dut, "both")


@cocotb.test()
async def releases_nothing_of_a_forgery(dut):
    bench = await Bench.start(dut)
    for size in (0, 20, 64, 130):
        nonce, ad, msg = bench.nonce(), random.randbytes(40), random.randbytes(size)
        good = {"nonce": nonce, "ad": ad, "sealed": bench.sealed(nonce, ad, msg)}
        places = [("nonce", 0), ("ad", 0), ("ad", 39), ("sealed", size), ("sealed", size + bench.tag_len - 1)]
        places += [("sealed", 0), ("sealed", size - 1)] if size else []
        for which, place in places:
            changed = bytearray(good[which])
            changed[place] ^= 1 << random.randrange(8)
            forged = {**good, which: bytes(changed)}
            bench.submit(OPEN, forged["nonce"], forged["ad"], forged["sealed"])
            await bench.refused(NOT_AUTH, OPEN)
        bench.submit(OPEN, *good.values())
        _, packets = await bench.outcome()
        assert packets == [msg]


@cocotb.test()
async def releases_nothing_of_a_truncated_or_extended_message(dut):
    bench = await Bench.start(dut)
    nonce, ad, msg = bench.nonce(), b"ad", random.randbytes(70)
    sealed = bench.sealed(nonce, ad, msg)
    for length in (0, 1, 8, bench.tag_len - 1):
        bench.submit(OPEN, nonce, ad, sealed[:length])
        await bench.refused(TOO_SHORT, OPEN)
    for other in (sealed[: bench.tag_len], sealed[:-1], sealed[1:], sealed[:-8], sealed + b"\0", sealed + bytes(64)):
        bench.submit(OPEN, nonce, ad, other)
        await bench.refused(NOT_AUTH, OPEN)
    await bench.still_works()


@cocotb.test()
async def shows_nothing_while_the_tag_is_missing(dut):
    bench = await Bench.start(dut)
    nonce, msg = bench.nonce(), random.randbytes(400)
    *most, end = beats(bench.sealed(nonce, b"", msg), bench.width)
    bench.submit(OPEN, nonce, b"", most)
    for _ in range(1000):
        await RisingEdge(dut.clk)
        assert not int(dut.m_axis_tvalid.value) and not int(dut.m_axis_status_tvalid.value)
    bench.send("msg", [end])
    found, packets = await bench.outcome()
    assert found == [Status(OK, OPEN, 400)] and packets == [msg]


def malformed(width: int) -> dict[str, list]:
    """Packets with a tkeep that is not allowed, data after it."""
    full, fill = (1 << width) - 1, random.randbytes(width)
    good, end = lanes(fill, full, False, width), lanes(fill, full, True, width)
    return {
        "hole": [good, lanes(fill, full & ~2, False, width), good, end],
        "hole in the last beat": [good, lanes(fill, 5, True, width)],
        "not from byte 0": [lanes(fill, full - 1, True, width)],
        "short beat in the middle": [good, lanes(fill, full >> 1, False, width), good, end],
        "empty beat in the middle": [good, lanes(fill, 0, False, width), end],
        "empty first beat of several": [lanes(fill, 0, False, width), end],
        "empty beat at the end": [good, lanes(fill, 0, True, width)],
    }


async def malformed_streams(dut, pace):
    bench = await Bench.start(dut, pace)
    for packet in malformed(bench.width).values():
        for op in (SEAL, OPEN):
            bench.submit(op, bench.nonce(), packet, random.randbytes(100))
            await bench.refused(BAD_STREAM, op)
            bench.submit(op, bench.nonce(), b"ad", packet)
            await bench.refused(BAD_STREAM, op)
        bench.submit(LOAD_AD, bench.nonce(), packet, None)
        await bench.refused(BAD_STREAM, LOAD_AD)
    await bench.still_works()


@cocotb.test()
async def refuses_malformed_packets(dut):
    await malformed_streams(dut, "none")


@cocotb.test()
async def refuses_malformed_packets_under_stalls(dut):
    await malformed_streams(dut, "both")


@cocotb.test()
async def a_malformed_packet_is_not_held_against_the_next_that_comes_late(dut):
    bench = await Bench.start(dut)
    ad, msg = random.randbytes(20), random.randbytes(100)
    for packet in malformed(bench.width).values():
        for bad_ad, bad_msg in ((packet, msg), (ad, packet)):
            bench.submit(SEAL, bench.nonce(), bad_ad, bad_msg)
            await bench.refused(BAD_STREAM, SEAL)
            nonce = bench.nonce()
            bench.command(SEAL, nonce)
            await bench.cycle(50)  # the command has begun, and nothing has come since what was malformed
            bench.send("ad", ad)
            bench.send("msg", msg)
            assert await bench.outcome() == ([Status(OK, SEAL, 100 + bench.tag_len)], [bench.sealed(nonce, ad, msg)])
            bench.submit(SEAL, nonce, bad_ad, bad_msg)
            await bench.refused(BAD_STREAM, SEAL)
            bench.submit(SEAL, nonce, None, None, NO_AD | NO_MSG)
            assert await bench.outcome() == ([Status(OK, SEAL, bench.tag_len)], [bench.sealed(nonce, b"", b"")])


@cocotb.test()
async def refuses_a_wrong_command(dut):
    bench = await Bench.start(dut)
    nonce, ad, msg = bench.nonce(), random.randbytes(20), random.randbytes(90)
    for op in (SEAL, OPEN):  # their packets are swallowed
        head = bytes([op, 0]) + bytes(6)
        for word in (head + nonce[:-1], head + nonce + b"x", head, head[:2], head + nonce + bytes(200)):
            bench.send("cmd", word)
            bench.send("ad", ad)
            bench.send("msg", msg)
            await bench.refused(BAD_COMMAND, op)
        for at, value in ((1, 8), (1, 128), (2, 1), (7, 1)):
            word = bytearray(head + nonce)
            word[at] = value
            bench.send("cmd", bytes(word))
            bench.send("ad", ad)
            bench.send("msg", msg)
            await bench.refused(BAD_COMMAND, op)
    for op, flags in ((3, 0), (255, 0), (SEAL, CACHED | NO_AD | NO_MSG), (LOAD_AD, CACHED)):
        bench.command(op, nonce, flags)  # without packets
        await bench.refused(BAD_COMMAND, op)
    bench.command(LOAD_AD, nonce, NO_AD | NO_MSG)
    await bench.refused(BAD_COMMAND, LOAD_AD)
    bench.command(OPEN, nonce, NO_AD | NO_MSG)
    await bench.refused(BAD_COMMAND, OPEN)
    for word in (b"", b"\0"):  # too short to say what it is: no packets belong to it
        bench.send("cmd", word)
        await bench.refused(BAD_COMMAND, 255)
    for name, packet in malformed(bench.width).items():
        head_there = packet[0][1] == (1 << bench.width) - 1
        if not head_there:
            bench.send("cmd", packet)
            found, packets = await bench.outcome()
            assert found == [Status(BAD_COMMAND, 255, 0)] and not packets, name
    await bench.still_works()


@cocotb.test()
async def refuses_a_wrong_key_and_waits_for_a_good_one(dut):
    bench = await Bench.start(dut)
    key, nonce, msg = bench.key_string(bench.key), bench.nonce(), random.randbytes(90)
    sealed = bench.sealed(nonce, b"", msg)
    wrong = [key[:-1], key + b"\0", key + key, b"", b"\1", *malformed(bench.width).values()]
    for packet in wrong:
        bench.send("key", packet)
        await bench.refused(BAD_KEY, KEY)
    bench.submit(OPEN, nonce, b"", sealed)
    await bench.cycle(1000)
    assert not bench.status_sink.beats and not bench.out.beats, "a command ran without a key"
    bench.send("key", key)
    found, packets = await bench.outcome(2)
    assert found == [Status(OK, KEY, 0), Status(OK, OPEN, 90)] and packets == [msg]


@cocotb.test()
async def uses_the_new_key_after_a_change(dut):
    bench = await Bench.start(dut)
    for _ in range(4):
        nonce, msg = bench.nonce(), random.randbytes(90)
        old = bench.sealed(nonce, b"", msg)
        await bench.load_key(random.randbytes(bench.key_len))
        bench.submit(OPEN, nonce, b"", old)
        await bench.refused(NOT_AUTH, OPEN)
        await bench.still_works()


@cocotb.test()
async def uses_the_cached_ad(dut):
    bench = await Bench.start(dut)
    nonce, ad, msg = bench.nonce(), random.randbytes(140), random.randbytes(70)
    if not bench.cache:
        bench.submit(LOAD_AD, nonce, ad, None)
        await bench.refused(CORE_REFUSE, LOAD_AD)
        return
    for op, code in ((SEAL, CORE_REFUSE), (OPEN, NOT_AUTH)):
        bench.submit(op, nonce, None, random.randbytes(100), CACHED)
        await bench.refused(code, op)
    for cached in (ad, b""):
        bench.submit(LOAD_AD, nonce, cached or None, None, 0 if cached else NO_AD)
        sealed = bench.sealed(nonce, cached, msg)
        bench.submit(SEAL, nonce, None, msg, CACHED)
        bench.submit(OPEN, nonce, None, sealed, CACHED)
        found, packets = await bench.outcome(3)
        assert [status.code for status in found] == [OK] * 3 and packets == [sealed, msg]


@cocotb.test()
async def a_failed_load_leaves_the_cache_as_it_was(dut):
    bench = await Bench.start(dut)
    nonce, ad, msg = bench.nonce(), random.randbytes(140), random.randbytes(70)
    if not bench.cache:
        return
    bench.submit(LOAD_AD, nonce, ad, None)
    assert [status.code for status in (await bench.outcome(1))[0]] == [OK]
    bad = [(packet, BAD_STREAM) for packet in malformed(bench.width).values()]
    if bench.ad_limit:
        bad.append((random.randbytes(bench.ad_limit + 1), AD_TOO_LONG))
    for packet, code in bad:
        bench.submit(LOAD_AD, nonce, packet, None)
        await bench.refused(code, LOAD_AD)
        bench.submit(SEAL, nonce, None, msg, CACHED)
        found, packets = await bench.outcome(1)
        assert found[0].code == OK and packets == [bench.sealed(nonce, ad, msg)]


@cocotb.test()
async def refuses_a_packet_longer_than_the_store(dut):
    bench = await Bench.start(dut)
    nonce = bench.nonce()
    room = bench.packet - -(-bench.tag_len // 8) * 8  # whole beats of ciphertext, of tag
    for extra in (1, 8, 9, 3 * bench.packet):
        msg = random.randbytes(bench.packet + extra)
        bench.submit(OPEN, nonce, b"", bench.sealed(nonce, b"", msg))
        await bench.refused(TOO_LONG, OPEN)
        bench.submit(SEAL, nonce, b"", msg[: room + extra])
        await bench.refused(TOO_LONG, SEAL)
    msg = random.randbytes(bench.packet)
    bench.submit(OPEN, nonce, b"", bench.sealed(nonce, b"", msg))
    bench.submit(SEAL, nonce, b"", msg[:room])
    found, packets = await bench.outcome(2)
    assert [status.code for status in found] == [OK, OK]
    assert packets == [msg, bench.sealed(nonce, b"", msg[:room])]


@cocotb.test()
async def takes_all_of_the_ad_before_the_message(dut):
    """A master with one engine sends AD, then message, also to a core that takes both in step."""
    bench = await Bench.start(dut)
    if not bench.ad_limit:
        return
    for size in (0, 1, bench.ad_limit - 1, bench.ad_limit):
        nonce, ad, msg = bench.nonce(), random.randbytes(size), random.randbytes(100)
        bench.submit(SEAL, nonce, ad, None)
        await bench.until(lambda: not bench.sources["ad"].queue)
        bench.send("msg", msg)
        found, packets = await bench.outcome()
        assert found[0].code == OK and packets == [bench.sealed(nonce, ad, msg)]
    for size in (bench.ad_limit + 1, bench.ad_limit + 8, bench.ad_limit + 9, 3 * bench.ad_limit):
        for op in (SEAL, OPEN):
            bench.submit(op, bench.nonce(), random.randbytes(size), random.randbytes(100))
            await bench.refused(AD_TOO_LONG, op)
    await bench.still_works()


@cocotb.test()
async def keeps_the_order_of_packets_of_all_lengths(dut):
    """Long ones among short ones, forgeries among good ones: contexts end out of order, packets leave in order."""
    bench = await Bench.start(dut)
    expected, codes = [], []
    for number in range(6 * bench.contexts):
        size = random.choice((0, 8, 20, 64, 200, bench.packet - 40)) if number % 4 else bench.packet - 40
        nonce, ad, msg = bench.nonce(), random.randbytes(random.choice((0, 0, 16, 130))), random.randbytes(size)
        sealed = bench.sealed(nonce, ad, msg)
        kind = random.choice(("seal", "open", "forged", "command"))
        if kind == "command":
            bench.command(9, nonce)
            codes.append(BAD_COMMAND)
            continue
        given = {"seal": msg, "open": sealed, "forged": sealed[:-1] + bytes([sealed[-1] ^ 4])}[kind]
        bench.submit(SEAL if kind == "seal" else OPEN, nonce, ad, given)
        codes.append(NOT_AUTH if kind == "forged" else OK)
        if kind != "forged":
            expected.append(sealed if kind == "seal" else msg)
    found, packets = await bench.outcome(len(codes))
    assert [status.code for status in found] == codes and packets == expected


@cocotb.test()
async def a_blocked_output_loses_nothing(dut):
    bench = await Bench.start(dut)
    bench.willing["m_axis"] = False
    expected = []
    for _ in range(2 * bench.contexts * int(os.environ["STORE_BYTES"]) // 150):  # more than the stores take
        nonce, msg = bench.nonce(), random.randbytes(150)
        bench.submit(OPEN, nonce, b"", bench.sealed(nonce, b"", msg))
        expected.append(msg)
    await bench.cycle(150 * len(expected))
    assert not bench.out.beats and 2 <= len(bench.status_sink.beats) < len(expected)
    bench.willing["m_axis"] = True
    found, packets = await bench.outcome(len(expected))
    assert packets == expected and all(status.code == OK for status in found)


@cocotb.test()
async def a_stored_packet_leaves_with_a_beat_of_the_core_a_cycle(dut):
    bench = await Bench.start(dut)
    bench.willing["m_axis"] = False
    nonce, msg = bench.nonce(), random.randbytes(600)
    bench.submit(SEAL, nonce, b"", msg)
    await bench.results()
    bench.willing["m_axis"] = True
    await bench.until(lambda: bench.out.beats)
    cycles = (600 + bench.tag_len) // (len(dut.u_core.msg_data) // 8)
    await bench.cycle(cycles + 4)
    assert bench.packets() == [bench.sealed(nonce, b"", msg)]


@cocotb.test()
async def a_blocked_status_loses_nothing(dut):
    bench = await Bench.start(dut)
    bench.willing["m_axis_status"] = False
    expected = []
    for _ in range(6):
        nonce, msg = bench.nonce(), random.randbytes(50)
        bench.submit(SEAL, nonce, b"", msg)
        expected.append(bench.sealed(nonce, b"", msg))
    await bench.cycle(2000)
    assert not bench.status_sink.beats
    bench.willing["m_axis_status"] = True
    found, packets = await bench.outcome(6)
    assert packets == expected and all(status.code == OK for status in found)


async def resets(dut, how):
    bench = await Bench.start(dut)
    for cycles in (3, 12, 40, 60, 90, 150, 260):
        key, nonce, msg = bench.key_string(bench.key), bench.nonce(), random.randbytes(300)
        bench.submit(OPEN, nonce, random.randbytes(40), random.randbytes(332))
        bench.submit(SEAL, nonce, b"ad", msg)
        await bench.cycle(cycles)
        await bench.reset(how)
        bench.submit(SEAL, nonce, b"ad", msg)  # waits: the key is gone
        await bench.cycle(1500)
        assert not bench.out.beats and not bench.status_sink.beats, f"{how} after {cycles} cycles"
        bench.send("key", key)
        found, packets = await bench.outcome(2)
        assert [status.code for status in found] == [OK, OK] and packets == [bench.sealed(nonce, b"ad", msg)]


@cocotb.test()
async def starts_anew_after_a_reset_in_mid_packet(dut):
    await resets(dut, "rst")


@cocotb.test()
async def starts_anew_after_clear_in_mid_packet(dut):
    await resets(dut, "clear")


def held_secrets(dut) -> list[int]:
    """Every register and memory word of the adapter that holds data."""
    axis, engine = dut.u_axis, dut.u_axis.u_engine
    registers = [axis.u_cmd.store, axis.u_key.store, axis.u_split.line, axis.u_split.head, engine.g_tag.tag]
    registers += [axis.u_split.second, axis.u_join.kept]
    registers += [getattr(axis, f"u_{name}_in").held_data for name in ("cmd", "key", "ad", "msg")]
    stores = [engine.g_lane[c].u_lane.u_release.u_store for c in range(int(os.environ["CONTEXTS"]))]
    stores += [
        getattr(engine, f"u_{name}_queue").g_queue.u_memory
        for name in ("ad", "msg")
        if int(os.environ[f"{name.upper()}_FIFO_BYTES"])
    ]
    registers += [store.bank_data for store in stores]
    memory = [word for store in stores for word in store.g_bank[0].mem]
    return [int(register.value) for register in registers] + [int(word.value) for word in memory]


@cocotb.test()
async def clear_wipes_every_register_and_the_store(dut):
    for how in ("rst", "clear"):
        bench = await Bench.start(dut)
        nonce, msg = bench.nonce(), random.randbytes(300)
        bench.willing["m_axis"] = False
        bench.submit(SEAL, nonce, b"ad", msg)
        await bench.results()
        bench.submit(SEAL, nonce, b"ad", malformed(bench.width)["hole"])  # its tag goes nowhere, and stays
        assert await bench.results() == [Status(BAD_STREAM, SEAL, 0)]
        bench.submit(OPEN, nonce, b"ad", beats(msg, bench.width)[:-1])  # in mid-message
        await bench.cycle(30)
        bench.command(SEAL, nonce)
        bench.send("ad", b"ad")
        bench.send("key", bench.key_string(bench.key))
        await bench.cycle(200)
        held = held_secrets(dut)
        assert all(held[:5]) and sum(word != 0 for word in held) > 20
        await bench.reset(how)
        await bench.until(lambda: not int(dut.busy.value))
        assert not any(held_secrets(dut)), how
        for task in [source.task for source in bench.sources.values()] + [bench.out.task, bench.status_sink.task]:
            task.cancel()
