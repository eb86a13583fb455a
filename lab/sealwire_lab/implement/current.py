# SPDX-License-Identifier: Apache-2.0
"""Whether a record still describes the sources of this checkout."""

from .. import links
from ..errors import LabError
from ..results.record import Record
from . import designs, flow


def sources_hash(record: Record) -> str | None:
    """Hash of the sources that would be implemented today, None when the core is gone or takes other parameters."""
    core = links.designs().get(record.core)
    if core is None:
        return None
    try:
        return flow.sources_hash(designs.of(core, record.interface, record.params).core.sources)
    except (LabError, KeyError):
        return None
