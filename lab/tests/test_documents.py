# SPDX-License-Identifier: Apache-2.0
"""Documents: the index names every page, and every link leads to a file and a heading that exist."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sealwire_lab import cores

ROOT = cores.root()
#: Where documents lie; templates of documents are not among them.
PLACES = ("*.md", "docs/**/*.md", "hdl/**/*.md", "*/README.md")
DOCUMENTS = sorted({path for place in PLACES for path in ROOT.glob(place) if "build" not in path.parts})
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^()\s]+)\)")


def prose(text: str) -> str:
    """A document without its blocks and spans of code, in which brackets are no links."""
    return re.sub(r"`[^`\n]*`", "code", _FENCE.sub("", text))


def links(document: Path) -> list[str]:
    """Targets of the links of a document that lead into the repository."""
    found = _LINK.findall(prose(document.read_text(encoding="utf-8")))
    return [target for target in found if not re.match(r"[a-z]+:", target)]


def anchors(document: Path) -> Iterator[str]:
    """Names that a web view of the document gives to its headings."""
    for heading in re.findall(r"^#+ (.+)$", _FENCE.sub("", document.read_text(encoding="utf-8")), re.MULTILINE):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        yield re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def dead(document: Path) -> list[str]:
    """Links of a document whose file or heading does not exist."""
    wrong = []
    for target in links(document):
        name, _, anchor = target.partition("#")
        path = document.parent / name if name else document
        if not path.exists() or (anchor and path.suffix == ".md" and anchor not in anchors(path)):
            wrong.append(target)
    return wrong


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_link_is_dead(document: Path) -> None:
    assert dead(document) == []


def test_the_index_names_every_page() -> None:
    index = ROOT / "docs" / "README.md"
    named = {(index.parent / target.partition("#")[0]).resolve() for target in links(index)}
    pages = {path.resolve() for path in index.parent.rglob("*.md")} - {index.resolve()}
    assert sorted(str(page.relative_to(ROOT)) for page in pages - named) == []


def test_a_dead_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text("# A `b` (c), d\n\n```sh\n# none\n```\n", encoding="utf-8")
    page = tmp_path / "a.md"
    page.write_text("[1](b.md) [2](b.md#a-b-c-d) [3](c.md) [4](b.md#none) [5](#gone) `[6](code)`\n", encoding="utf-8")
    assert dead(page) == ["c.md", "b.md#none", "#gone"]
