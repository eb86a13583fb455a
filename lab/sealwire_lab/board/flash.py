# SPDX-License-Identifier: Apache-2.0
"""Bitstreams into boards, by openFPGALoader."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from ..errors import LabError
from .boards import Board

#: Of the package; a program of the system's comes first, for its packages bring the USB libraries.
_PROGRAM = "openFPGALoader"


def command(board: Board, bitstream: Path, for_good: bool) -> list[str]:
    """The command that loads a bitstream.  The flash's last 16 KiB, with keys and boot counter, are not touched."""
    program = shutil.which(_PROGRAM)
    words = [program] if program else [sys.executable, "-m", "openfpgaloader"]
    return [*words, *board.loader, "--write-flash" if for_good else "--write-sram", str(bitstream)]


def load(board: Board, bitstream: Path, for_good: bool) -> None:
    """Load a bitstream.  LabError when it is none for this board's device, or the loader fails."""
    if not bitstream.is_file():
        raise LabError(f"{bitstream} does not exist, or it is not a regular file")
    try:
        with bitstream.open("rb") as file:
            head = file.read(512)
    except OSError as error:
        raise LabError(f"cannot read {bitstream}: {error.strerror}") from error
    # nextpnr names the package otherwise than the maker.
    if f"Part: {re.sub('BG.*', '', board.device)}".encode() not in head:
        raise LabError(
            f"{bitstream} is no bitstream for {board.device}; `sealwire-lab board build {board.name}` makes one"
        )
    words = command(board, bitstream, for_good)
    try:
        done = subprocess.run(words, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    except OSError as error:
        raise LabError(f"cannot run {words[0]}: {error.strerror}") from error
    sys.stderr.write(done.stderr)
    if "error while loading shared libraries" in done.stderr:
        raise LabError(f"{_PROGRAM} lacks a library: install Debian's libftdi1-2 and libhidapi-hidraw0 or their like")
    if done.returncode:
        raise LabError(f"{_PROGRAM} failed; is the board connected, and may you use it (its udev rules, or root)?")
