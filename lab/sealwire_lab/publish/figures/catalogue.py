# SPDX-License-Identifier: Apache-2.0
"""Every figure by name."""

from collections.abc import Callable, Sequence
from functools import partial

from ...errors import unknown
from ...results import Record
from . import cost, curves, library, pipelining, pomd, stages, tables
from .drawing import Figure
from .style import Theme

FIGURES: dict[str, Callable[[Sequence[Record], Theme], Figure]] = {
    "omd-table1": tables.omd_table1,
    **{f"omd-figure{number}": partial(curves.figure, f"omd-figure{number}") for number in (4, 5, 6)},
    **{f"pomd-figure5-{source}": partial(pomd.figure, source) for source in pomd.UNIT},
    "library-speed": library.speed,
    "ascon-macs": tables.ascon_macs,
    "caesar-pipelining": tables.caesar,
    "pipelining-tpa": pipelining.figure,
    "stages": stages.figure,
    "cost-growth": cost.figure,
}


def names(wanted: str) -> list[str]:
    """All names for `all`, those that begin so for a beginning, else the one.  LabError for a name that is none."""
    if wanted == "all":
        return list(FIGURES)
    found = [name for name in FIGURES if name == wanted or name.startswith(f"{wanted}-")]
    if not found:
        raise unknown("figure", wanted, (*FIGURES, "all"), near=FIGURES)
    return found
