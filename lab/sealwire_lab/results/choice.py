# SPDX-License-Identifier: Apache-2.0
"""Which of several records that answer one question is the answer.

Sources count before success: what the newest sources gave is the truth of today, be it a failure.  For the same sources
a result that is there counts before any failure, because only tools, time or machine can have got in its way.
"""

from collections.abc import Callable, Iterable, Sequence

from .record import INGREDIENTS, Record

#: How much a status says.  An error says nothing about the design.
_WORTH = {"ok": 2, "failed": 1, "timeout": 1, "error": 0}

_DESIGN = tuple(name for name in INGREDIENTS if name != "seeds")


def strength(record: Record) -> tuple[int, int]:
    """Orders records of one key: one is never to be replaced by a weaker one."""
    return _WORTH.get(record.status, 0), len(record.fmax_mhz_by_seed or {})


def _newest(records: Iterable[Record]) -> Record:
    """The last one among those that were finished last."""
    return sorted(records, key=lambda record: record.finished or "")[-1]


def _if_any(records: list[Record], fits: Callable[[Record], object]) -> list[Record]:
    return [record for record in records if fits(record)] or records


def best(records: Sequence[Record]) -> Record:
    """The one to show; of equal ones the last."""
    left = _if_any(list(records), lambda record: record.status != "error")
    sources = _newest(left).sources_sha256
    left = _if_any([record for record in left if record.sources_sha256 == sources], lambda r: r.status == "ok")
    left = _if_any(left, lambda record: record.cycles)  # without them there is no throughput
    newest = _newest(left)
    left = [record for record in left if record.key(*_DESIGN) == newest.key(*_DESIGN)]
    most = max(len(record.seeds) for record in left)
    return _newest(record for record in left if len(record.seeds) == most)


def answers(records: Iterable[Record], question: Callable[[Record], str]) -> list[Record]:
    """The best record for each question."""
    asked: dict[str, list[Record]] = {}
    for record in records:
        asked.setdefault(question(record), []).append(record)
    return [best(group) for group in asked.values()]
