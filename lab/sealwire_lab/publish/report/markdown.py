# SPDX-License-Identifier: Apache-2.0
"""Pages of docs/ as HTML: the same text, without a second copy of it."""

import re
from collections.abc import Sequence
from html import escape
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

from ... import cores, files
from ...errors import LabError


def section(name: str, heading: str) -> str:
    """A section of a page, from its heading (with its marks) to the next of the same rank, without the heading."""
    text = files.read(cores.root() / "docs" / name)
    rank = heading.split()[0]
    found = re.search(rf"^{re.escape(heading)}\n(.*?)(?=^#{{1,{len(rank)}}} |\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise LabError(f"docs/{name} has no section {heading!r}")
    return found[1]


def page(name: str) -> tuple[str, str]:
    """(title, HTML of the rest) of a page of docs/."""
    title, _, rest = files.read(cores.root() / "docs" / name).partition("\n")
    return title.removeprefix("# "), html(rest)


def html(text: str) -> str:
    """HTML of Markdown.  Tables can be scrolled by keyboard; a link into the repository becomes its path."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(text)
    _label_cells(tokens)
    made: str = parser.renderer.render(tokens, parser.options, {})
    made = re.sub(r'<a href="(?!https?:|#)([^"]+)">(.*?)</a>', _link, made, flags=re.DOTALL)
    made = made.replace("<th>", '<th scope="col">').replace("<th style=", '<th scope="col" style=')
    scroll = '<div class="wide" role="region" tabindex="0" aria-label="Table">'
    return made.replace("<table>", f'{scroll}<table class="stack">').replace("</table>", "</table></div>")


def _label_cells(tokens: Sequence[Token]) -> None:
    """Each cell of a table says the head of its column, for screens on which cells stand below one another."""
    heads: list[str] = []
    column = 0
    for token, inside in pairwise(tokens):
        if token.type == "thead_open":
            heads = []
        elif token.type == "tr_open":
            column = 0
        elif token.type == "th_open":
            heads.append("".join(part.content for part in inside.children or []))
        elif token.type == "td_open":
            if column and heads[column]:
                token.attrSet("data-label", heads[column])
            column += 1


def _link(found: re.Match[str]) -> str:
    """A link of a page in docs/: the path from the top of the repository, and the words unless they only name it."""
    plain, text = found[1].partition("#")[0], found[2]
    path = plain.removeprefix("../") if plain.startswith("../") else f"docs/{plain}"
    shown = f"<code>{escape(path)}</code>"
    return shown if path.endswith(re.sub("<.*?>", "", text)) else f"{text} ({shown})"
