# SPDX-License-Identifier: Apache-2.0
"""Classic pcap files of Ethernet frames: the wire's capture, and what the two trusted sides saw."""

import struct
import time
from pathlib import Path

from ..errors import LabError

_MAGIC = 0xA1B2C3D4
_ETHERNET = 1
_SNAPLEN = 65535


class PcapWriter:
    """Appends frames with the wall-clock time in microseconds."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = path.open("wb")
        self._file.write(struct.pack("<IHHiIII", _MAGIC, 2, 4, 0, 0, _SNAPLEN, _ETHERNET))

    def write(self, frame: bytes) -> None:
        seconds, nanoseconds = divmod(time.time_ns(), 1_000_000_000)
        self._file.write(struct.pack("<IIII", seconds, nanoseconds // 1000, len(frame), len(frame)) + frame)

    def flush(self) -> None:
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def read_frames(path: Path) -> list[bytes]:
    """All frames of a classic little-endian Ethernet pcap file."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LabError(f"cannot read the capture {path}: {error.strerror}") from error
    if len(data) < 24 or struct.unpack_from("<I", data)[0] != _MAGIC:
        raise LabError(f"{path} is not a classic little-endian pcap file")
    if struct.unpack_from("<I", data, 20)[0] != _ETHERNET:
        raise LabError(f"{path} does not hold Ethernet frames")
    frames: list[bytes] = []
    offset = 24
    while offset + 16 <= len(data):
        size = struct.unpack_from("<I", data, offset + 8)[0]
        if offset + 16 + size > len(data):
            raise LabError(f"{path} is cut off in frame {len(frames) + 1}; make or copy it again")
        frames.append(data[offset + 16 : offset + 16 + size])
        offset += 16 + size
    return frames
