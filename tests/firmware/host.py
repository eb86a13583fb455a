# SPDX-License-Identifier: Apache-2.0
"""The firmware compiled for the host, over the board of host.c, and what its flash and console hold."""

from __future__ import annotations

import ctypes
import struct
import subprocess
import zlib
from functools import cache
from pathlib import Path

from sealwire_lab import build, firmware

HERE = Path(__file__).parent
KEPT, SECTOR = 4 * 4096, 4096
RUNS, EMPTY, BROKEN, WRITE_FAILED, COUNTER_LOST, COUNTER_SPENT, NO_LINK, NOT_ERASED = range(8)
FLAGS = (
    "-std=c11",
    "-O1",
    "-fPIC",
    "-fno-common",
    "-Wall",
    "-Wextra",
    "-Wconversion",
    "-Wno-sign-conversion",
    "-Wshadow",
    "-Wno-clobbered",  # by longjmp: nothing is used behind one
    "-Werror",
)


_SWITCHES = ("writable", "readable", "noise", "button", "link_takes", "key_refused", "link_there", "link_loads")


class Board(ctypes.Structure):
    """`board` of host.c."""

    _fields_ = (
        ("flash", ctypes.c_uint8 * KEPT), ("budget", ctypes.c_long),
        *((name, ctypes.c_int) for name in _SWITCHES),
        ("strayed", ctypes.c_uint32), ("values", ctypes.c_uint32), ("r", ctypes.c_uint8 * 32 * 4096),
        ("said", ctypes.c_uint32), ("output", ctypes.c_uint8 * 65536), ("link", ctypes.c_uint32 * 1024),
        ("psk", ctypes.c_uint8 * 64), ("psk_commits", ctypes.c_uint32), ("zeroises", ctypes.c_uint32),
        ("board_zeroises", ctypes.c_uint32), ("session", ctypes.c_uint8 * 184), ("sessions", ctypes.c_uint32),
        ("phy", ctypes.c_uint16 * 32 * 32 * 2), ("phys", ctypes.c_uint32 * 2),
        ("cables", ctypes.c_uint32 * 2), ("slow", ctypes.c_uint32 * 2), ("lines", ctypes.c_uint32 * 4),
        *((name, ctypes.c_int) for name in ("running", "refusing", "phy_reset", "waits")),
    )  # fmt: skip


@cache
def library() -> ctypes.CDLL:
    own = [path for path in sorted(firmware.room().glob("*.c")) if path.stem not in ("main", "hardware", "memory")]
    included = sorted(firmware.room().glob("*.h"))
    header = firmware.registers_header()
    parts: list[str | Path] = ["host", *FLAGS, *own, *included, header, HERE / "host.c", Path(__file__)]

    def make(scratch: Path) -> None:
        def run(*words: object) -> None:
            subprocess.run([str(word) for word in words], cwd=scratch, check=True)

        firmware.write_counter_names(scratch)
        include = ("-I", scratch, "-I", header.parent, "-I", firmware.room())
        for path in own:
            run("gcc", *FLAGS, *include, "-c", path, "-o", f"{path.stem}.o")
        run("ld", "-r", *(f"{path.stem}.o" for path in own), "-o", "firmware.o")
        run("objcopy", "--rename-section", ".bss=firmware_bss,alloc", "firmware.o")
        run("gcc", *FLAGS, *include, "-shared", HERE / "host.c", "firmware.o", "-o", "host.so")

    return ctypes.CDLL(str(build.cached(f"firmware/host-{build.digest(parts)}", make) / "host.so"))


class Host:
    """The one board of this process, as new: flash blank, a link and two PHYs there, noise as a generator gives it."""

    def __init__(self) -> None:
        self.c = library()
        self.board = Board.in_dll(self.c, "host")
        ctypes.memset(ctypes.addressof(self.board), 0, ctypes.sizeof(Board))
        ctypes.memset(self.board.flash, 0xFF, KEPT)
        self.board.budget, self.board.writable, self.board.readable, self.board.noise = -1, 1, 1, 1
        self.board.link_there, self.board.link_takes, self.board.link_loads = 1, 1, 1
        self.board.phys[0] = 0b11
        self.c.host_cycle()

    def boot(self, steps: int = 0, budget: int = -1) -> bool:
        """Power off and on. True if the power failed again, which it does when the flash has written `budget` bytes."""
        self.c.host_cycle()
        self.board.budget = budget
        failed = self.c.host_start() or self.c.host_step(steps)
        self.board.budget = -1
        return bool(failed)

    def step(self, times: int = 1) -> None:
        assert self.c.host_step(times) == 0

    def later(self, milliseconds: int) -> None:
        self.c.host_later(milliseconds)

    def bytes(self, data: bytes, budget: int = -1) -> bool:
        """Bytes at the console; True if the power failed."""
        self.board.budget = budget
        failed = bool(self.c.host_bytes(data, len(data)))
        self.board.budget = -1
        return failed

    def output(self) -> str:
        said = bytes(self.board.output[: self.board.said]).decode("ascii")
        self.board.said = 0
        return said

    def say(self, line: str) -> str:
        self.bytes(line.encode() + b"\n")
        return self.output()

    def state(self) -> int:
        return int(self.c.device_now())

    def counter(self) -> int:
        return int(self.c.device_boot())

    def values(self) -> list[bytes]:
        """The values of R that the board gave the link since the last call."""
        found = [bytes(self.board.r[i]) for i in range(self.board.values)]
        assert len(found) < 4096
        self.board.values = 0
        return found

    def psk(self) -> bytes:
        return bytes(self.board.psk)

    def session(self) -> bytes:
        """The session that the link took last."""
        return bytes(self.board.session)

    @property
    def flash(self) -> bytes:
        return bytes(self.board.flash)

    @flash.setter
    def flash(self, content: bytes) -> None:
        assert len(content) == KEPT
        ctypes.memmove(self.board.flash, content, KEPT)


def payload(
    psk: bytes,
    seed: bytes,
    *,
    local_id: bytes = b"\1" * 8,
    peer_id: bytes = b"\2" * 8,
    local_mac: bytes = bytes.fromhex("020000000001"),
    peer_mac: bytes = bytes.fromhex("020000000002"),
    t_rekey: int = 120_000,
    t_max: int = 180_000,
) -> bytes:
    return local_id + peer_id + local_mac + peer_mac + struct.pack("<II", t_rekey, t_max) + psk + seed


def command(name: str, content: bytes) -> str:
    """A command of the console with bytes."""
    return f"{name} {content.hex()} {zlib.crc32(content):08x}"


def provision(content: bytes) -> str:
    return command("provision", content)


def record(content: bytes, sequence: int = 1, floor: int = 1) -> bytes:
    """A copy of the record as the flash holds it."""
    body = b"SWRD" + struct.pack("<III", 1, sequence, floor) + content
    return body + struct.pack("<I", zlib.crc32(body))


def entry(counter: int) -> bytes:
    """An entry of the boot counter's log."""
    body = b"SWCT" + struct.pack("<II", counter, 0)
    return body + struct.pack("<I", zlib.crc32(body))


def blank(*placed: tuple[int, bytes]) -> bytes:
    """The last four sectors, blank but for what is placed."""
    content = bytearray(b"\xff" * KEPT)
    for at, part in placed:
        content[at : at + len(part)] = part
    return bytes(content)
