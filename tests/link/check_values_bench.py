# SPDX-License-Identifier: Apache-2.0
"""The worked messages of the wire format come out of the RTL byte for byte, and go in."""

import cocotb
from link_bench import OTHER, PSK, R_I, R_R, ROLE, SUITE, VERSION, Link
from sealwire_model.worked import FRAME
from support.worked_messages import of_suite

WORKED = of_suite(SUITE, VERSION)
#: The handshake and the keep-alive behind it, in order, by its sender.
MESSAGES = [("i", "hello"), ("r", "hello-reply"), ("i", "confirm"), ("i", "keep-alive-i-r")]


@cocotb.test()
async def published_handshake_and_keepalive(dut):
    """What the other end says is the published text; what this end says must be it. A frame each way follows."""
    link = await Link.start(dut, session=False)
    link.draws.append({"i": R_I, "r": R_R}[ROLE])
    await link.load_psk(PSK)
    said = [WORKED[name] for sender, name in MESSAGES if sender == ROLE]
    for sender, name in MESSAGES:
        if sender == OTHER[ROLE]:
            await link.at_rest()
            link.send_untrusted(WORKED[name])
    await link.at_rest()
    sent = link.sealed()
    assert [packet.hex() for packet in sent[: len(said)]] == [packet.hex() for packet in said]
    # The responder has taken the keep-alive and answers it.
    assert len(sent) == len(said) + (ROLE == "r") and bool(dut.session_up.value) == (ROLE == "r")
    if ROLE == "r":
        assert sent[-1] == WORKED["keep-alive-r-i"]
    else:
        link.send_untrusted(WORKED["keep-alive-r-i"])
        await link.at_rest()
    link.send_untrusted(WORKED["frame-" + OTHER[ROLE] + "-" + ROLE])
    link.send_trusted(FRAME)
    await link.at_rest()
    assert link.delivered() == [FRAME]
    assert link.sealed() == [WORKED["frame-" + ROLE + "-" + OTHER[ROLE]]]
