# SPDX-License-Identifier: Apache-2.0
"""Files of an exported folder with @NAME@ where something is filled in."""

from __future__ import annotations

import re
from importlib import resources


def fill(template: str, **values: object) -> str:
    """The text of a template; every @NAME@ must have its value."""
    text = (resources.files(__name__) / template).read_text(encoding="utf-8")
    return re.sub(r"@([A-Z_]+)@", lambda found: str(values[found[1]]), text)
