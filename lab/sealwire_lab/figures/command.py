# SPDX-License-Identifier: Apache-2.0
"""The subcommand `sealwire-lab plot`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from .. import cores
from ..errors import LabError
from ..results import load
from ..terminal import STDERR
from . import pomd_grid, style, texts

EPILOG = """\
examples:
  sealwire-lab plot omd-figure5                   figure 5 of the hardware paper, into build/figures
  sealwire-lab plot pomd-figure5 -o figures       both forms of it: from software and from RTL cycles
  sealwire-lab plot all --dark                    every figure, for dark ground
  sealwire-lab plot all --shipped                 from the results in the repository only, as the report does
  sealwire-lab plot pomd-figure5 --measure rtl    count the cycles of figure 5 again (minutes), then draw
  sealwire-lab plot --list

Published points and formulas are drawn dashed and hollow, ours solid; each figure says what it rests on.
"""


def add_parser(commands: Any) -> None:
    """Register the subcommand with the parser of `sealwire-lab`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "plot",
        help="figures of the papers with our cores beside them, as SVG and PNG",
        description="Draws figures from published numbers and from results; writes NAME.svg and NAME.png.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="a figure, the beginning of its name, or all")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="folder to write into (build/figures)")
    parser.add_argument("--dark", action="store_true", help="for dark ground")
    parser.add_argument("--shipped", action="store_true", help="without the results of this machine")
    parser.add_argument(
        "--measure",
        choices=(pomd_grid.RTL, pomd_grid.SOFTWARE, "library"),
        help="measure anew what pomd-figure5 (rtl, software) or library-speed (library) is drawn from",
    )
    parser.add_argument("--list", action="store_true", help="which figures there are")
    parser.add_argument("--json", action="store_true", help="what was drawn (--list: what there is), machine-readable")
    parser.set_defaults(action=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry out the subcommand; returns the exit status."""
    if arguments.list:
        known = [{"name": name, "title": words["title"], "what": words["what"]} for name, words in texts.load().items()]
        if arguments.json:
            print(json.dumps(known, indent=2, ensure_ascii=False))
        else:
            for entry in known:
                print(f"{entry['name']:24}{entry['what']}")
        return 0
    if not arguments.name:
        raise LabError("name a figure, or all; `sealwire-lab plot --list` says which there are")
    from . import catalogue, drawing, library  # Altair takes a second to load, which no other command should pay

    names = catalogue.names(arguments.name)
    if arguments.measure:
        with STDERR.status("measuring") as status:
            if arguments.measure == library.LIBRARY:
                print(library.measure(lambda text: status.update(text)))
            else:
                print(pomd_grid.measure(arguments.measure, lambda text: status.update(text)))
    theme = style.DARK if arguments.dark else style.LIGHT
    records = load(local_ones=not arguments.shipped, latest=True)
    folder: Path = arguments.output or cores.root() / "build" / "figures"
    drawn = []
    for name in names:
        with STDERR.status(f"drawing {name}"):
            figure = catalogue.FIGURES[name](records, theme)
            text = drawing.svg(figure, theme)
            picture = drawing.png(text)
        paths = {"svg": folder / f"{name}.svg", "png": folder / f"{name}.png"}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            paths["svg"].write_text(text, encoding="utf-8")
            paths["png"].write_bytes(picture)
        except OSError as error:
            raise LabError(f"cannot write into {folder}: {error.strerror}") from error
        files = {kind: str(path) for kind, path in paths.items()}
        drawn.append(
            {"name": name, "title": figure.title, "caption": figure.caption, "missing": figure.missing, **files}
        )
        if not arguments.json:
            print(f"{name}: {paths['svg']} and .png")
            for sentence in figure.missing:
                STDERR.print(f"{name}: {sentence}", soft_wrap=True, markup=False)
    if arguments.json:
        print(json.dumps(drawn, indent=2))
    return 0
