# SPDX-License-Identifier: Apache-2.0
"""A board at the other end of a serial line."""

from collections.abc import Iterator

import pytest
from console_line import Line


@pytest.fixture
def line() -> Iterator[Line]:
    made = Line()
    yield made
    made.close()
