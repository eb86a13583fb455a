# SPDX-License-Identifier: Apache-2.0
"""Files of an exported folder with @NAME@ where something is filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import resources


def fill(template: str, **values: object) -> str:
    """The text of a template; every @NAME@ must have its value."""
    return filled((resources.files(__name__) / template).read_text(encoding="utf-8"), values)


def filled(text: str, values: Mapping[str, object]) -> str:
    """The text with its values."""
    return re.sub(r"@([A-Z_]+)@", lambda found: str(values[found[1]]), text)
