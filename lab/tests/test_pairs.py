# SPDX-License-Identifier: Apache-2.0
"""Basic and pipelined cores side by side: which records count, and what a reader is told of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from record_maker import record
from sealwire_lab import cores, published
from sealwire_lab.implement import designs
from sealwire_lab.publish import pairs
from sealwire_lab.publish.figures import pipelining, style
from sealwire_lab.results import Record, bars

PAIR = next(pair for pair in pairs.load() if pair.core == "ocb-aes128")


def of_core(name: str, mhz: float, median: float) -> Record:
    """A record of a core as its sources are."""
    made = record(name, params=cores.find(name).parameters(), fmax_mhz=mhz, fmax_mhz_median=median, gbit_s=mhz / 80)
    return replace(made, sources_sha256=designs.current_hash(made))


BASIC, CUT = of_core("ocb-aes128-r1", 100.0, 95.0), of_core("ocb-aes128-p2", 160.0, 133.0)


def test_a_row_has_the_ratio_of_best_and_of_median_clocks_and_that_of_the_slides() -> None:
    cells = dict(zip(pairs.HEADS, pairs.row(PAIR, [CUT, BASIC], "ecp5"), strict=True))
    assert cells["ours: MHz"] == "100.0 → 160.0"
    assert cells["ratio (median)"] == "1.60 (1.40)"
    assert cells["ratio printed, of their clocks"] == "1.32, 1.28"
    assert cells["bar"] == "1.40"
    assert "earlier" not in cells["mode"]


@pytest.mark.parametrize(
    "other",
    [
        replace(BASIC, target="xcup"),
        replace(BASIC, interface="axis-64"),
        replace(BASIC, params={**BASIC.params, "TAG_BITS": 64}),
    ],
    ids=["target", "adapter", "parameters"],
)
def test_what_is_another_design_does_not_count(other: Record) -> None:
    cells = dict(zip(pairs.HEADS, pairs.row(PAIR, [other, CUT], "ecp5"), strict=True))
    assert cells["ours: MHz"] == "– → 160.0" and cells["ratio (median)"] == "– (–)"


def test_a_row_tells_of_earlier_sources() -> None:
    assert "(earlier sources)" in pairs.row(PAIR, [replace(BASIC, sources_sha256="00"), CUT], "ecp5")[0]


def test_every_row_of_the_slides_is_there_once() -> None:
    named = [pair.slides for pair in pairs.load() if pair.slides]
    assert sorted(named) == sorted(row["name"] for row in published.load("caesar")["cipher"])
    assert all(pair.status for pair in pairs.load())


def test_the_bar_of_a_pair_is_that_of_the_list_of_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    (bar,) = (bar for bar in bars.load() if (bar.core, bar.quantity) == ("ocb-aes128-p2", "fmax_mhz") and bar.times)
    others = [replace(bar, target="xcup", bar=1.0), replace(bar, quantity="gbit_s", bar=2.0), replace(bar, times=None)]
    monkeypatch.setattr(bars, "load", lambda: [*others, replace(bar, bar=1.75)])
    assert PAIR.bar("ecp5") == 1.75
    monkeypatch.setattr(bars, "load", lambda: others)
    assert PAIR.bar("ecp5") is None and dict(zip(pairs.HEADS, pairs.row(PAIR, [], "ecp5"), strict=True))["bar"] == ""


def test_the_figure_joins_both_cores_and_names_modes_without_them() -> None:
    figure = pipelining.figure([BASIC, CUT], style.LIGHT)
    assert "AES-OCB3" not in figure.missing[0] and "COLM_0" in figure.missing[0]
    assert "AES-OCB3" in pipelining.figure([BASIC], style.LIGHT).missing[0]
