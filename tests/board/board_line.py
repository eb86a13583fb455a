# SPDX-License-Identifier: Apache-2.0
"""The line of a board's port: cocotbext-eth as the PHY, and frames as it carries them."""

import zlib

from cocotbext.eth import GmiiFrame, RgmiiPhy

BYTE_NS = 8
GAP, PREAMBLE = 12, bytes([*7 * [0x55], 0xD5])


class Line(RgmiiPhy):
    """The PHY at pins whose names begin with `prefix`; its transmit clock is delayed, as RGMII wants it (pins_top)."""

    def __init__(self, dut, prefix):
        pins = ("txd", "tx_ctl", "late_clk", "rxd", "rx_ctl", "rx_clk")
        super().__init__(*(getattr(dut, f"{prefix}_{pin}") for pin in pins))
        for end in (self.tx, self.rx):
            end.log.setLevel("ERROR")


def fcs(frame):
    return zlib.crc32(frame).to_bytes(4, "little")


def line(data, preamble=PREAMBLE, error=None):
    """A frame as the line carries it, FCS included in `data`; `error` is the place of a byte of it with RX_ER."""
    raw = preamble + data
    errors = None if error is None else [int(place == len(preamble) + error) for place in range(len(raw))]
    return GmiiFrame(raw, errors)


def arrived(sink):
    """Frames that a sink took since the last call, each of them right as Ethernet."""
    frames = [sink.recv_nowait() for _ in range(sink.count())]
    assert all(frame.check_fcs() and frame.error is None for frame in frames)
    return frames
