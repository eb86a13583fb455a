# SPDX-License-Identifier: Apache-2.0
"""The one error type of the lab."""

import difflib
from collections.abc import Collection, Iterable


class LabError(Exception):
    """Something that the user can put right; the message is one line that says what and how."""


def unknown(
    what: str, name: str, known: Iterable[str], *, near: Iterable[str] | None = None, cutoff: float = 0.4
) -> LabError:
    """The answer to a name that nothing has: the nearest of `near`, which is usually what is known, and all of that."""
    known = list(known)
    found = difflib.get_close_matches(name.lower(), list(known if near is None else near), n=1, cutoff=cutoff)
    hint = f"; did you mean {found[0]}?" if found else ""
    return LabError(f"no {what} is called {name!r}{hint} (known: {', '.join(known) or 'none'})")


def one_of(what: str, name: str, known: Collection[str]) -> str:
    """The name, which must be one of those known."""
    if name not in known:
        raise unknown(what, name, known)
    return name
