# SPDX-License-Identifier: Apache-2.0
"""The life of a link whose secrets the environment chooses: a session, traffic both ways, a zeroise in its midst, and
what comes after it, which is the same for all secrets. All that can be seen, and every register, goes to a file."""

import json
import os
import random
from pathlib import Path
from typing import Any

import cocotb
from cocotb.utils import get_sim_time
from link_bench import R_I, R_R, Link, random_frame
from support.inside import snapshot

#: Of everything that no observer knows: the pre-shared key and the frames of both sides
SECRET = random.Random(int(os.environ["SECRET"]))
SIZES = (14, 60, 200, 1500, 64, 321)


@cocotb.test()
async def lives_on_after_a_zeroise(dut: Any) -> None:
    link = await Link.start(dut, session=False)
    await link.load_psk(SECRET.randbytes(64))
    await link.session(R_I, R_R)
    for wait in (0, 900):
        link.send_trusted(*(SECRET.randbytes(size) for size in SIZES))
        link.send_untrusted(*(link.peer.seal(SECRET.randbytes(size)) for size in SIZES))
        await (link.core(wait) if wait else link.at_rest())
    seen = {"alive": snapshot(dut)}
    await link.zeroise()
    await link.core(4000)
    # A packet of the old session and a frame, the same for all, find none; the last beats at the inputs are theirs.
    link.send_trusted(bytes(range(80)))
    link.send_untrusted(bytes([0x20]) + bytes(range(99)))
    await link.core(1000)
    seen["zeroised"] = snapshot(dut)
    seen["counts"] = {name: str(value) for name, value in (await link.at_rest()).items()}
    link.sealed(), link.delivered()

    link.own.counts = link.counts()
    await link.load_psk(bytes(64))
    await link.session(R_I[::-1], R_R[::-1])
    frames = [random_frame(size) for size in SIZES]
    link.send_trusted(*frames)
    link.send_untrusted(*map(link.peer.seal, frames))
    counts = await link.at_rest()
    seen["said"] = {
        "sealed": [one.hex() for one in link.sealed()],
        "delivered": [one.hex() for one in link.delivered()],
    }
    assert seen["said"]["delivered"] == [one.hex() for one in frames]
    seen["later"] = {name: str(value) for name, value in counts.items()}
    seen["cycles"] = {"ps": str(get_sim_time("ps"))}
    Path(os.environ["SEEN"]).write_text(json.dumps(seen), encoding="utf-8")
