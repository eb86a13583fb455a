# SPDX-License-Identifier: Apache-2.0
"""The check values of the wire format come out of the RTL byte for byte, and go in."""

import cocotb
from link_bench import ROLE, SUITE, Link
from test_link_model import CHECK


@cocotb.test()
async def published_keepalive_is_sealed_or_opened(dut):
    """The initiator's first keep-alive is the published packet; the responder takes the published packet as alive."""
    link = await Link.start(dut)
    published = bytes.fromhex(CHECK[SUITE]["keepalive"])
    if ROLE == "i":
        await link.keepalive()
        counts = await link.at_rest()
        assert [packet.hex() for packet in link.sealed()] == [published.hex()]
        assert counts["keepalives_out"] == counts["untrusted_out"] == 1
    else:
        link.send_untrusted(published)
        counts = await link.at_rest()
        assert counts["keepalives_in"] == counts["untrusted_in"] == 1 and not link.delivered()
