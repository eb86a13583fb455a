# SPDX-License-Identifier: Apache-2.0
"""What an AEAD core behind the LWC hardware API must do, one behaviour a test; test_lwc.py starts it."""

from __future__ import annotations

import os
import random
from dataclasses import replace

import cocotb
from cocotb.triggers import RisingEdge
from lwc_bench import Bench, Words, vector_files
from sealwire_model import lwc
from sealwire_model.lwc import AD, CIPHERTEXT, EOT, LAST, NONCE, PLAINTEXT, TAG

SIZES = [0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129]


async def vector_file_replay(dut, pace):
    bench = await Bench.start(dut, pace, key=False)
    files = vector_files(bench.width)
    bench.pdi.send((word,) for word, _ in files["pdi"])
    bench.sdi.send((word,) for word, _ in files["sdi"])
    wanted = files["do"]
    assert any(status for _, status in wanted)
    await bench.expect(wanted)
    assert not bench.pdi.queue and not bench.sdi.queue


@cocotb.test()
async def replays_vector_files(dut):
    await vector_file_replay(dut, "none")


@cocotb.test()
async def replays_vector_files_under_stalls(dut):
    await vector_file_replay(dut, "both")


async def mixed_traffic(dut, pace, longest=None):
    """Every size, good and forged, a key now and then; all queued at once."""
    bench = await Bench.start(dut, pace)
    wanted: Words = []
    pairs = [(random.choice(SIZES), size) for size in SIZES] + [(size, random.choice(SIZES)) for size in SIZES]
    for ad_size, size in pairs:
        if random.random() < 0.15:
            bench.new_key(bench.key if random.random() < 0.5 else None)
        case = bench.case(random.randbytes(ad_size), random.randbytes(size), random.choice(("seal", "open", "forged")))
        wanted += bench.submit(case, longest() if longest else lwc.SEGMENT)
    await bench.expect(wanted)


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
async def joins_segments_of_any_length(dut):
    await mixed_traffic(dut, "both", lambda: random.choice((1, 3, 5, 8, 16, 31, 64)))


@cocotb.test()
async def joins_a_string_that_ends_with_an_empty_segment(dut):
    bench = await Bench.start(dut)

    def ended_late(kind, string, flags):
        lines = list(lwc.segments(kind, string, 0, bench.width))
        lines[0] = f"HDR = {lwc.header(kind, 0, len(string), bench.width)}"
        return [*lines, f"HDR = {lwc.header(kind, flags | EOT, 0, bench.width)}"]

    for size in (0, 8, 17, 64, 128):
        case = bench.case(random.randbytes(size), random.randbytes(size))
        bench.instruct(lwc.ENC)
        bench.send(lwc.segments(NONCE, case.nonce, 0, bench.width))
        bench.send([*ended_late(AD, case.ad, 0), *ended_late(PLAINTEXT, case.text, LAST)])
        await bench.expect(bench.answer(case))


@cocotb.test()
async def releases_nothing_of_a_forgery(dut):
    bench = await Bench.start(dut)
    for size in (0, 20, 64, 130):
        good = bench.case(random.randbytes(40), random.randbytes(size), "open")
        for field in ("tag", "text", "ad", "nonce"):
            value = bytearray(getattr(good, field))
            for place in {0, len(value) - 1} if value else ():
                changed = bytearray(value)
                changed[place] ^= 1 << random.randrange(8)
                bench.submit(replace(good, answer=None, **{field: bytes(changed)}))
                await bench.refused()
        await bench.expect(bench.submit(good))


@cocotb.test()
async def shows_nothing_while_the_tag_is_missing(dut):
    bench = await Bench.start(dut)
    case = bench.case(b"ad", random.randbytes(400), "open")
    lines = list(lwc.input_lines(case, bench.width))
    bench.send(lines[:-1])
    for _ in range(1500):
        await RisingEdge(dut.clk)
        assert not int(dut.do_valid.value)
    bench.send(lines[-1:])
    await bench.expect(bench.answer(case))


def wrong_inputs(bench, opening):
    """Inputs in which something is wrong, by name; each ends with a segment marked last."""
    width = bench.width
    case = bench.case(random.randbytes(20), random.randbytes(50), "open" if opening else "seal")
    kind = CIPHERTEXT if opening else PLAINTEXT
    last = 0 if opening else LAST

    def strings(nonce=case.nonce, ad=case.ad, text=case.text, tag=case.tag, **flags):
        lines = [f"INS = {lwc.instruction(lwc.DEC if opening else lwc.ENC, width)}"]
        for name, code, string, end in (
            ("nonce", NONCE, nonce, 0), ("ad", AD, ad, 0), ("text", kind, text, last), ("tag", TAG, tag, LAST)
        ):  # fmt: skip
            if string is not None:
                lines += lwc.segments(flags.get(name + "_kind", code), string, flags.get(name + "_flags", end), width)
        return lines

    found = {
        "short nonce": strings(nonce=case.nonce[:-1]),
        "long nonce": strings(nonce=case.nonce + b"x"),
        "empty nonce": strings(nonce=b""),
        "no nonce": strings(nonce=None),
        "no AD": strings(ad=None),
        "AD and nonce exchanged": strings(nonce_kind=AD, ad_kind=NONCE),
        "AD of another type": strings(ad_kind=2),
        "partial AD": strings(ad_flags=8),
        "message of the other direction": strings(text_kind=PLAINTEXT if opening else CIPHERTEXT),
        "input ends after the nonce": strings(ad=None, text=None, tag=None, nonce_flags=LAST),
        "input ends after the AD": strings(text=None, tag=None, ad_flags=LAST),
    }
    if opening:
        found |= {
            "input ends before the tag": strings(tag=None, text_flags=LAST),
            "short tag": strings(tag=case.tag[:-1]),
            "long tag": strings(tag=case.tag + b"\0"),
            "empty tag": strings(tag=b""),
            "tag of another type": strings(tag_kind=CIPHERTEXT),
        }
    else:
        found["a tag to seal with"] = strings(text_flags=0, tag=bytes(bench.tag_len))
    reserved = strings()
    place = next(at for at, line in enumerate(reserved) if line.startswith("HDR = 1"))
    reserved[place] = reserved[place][:8] + "40" + reserved[place][10:]
    found["reserved bits"] = reserved
    if width > 32:
        beside = strings()
        place = next(at for at, line in enumerate(beside) if line.startswith("HDR"))
        beside[place] = f"HDR = {int(beside[place][6:], 16) | 1:0{width // 4}x}"
        found["a bit beside a header"] = beside
    return found


async def malformed_inputs(dut, pace):
    bench = await Bench.start(dut, pace)
    for opening in (False, True):
        for name, lines in wrong_inputs(bench, opening).items():
            dut._log.info(name)
            bench.send(lines)
            good = bench.case(random.randbytes(9), random.randbytes(33), "open")
            await bench.expect(bench.failure() + bench.submit(good))


@cocotb.test()
async def refuses_malformed_inputs(dut):
    await malformed_inputs(dut, "none")


@cocotb.test()
async def refuses_malformed_inputs_under_stalls(dut):
    await malformed_inputs(dut, "both")


@cocotb.test()
async def refuses_other_instructions(dut):
    bench = await Bench.start(dut)
    for code in (0x0, 0x1, 0x4, 0x5, 0x6, 0x9, 0xA, 0xE, 0xF):
        bench.instruct(code)
        await bench.refused()
    bench.instruct(lwc.HASH)
    bench.send(lwc.segments(7, random.randbytes(70), LAST, bench.width, 30))
    await bench.refused()
    lines = list(lwc.input_lines(bench.case(b"ad", b"message"), bench.width))
    lines[0] = f"INS = {int(lines[0][6:], 16) | 1:0{bench.width // 4}x}"  # a bit beside the instruction
    bench.send(lines)
    await bench.refused()
    await bench.still_works()


@cocotb.test()
async def refuses_messages_until_there_is_a_good_key(dut):
    bench = await Bench.start(dut, key=False)
    bench.use_key(random.randbytes(bench.key_len))
    width, key = bench.key_width, bench.key_string(bench.key)
    bench.submit(bench.case(b"ad", b"message"))
    await bench.refused()
    wrong = {
        "short": lwc.segments(lwc.KEY, key[:-1], LAST, width),
        "long": lwc.segments(lwc.KEY, key + b"\0", LAST, width),
        "empty": lwc.segments(lwc.KEY, b"", LAST, width),
        "another type": lwc.segments(NONCE, key, LAST, width),
        "without end": [*lwc.segments(lwc.KEY, key, 0, width), *lwc.segments(lwc.KEY, key, LAST, width)],
    }
    for lines in wrong.values():
        bench.new_key(bench.key)  # a good one before: it must not stay in force
        await bench.still_works()
        bench.instruct(lwc.ACTKEY)
        bench.send_key([f"INS = {lwc.instruction(lwc.LDKEY, width)}", *lines])
        bench.submit(bench.case(b"ad", b"message"))
        await bench.refused()
    bench.instruct(lwc.ACTKEY)
    for code in (0, 7, 0xF):  # not LDKEY: dropped
        bench.send_key([f"INS = {lwc.instruction(code, width)}"])
    bench.send_key(lwc.key_lines(key, width))
    await bench.still_works()
    bench.instruct(lwc.ACTKEY)
    bench.send_key([f"INS = {lwc.instruction(lwc.LDKEY, width)}", *lwc.segments(lwc.KEY, key, LAST, width, 5)])
    await bench.still_works()


@cocotb.test()
async def uses_the_new_key_after_a_change(dut):
    bench = await Bench.start(dut)
    for _ in range(3):
        old = bench.case(b"ad", random.randbytes(70), "open")
        bench.new_key()
        bench.submit(replace(old, answer=None))
        await bench.refused()
        await bench.still_works()


@cocotb.test()
async def refuses_a_message_longer_than_the_store(dut):
    bench = await Bench.start(dut)
    limit = bench.packet
    for extra in (1, 9, 3 * limit):
        bench.submit(bench.case(b"", random.randbytes(limit + extra), "open"))
        await bench.refused()
        bench.submit(bench.case(b"", random.randbytes(limit + extra - bench.tag_len)))
        await bench.refused()
    await bench.expect(bench.submit(bench.case(b"", random.randbytes(limit), "open")))
    room = limit - -(-bench.tag_len // 8) * 8
    await bench.expect(bench.submit(bench.case(b"", random.randbytes(room))))


@cocotb.test()
async def refuses_ad_longer_than_its_fifo(dut):
    limit = int(os.environ["AD_FIFO_BYTES"])
    if not limit:
        return
    bench = await Bench.start(dut)
    for size in (limit - 1, limit):
        for kind in ("seal", "open"):
            await bench.expect(bench.submit(bench.case(random.randbytes(size), random.randbytes(100), kind)))
    for size in (limit + 1, limit + 8, limit + 9, 3 * limit):
        for kind in ("seal", "open"):
            bench.submit(bench.case(random.randbytes(size), random.randbytes(100), kind))
            await bench.refused()
    await bench.still_works()


@cocotb.test()
async def a_blocked_output_loses_nothing(dut):
    bench = await Bench.start(dut)
    bench.willing = False
    wanted: Words = []
    for _ in range(24):
        wanted += bench.submit(bench.case(b"", random.randbytes(150), "open"))
    await bench.cycle(4000)
    assert not bench.do.beats
    bench.willing = True
    await bench.expect(wanted)


@cocotb.test()
async def starts_anew_after_a_reset_in_mid_message(dut):
    bench = await Bench.start(dut)
    for cycles in (3, 12, 40, 60, 90, 150, 260):
        key = bench.key
        bench.new_key(key)
        bench.submit(bench.case(random.randbytes(40), random.randbytes(300), "open"))
        bench.submit(bench.case(b"ad", random.randbytes(300)))
        await bench.cycle(cycles)
        await bench.reset()
        bench.submit(bench.case(b"ad", random.randbytes(30)))
        await bench.refused()  # the key is gone
        bench.new_key(key)
        await bench.still_works()


def held_secrets(dut) -> list[int]:
    """Every register and memory word of the adapter that holds data."""
    lwc_, engine = dut.u_lwc, dut.u_lwc.u_engine
    registers = [lwc_.u_key.store, lwc_.u_nonce.store, lwc_.g_tag.u_tag.store, engine.g_tag.tag]
    registers += [lwc_.u_pdi.u_beats.kept, lwc_.u_sdi.u_beats.kept, lwc_.u_do.u_words.kept]
    store = engine.g_lane[0].u_lane.u_release.u_store
    registers.append(store.bank_data)
    return [int(register.value) for register in registers] + [int(word.value) for word in store.g_bank[0].mem]


@cocotb.test()
async def rst_wipes_every_register_and_the_store(dut):
    bench = await Bench.start(dut)
    bench.willing = False
    bench.submit(bench.case(b"ad", random.randbytes(300)))
    bench.send(list(lwc.input_lines(bench.case(b"ad", random.randbytes(300), "open"), bench.width))[:-1])
    await bench.cycle(3000 if bench.width > 8 else 6000)
    assert sum(word != 0 for word in held_secrets(dut)) > 20
    await bench.reset()
    await bench.cycle(1100)
    assert not any(held_secrets(dut))
