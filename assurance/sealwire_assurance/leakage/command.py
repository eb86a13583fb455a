# SPDX-License-Identifier: Apache-2.0
"""The command `sealwire-lab leakage`."""

import argparse
import json
from pathlib import Path
from typing import Any

from sealwire_lab import cores, files
from sealwire_lab.errors import LabError, one_of
from sealwire_lab.implement.targets import TARGETS
from sealwire_lab.terminal import between, core_option, counter, option, progress, switches, whole

from . import campaign

_DELAYS = ("unit", "random")


def options(parser: argparse.ArgumentParser) -> None:
    core_option(parser)
    option(parser, "--fixed NAME", "what is fixed in one group of traces: nonce, ad, message or key", required=True)
    option(parser, "--operation NAME", "seal (default) or compute; open or verify, with a wrong tag")
    option(parser, "--masks NAME", "on (default), off, or stuck: all of the generator's bits are 0", default="on")
    option(
        parser, "--traces N", "both groups together (default 10000)", between(1, campaign.MOST_TRACES), default=10_000
    )
    option(parser, "--delays NAME", "of a cell: unit (default), or random from 1 to 4 steps", default="unit")
    option(parser, "--blocks N", "of the message (default 2)", whole, default=2)
    option(parser, "--ad-blocks N", "of the associated data (default 1)", whole, default=1)
    option(parser, "--seed N", "of traces and delays (default 1)", between(0, campaign.MOST_SEED), default=1)
    option(parser, "--plot FILE", "draw t at each cycle, as SVG")
    switches(parser, json="the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    core = cores.find(arguments.core)
    operations = campaign.OPERATIONS[core.kind]
    wanted = campaign.Campaign(
        core, TARGETS["ecp5"],
        fixed=one_of("class", arguments.fixed, campaign.CLASSES[core.kind]),
        operation=one_of("operation", arguments.operation or operations[0], operations),
        masks=one_of("state of the masks", arguments.masks, campaign.MASKS),
        traces=arguments.traces, seed=arguments.seed,
        random_delays=one_of("delay", arguments.delays, _DELAYS) == "random",
        ad_blocks=arguments.ad_blocks, blocks=arguments.blocks,
    )  # fmt: skip
    plot = None if arguments.plot is None else _writable(arguments.plot)
    with progress() as tell:
        result = campaign.measure(wanted, tell, counter(tell, "traces"))
    if plot:
        _draw(result, plot)
    if arguments.json:
        print(json.dumps(result, indent=2))
    else:
        _tell(result)
    return 1 if result["beyond"] else 0


def _writable(name: str) -> Path:
    """The path of a picture, if it can be written: said before the simulation, which takes long."""
    path = Path(name)
    if not name or path.is_dir():
        raise LabError(f"--plot {name!r} names no file")
    files.check_room(path.parent)
    return path


def _draw(result: dict[str, Any], path: Path) -> None:
    """Write a picture, t at each cycle and the threshold, as SVG."""
    import altair as alt  # slow to load, as is vl_convert: only a picture needs them
    import vl_convert

    rows = [{"cycle": cycle, "t": t} for cycle, t in enumerate(result["t"])]
    limits = [{"t": sign * result["threshold"]} for sign in (1, -1)]
    title = (
        f"{result['core']}: {result['operation']}, fixed against random {result['fixed']}, "
        f"masks {result['masks']}, {result['traces']} traces"
    )
    line = alt.Chart(alt.InlineData(values=rows), width=640, height=200, title=title).mark_line(strokeWidth=1)
    drawn = line.encode(x=alt.X("cycle:Q", title="cycle after the key"), y=alt.Y("t:Q", title="Welch's t, first order"))
    rule = alt.Chart(alt.InlineData(values=limits)).mark_rule(color="#c0392b", strokeDash=[6, 4]).encode(y="t:Q")
    files.write(path, vl_convert.vegalite_to_svg((drawn + rule).to_dict(validate=False)))


def _tell(result: dict[str, Any]) -> None:
    print(
        f"{result['core']} ({result['target']}), {result['operation']}, fixed against random {result['fixed']}, "
        f"masks {result['masks']}, {result['delays']} delays, seed {result['seed']}: {result['wires']} wires, "
        f"{result['traces']} traces of {result['points']} cycles"
    )
    print(
        f"largest |t| {result['worst']:.2f} at cycle {result['worst_point']}, threshold {result['threshold']:.2f}: "
        + (f"{result['beyond']} cycles leak" if result["beyond"] else "no leakage found")
        + f"; of variances {result['worst_of_variances']:.2f}"
    )
