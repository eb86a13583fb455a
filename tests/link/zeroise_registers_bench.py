# SPDX-License-Identifier: Apache-2.0
"""The life of a link with registers whose secrets the environment chooses: the key goes in over the bus, a session and
traffic follow, a zeroise in its midst finds words of secrets that were not committed, and what comes after it is alike
for all secrets. All that can be seen, and every register, goes to a file."""

import json
import os
import random
from pathlib import Path
from typing import Any

import cocotb
from cocotb.utils import get_sim_time
from control_bench import IDS, SUITE, VERSION, Bench, Peer, outer
from generated.sealwire_link_regs import REGISTERS
from sealwire_model.schedule import Schedule
from sealwire_model.wire import CONFIRM, HELLO, REPLY, message
from zeroise_bench import SIZES, snapshot

#: Of everything that no observer knows: the pre-shared key, words that are never committed, the frames of both sides
SECRET = random.Random(int(os.environ["SECRET"]))
R_I, R_R = bytes(range(0xA0, 0xC0)), bytes(range(0xC0, 0xE0))


async def connect(bench: Any, psk: bytes, r_i: bytes, r_r: bytes, number: int) -> Any:
    """A handshake under a key and a random value that registers take; the model of the peer, in the session."""

    def give(control: Any) -> None:
        control.load_psk(psk, number - 1)
        control.give_random(r_i)

    await bench.with_control(give)
    schedule = Schedule(SUITE, psk, *IDS, VERSION)
    await bench.cycles(2500)
    mac = schedule.hello_mac(r_i, number)
    assert bench.left() == [message(SUITE, HELLO, bytes(4), IDS[0], r_i, mac, number, VERSION)]
    reply = message(SUITE, REPLY, r_i[:4], IDS[1], r_r, schedule.reply_mac(r_i, r_r), 0, VERSION)
    bench.source["untrusted"].send_nowait(outer(reply))
    await bench.cycles(6500)  # five calls of the key schedule
    confirm, keepalive = bench.left()
    assert confirm == message(SUITE, CONFIRM, r_r[:4], IDS[0], r_i, schedule.confirm_mac(r_i, r_r), 0, VERSION)
    peer = Peer(*schedule.directions(r_i, r_r))
    assert peer.rx.open(keepalive) == bytes(1)
    peer.got = 1
    bench.source["untrusted"].send_nowait(peer.seal(bytes(1)))
    await bench.cycles(1200)
    assert (await bench.status())["session_up"]
    return peer


def send(bench: Any, peer: Any, source: random.Random) -> list[bytes]:
    """Frames both ways; those that are to be delivered."""
    for size in SIZES:
        bench.source["trusted"].send_nowait(source.randbytes(size))
    frames = [source.randbytes(size) for size in SIZES]
    for frame in frames:
        bench.source["untrusted"].send_nowait(peer.seal(frame))
    return frames


async def counts(bench: Any) -> dict[str, str]:
    return {name: str(value) for name, value in (await bench.with_control(lambda it: it.counters())).items()}


@cocotb.test()
async def lives_on_after_a_zeroise(dut: Any) -> None:
    bench = await Bench.start(dut)
    await bench.configured()
    peer = await connect(bench, SECRET.randbytes(64), R_I, R_R, 1 << 32)
    send(bench, peer, SECRET)
    await bench.cycles(8000)
    send(bench, peer, SECRET)
    for name in "session.word", "random.word", "psk.word":
        await bench.fill(name, [SECRET.getrandbits(32) for _ in range(REGISTERS[name].count)])
    seen = {"alive": snapshot(dut)}
    await bench.command("zeroise")
    await bench.cycles(4000)
    # A packet of the old session and a frame, alike for all, find none; the last beats at the inputs are theirs.
    bench.source["trusted"].send_nowait(bytes(range(80)))
    bench.source["untrusted"].send_nowait(outer(bytes([0x20]) + bytes(range(99))))
    await bench.cycles(1000)
    seen["zeroised"] = snapshot(dut)
    seen["counts"] = await counts(bench)
    bench.left(), bench.arrived()

    peer = await connect(bench, bytes(64), R_I[::-1], R_R[::-1], 1 << 33)
    frames = send(bench, peer, random.Random(0))
    await bench.cycles(8000)
    arrived = bench.arrived()
    assert arrived == frames
    seen["said"] = {
        "sealed": [one.hex() for one in bench.left()],
        "delivered": [one.hex() for one in arrived],
    }
    assert len(seen["said"]["sealed"]) == len(SIZES)
    seen["later"] = await counts(bench)
    seen["cycles"] = {"ps": str(get_sim_time("ps"))}
    Path(os.environ["SEEN"]).write_text(json.dumps(seen), encoding="utf-8")
