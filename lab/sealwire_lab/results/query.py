# SPDX-License-Identifier: Apache-2.0
"""Loads results from repository and machine, and chooses among them."""

import fnmatch
from collections.abc import Callable, Collection, Iterable
from typing import Any

from ..errors import LabError
from ..terminal import say
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

    def fits(record: Record, name: str, values: Collection[Any]) -> bool:
        if name not in tests:
            return not values or getattr(record, name) in values
        return not values or any(tests[name](record, value) for value in values)

    return [record for record in records if all(fits(record, name, values) for name, values in wanted.items())]
