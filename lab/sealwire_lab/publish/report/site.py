# SPDX-License-Identifier: Apache-2.0
"""All pages of the report, and writing them."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from markupsafe import Markup

from ... import cores, files, ports
from ...cores import Core
from ...coverage import result as coverage
from ...results import Record, load
from ..figures import catalogue, drawing, style
from ..waveforms import picture
from ..waveforms import record as waveforms
from . import diagram, markdown, ranking, templates

#: Pages of the menu: file, name.
MENU = (
    ("index.html", "Ranking"), ("plots.html", "Plots"), ("cores.html", "Cores"), ("method.html", "Method"),
    ("calibration.html", "Calibration"), ("errata.html", "Errata"),
)  # fmt: skip
_ASSETS = ("style.css", "ranking.js")


def _size(svg: str) -> tuple[int, int]:
    """Width and height that an SVG states."""
    head = svg[: svg.index(">")]
    sides = [head.split(f' {side}="')[1].split('"')[0] for side in ("width", "height")]
    return round(float(sides[0])), round(float(sides[1]))


def _pictures(records: Sequence[Record]) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """What the page says of each figure, and the files for light and dark ground; a table is shown as one."""
    found, files = [], {}
    for name, build in catalogue.FIGURES.items():
        figure = build(records, style.LIGHT)
        what = drawing.texts()[name]["what"]
        width = height = 0
        if figure.table is None:
            for theme in style.THEMES.values():
                for form, kind in (("", theme), ("-narrow", replace(theme, narrow=True))):
                    files[f"figures/{name}-{theme.name}{form}.svg"] = drawing.svg(build(records, kind), kind)
            width, height = _size(files[f"figures/{name}-light.svg"])
        title = what[0].upper() + what[1:]
        found.append(vars(figure) | {"title": title, "width": width, "height": height})
    return found, files


def _waveforms(waveform: waveforms.Waveform | None, made: dict[str, str]) -> dict[str, dict[str, Any]]:
    """The pictures of a waveform by operation; their texts are put among the files made."""
    drawn = {}
    for operation in waveform.runs if waveform else ():
        assert waveform
        name = f"waveforms/{waveform.core}-{operation}.svg"
        made[name] = picture.svg(waveform, operation)
        width, height = _size(made[name])
        title = picture.source(waveform, operation)["head"]["text"]
        drawn[operation] = {"file": name, "width": width, "height": height, "title": title}
    return drawn


def _core_page(core: Core, records: Sequence[Record], made: dict[str, str]) -> dict[str, Any]:
    waveform = waveforms.load(core.name)
    stale = waveform is not None and waveform.sources_sha256 != files.sources_hash(core.sources)
    blocks = diagram.svg(core)
    return {
        "core": core, "ports": ports.ports(core.sources[-1]), "parameters": ports.parameters(core.sources[-1]),
        "records": [record for record in records if record.core == core.name],
        "diagram": Markup(blocks) if blocks else None, "waveform": waveform, "stale": stale,
        "drawn": _waveforms(waveform, made),
    }  # fmt: skip


def pages() -> dict[str, str]:
    """Text of every file by its name in the folder."""
    records = load(local_ones=False, latest=True)
    known = cores.load()
    links = {name: f"cores/{name}.html" for name in known}
    table = ranking.rows(records, links)
    pictures, made = _pictures(records)
    environment = templates.environment()
    environment.globals.update(menu=MENU, number=ranking.number)
    newest = max((record.finished for record in records if record.finished), default="")[:10]

    def render(template: str, here: str, **values: Any) -> str:
        up = "../" * here.count("/")
        return environment.get_template(template).render(here=here, up=up, newest=newest, **values)

    made["index.html"] = render(
        "ranking.html", "index.html", columns=ranking.COLUMNS, rows=table, facets=ranking.FACETS,
        choices=ranking.choices(table), absent=ranking.absent(records), known=known,
    )  # fmt: skip
    made["plots.html"] = render("plots.html", "plots.html", pictures=pictures)
    made["cores.html"] = render("cores.html", "cores.html", cores=known.values(), links=links)
    for core in known.values():
        here = links[core.name]
        made[here] = render("core.html", here, **_core_page(core, records, made))
    made["method.html"] = render(
        "method.html", "method.html",
        method=Markup(markdown.html(markdown.section("implement.md", "## Method"))),
        cycles=Markup(markdown.html(markdown.section("core-ports.md", "## Cycles"))),
        fields=Markup(markdown.html(markdown.section("results.md", "## A record"))),
        coverage=coverage.load(),
    )  # fmt: skip
    for name in ("calibration", "errata"):
        title, text = markdown.page(f"{name}.md")
        made[f"{name}.html"] = render("page.html", f"{name}.html", title=title, text=Markup(text))
    folder = Path(templates.__file__).parent
    for name in _ASSETS:
        made[name] = files.read(folder / name)
    return made
