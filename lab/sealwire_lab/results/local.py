# SPDX-License-Identifier: Apache-2.0
"""The results of this machine: an SQLite database below build/, written by any number of processes at once."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from .. import cores
from ..errors import LabError
from . import choice
from .record import Record, parse

#: Seconds to wait for another process that writes.
PATIENCE = 10.0
_LAYOUT = 1
_TABLE = """\
CREATE TABLE IF NOT EXISTS result (
    key TEXT PRIMARY KEY, core TEXT NOT NULL, interface TEXT NOT NULL, target TEXT NOT NULL, status TEXT NOT NULL,
    finished TEXT, record TEXT NOT NULL
) STRICT
"""


def path() -> Path:
    """Where the database lies."""
    return cores.root() / "build" / "results" / "results.sqlite3"


@contextmanager
def _open() -> Iterator[sqlite3.Connection]:
    """A connection in a transaction.  LabError, one line, when the database cannot be used."""
    file = path()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(file, timeout=PATIENCE)) as connection, connection:
            layout = connection.execute("PRAGMA user_version").fetchone()[0]
            if layout not in (0, _LAYOUT):
                raise LabError(f"{file} was written by another version of the lab (layout {layout}); move it away")
            if layout == 0:
                connection.execute(_TABLE)
                connection.execute(f"PRAGMA user_version = {_LAYOUT}")
            yield connection
    except (sqlite3.Error, OSError) as error:
        hint = "; move it away, results are then kept anew" if type(error) is sqlite3.DatabaseError else ""
        raise LabError(f"cannot use the database of results {file}: {error}{hint}") from error


def _stood_in_the_way(connection: sqlite3.Connection, record: Record) -> list[str]:
    """Keys of the errors of what has now been made."""
    if record.status == "error":
        return []
    errors = connection.execute(
        "SELECT key, record FROM result WHERE status = 'error' AND core = ? AND interface = ? AND target = ?",
        (record.core, record.interface, record.target),
    ).fetchall()
    past = [(key, parse(text, key[:12])) for key, text in errors]
    return [key for key, error in past if error.place() == record.place() and set(error.seeds) <= set(record.seeds)]


def _forget(connection: sqlite3.Connection, keys: list[str]) -> None:
    connection.executemany("DELETE FROM result WHERE key = ?", [(key,) for key in keys])


def forget_errors(record: Record) -> None:
    """Take away the errors that stood in the way of a record which is kept already; beside it they do no harm."""
    with suppress(LabError), _open() as connection:
        _forget(connection, _stood_in_the_way(connection, record))


def put(record: Record) -> None:
    """Keep a record; one with the same key is replaced, so that a result counts once however often it is made.

    A result takes the place of the error that stood in its way; what came to nothing replaces no result (`choice`).
    """
    with _open() as connection:
        connection.execute("BEGIN IMMEDIATE")  # what is read here decides what is written
        _forget(connection, _stood_in_the_way(connection, record))
        row = connection.execute("SELECT record FROM result WHERE key = ?", (record.key(),)).fetchone()
        if row is not None and choice.strength(parse(row[0], record.key()[:12])) > choice.strength(record):
            return
        connection.execute(
            "INSERT OR REPLACE INTO result VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                record.key(), record.core, record.interface, record.target, record.status, record.finished,
                record.text(),
            ),
        )  # fmt: skip


def get(key: str) -> Record | None:
    """The record with this key, or None."""
    if not path().exists():
        return None
    with _open() as connection:
        row = connection.execute("SELECT record FROM result WHERE key = ?", (key,)).fetchone()
    return None if row is None else parse(row[0], f"{path()}: {key[:12]}")


def load() -> list[Record]:
    """All records of this machine, sorted."""
    if not path().exists():
        return []
    with _open() as connection:
        rows = connection.execute("SELECT key, record FROM result").fetchall()
    return sorted((parse(text, f"{path()}: {key[:12]}") for key, text in rows), key=Record.order)
