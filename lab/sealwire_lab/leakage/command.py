# SPDX-License-Identifier: Apache-2.0
"""The command `sealwire-lab leakage`."""

import argparse
import json
import time
from pathlib import Path
from typing import Any

from .. import cores
from ..errors import unknown
from ..implement.targets import TARGETS
from ..terminal import STDERR, core_option, natural, option, progress, switches, whole
from . import campaign, picture

_DELAYS = ("unit", "random")


def options(parser: argparse.ArgumentParser) -> None:
    core_option(parser)
    option(parser, "--fixed NAME", "what is fixed in one group of traces: nonce, ad, message or key", required=True)
    option(parser, "--operation NAME", "seal (default), or open with a wrong tag", default="seal")
    option(parser, "--masks NAME", "on (default), off, or stuck: all of the generator's bits are 0", default="on")
    option(parser, "--traces N", "both groups together (default 10000)", whole, default=10_000)
    option(parser, "--delays NAME", "of a cell: unit (default), or random from 1 to 4 steps", default="unit")
    option(parser, "--blocks N", "of the message (default 2)", whole, default=2)
    option(parser, "--ad-blocks N", "of the associated data (default 1)", whole, default=1)
    option(parser, "--seed N", "of traces and delays (default 1)", natural, default=1)
    option(parser, "--plot FILE", "draw t at each cycle, as SVG", Path)
    switches(parser, json="the result as JSON")


def _one_of(what: str, name: str, known: tuple[str, ...]) -> str:
    if name not in known:
        raise unknown(what, name, list(known))
    return name


def run(arguments: argparse.Namespace) -> int:
    wanted = campaign.Campaign(
        cores.find(arguments.core), TARGETS["ecp5"],
        fixed=_one_of("class", arguments.fixed, campaign.CLASSES),
        operation=_one_of("operation", arguments.operation, campaign.OPERATIONS),
        masks=_one_of("state of the masks", arguments.masks, campaign.MASKS),
        traces=arguments.traces, seed=arguments.seed,
        random_delays=_one_of("delay", arguments.delays, _DELAYS) == "random",
        ad_blocks=arguments.ad_blocks, blocks=arguments.blocks,
    )  # fmt: skip
    begun = time.monotonic()
    with progress() as tell:

        def done(traces: int, total: int) -> None:
            if STDERR.is_terminal:
                tell(f"{traces} of {total} traces", time.monotonic() - begun, "")

        result = campaign.measure(wanted, tell, done)
    if arguments.plot:
        picture.draw(result, arguments.plot)
    if arguments.json:
        print(json.dumps(result, indent=2))
    else:
        _tell(result)
    return 1 if result["beyond"] else 0


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
