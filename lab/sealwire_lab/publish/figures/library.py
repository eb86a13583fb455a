# SPDX-License-Identifier: Apache-2.0
"""Speed of the library beside other libraries: what `sealwire bench --json` measured, kept with the machine it ran on.

Kept in results/library/speed.csv: a row for each case, core cycles a byte as median and least of the repetitions.
"""

import json
import os
import platform
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ... import cores, files
from ...errors import LabError
from ...results import Record
from ...terminal import markdown
from . import measured, panel
from .drawing import Figure, texts
from .panel import Axis, Line
from .style import Theme

LIBRARY = "library"
_NAME = "library-speed"
AGAIN = f"sealwire-lab plot {_NAME} --measure {LIBRARY}"
_REPEAT = 250
_BENCH = ("bench", "--json", "--repeat", str(_REPEAT))
_COLUMNS = ("scheme", "peer", "path", "op", "bytes", "batch", "ad", "cpb", "cpb_least", "gbit_s")
#: Ours and their hues, and how many messages a call fill the lanes.
_OURS = {"omd-sha512": ("sha512", 8), "omd-blake2b": ("blake2b", 8), "omd-sha256": ("sha256", 16)}
_PEERS = (("aes-128-gcm", "ring"), ("chacha20-poly1305", "ring"))
_ACROSS = Axis("message, bytes", (64, 16384), (64, 256, 1500, 4096, 16384))
_UP = Axis("core cycles a byte", (0.2, 100.0), (0.2, 0.5, 1, 2, 5, 10, 20, 50, 100))


def path_of() -> Path:
    """Where the measurement is kept."""
    return cores.root() / "results" / "library" / "speed.csv"


def text_of(rows: Sequence[dict[str, Any]], notes: dict[str, str]) -> str:
    """The file: what `sealwire bench --json` wrote, under notes on the machine."""
    exact = ("cpb", "cpb_least", "gbit_s")
    made = [[f"{row[name]:.4f}" if name in exact else row[name] for name in _COLUMNS] for row in rows]
    return measured.text([f"make bench ARGS='{' '.join(_BENCH[1:])}' by: {AGAIN}"], notes, _COLUMNS, made)


def measure(tell: Callable[[str], None]) -> Path:
    """Measure the library and its peers on this machine (minutes) and keep the result."""
    load, about = os.getloadavg()[0], Path("/proc/cpuinfo")
    named = re.search(r"^model name\s*: *(.*)", files.read(about), re.MULTILINE) if about.exists() else None
    tell(" ".join(("sealwire", *_BENCH)))
    rows = json.loads(measured.cargo("-p", "sealwire-cli", "--features", "peers", "--", *_BENCH))
    notes = {
        "cpu": f"{named[1] if named else platform.processor() or 'unknown CPU'}, {os.cpu_count()} CPUs",
        "system": f"{platform.system()} {platform.release()}, {platform.machine()}",
        "rust": measured.said(("rustc", "--version")).strip(),
        "load before": f"{load:.1f} processes",
        "method": f"least of {_REPEAT} means of at least 150 us, all cases of a length in turn, one thread",
    }
    return files.write(path_of(), text_of(rows, notes))


def kept() -> tuple[list[dict[str, str]], dict[str, str]]:
    """The kept rows, and the notes on them."""
    return measured.kept(path_of(), AGAIN)


def table(operation: str, batches: Sequence[str]) -> str:
    """Least core cycles a byte of an operation without associated data, a row for a scheme and messages a call."""
    rows, _ = kept()
    cells: dict[tuple[str, str], dict[int, str]] = {}
    for row in rows:
        if (row["op"], row["ad"]) == (operation, "0") and row["batch"] in batches:
            name = f"`{row['scheme']}`" if not row["peer"] else f"{row['scheme']}, {row['peer']}"
            least = float(row["cpb_least"])
            cells.setdefault((name, row["batch"]), {})[int(row["bytes"])] = f"{least:.2f}"
    if not cells:
        raise LabError(f"{path_of()} has nothing of {operation} with {' or '.join(batches)} messages a call")
    sizes = sorted({size for line in cells.values() for size in line})
    heads = ["scheme", "messages a call", *("1 MiB" if size == 1 << 20 else str(size) for size in sizes)]
    return markdown(heads, ([*key, *(line.get(size, "") for size in sizes)] for key, line in cells.items()))


def speed(_: Sequence[Record], theme: Theme) -> Figure:
    """One message a call, and as many as fill the lanes."""
    rows, notes = kept()

    def line(name: str, scheme: str, peer: str, batch: int) -> Line:
        wanted = (scheme, peer, "seal", str(batch), "0")
        points = sorted(
            (int(row["bytes"]), float(row["cpb_least"]))
            for row in rows
            if tuple(row[key] for key in ("scheme", "peer", "op", "batch", "ad")) == wanted
            and int(row["bytes"]) < 1 << 20
        )
        if peer:
            return Line(name, theme.published, points, panel.DASHED)
        return Line(name, theme.hues[_OURS[scheme][0]], points)

    peers = [line(f"{name}, {peer}", name, peer, 1) for name, peer in _PEERS]
    one = [line(name, name, "", 1) for name in _OURS]
    many = [line(f"{name}, {n} a call", name, "", n) for name, (_, n) in _OURS.items()]
    lacking = [line.name for line in (*one, *many, *peers) if not line.points]
    if lacking:
        raise LabError(f"{path_of()} lacks {', '.join(lacking)}; make it again: {AGAIN}")
    evidence = texts()[_NAME]["evidence"].format(
        cpu=notes.get("cpu", "unknown CPU"), method=notes.get("method", "method unknown"),
        load=notes.get("load before", "unknown load"),
    )  # fmt: skip
    ends = ", ".join(f"{line.name} {line.points[-1][1]:.2f}" for line in (*one, *many))
    summary = f"At 16384 bytes: {ends} c/b."
    size = (230 if theme.narrow else 360, 300)
    shown = {"One message a call": one, "Many messages a call (peers: one)": many}
    panels = [panel.lines(name, _ACROSS, _UP, [*ours, *peers], theme, size, 28) for name, ours in shown.items()]
    words = {"evidence": evidence, "summary": summary}
    return panel.figure(_NAME, panel.beside(panels, theme), [*words.values()], theme, alternative=summary, **words)
