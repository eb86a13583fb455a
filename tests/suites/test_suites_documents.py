# SPDX-License-Identifier: Apache-2.0
"""The tables of suites in the documents, and the names of the schemes, against the table of suites."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sealwire_model.schemes import Name
from sealwire_model.suites import SUITES, Suite

DOCS = Path(__file__).parents[2] / "docs"
#: A schedule function as documents write it.
FUNCTIONS = {"sha256": "SHA-256", "sha512": "SHA-512", "blake2b": "BLAKE2b"}


def rows(document: str, heading: str) -> list[list[str]]:
    """The cells of the table whose first line begins with `heading`."""
    table = document.split(f"\n{heading}", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def each(cell: str, count: int) -> list[str]:
    """A cell speaks of every suite of its row, or of all at once."""
    parts = cell.split(", ")
    return parts if len(parts) == count else parts * count


def link_table(document: str) -> dict[int, tuple[str, ...]]:
    """Of docs/wire-format.md, by code: scheme, key, salt, tag, schedule function, n, N_max."""
    found = {}
    for codes, *cells, schedule, most in rows(document, "| suite | AEAD |"):
        count = len(codes.split(", "))
        function, n = schedule.split("; ")
        columns = [each(cell, count) for cell in (codes, *cells, function, n, most)]
        for code, *values in zip(*columns, strict=True):
            found[int(code, 16)] = tuple(values)
    return found


def of_link(suite: Suite) -> tuple[str, ...]:
    sizes = (suite.key_bytes, suite.salt_bytes, suite.tag_bytes)
    function = FUNCTIONS[suite.schedule]
    return (suite.scheme, *map(str, sizes), function, str(suite.n), f"2^{suite.packet_number_bits}")


def of_files(suite: Suite) -> list[str]:
    sizes = (suite.n, suite.key_bytes, suite.nonce_bytes, suite.tag_bytes)
    function = FUNCTIONS[suite.schedule] + (", t = 0, f = 0" if suite.schedule == "blake2b" else "")
    return [f"{suite.code:02x}", f"`{suite.scheme}` (`{suite.name}`)", *map(str, sizes), function]


def text(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def test_the_wire_format_lists_the_suites_of_the_table() -> None:
    assert link_table(text("wire-format.md")) == {code: of_link(suite) for code, suite in SUITES.items()}


def test_the_file_format_lists_the_suites_of_the_table() -> None:
    assert rows(text("file-format.md"), "| suite | scheme |") == [of_files(suite) for suite in SUITES.values()]


def cores_of_link(page: str) -> dict[int, set[str]]:
    """The cores that hdl/link/README.md lists, by ARCHITECTURE."""
    row = next(line for line in page.splitlines() if line.startswith("| `ARCHITECTURE` |"))
    return {
        int(number): set(names.strip().split(", ")) for number, names in re.findall(r"(\d) \w+: ([a-z0-9, -]+)", row)
    }


def test_the_page_of_the_rtl_lists_the_cores_of_the_table() -> None:
    page = (DOCS.parent / "hdl" / "link" / "README.md").read_text(encoding="utf-8")
    table: dict[int, set[str]] = {}
    for suite in SUITES.values():
        for number, core in suite.cores.items():
            table.setdefault(int(number), set()).add(core)
    assert cores_of_link(page) == table
    assert cores_of_link(page.replace("omd-blake2b-h", "omd-sha256-r1")) != table


@pytest.mark.parametrize(
    "pattern",
    [
        r"aes256otrpv3 \| 16, 32 \| 4",
        r"BLAKE2b; 64 \| 2\^30",
        r"\| 05 \| omd",
        r"n104tau160v2 \| 32 \| 5",
        r"aegis256tau128 \| 16, 32 \| 8, 24",
    ],
)
def test_a_document_that_says_otherwise_is_noticed(pattern: str) -> None:
    def more(found: re.Match[str]) -> str:
        return re.sub(r"\d(?=\D*$)", lambda digit: str((int(digit[0]) + 1) % 10), found[0])

    changed, count = re.subn(pattern, more, text("wire-format.md"))
    assert count == 1
    assert link_table(changed) != {code: of_link(suite) for code, suite in SUITES.items()}


@pytest.mark.parametrize("code", SUITES)
def test_the_sizes_of_a_suite_are_those_in_the_name_of_its_scheme(code: int) -> None:
    suite = SUITES[code]
    name = Name.parse(suite.scheme)
    assert (name.key_bits, name.nonce_bits, name.tag_bits) == (suite.key_bits, suite.nonce_bits, suite.tag_bits)


@pytest.mark.parametrize("code", SUITES)
def test_a_suite_keeps_the_rules_of_the_wire_format(code: int) -> None:
    suite = SUITES[code]
    assert suite.code == code and 0 < suite.salt_bytes <= suite.random_bytes
    assert suite.tag_bytes >= 16 and suite.key_bytes <= suite.n
