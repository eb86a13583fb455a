# SPDX-License-Identifier: Apache-2.0
"""The check values of the wire format come out of the RTL byte for byte, and go in."""

import cocotb
from link_bench import OTHER, PSK, R_I, R_R, ROLE, SUITE, Link
from link_model import CONFIRM, HELLO, REPLY, message
from test_link_model import CHECK, ID_I, ID_R

MACS = [bytes.fromhex(mac) for mac in CHECK[SUITE]["macs"]]
#: The published handshake, in order, by its sender, and the published keep-alive behind it.
MESSAGES = [
    ("i", message(SUITE, HELLO, bytes(4), ID_I, R_I, MACS[0])),
    ("r", message(SUITE, REPLY, R_I[:4], ID_R, R_R, MACS[1])),
    ("i", message(SUITE, CONFIRM, R_R[:4], ID_I, R_I, MACS[2])),
    ("i", bytes.fromhex(CHECK[SUITE]["keepalive"])),
]


@cocotb.test()
async def published_handshake_and_keepalive(dut):
    """What the other end says is the published text; what this end says must be it."""
    link = await Link.start(dut, session=False)
    link.draws.append({"i": R_I, "r": R_R}[ROLE])
    await link.load_psk(PSK)
    said = [packet for sender, packet in MESSAGES if sender == ROLE]
    for sender, packet in MESSAGES:
        if sender == OTHER[ROLE]:
            await link.at_rest()
            link.send_untrusted(packet)
    await link.at_rest()
    sent = link.sealed()
    assert [packet.hex() for packet in sent[: len(said)]] == [packet.hex() for packet in said]
    # The responder has taken the keep-alive and answers it.
    assert len(sent) == len(said) + (ROLE == "r") and bool(dut.session_up.value) == (ROLE == "r")
