# SPDX-License-Identifier: Apache-2.0
"""What an AEAD core in shares behind AXI4-Stream must do beside what every core must, one behaviour a test."""

from __future__ import annotations

import random

import cocotb
from axis_bench import BAD_KEY, KEY, OK, OPEN, SEAL, Bench, Status, beats
from support import shares

LONG = 800  # bytes; most of its blocks are not worked on yet when an alarm comes


async def nothing_comes(bench: Bench, cycles: int) -> None:
    await bench.cycle(cycles)
    assert not bench.status_sink.beats and not bench.out.beats


@cocotb.test()
async def takes_no_key_before_a_seed(dut):
    bench = await Bench.start(dut, key=False)
    for how in ("rst", "clear"):
        bench.no_seed()
        await bench.reset(how)
        nonce, msg, key = bench.nonce(), random.randbytes(50), random.randbytes(bench.key_len)
        bench.send("key", bench.key_string(key))
        bench.submit(SEAL, nonce, b"ad", msg)
        await nothing_comes(bench, 1500)
        bench.new_seeds()
        found, packets = await bench.outcome(2)
        assert [status.code for status in found] == [OK, OK]
        await bench.load_key(key)
        assert packets == [bench.sealed(nonce, b"ad", msg)]


@cocotb.test()
async def refuses_a_key_that_is_not_in_shares(dut):
    bench = await Bench.start(dut)
    for packet in (bench.key, shares.split(bench.key) + bench.key):
        bench.send("key", packet)
        await bench.refused(BAD_KEY, KEY)
    await bench.load_key(bench.key)
    await bench.still_works()


def begun(bench: Bench, op: int, whole: bool) -> None:
    """A command whose message has all beats, or all but the last."""
    nonce, msg = bench.nonce(), random.randbytes(LONG)
    packet = beats(bench.sealed(nonce, b"ad", msg) if op == OPEN else msg, bench.width)
    bench.submit(op, nonce, b"ad", packet if whole else packet[:-1])


@cocotb.test()
async def nothing_of_a_packet_comes_after_an_alarm_in_its_midst(dut):
    bench = await Bench.start(dut)
    place = 0
    for how in ("rst", "clear"):
        for op in (SEAL, OPEN):
            for whole in (False, True):
                begun(bench, op, whole)
                await bench.cycle(40)
                await bench.alarm(place)
                place += 1
                await nothing_comes(bench, 1500)
                assert int(dut.alarm.value) and int(dut.busy.value)
                # Nor does anything come when the alarm is over, whatever is sent: the top waits to be cleared.
                bench.new_seeds()
                await bench.until(lambda: not int(dut.alarm.value), 200)
                bench.send("key", bench.key_string(bench.key))
                bench.submit(SEAL, bench.nonce(), b"ad", random.randbytes(20))
                await nothing_comes(bench, 1500)
                await bench.reset(how)
                await bench.load_key(random.randbytes(bench.key_len))
                await bench.still_works()


@cocotb.test()
async def a_command_waits_for_a_clear_after_an_alarm_at_rest(dut):
    bench = await Bench.start(dut)
    for how in ("rst", "clear"):
        await bench.still_works()
        await bench.alarm()
        bench.new_seeds()
        bench.submit(SEAL, bench.nonce(), b"ad", random.randbytes(20))
        await nothing_comes(bench, 1500)  # the core's key is gone
        await bench.reset(how)
        await bench.load_key(random.randbytes(bench.key_len))
        await bench.still_works()


@cocotb.test()
async def what_was_judged_before_an_alarm_leaves(dut):
    bench = await Bench.start(dut)
    bench.willing["m_axis"] = False
    nonce, msg = bench.nonce(), random.randbytes(100)
    sealed = bench.sealed(nonce, b"ad", msg)
    bench.submit(SEAL, nonce, b"ad", msg)
    bench.submit(OPEN, nonce, b"ad", sealed)
    wanted = [Status(OK, SEAL, len(sealed)), Status(OK, OPEN, len(msg))]
    assert await bench.results(2) == wanted
    begun(bench, OPEN, whole=False)
    await bench.cycle(40)
    await bench.alarm()
    await bench.cycle(100)
    bench.willing["m_axis"] = True
    await bench.until(lambda: sum(beat[2] for beat in bench.out.beats) == 2)
    await bench.cycle(500)
    assert bench.packets() == [sealed, msg] and not bench.status_sink.beats
