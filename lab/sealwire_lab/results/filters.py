# SPDX-License-Identifier: Apache-2.0
"""The options by which subcommands choose among results."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from .query import select
from .record import Record

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
    """Those that fit the options given."""
    chosen = {name: tuple(getattr(arguments, name, ())) for name in _FILTERS}
    return select(records, key_bits=tuple(arguments.key_bits), **chosen)


def variant(record: Record) -> str:
    """Core, interface and what else tells it from others, for people."""
    behind = "" if record.interface == "bare" else f" behind {record.interface}"
    return f"{record.core}{behind}"
