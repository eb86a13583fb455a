# SPDX-License-Identifier: Apache-2.0
"""One packet's life as a picture: a timeline from the cycle stamps of both simulations, written as SVG."""

from dataclasses import dataclass
from html import escape

from .probes import Life, Stamp

_WIDTH, _LEFT, _RIGHT = 1120, 250, 40  # pixels
_TOP, _LANE, _BAR = 128, 54, 24
_PLAIN, _CORE, _WIRE, _VERDICT = "#2f6fb0", "#b4552d", "#5b5b66", "#2c8a4b"
_GREY, _LIGHT, _INK = "#555", "#999", "#222"
_TICKS = (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500)  # microseconds
_LANES = (
    # lane, what happens, colour, first and last stamp
    ("A  trusted side, in", "plaintext frame enters", _PLAIN, "trusted_in first beat", "trusted_in last beat"),
    ("A  core, seal", "{blocks} times 64 bytes sealed", _CORE, "seal begin", "seal end"),
    ("A  untrusted side, out", "ciphertext leaves", _WIRE, "untrusted_out first beat", "untrusted_out last beat"),
    ("B  untrusted side, in", "ciphertext arrives", _WIRE, "untrusted_in first beat", "untrusted_in last beat"),
    ("B  core, open", "{blocks} times 64 bytes opened", _CORE, "open begin", "open end"),
    ("B  release", "tag and number are right, released", _VERDICT, "open end", "trusted_out first beat"),
    ("B  trusted side, out", "plaintext frame leaves", _PLAIN, "trusted_out first beat", "trusted_out last beat"),
)
_OF_SENDER = 3  # the first lanes are the sender's


@dataclass(frozen=True)
class _Bar:
    lane: str
    note: str
    colour: str
    begin: float  # microseconds since the first beat
    end: float
    cycles: int


def _bars(life: Life) -> list[_Bar]:
    """On one time axis: the receiver's first beat is set to follow the sender's last, a wire of no length."""
    zero = life.sender["trusted_in first beat"].ps
    shift = life.sender["untrusted_out last beat"].ps - life.receiver["untrusted_in first beat"].ps

    def micros(stamp: Stamp, at_sender: bool) -> float:
        return (stamp.ps - zero + (0 if at_sender else shift)) / 1e6

    bars = []
    for number, (lane, note, colour, first, last) in enumerate(_LANES):
        at_sender = number < _OF_SENDER
        stamps = life.sender if at_sender else life.receiver
        begin, end = stamps[first], stamps[last]
        text = note.format(blocks=life.blocks)
        bars.append(_Bar(lane, text, colour, micros(begin, at_sender), micros(end, at_sender), end.cycle - begin.cycle))
    return bars


def _text(x: float, y: float, words: str, size: int = 13, fill: str = _INK, more: str = "") -> str:
    font = "font-family='DejaVu Sans, Verdana, sans-serif'"
    place = f"x='{x:.1f}' y='{y:.1f}' xml:space='preserve'"
    return f"<text {place} {font} font-size='{size}' fill='{fill}' {more}>{escape(words)}</text>"


def _line(x: float, top: float, bottom: float, stroke: str, more: str = "") -> str:
    return f"<line x1='{x:.1f}' y1='{top}' x2='{x:.1f}' y2='{bottom}' stroke='{stroke}' {more}/>"


def packet_life(life: Life, suite: str, core_ps: int = 10_000) -> str:
    """An SVG document."""
    bars = _bars(life)
    total = max(bar.end for bar in bars)
    scale = (_WIDTH - _LEFT - _RIGHT) / (total * 1.02)
    bottom = _TOP + _LANE * len(bars)
    height = bottom + 84

    def x(time: float) -> float:
        return _LEFT + time * scale

    bold, middle, right = "font-weight='bold'", "text-anchor='middle'", "text-anchor='end'"
    crossing = f"{life.microseconds:.2f} µs from the first beat in to the last beat out, over a wire of no length."
    clocks = "assumed clocks: core 100 MHz, trusted side 156.25 MHz, untrusted side 161.13 MHz"
    out = [
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{_WIDTH}' height='{height}' viewBox='0 0 {_WIDTH} {height}'>",
        f"<rect width='{_WIDTH}' height='{height}' fill='#fff'/>",
        _text(24, 34, "One packet's life", 20, more=bold),
        _text(24, 58, f"A frame of {life.frame_bytes} bytes crosses two links ({suite}): {crossing}", fill=_GREY),
        _text(24, 78, f"Times from the RTL simulation: {clocks}. No byte leaves B before the verdict.", fill=_GREY),
        _text(_LEFT - 16, bottom + 20, "µs", 12, _GREY, right),
        _text(_LEFT - 16, _TOP - 14, "core cycles", 12, _LIGHT, right),
    ]
    step = next((tick for tick in _TICKS if total / tick <= 14), _TICKS[-1])
    for number in range(int(total / step) + 1):
        at = number * step
        out.append(_line(x(at), _TOP - 8, bottom, "#e4e4ea"))
        out.append(_text(x(at), bottom + 20, f"{at:g}", 12, _GREY, middle))
        out.append(_text(x(at), _TOP - 14, f"{at * 1e6 / core_ps:.0f}", 12, _LIGHT, middle))
    wire = _TOP + _OF_SENDER * _LANE
    out.append(f"<path d='M24 {wire} H{_WIDTH - 24}' stroke='{_LIGHT}' stroke-dasharray='5 4'/>")
    verdict = next(bar.begin for bar in bars if bar.colour == _VERDICT)
    out.append(_line(x(verdict), wire, bottom, _VERDICT, "stroke-dasharray='3 3'"))
    out.append(_text(x(verdict), bottom + 36, "verdict", 12, _VERDICT, middle))
    for number, bar in enumerate(bars):
        out += _draw(bar, _TOP + number * _LANE, x(bar.begin), max(3.0, x(bar.end) - x(bar.begin)))
    seal, open_ = life.seal_cycles, life.open_cycles
    summary = (
        f"sealed in {seal} core cycles, opened in {open_}: {seal / life.blocks:.1f} and {open_ / life.blocks:.1f} "
        "cycles a 64-byte block, all overhead included"
    )
    out.append(_text(24, bottom + 56, summary, 12))
    return "\n".join([*out, "</svg>", ""])


def _draw(bar: _Bar, top: float, left: float, width: float) -> list[str]:
    note = f"{bar.note}: {bar.cycles} core cycles, {bar.end - bar.begin:.2f} µs"
    # The note begins with its bar, or ends with it where it would leave the page; a white edge keeps it off the grid.
    fits = left + 7 * len(note) < _WIDTH - 10
    place, anchor = (left, "start") if fits else (left + width, "end")
    edge = f"text-anchor='{anchor}' stroke='#fff' stroke-width='4' paint-order='stroke'"
    return [
        _text(24, top + 27, bar.lane, 14, more="font-weight='bold'"),
        f"<rect x='{left:.1f}' y='{top + 6}' width='{width:.1f}' height='{_BAR}' rx='3' fill='{bar.colour}'/>",
        _text(place, top + _BAR + 21, note, 12, more=edge),
    ]
