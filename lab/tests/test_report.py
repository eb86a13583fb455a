# SPDX-License-Identifier: Apache-2.0
"""The report as files: complete, whole links, nothing fetched, true to the manifest and the RTL."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markupsafe import escape
from sealwire_lab import cores, ports
from sealwire_lab.coverage import result as coverage
from sealwire_lab.errors import LabError
from sealwire_lab.publish.figures import style
from sealwire_lab.publish.report import diagram, markdown, ranking, site
from sealwire_lab.publish.waveforms import picture, record
from sealwire_lab.results import load


class Page(HTMLParser):
    """What a page refers to and how it is built."""

    VOID = frozenset(("meta", "link", "br", "img", "input", "source"))

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.headings: list[int] = []
        self.images: list[dict[str, str | None]] = []
        self.lang = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        known = dict(attributes)
        self.links += [value for name, value in attributes if name in ("href", "src", "srcset") and value]
        self.ids += [value for name, value in attributes if name == "id" and value]
        self.lang = self.lang or known.get("lang") or ""
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag == "img":
            self.images.append(known)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.links += [value for name, value in attributes if name in ("href", "src", "srcset") and value]

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-3:]} at {self.getpos()}"
        self.open.pop()


@pytest.fixture(scope="module")
def files(report_files: dict[str, str]) -> dict[str, str]:
    return report_files


@pytest.fixture(scope="module")
def html(files: dict[str, str]) -> dict[str, Page]:
    return {name: Page(text) for name, text in files.items() if name.endswith(".html")}


def test_every_core_has_a_page_and_every_page_is_in_reach(html: dict[str, Page]) -> None:
    assert {f"cores/{name}.html" for name in cores.load()} <= set(html)
    for name, page in html.items():
        assert not page.open, name
        for link in page.links:
            target = link.partition("#")[0]
            assert not re.match(r"\w+:|//", target) or target == "data:,", f"{name} refers to {link}"


def test_links_lead_to_files_of_the_site(files: dict[str, str], html: dict[str, Page]) -> None:
    for name, page in html.items():
        for link in page.links:
            target, _, anchor = link.partition("#")
            if target and target != "data:,":
                folder = Path(name).parent
                parts: list[str] = []
                for part in (folder / target).parts:
                    parts = parts[:-1] if part == ".." else [*parts, part]
                assert "/".join(parts) in files, f"{name} refers to {link}"
            elif anchor:
                assert anchor in page.ids, f"{name} refers to {link}"


def test_nothing_is_fetched_from_elsewhere(files: dict[str, str]) -> None:
    for name, text in files.items():
        without = text.replace("http://www.w3.org/", "")
        if name.endswith((".css", ".js", ".svg")):
            assert "http" not in without and "@import" not in text, name


def test_pages_have_language_one_first_heading_and_no_skipped_rank(html: dict[str, Page]) -> None:
    for name, page in html.items():
        assert page.lang == "en", name
        assert page.headings[0] == 1 and page.headings.count(1) == 1, name
        assert all(after <= before + 1 for before, after in zip(page.headings, page.headings[1:], strict=False)), name
        assert all(image.get("alt") for image in page.images), name
        assert len(page.ids) == len(set(page.ids)), name


def test_the_same_results_give_the_same_site(files: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "_pictures", lambda _: ([], {}))  # test_figures.py draws them twice
    again = site.pages()
    assert [name for name in again if files[name] != again[name]] == ["plots.html"]


def test_every_figure_of_a_result_comes_with_its_command(files: dict[str, str]) -> None:
    for result in load(local_ones=False, latest=True):
        if result.ours and result.core in cores.load():
            assert result.command in files[f"cores/{result.core}.html"]


def test_a_median_is_that_of_several_placements() -> None:
    model = next(result for result in load(local_ones=False, latest=True) if result.fmax_mhz_by_seed)
    names = [column.name for column in ranking.COLUMNS]
    for clocks, seeds, median in (({1: 100.0}, "1", ranking.NONE), ({1: 90.0, 2: 100.0, 3: 110.0}, "3", "100")):
        result = replace(model, fmax_mhz_by_seed=clocks, fmax_mhz_median=100.0)
        row = dict(zip(names, ranking.rows([result], {})[0].cells, strict=True))
        assert (row["seeds"].text, row["median"].text) == (seeds, median)


def test_the_ranking_names_the_cores_without_results(files: dict[str, str]) -> None:
    results = load(local_ones=False, latest=True)
    without = ranking.absent(results)
    assert set(without) == {"ecp5", "xcup", "xc7"}
    for target, names in without.items():
        assert set(names) == set(cores.load()) - {
            r.core for r in results if (r.target, r.interface) == (target, "bare")
        }
        said = "of any core" if len(names) == len(cores.load()) else ", ".join(names)
        assert (f"No results on {target} yet: {said}." in files["index.html"]) == bool(names)


def test_a_whole_link_has_no_rank_among_cores() -> None:
    links = [result for result in load(local_ones=False, latest=True) if result.core.startswith("link-")]
    assert links and not ranking.rows(links, {})


def test_published_rows_stand_behind_ours() -> None:
    rows = ranking.rows(load(local_ones=False, latest=True), {})
    kinds = [not row.record.ours for row in rows]
    assert kinds == sorted(kinds) and True in kinds


def test_numbers_read_as_people_write_them() -> None:
    assert [ranking.number(value, digits) for value, digits in ((12345, 0), (13.002, 1), (118.05, 1), (0, 1))] == [
        "12\u202f345", "13", "118.0", "0",
    ]  # fmt: skip
    assert ranking.number(None, 2) == ranking.NONE


AEADS = [name for name, core in cores.load().items() if core.kind == "aead"]


#: What is true of AEAD cores alone.
AEAD_WORDS = (
    "Seals and opens",
    "<code>out</code>",
    "only a release FIFO",
    "set-up of a message",
)


@pytest.mark.parametrize("name", [name for name in cores.load() if name not in AEADS])
def test_the_page_of_a_mac_core_says_what_a_mac_does(name: str, files: dict[str, str]) -> None:
    core, page = cores.find(name), files[f"cores/{name}.html"]
    assert f"computes tags and verifies them, in blocks of {core.block_bytes} bytes" in page
    assert "needs no release FIFO" in page
    assert ("Experimental." in page) == core.experimental
    assert not [words for words in AEAD_WORDS if words in page]
    counted = [r for r in load(local_ones=False, latest=True) if r.core == name and r.cycles]
    assert page.count("one message of 1536 bytes alone") == page.count("start, padding and tag") == len(counted)


@pytest.mark.parametrize("name", cores.load())
def test_ports_are_those_of_the_contract(name: str) -> None:
    found = {port.name: port for port in ports.ports(cores.find(name).sources[-1])}
    channels = {"key": "in", "cmd": "in", "ad": "in", "msg": "in", "tag_in": "in", "out": "out", "result": "out"}
    aead = name in AEADS
    if not aead:
        del channels["ad"], channels["out"]
    for channel, way in channels.items():
        assert found[f"{channel}_valid"].direction == f"{way}put"
        assert found[f"{channel}_ready"].direction == ("output" if way == "in" else "input")
    width = "KEY_BITS" if cores.find(name).shares == 1 else "KEY_PORT_BITS"
    assert found["key_data"].width == width and found["clk"].width == ""
    assert found["cmd_op" if aead else "cmd_verify"].width == ("2" if aead else "")
    named = {parameter for parameter, _, _ in ports.parameters(cores.find(name).sources[-1])}
    assert named >= {"KEY_BITS", "TAG_BITS", "VERSION" if aead else "DATA_BITS"}


@pytest.mark.parametrize("name", cores.load())
def test_a_block_diagram_names_modules_that_the_core_has(name: str) -> None:
    core = cores.find(name)
    drawn = diagram.svg(core)
    assert drawn is not None
    sources = {path.stem for path in core.sources}
    named = diagram.modules(diagram.name_of(core))
    assert named and set(named) <= sources
    assert all(module in drawn for module in named)


@pytest.mark.parametrize("name", cores.load())
def test_the_waveform_of_a_core_shows_what_it_does(name: str) -> None:
    kept = record.load(name)
    assert kept is not None, f"run: sealwire-lab waveforms --core {name}"
    core = cores.find(name)
    beats = -(-kept.message_bytes // (core.data_bits // 8))
    operations = ("seal", "open") if name in AEADS else ("compute", "verify")
    assert tuple(kept.runs) == operations
    for operation in operations:
        edges = kept.edges(operation)
        taken = {channel: sum(edge[channel][:2] == "11" for edge in edges) for channel in record.MARK}
        assert taken["cmd"] == taken["result"] == 1
        assert taken["msg"] == beats and taken["out"] == (beats if name in AEADS else 0)
        assert taken["key"] == (operation == operations[0]) and taken["tag_in"] == (operation == operations[1])
        (result,) = (edge["result"] for edge in edges if edge["result"][:2] == "11")
        assert result[2] == "1"  # ok
        lanes = {name: valid for name, valid, _ in picture.source(kept, operation)["signal"][2:]}
        boxes = [label for lane in lanes.values() for label in lane["data"]]
        assert lanes.keys() == {"key", "cmd", "msg", "tag_in", "result"} | ({"ad", "out"} if name in AEADS else set())
        assert len(boxes) >= 4 and lanes["result"]["data"] == ["ok"] and lanes["cmd"]["data"] == [operation]
        assert sum(lane["wave"].count("5") for lane in lanes.values()) == len(boxes)
        drawn = picture.svg(kept, operation)
        assert drawn.startswith("<svg") and all(f">{label}</tspan>" in drawn for label in boxes)


def test_a_damaged_waveform_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(record, "path_of", lambda name: tmp_path / f"{name}.json")
    with pytest.raises(LabError, match="is not a waveform"):
        record.load("x")
    assert record.load("y") is None


def luminance(colour: str) -> float:
    """Relative luminance of #rrggbb (WCAG 2)."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_text_stands_out_on_light_and_on_dark_ground(files: dict[str, str]) -> None:
    grounds = re.findall(r"--(\w[\w-]*): (#[0-9a-f]{6})", files["style.css"])
    half = len(grounds) // 2
    for colours in (dict(grounds[:half]), dict(grounds[half:])):
        assert contrast(colours["warn"], colours["warn-ground"]) >= 4.5
        for ground in ("ground", "band"):
            for text in ("ink", "faint", "link"):
                assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
        for box in ("secret", "block", "main", "control"):
            assert contrast(colours["ink"], colours[box]) >= 4.5, box
    for theme in style.THEMES.values():
        for colour in (theme.ink, theme.faint, *theme.hues.values()):
            assert contrast(colour, theme.ground) >= 4.5, (theme.name, colour)


def test_markdown_escapes_and_turns_links_into_paths() -> None:
    made = markdown.html(
        "<script>x</script>\n\n[a page](cores/omd.md#size) [web](https://example.org) [up](../README.md)"
    )
    assert "<script>" not in made
    assert "<code>docs/cores/omd.md</code>" in made and "<code>README.md</code>" in made
    assert '<a href="https://example.org">' in made


def test_the_page_shows_the_shipped_figures_of_coverage(files: dict[str, str]) -> None:
    shipped, page = coverage.load(), files["method.html"]
    for name, room in shipped.everything():
        assert f"<tr><td>{escape(name)}</td>" in page
        for what, figure in (("lines", room.lines), ("toggles", room.toggles)):
            said, percent = f"{figure.covered} of {figure.total}", f"{figure.percent:.1f}"
            cells = f'<td class="n" data-label="{what}">{said}</td><td class="n" data-label="%">{percent}</td>'
            if not figure.total:
                cells = f'<td class="n" data-label="{what}">none</td><td data-label="%"></td>'
            assert cells in page
    assert shipped.date in page and f"seed {shipped.seed}" in page
