# SPDX-License-Identifier: Apache-2.0
"""Draws the mutants of a campaign: spread over the rooms by their size and within a room over the kinds of defects.

A seed ranks every mutant by itself, so that a change of the sources leaves the draw of the rest as it is.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

from .defects import KINDS
from .sites import Mutant


def shares(lines: Mapping[str, int], count: int, least: int) -> dict[str, int]:
    """How many of `count` each room gets: in proportion to its lines, but at least `least`."""
    wanted = {room: max(least, round(count * size / sum(lines.values()))) for room, size in lines.items()}
    while sum(wanted.values()) > count and max(wanted.values()) > least:
        wanted[max(wanted, key=lambda room: (wanted[room], room))] -= 1
    while sum(wanted.values()) < count:
        wanted[min(wanted, key=lambda room: (wanted[room] / lines[room], room))] += 1
    return wanted


def draw(mutants: Iterable[Mutant], lines: Mapping[str, int], seed: int, count: int, least: int = 15) -> list[Mutant]:
    """The mutants of seed `seed`; `lines` are those of each room.  A room with fewer places gives all it has."""
    rooms: dict[str, dict[str, list[Mutant]]] = {room: {kind: [] for kind in KINDS} for room in lines}
    for mutant in mutants:
        rooms[mutant.room][mutant.kind].append(mutant)
    drawn = []
    for room, share in shares(lines, count, least).items():
        kinds = sorted(rooms[room], key=lambda kind: _rank(seed, f"{room} {kind}"))
        ranked = [sorted(rooms[room][kind], key=lambda m: _rank(seed, m.id)) for kind in kinds]
        in_turn = [mutant for turn in zip_longest(*ranked) for mutant in turn if mutant is not None]
        drawn += in_turn[:share]
    return drawn


def _rank(seed: int, name: str) -> str:
    return hashlib.sha256(f"{seed} {name}".encode()).hexdigest()


def mixed(drawn: Sequence[Mutant]) -> list[Mutant]:
    """The same mutants, one of each room in turn: whoever looks at the first ones has seen all rooms."""
    rooms = defaultdict(list)
    for mutant in drawn:
        rooms[mutant.room].append(mutant)
    return [mutant for turn in zip_longest(*rooms.values()) for mutant in turn if mutant is not None]
