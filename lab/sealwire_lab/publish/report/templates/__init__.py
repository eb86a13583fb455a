# SPDX-License-Identifier: Apache-2.0
"""The forms that the pages are made from."""

from functools import cache
from pathlib import Path

from jinja2 import Environment

from .... import files


@cache
def environment() -> Environment:
    """Jinja with the templates of this folder, for HTML."""
    return files.forms(Path(__file__).parent, autoescape=True, lstrip_blocks=True, keep_trailing_newline=False)
