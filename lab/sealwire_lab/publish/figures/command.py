# SPDX-License-Identifier: Apache-2.0
"""The command `sealwire-lab plot`."""

import argparse
import json
from pathlib import Path

from ... import cores, files
from ...errors import LabError
from ...results import load
from ...terminal import STDERR, say, switches


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="a figure, the beginning of its name, or all")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="folder to write into (build/figures)")
    switches(parser, dark="for dark ground", shipped="without the results of this machine")
    parser.add_argument(
        "--measure", choices=("rtl", "software", "library"),
        help="measure anew what pomd-figure5 (rtl, software) or library-speed (library) is drawn from",
    )  # fmt: skip
    switches(
        parser, list="which figures there are", json="what was drawn (--list: what there is), machine-readable"
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    from . import catalogue, drawing, library, pomd, style  # Altair takes a second, which no other should pay

    if arguments.list:
        known = [{"name": name, "title": text["title"], "what": text["what"]} for name, text in drawing.texts().items()]
        if arguments.json:
            print(json.dumps(known, indent=2, ensure_ascii=False))
        else:
            print("\n".join(f"{entry['name']:24}{entry['what']}" for entry in known))
        return 0
    if not arguments.name:
        raise LabError("name a figure, or all; `sealwire-lab plot --list` says which there are")
    names = catalogue.names(arguments.name)
    if arguments.measure:
        with STDERR.status("measuring") as status:
            if arguments.measure == library.LIBRARY:
                print(library.measure(status.update))
            else:
                print(pomd.measure(arguments.measure, status.update))
    theme = style.DARK if arguments.dark else style.LIGHT
    records = load(local_ones=not arguments.shipped, latest=True)
    folder: Path = arguments.output or cores.root() / "build" / "figures"
    drawn = []
    for name in names:
        with STDERR.status(f"drawing {name}"):
            figure = catalogue.FIGURES[name](records, theme)
            text = drawing.svg(figure, theme)
            paths = {
                "svg": str(files.write(folder / f"{name}.svg", text)),
                "png": str(files.write(folder / f"{name}.png", drawing.png(text))),
            }
        drawn.append(
            {"name": name, "title": figure.title, "caption": figure.caption, "missing": figure.missing, **paths}
        )
        if not arguments.json:
            print(f"{name}: {paths['svg']} and .png")
            for sentence in figure.missing:
                say(f"{name}: {sentence}")
    if arguments.json:
        print(json.dumps(drawn, indent=2))
    return 0
