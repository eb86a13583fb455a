# SPDX-License-Identifier: Apache-2.0
"""All pages of the report, and writing them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from .. import cores
from ..cores import Core
from ..coverage import result as coverage
from ..errors import LabError
from ..figures import catalogue, drawing, style, texts
from ..figures.table import Table
from ..results import Record, load
from ..waveforms import picture
from ..waveforms import record as waveforms
from . import diagram, markdown, ports, ranking

#: Pages of the menu: file, name.
MENU = (
    ("index.html", "Ranking"), ("plots.html", "Plots"), ("cores.html", "Cores"), ("method.html", "Method"),
    ("calibration.html", "Calibration"), ("errata.html", "Errata"),
)  # fmt: skip
_ASSETS = ("style.css", "ranking.js")


@dataclass(frozen=True)
class Picture:
    """A figure of the report with its files for light and dark ground."""

    name: str
    title: str
    caption: str
    alternative: str
    table: Table | None  # shown as one, where the figure is a table
    width: int
    height: int


def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("sealwire_lab.report"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    made.globals.update(menu=MENU, number=ranking.number)
    return made


def _size(svg: str) -> tuple[int, int]:
    """Width and height that an SVG states."""
    head = svg[: svg.index(">")]
    sides = [head.split(f' {side}="')[1].split('"')[0] for side in ("width", "height")]
    return round(float(sides[0])), round(float(sides[1]))


def _pictures(records: Sequence[Record]) -> tuple[list[Picture], dict[str, str]]:
    found, files = [], {}
    for name, build in catalogue.FIGURES.items():
        figure = build(records, style.LIGHT)
        what = texts.load()[name]["what"]
        width = height = 0
        if figure.table is None:
            for theme in style.THEMES.values():
                for form, kind in (("", theme), ("-narrow", replace(theme, narrow=True))):
                    files[f"figures/{name}-{theme.name}{form}.svg"] = drawing.svg(build(records, kind), kind)
            width, height = _size(files[f"figures/{name}-light.svg"])
        title = what[0].upper() + what[1:]
        found.append(Picture(name, title, figure.caption, figure.alternative, figure.table, width, height))
    return found, files


def _core_page(core: Core, records: Sequence[Record]) -> dict[str, Any]:
    waveform = waveforms.load(core.name)
    drawn = {}
    stale = False
    if waveform:
        drawn = {operation: Markup(picture.svg(waveform, operation)) for operation in waveforms.OPERATIONS}
        stale = waveform.sources_sha256 != waveforms.sources_hash(core)
    blocks = diagram.svg(core)
    return {
        "core": core, "ports": ports.ports(core), "parameters": ports.parameters(core),
        "records": [record for record in records if record.core == core.name],
        "diagram": Markup(blocks) if blocks else None, "waveform": waveform, "drawn": drawn, "stale": stale,
    }  # fmt: skip


def pages() -> dict[str, str]:
    """Text of every file by its name in the folder."""
    records = load(local_ones=False, latest=True)
    known = cores.load()
    links = {name: f"cores/{name}.html" for name in known}
    table = ranking.rows(records, links)
    pictures, files = _pictures(records)
    environment = _environment()
    newest = max((record.finished for record in records if record.finished), default="")[:10]

    def render(template: str, here: str, **values: Any) -> str:
        up = "../" * here.count("/")
        return environment.get_template(template).render(here=here, up=up, newest=newest, **values)

    files["index.html"] = render(
        "ranking.html", "index.html", columns=ranking.COLUMNS, rows=table, facets=ranking.FACETS,
        choices=ranking.choices(table), absent=ranking.absent(records), known=known,
    )  # fmt: skip
    files["plots.html"] = render("plots.html", "plots.html", pictures=pictures)
    files["cores.html"] = render("cores.html", "cores.html", cores=known.values(), links=links)
    for core in known.values():
        here = links[core.name]
        files[here] = render("core.html", here, **_core_page(core, records))
    files["method.html"] = render(
        "method.html", "method.html",
        method=Markup(markdown.html(markdown.section("implement.md", "## Method"))),
        cycles=Markup(markdown.html(markdown.section("core-ports.md", "## Cycles"))),
        fields=Markup(markdown.html(markdown.section("results.md", "## A record"))),
        coverage=coverage.load(),
    )  # fmt: skip
    for name in ("calibration", "errata"):
        title, text = markdown.page(f"{name}.md")
        files[f"{name}.html"] = render("page.html", f"{name}.html", title=title, text=Markup(text))
    folder = Path(__file__).parent / "templates"
    for name in _ASSETS:
        files[name] = (folder / name).read_text(encoding="utf-8")
    return files


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Put the pages into a folder, which may exist."""
    try:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise LabError(f"cannot write the report to {folder}: {error.strerror}") from error
