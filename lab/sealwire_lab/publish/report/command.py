# SPDX-License-Identifier: Apache-2.0
"""The command `sealwire-lab report`."""

import argparse
import time
from pathlib import Path

from ... import cores, files
from ...terminal import STDERR


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="folder to write into (build/report)")


def run(arguments: argparse.Namespace) -> int:
    from . import site  # Altair takes a second to load, which no other command should pay

    folder: Path = arguments.output or cores.root() / "build" / "report"
    begun = time.monotonic()
    with STDERR.status("drawing the report"):
        pages = site.pages()
        files.write_all(folder, pages)
    print(f"{len(pages)} files in {time.monotonic() - begun:.1f} s; open {folder / 'index.html'}")
    return 0
