# SPDX-License-Identifier: Apache-2.0
"""The options by which subcommands choose among results."""

import argparse
import fnmatch
from collections.abc import Iterable

from .. import links, tops
from ..errors import unknown
from ..implement import targets
from .query import select
from .record import BARE, Record

_FILTERS = {
    "core": "name or pattern, as 'omd-sha512-*'",
    "family": "omd, pomd, sivomd, ...",
    "architecture": "the end of a core's name (r1, x8), or words of its description",
    "target": "ecp5, xcup, xc7",
    "interface": "bare, axis-64, 'lwc-*', ...",
    "status": "ok, failed, timeout, error",
}


def add(parser: argparse.ArgumentParser, *, leave_out: Iterable[str] = ()) -> None:
    """Register the filters; each may be repeated, one of its values must fit."""
    for name, help_text in _FILTERS.items():
        if name not in leave_out:
            parser.add_argument(f"--{name}", action="append", default=[], metavar="NAME", help=help_text)
    parser.add_argument("--key-bits", action="append", type=int, default=[], metavar="N", help="size of the key")


def apply(arguments: argparse.Namespace, records: Iterable[Record]) -> list[Record]:
    """The records that fit the options given."""
    chosen = {name: tuple(getattr(arguments, name, ())) for name in _FILTERS}
    return select(records, key_bits=tuple(arguments.key_bits), **chosen)


def check(arguments: argparse.Namespace, records: Iterable[Record]) -> None:
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
