# SPDX-License-Identifier: Apache-2.0
"""One packet's life as a picture: a timeline from the cycle stamps of both simulations, drawn by Altair as SVG."""

from typing import Any

import altair as alt
import vl_convert

from .probes import Life

_PLAIN, _CORE, _WIRE, _VERDICT = "#2f6fb0", "#b4552d", "#5b5b66", "#2c8a4b"
_CORE_MHZ = 100
_LANES = (
    # lane, what happens, colour, first and last stamp; "{}" is the number of blocks
    ("A  trusted side, in", "plaintext frame enters", _PLAIN, "trusted_in first beat", "trusted_in last beat"),
    ("A  core, seal", "{} times 64 bytes sealed", _CORE, "seal begin", "seal end"),
    ("A  untrusted side, out", "ciphertext leaves", _WIRE, "untrusted_out first beat", "untrusted_out last beat"),
    ("B  untrusted side, in", "ciphertext arrives", _WIRE, "untrusted_in first beat", "untrusted_in last beat"),
    ("B  core, open", "{} times 64 bytes opened", _CORE, "open begin", "open end"),
    ("B  release", "tag and number are right, released", _VERDICT, "open end", "trusted_out first beat"),
    ("B  trusted side, out", "plaintext frame leaves", _PLAIN, "trusted_out first beat", "trusted_out last beat"),
)
_OF_SENDER = 3  # the first lanes are the sender's


def _bars(life: Life) -> list[dict[str, Any]]:
    """On one time axis: the receiver's first beat is set to follow the sender's last, a wire of no length."""
    zero = life.sender["trusted_in first beat"].ps
    shift = life.sender["untrusted_out last beat"].ps - life.receiver["untrusted_in first beat"].ps
    bars = []
    for number, (lane, note, colour, first, last) in enumerate(_LANES):
        stamps, offset = (life.sender, 0) if number < _OF_SENDER else (life.receiver, shift)
        begin, end = ((stamps[name].ps - zero + offset) / 1e6 for name in (first, last))
        spent = f"{stamps[last].cycle - stamps[first].cycle} core cycles, {end - begin:.2f} µs"
        text = f"{note.format(life.blocks)}: {spent}"
        bars.append({"lane": lane, "begin": begin, "end": end, "colour": colour, "note": text})
    return bars


def packet_life(life: Life, suite: str) -> str:
    """An SVG document."""
    bars = _bars(life)
    total = max(bar["end"] for bar in bars)
    for bar in bars:  # a note begins with its bar, or ends with it where it would leave the page
        bar["late"] = bar["begin"] > total / 2
    data = alt.InlineData(values=bars)
    scale = alt.Scale(domain=[0, total * 1.02], nice=False)
    lanes = alt.Y("lane:N", sort=None, title=None, axis=alt.Axis(labelFontWeight="bold", labelFontSize=13))
    colour = alt.Color("colour:N", scale=None)
    base = alt.Chart(data, width=860, height=54 * len(bars))
    drawn = base.mark_bar(height=22, minBandSize=3, cornerRadius=3).encode(
        alt.X("begin:Q", scale=scale, title="µs", axis=alt.Axis(tickCount=14)), lanes, colour, x2="end:Q"
    )
    cycles = base.mark_tick(opacity=0).encode(
        alt.X(
            "begin:Q", scale=scale, title="core cycles",
            axis=alt.Axis(orient="top", labelExpr=f"format(datum.value * {_CORE_MHZ}, 'd')", tickCount=14, grid=False),
        ),
        lanes,
    )  # fmt: skip
    begin, end = (alt.X(f"{name}:Q", scale=scale, axis=None) for name in ("begin", "end"))
    early = base.mark_text(align="left", dy=20, fontSize=12).encode(begin, lanes, text="note:N")
    late = base.mark_text(align="right", dy=20, fontSize=12).encode(end, lanes, text="note:N")
    verdict = alt.Chart(alt.InlineData(values=[bar for bar in bars if bar["colour"] == _VERDICT]))
    seal, open_ = life.seal_cycles, life.open_cycles
    subtitle = [
        f"A frame of {life.frame_bytes} bytes crosses two links ({suite}): {life.microseconds:.2f} µs from the first "
        "beat in to the last beat out, over a wire of no length.",
        "Times from the RTL simulation; assumed clocks: core 100 MHz, trusted side 156.25 MHz, untrusted side 161.13 "
        "MHz. No byte leaves B before the verdict.",
        f"Sealed in {seal} core cycles, opened in {open_}: {seal / life.blocks:.1f} and {open_ / life.blocks:.1f} "
        "cycles a 64-byte block, all overhead included.",
    ]
    chart = alt.layer(
        drawn, cycles, early.transform_filter("!datum.late"), late.transform_filter("datum.late"),
        verdict.mark_rule(color=_VERDICT, strokeDash=[3, 3]).encode(begin),
        title=alt.TitleParams("One packet's life", subtitle=subtitle, anchor="start", fontSize=20, offset=20),
    ).resolve_axis(x="independent")  # fmt: skip
    return str(vl_convert.vegalite_to_svg(chart.to_dict(), vl_version="6.4"))
