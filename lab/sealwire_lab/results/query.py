# SPDX-License-Identifier: Apache-2.0
"""Loads results from repository and machine, and chooses among them."""

import fnmatch
from collections.abc import Collection, Iterable

from . import choice, local, shipped
from .record import Record


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


def load(*, shipped_ones: bool = True, local_ones: bool = True, latest: bool = False) -> list[Record]:
    """Records of repository and machine, sorted, each once.

    `latest`: of those that answer one question (core, interface, target, parameters, options) only the one that holds
    today, as `choice` says.
    """
    theirs = shipped.load() if shipped_ones else ()
    ours = local.load() if local_ones else ()
    return merge(theirs, ours, latest=latest)


def _architecture(record: Record, wanted: str) -> bool:
    """By the end of the core's name (r1, x8) or by words of the description."""
    return record.core.rpartition("-")[2] == wanted or wanted in record.architecture


def select(
    records: Iterable[Record],
    *,
    core: Collection[str] = (),
    family: Collection[str] = (),
    key_bits: Collection[int] = (),
    architecture: Collection[str] = (),
    target: Collection[str] = (),
    interface: Collection[str] = (),
    status: Collection[str] = (),
) -> list[Record]:
    """Those that fit: for each filter one of its values; an empty filter lets all pass.  `core` may hold wildcards."""
    return [
        record
        for record in records
        if (not core or any(fnmatch.fnmatchcase(record.core, pattern) for pattern in core))
        and (not family or record.family in family)
        and (not key_bits or record.params.get("KEY_BITS") in key_bits)
        and (not architecture or any(_architecture(record, wanted) for wanted in architecture))
        and (not target or record.target in target)
        and (not interface or any(fnmatch.fnmatchcase(record.interface, pattern) for pattern in interface))
        and (not status or record.status in status)
    ]
