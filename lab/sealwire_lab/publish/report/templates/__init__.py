# SPDX-License-Identifier: Apache-2.0
"""The forms that the pages are made from."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined


@cache
def environment() -> Environment:
    """Jinja with the templates of this folder; a name that nothing gives is an error."""
    return Environment(
        loader=PackageLoader("sealwire_lab.publish.report"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
