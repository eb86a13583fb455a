# SPDX-License-Identifier: Apache-2.0
"""Speed of the library beside other libraries: what `sealwire bench --json` measured, kept with the machine it ran on.

Kept in results/library/speed.csv: a row for each case, core cycles a byte as median and least of the repetitions.
"""

from __future__ import annotations

import csv
import io
import json
import os
import platform
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import altair as alt

from .. import cores
from ..errors import LabError
from ..results import Record
from . import style, texts
from .drawing import Figure
from .panel import Layers, canvas
from .style import Theme

LIBRARY = "library"
_NAME = "library-speed"
_REPEAT = 100
_BENCH = ("bench", "--json", "--repeat", str(_REPEAT))
_COLUMNS = ("scheme", "peer", "path", "op", "bytes", "batch", "ad", "cpb", "cpb_least", "gbit_s")
#: Ours and their hues, and how many messages a call fill the lanes.
_OURS = {"omd-sha512": ("sha512", 8), "omd-blake2b": ("blake2b", 8), "omd-sha256": ("sha256", 16)}
_PEERS = (("aes-128-gcm", "ring"), ("chacha20-poly1305", "ring"))
_WIDTH, _NARROW, _HEIGHT = 360, 230, 300
Line = tuple[str, str, list[tuple[int, float]]]  # name, hue, (bytes, cycles a byte)


def path_of() -> Path:
    """Where the measurement is kept."""
    return cores.root() / "results" / "library" / "speed.csv"


def _said(command: Sequence[str]) -> str:
    """What a command of the tool chain prints."""
    try:
        done = subprocess.run(command, cwd=cores.root(), capture_output=True, text=True)
    except FileNotFoundError as error:
        raise LabError(f"{command[0]} is not installed; `make setup` says what is needed for the library") from error
    if done.returncode != 0:
        raise LabError(f"{command[0]} failed: {(done.stderr.splitlines() or ['no message'])[-1]}")
    return done.stdout


def _cpu() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or "unknown CPU"


def text_of(rows: Sequence[dict[str, Any]], notes: dict[str, str]) -> str:
    """The file: what `sealwire bench --json` wrote, under notes on the machine."""
    text = io.StringIO()
    text.write("# SPDX-License-Identifier: Apache-2.0\n")
    text.write(f"# make bench ARGS='{' '.join(_BENCH[1:])}' by: sealwire-lab plot {_NAME} --measure {LIBRARY}\n")
    for name, value in notes.items():
        text.write(f"# {name}: {value}\n")
    table = csv.DictWriter(text, _COLUMNS, lineterminator="\n", extrasaction="ignore")
    table.writeheader()
    for row in rows:
        rounded = {name: f"{row[name]:.4f}" for name in ("cpb", "cpb_least", "gbit_s")}
        table.writerow(row | {"peer": row["peer"] or "", "path": row["path"] or ""} | rounded)
    return text.getvalue()


def measure(tell: Callable[[str], None]) -> Path:
    """Measure the library and its peers on this machine (minutes) and keep the result."""
    load = os.getloadavg()[0]
    cargo = ("cargo", "run", "--release", "--locked", "--quiet", "-p", "sealwire-cli", "--features", "peers", "--")
    tell(" ".join(("sealwire", *_BENCH)))
    rows = json.loads(_said((*cargo, *_BENCH)))
    notes = {
        "cpu": f"{_cpu()}, {os.cpu_count()} CPUs",
        "system": f"{platform.system()} {platform.release()}, {platform.machine()}",
        "rust": _said(("rustc", "--version")).strip(),
        "load before": f"{load:.1f} processes",
        "method": f"least of {_REPEAT} means of at least 150 us, all cases of a length in turn, one thread",
    }
    path = path_of()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text_of(rows, notes), encoding="utf-8")
    except OSError as error:
        raise LabError(f"cannot write {path}: {error.strerror}") from error
    return path


def kept() -> tuple[list[dict[str, str]], dict[str, str]]:
    """The kept rows, and what the head of the file says: lines `# name: value`."""
    path = path_of()
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise LabError(
            f"cannot read {path}: {error.strerror}; make it: sealwire-lab plot {_NAME} --measure {LIBRARY}"
        ) from error
    head = [line.removeprefix("# ") for line in lines if line.startswith("#")]
    notes = dict(line.split(": ", 1) for line in head if ": " in line)
    return list(csv.DictReader(line for line in lines if not line.startswith("#"))), notes


def _line(rows: Sequence[dict[str, str]], scheme: str, peer: str, batch: int) -> list[tuple[int, float]]:
    wanted = (scheme, peer, "seal", str(batch), "0")
    return sorted(
        (int(row["bytes"]), float(row["cpb_least"]))
        for row in rows
        if (row["scheme"], row["peer"], row["op"], row["batch"], row["ad"]) == wanted and int(row["bytes"]) < 1 << 20
    )


def _panel(title: str, drawn: Sequence[Line], theme: Theme) -> Layers:
    width = _NARROW if theme.narrow else _WIDTH
    rows = [{"line": name, "hue": hue, "x": x, "y": y} for name, hue, line in drawn for x, y in line]
    low, high = 0.2, 100.0
    ends: list[dict[str, Any]] = [
        {"line": name, "hue": hue, "x": line[-1][0], "y": line[-1][1]} for name, hue, line in drawn
    ]
    places = style.spread([end["y"] for end in ends], low, high, _HEIGHT, 15, log=True)
    for end, place in zip(ends, places, strict=True):
        end["place"] = place
    hues = [*dict.fromkeys(hue for _, hue, _ in drawn)]
    colour = alt.Color(
        "hue:N", scale=alt.Scale(domain=hues, range=[theme.hues.get(hue, theme.published) for hue in hues]), legend=None
    )
    dashes = [[1, 0] if hue in theme.hues else [5, 4] for hue in hues]
    dash = alt.StrokeDash("hue:N", scale=alt.Scale(domain=hues, range=dashes), legend=None)
    across = alt.X(
        "x:Q", title="message, bytes", scale=alt.Scale(type="log", domain=[64, 16384], nice=False),
        axis=alt.Axis(values=[64, 256, 1500, 4096, 16384], format="d", grid=False),
    )  # fmt: skip
    scale = alt.Scale(type="log", domain=[low, high], nice=False)
    up = alt.Y(
        "y:Q", title="core cycles a byte", scale=scale,
        axis=alt.Axis(values=[0.2, 0.5, 1, 2, 5, 10, 20, 50, 100], format="~g"),
    )  # fmt: skip
    base = canvas(rows, (width, _HEIGHT), title)
    curve = base.mark_line(strokeWidth=2, point=alt.OverlayMarkDef(size=28)).encode(
        across, up, colour, dash, detail="line:N"
    )
    names = (
        canvas(ends)
        .mark_text(align="left", dx=6)
        .encode(x=alt.value(width), y=alt.Y("place:Q", scale=scale), text="line:N", color=colour)
    )
    return alt.layer(curve, names)


def speed(_: Sequence[Record], theme: Theme) -> Figure:
    """One message a call, and as many as fill the lanes."""
    text = texts.load()[_NAME]
    rows, notes = kept()
    peers: list[Line] = [(f"{name}, {peer}", "peer", _line(rows, name, peer, 1)) for name, peer in _PEERS]
    one: list[Line] = [(name, hue, _line(rows, name, "", 1)) for name, (hue, _) in _OURS.items()]
    many: list[Line] = [(f"{name}, {n} a call", hue, _line(rows, name, "", n)) for name, (hue, n) in _OURS.items()]
    lacking = [name for name, _, line in (*one, *many, *peers) if not line]
    if lacking:
        again = f"sealwire-lab plot {_NAME} --measure {LIBRARY}"
        raise LabError(f"{path_of()} lacks {', '.join(lacking)}; make it again: {again}")
    evidence = text["evidence"].format(
        cpu=notes.get("cpu", "unknown CPU"), method=notes.get("method", "method unknown"),
        load=notes.get("load before", "unknown load"),
    )  # fmt: skip
    summary = "At 16384 bytes: " + ", ".join(f"{name} {line[-1][1]:.2f}" for name, _, line in (*one, *many)) + " c/b."
    beside = alt.vconcat if theme.narrow else alt.hconcat
    chart = beside(
        _panel("One message a call", [*one, *peers], theme),
        _panel("Many messages a call (peers: one)", [*many, *peers], theme),
        spacing=40,
        title=alt.TitleParams(
            style.lines([text["title"]], theme, 40), subtitle=style.lines([evidence, summary], theme)
        ),
    ).resolve_scale(color="independent", strokeDash="independent")  # fmt: skip
    caption = text["caption"].format(evidence=evidence, summary=summary)
    return Figure(_NAME, text["title"], caption, summary, chart.to_dict())
