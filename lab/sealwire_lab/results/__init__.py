# SPDX-License-Identifier: Apache-2.0
"""Results: what was measured, with what produced it.

`record` says what a result is, `shipped` keeps those of the repository as text (results/*.jsonl), `local` those of this
machine in a database, `query` chooses among them.
"""

from .query import load, select
from .record import CriticalPath, Record

__all__ = ["CriticalPath", "Record", "load", "select"]
