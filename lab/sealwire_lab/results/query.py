# SPDX-License-Identifier: Apache-2.0
"""Loads results from repository and machine, and chooses among them, as the options of subcommands say."""

import argparse
import fnmatch
from collections.abc import Callable, Collection, Iterable
from typing import Any

from .. import links, tops
from ..errors import LabError, unknown
from ..implement import targets
from ..terminal import say
from . import choice, local, shipped
from .record import BARE, Record

#: Core, target and interface of a record with the usual parameters.
Place = tuple[str, str, str]

_FILTERS = {
    "core": "name or pattern, as 'omd-sha512-*'",
    "family": "omd, pomd, sivomd, ...",
    "architecture": "the end of a core's name (r1, x8), or words of its description",
    "target": "ecp5, xcup, xc7, osu018",
    "interface": "bare, axis-64, 'lwc-*', ...",
    "status": "ok, failed, timeout, error",
}


def merge(theirs: Iterable[Record], ours: Iterable[Record], *, latest: bool) -> list[Record]:
    """Records of repository and machine, sorted, each once; with `latest` only the one that answers a question now."""
    by_key: dict[str, Record] = {}
    for record in (*theirs, *ours):
        same = by_key.setdefault(record.key(), record)
        if choice.strength(record) >= choice.strength(same):
            by_key[record.key()] = record
    found = list(by_key.values())
    if latest:
        found = choice.answers(found, Record.place)
    return sorted(found, key=Record.order)


def load(*, local_ones: bool = True, latest: bool = False) -> list[Record]:
    """Records of repository and machine, sorted, each once.

    `latest`: of those that answer one question (core, interface, target, parameters, options) only the one that holds
    today, as `choice` says.
    """
    return merge(shipped.load(), local.load() if local_ones else (), latest=latest)


def ours_if_any(wanted: bool = True) -> list[Record]:
    """The records of this machine; a database that cannot be used is a line for the user, and no record."""
    try:
        return local.load() if wanted else []
    except LabError as error:
        say(f"sealwire-lab: {error}")
        return []


def select(records: Iterable[Record], **wanted: Collection[Any]) -> list[Record]:
    """The records that have one of the values of each filter; an empty filter lets all pass.

    Filters are core and interface (with wildcards), family, target, status, architecture and key_bits.
    """
    tests: dict[str, Callable[[Record, Any], bool]] = {
        "core": lambda record, pattern: fnmatch.fnmatchcase(record.core, pattern),
        "interface": lambda record, pattern: fnmatch.fnmatchcase(record.interface, pattern),
        # By the end of the core's name (r1, x8) or by words of the description.
        "architecture": lambda record, words: record.core.rpartition("-")[2] == words or words in record.architecture,
        "key_bits": lambda record, bits: record.params.get("KEY_BITS") == bits,
    }

    def fits(record: Record, name: str, value: Any) -> bool:
        return tests[name](record, value) if name in tests else bool(getattr(record, name) == value)

    asked = {name: values for name, values in wanted.items() if values}
    return [r for r in records if all(any(fits(r, name, value) for value in asked[name]) for name in asked)]


def usual(records: Iterable[Record]) -> dict[Place, Record]:
    """The record that holds today of each design with its usual parameters, whatever the options of the tools."""
    known = links.designs()
    fit = [r for r in records if r.source is None and r.core in known and r.params == known[r.core].parameters()]
    answers = choice.answers(fit, lambda record: str((record.core, record.target, record.interface)))
    return {(record.core, record.target, record.interface): record for record in answers}


def add_filters(parser: argparse.ArgumentParser, *, leave_out: Iterable[str] = ()) -> None:
    """Register the filters; each may be repeated, one of its values must fit."""
    for name, help_text in _FILTERS.items():
        if name not in leave_out:
            parser.add_argument(f"--{name}", action="append", default=[], metavar="NAME", help=help_text)
    parser.add_argument("--key-bits", action="append", type=int, default=[], metavar="N", help="size of the key")


def filtered(arguments: argparse.Namespace, records: Iterable[Record]) -> list[Record]:
    """The records that fit the options given."""
    chosen = {name: tuple(getattr(arguments, name, ())) for name in _FILTERS}
    return select(records, key_bits=tuple(arguments.key_bits), **chosen)


def check_filters(arguments: argparse.Namespace, records: Iterable[Record]) -> None:
    """Raise LabError for a name or pattern that neither the lab nor any of the records has."""
    manifest, held = links.designs().values(), list(records)
    names: dict[str, list[str]] = {
        "core": [core.name for core in manifest],
        "family": sorted({core.family for core in manifest}),
        "target": list(targets.TARGETS),
        "interface": [
            BARE,
            *dict.fromkeys(f"{bus}-{width}" for bus, widths in tops.WIDTHS.items() for width in widths),
            *dict.fromkeys(
                f"axis-{width}" for core in manifest if core.kind == "mac" for width in tops.widths(core, "axis")
            ),
        ],
        "status": ["ok", "failed", "timeout", "error"],
    }
    for field, known in names.items():
        every = dict.fromkeys([*known, *(getattr(record, field) for record in held)])
        for wanted in getattr(arguments, field, ()):
            if not any(fnmatch.fnmatchcase(name, wanted) for name in every):
                near = [] if any(sign in wanted for sign in "*?[") else every
                raise unknown(field, wanted, known, near=near, cutoff=0.6)
