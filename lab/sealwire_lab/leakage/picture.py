# SPDX-License-Identifier: Apache-2.0
"""A picture of a campaign: t at each cycle, and the threshold."""

from pathlib import Path
from typing import Any

import altair as alt

from .. import files


def draw(result: dict[str, Any], path: Path) -> None:
    """Write the picture as SVG."""
    rows = [{"cycle": cycle, "t": t} for cycle, t in enumerate(result["t"])]
    limits = [{"t": sign * result["threshold"]} for sign in (1, -1)]
    title = (
        f"{result['core']}: {result['operation']}, fixed against random {result['fixed']}, "
        f"masks {result['masks']}, {result['traces']} traces"
    )
    line = alt.Chart(alt.InlineData(values=rows), width=640, height=200, title=title).mark_line(strokeWidth=1)
    drawn = line.encode(x=alt.X("cycle:Q", title="cycle after the key"), y=alt.Y("t:Q", title="Welch's t, first order"))
    rule = alt.Chart(alt.InlineData(values=limits)).mark_rule(color="#c0392b", strokeDash=[6, 4]).encode(y="t:Q")
    import vl_convert  # slow to load: only a picture needs it

    files.write(path, vl_convert.vegalite_to_svg((drawn + rule).to_dict(validate=False)))
