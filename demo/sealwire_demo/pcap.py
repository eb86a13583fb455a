# SPDX-License-Identifier: Apache-2.0
"""Capture files of Ethernet frames: the wire's, and what the two trusted sides saw."""

from pathlib import Path

from sealwire_lab.errors import LabError

ETHERNET = 1  # the type of link in a capture's header


def read_frames(path: Path) -> list[bytes]:
    """All frames of an Ethernet capture."""
    from scapy.error import Scapy_Exception  # here: scapy takes a while to load
    from scapy.utils import RawPcapReader

    try:
        with RawPcapReader(str(path)) as reader:
            link, packets = reader.linktype, list(reader)
    except OSError as error:
        raise LabError(f"cannot read the capture {path}: {error.strerror}") from error
    except (Scapy_Exception, AttributeError) as error:
        raise LabError(f"{path} is not a classic pcap file") from error
    if link != ETHERNET:
        raise LabError(f"{path} does not hold Ethernet frames")
    for number, (frame, about) in enumerate(packets, 1):
        if len(frame) != about.caplen:
            raise LabError(f"{path} is cut off in frame {number}; make or copy it again")
    return [frame for frame, _ in packets]
