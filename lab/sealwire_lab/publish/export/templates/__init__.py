# SPDX-License-Identifier: Apache-2.0
"""Files of an exported folder: Jinja with @{value}@ and @% statement %@, which no language in them uses."""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(Path(__file__).parent), undefined=StrictUndefined, keep_trailing_newline=True,
        trim_blocks=True, lstrip_blocks=True, variable_start_string="@{", variable_end_string="}@",
        block_start_string="@%", block_end_string="%@", comment_start_string="@#", comment_end_string="#@",
    )  # fmt: skip


def fill(template: str, **values: object) -> str:
    """The text of a template; everything that it names must have its value."""
    return _environment().get_template(template).render(values)
