# SPDX-License-Identifier: Apache-2.0
"""Checks the paths between clocks after nextpnr, which reports them but has no constraint for them.

nextpnr-ecp5 ... --report report.json && python nextpnr_crossings.py report.json trusted_clk=8.0 core_clk=5.0

Each clock with its period in ns, by its name in the report or the end of that name. A path may take one period of the
faster clock. Exit status: 0 all well, 1 a path is too slow, 2 the arguments or the report are of no use.
"""

import json
import sys
from pathlib import Path


def period(event: str, periods: dict[str, float]) -> float | None:
    """Of the clock of an event such as "posedge $glbnet$core_clk"."""
    clock = event.split(" ", 1)[-1]
    known = [name for name in periods if clock == name or clock.endswith(("$" + name, "." + name))]
    return periods[known[0]] if known else None


def main(words: list[str]) -> int:
    try:
        report = json.loads(Path(words[0]).read_text(encoding="utf-8"))
        periods = {name: float(ns) for name, _, ns in (word.partition("=") for word in words[1:])}
        paths = report["critical_paths"]
    except (IndexError, OSError, ValueError, KeyError) as error:
        print(f"{error!r}; wanted: REPORT.json CLOCK=NS CLOCK=NS ...", file=sys.stderr)
        return 2
    slow = 0
    for path in paths:
        start, end = path["from"], path["to"]
        if start == end or "<async>" in (start, end):
            continue
        both = period(start, periods), period(end, periods)
        if None in both:
            print(f"{start} -> {end}: give the period of both clocks as CLOCK=NS", file=sys.stderr)
            return 2
        allowed, taken = min(ns for ns in both if ns is not None), sum(part["delay"] for part in path["path"])
        slow += taken > allowed
        print(f"{start} -> {end}: {taken:.2f} ns of {allowed:.2f} ns{'' if taken <= allowed else ': TOO SLOW'}")
    return int(slow > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
