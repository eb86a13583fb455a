# SPDX-License-Identifier: Apache-2.0
"""What the diagrams have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

#: What `alt.layer` gives.
Layers = alt.LayerChart | alt.FacetChart


def canvas(rows: Sequence[dict[str, Any]], size: tuple[int, int] | None = None, title: str = "") -> alt.Chart:
    """A chart over these rows; width and height in pixels and title are those of the lowest layer."""
    data = alt.InlineData(values=list(rows))
    if size is None:
        return alt.Chart(data)
    return alt.Chart(data, width=size[0], height=size[1], title=alt.TitleParams(title, fontSize=12.5))
