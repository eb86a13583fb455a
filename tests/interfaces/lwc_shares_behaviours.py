# SPDX-License-Identifier: Apache-2.0
"""What an AEAD core in shares behind the LWC hardware API must do beside what every core must, one behaviour a test."""

from __future__ import annotations

import random

import cocotb
from lwc_bench import Bench, Words
from sealwire_model import lwc
from support import shares

LONG = 800  # bytes; most of its blocks are not worked on yet when an alarm comes


async def nothing_comes(bench: Bench, cycles: int) -> None:
    await bench.cycle(cycles)
    assert not bench.do.beats


@cocotb.test()
async def takes_no_key_before_a_seed(dut):
    bench = await Bench.start(dut, key=False)
    bench.no_seed()
    await bench.cycle(60)
    await bench.reset()
    bench.new_key()
    wanted = bench.submit(bench.case(b"ad", random.randbytes(50)))
    await nothing_comes(bench, 1500)
    bench.new_seeds()
    await bench.expect(wanted)


@cocotb.test()
async def refuses_a_key_that_is_not_in_shares(dut):
    bench = await Bench.start(dut)
    for key in (bench.key, shares.split(bench.key) + bench.key):
        bench.instruct(lwc.ACTKEY)
        bench.send_key(lwc.key_lines(key, bench.key_width))
        bench.submit(bench.case(b"ad", b"message"))
        await bench.refused()
    bench.new_key()
    await bench.still_works()


def begun(bench: Bench, kind: str, whole: bool) -> None:
    """A message whose words are all sent, or all but those of the last line."""
    lines = list(lwc.input_lines(bench.case(b"ad", random.randbytes(LONG), kind), bench.width))
    bench.send(lines if whole else lines[:-1])


@cocotb.test()
async def nothing_of_a_message_comes_after_an_alarm_in_its_midst(dut):
    bench = await Bench.start(dut)
    await bench.still_works()
    place = 0
    for kind in ("seal", "open"):
        for whole in (False, True):
            begun(bench, kind, whole)
            await bench.cycle(100)
            await bench.alarm(place)
            place += 1
            await nothing_comes(bench, 1500)
            assert int(dut.alarm.value)
            # Nor does anything come when the alarm is over, whatever is sent: the top waits for a reset.
            bench.new_seeds()
            bench.new_key()
            bench.submit(bench.case(b"ad", random.randbytes(20)))
            await nothing_comes(bench, 1500)
            assert not int(dut.alarm.value)
            await bench.reset()
            bench.new_key()
            await bench.still_works()


@cocotb.test()
async def a_message_waits_for_a_reset_after_an_alarm_at_rest(dut):
    bench = await Bench.start(dut)
    await bench.still_works()
    await bench.alarm()
    bench.new_seeds()
    bench.submit(bench.case(b"ad", random.randbytes(20)))
    await nothing_comes(bench, 1500)  # the core's key is gone
    await bench.reset()
    bench.new_key()
    await bench.still_works()


@cocotb.test()
async def what_was_judged_before_an_alarm_leaves(dut):
    bench = await Bench.start(dut)
    bench.willing = False
    wanted: Words = []
    for kind in ("seal", "open"):
        wanted += bench.submit(bench.case(b"ad", random.randbytes(100), kind))
    await bench.cycle(3000)
    begun(bench, "open", whole=False)
    await bench.cycle(100)
    await bench.alarm()
    await bench.cycle(100)
    bench.willing = True
    await bench.expect(wanted)
    await nothing_comes(bench, 500)
