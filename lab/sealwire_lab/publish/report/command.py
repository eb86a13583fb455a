# SPDX-License-Identifier: Apache-2.0
"""the shipped results as a web site: ranking, plots, a page a core, method, calibration, errata

Writes a static site from the results in the repository.

examples:
  sealwire-lab report                       into build/report; open build/report/index.html
  sealwire-lab report -o /srv/www/sealwire  any web server can serve the folder as it is

Made of results/ and docs/ alone: no tool but Python runs, nothing is fetched, by the maker or by the reader.
exit status: 0 all well, 2 the command could not be carried out
"""

import argparse
import time
from pathlib import Path

from ... import cores, files
from ...terminal import STDERR


def options(parser: argparse.ArgumentParser) -> None:
    """What the subcommand can be told."""
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="folder to write into (build/report)")


def run(arguments: argparse.Namespace) -> int:
    """Carry out the subcommand; returns the exit status."""
    from . import site  # Altair takes a second to load, which no other command should pay

    folder: Path = arguments.output or cores.root() / "build" / "report"
    begun = time.monotonic()
    with STDERR.status("drawing the report"):
        pages = site.pages()
        files.write_all(folder, pages)
    print(f"{len(pages)} files in {time.monotonic() - begun:.1f} s; open {folder / 'index.html'}")
    return 0
