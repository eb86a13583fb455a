# SPDX-License-Identifier: Apache-2.0
"""Files of an exported folder: Jinja with @{value}@ and @% statement %@, which no language in them uses."""

from pathlib import Path

from .... import files

_FORMS = files.forms(
    Path(__file__).parent, lstrip_blocks=True, variable_start_string="@{", variable_end_string="}@",
    block_start_string="@%", block_end_string="%@", comment_start_string="@#", comment_end_string="#@",
)  # fmt: skip


def fill(template: str, **values: object) -> str:
    """The text of a template; everything that it names must have its value."""
    return _FORMS.get_template(template).render(values)
